"""The answers of the calculators as documents: ``--json`` and the API give the same.

Ratings, K and counts are integers; scores, expectations and unrounded changes are exact decimal texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.explain.documents import StepDocument, plain_value, step_documents
from arpad.explain.words import Words
from arpad.model.chess import Change, Entry, GameChange
from arpad.model.exact import decimal_text, from_hundredths, half_up, points

if TYPE_CHECKING:
    from arpad.rating.calculator import Answer
    from arpad.rating.round_robin import RoundRobinFigures, RoundRobinRating
    from arpad.regulations.fide.performance_rating import PerformanceRating


@dataclass
class ChessHeading:
    """Edition and list of an answer."""

    edition: str
    list: str


@dataclass
class GameDocument:
    """A game of a rating change; ``change`` is score minus expectation, without K."""

    opponent: int
    own: int
    event: str
    score: str
    difference: int
    capped: bool
    rated: bool
    expected: str | None
    change: str | None


@dataclass
class ChangeDocument(ChessHeading):
    """A rating change over one period."""

    rating: int
    k: int
    k_applied: int
    games: Sequence[GameDocument]
    sum: str
    change: str
    change_rounded: int
    new_rating: int
    steps: Sequence[StepDocument]


def change_document(answer: Answer[Change], words: Words) -> ChangeDocument:
    """Return the document of a rating change; its steps include those of single games."""
    change = answer.result
    return ChangeDocument(
        edition=answer.edition.id,
        list=str(answer.list),
        rating=change.rating,
        k=change.k,
        k_applied=change.k_applied,
        games=[_game(game) for game in change.games],
        sum=decimal_text(from_hundredths(change.sum)),
        change=decimal_text(change.change),
        change_rounded=change.change_rounded,
        new_rating=change.new_rating,
        steps=step_documents(answer.steps, words),
    )


def _game(game: GameChange) -> GameDocument:
    return GameDocument(
        opponent=game.game.opponent,
        own=game.game.own,
        event=game.game.event,
        score=decimal_text(points(game.game.score)),
        difference=game.difference,
        capped=game.capped,
        rated=game.rated,
        expected=decimal_text(from_hundredths(game.expected)) if game.rated else None,
        change=decimal_text(from_hundredths(game.change)) if game.rated else None,
    )


@dataclass
class EntryFigures:
    """An entry rating; ``rating`` is null if the edition gives none yet, ``reason`` says why."""

    games: int
    score: str
    average: int | None
    average_exact: Any
    rating: int | None
    computed: int | None
    reason: str
    text: str


@dataclass
class EntryDocument(EntryFigures, ChessHeading):
    """An entry rating; ``rating`` is null if the edition gives none yet, ``reason`` says why."""

    steps: Sequence[StepDocument]


def entry_document(answer: Answer[Entry], words: Words) -> EntryDocument:
    """Return the document of an entry rating."""
    return EntryDocument(
        edition=answer.edition.id,
        list=str(answer.list),
        **vars(_entry_figures(answer.result, words)),
        steps=step_documents(answer.steps, words),
    )


def _entry_figures(entry: Entry, words: Words) -> EntryFigures:
    return EntryFigures(
        games=entry.games,
        score=decimal_text(points(entry.score)),
        average=half_up(entry.average) if entry.average is not None else None,
        average_exact=plain_value(entry.average),
        rating=entry.rating,
        computed=entry.computed,
        reason=entry.reason,
        text=entry_verdict(entry, words),
    )


def entry_verdict(entry: Entry, words: Words) -> str:
    """Return in words whether an entry rating is published."""
    if entry.rating is not None:
        return words.text("calc.entry-published", rating=entry.rating)
    return words.text("calc.entry-not-published", reason=words.text(f"reason.{entry.reason}"))


@dataclass
class OpponentDocument:
    """An opponent in a round robin: the rating they count with; ``score`` is null if only points were given."""

    number: int
    rating: int
    score: str | None


@dataclass
class RoundRobinPlayerDocument:
    """A player of a round robin: of a rated one the change, of an unrated one Rc, Ru, Rc (new), Ru (new)."""

    number: int
    name: str
    rating: int | None
    score: str
    removed: bool
    p: str | None
    dp: int | None
    rc: int | None
    ru: int | None
    rc_new: int | None
    ru_new: int | None
    initial: Any
    k: int | None
    k_applied: int | None
    expected: str | None
    sum: str | None
    change: str | None
    change_rounded: int | None
    new_rating: int | None
    opponents: Sequence[OpponentDocument]
    steps: Sequence[StepDocument]


@dataclass
class RoundRobinDocument(ChessHeading):
    """A round robin with unrated players; ``rar`` and ``dpa`` are exact, ``ra`` is the average of the tournament."""

    cycles: int
    games: int
    rar: Any
    dpa: Any
    ra: int
    removed: Sequence[int]
    findings: Sequence[Any]
    players: Sequence[RoundRobinPlayerDocument]
    steps: Sequence[StepDocument]


def round_robin_document(answer: Answer[RoundRobinRating], words: Words) -> RoundRobinDocument:
    """Return the document of a round robin: the tournament's averages, and each player's figures."""
    rating, table = answer.result, answer.result.table
    return RoundRobinDocument(
        edition=answer.edition.id,
        list=str(answer.list),
        cycles=rating.cycles,
        games=table.games,
        rar=plain_value(table.rar),
        dpa=plain_value(table.dpa),
        ra=table.ra,
        removed=list(table.ignored),
        findings=[
            {
                "severity": str(finding.severity),
                "code": finding.code,
                "article": finding.article,
                "message": words.finding(finding),
            }
            for finding in rating.findings
        ],
        players=[_round_robin_player(player, words) for player in rating.players],
        steps=step_documents(table.steps, words),
    )


def _round_robin_player(player: RoundRobinFigures, words: Words) -> RoundRobinPlayerDocument:
    change, unrated = player.change, player.unrated
    expected = sum(game.expected for game in change.games) if change else 0
    return RoundRobinPlayerDocument(
        number=player.number,
        name=player.name,
        rating=player.rating,
        score=decimal_text(points(player.score)),
        removed=player.removed,
        p=decimal_text(from_hundredths(player.p)) if player.p is not None else None,
        dp=player.dp,
        rc=unrated.rc if unrated else None,
        ru=unrated.ru if unrated else None,
        rc_new=unrated.rc_new if unrated else None,
        ru_new=unrated.ru_new if unrated else None,
        initial=_entry_figures(player.entry, words) if player.entry else None,
        k=change.k if change else None,
        k_applied=change.k_applied if change else None,
        expected=decimal_text(from_hundredths(expected)) if change else None,
        sum=decimal_text(from_hundredths(change.sum)) if change else None,
        change=decimal_text(change.change) if change else None,
        change_rounded=change.change_rounded if change else None,
        new_rating=change.new_rating if change else None,
        opponents=[
            OpponentDocument(
                opponent.number,
                opponent.rating,
                None if opponent.score is None else decimal_text(points(opponent.score)),
            )
            for opponent in player.opponents
        ],
        steps=step_documents(player.steps, words),
    )


@dataclass
class CoefficientDocument(ChessHeading):
    """A development coefficient."""

    k: int
    steps: Sequence[StepDocument]


def coefficient_document(answer: Answer[int], words: Words) -> CoefficientDocument:
    """Return the document of a development coefficient."""
    return CoefficientDocument(
        answer.edition.id, str(answer.list), answer.result, step_documents(answer.steps, words)
    )


@dataclass
class PerformanceDocument(ChessHeading):
    """A performance rating."""

    rating: int
    average: int
    dp: int
    score: str
    games: int
    steps: Sequence[StepDocument]


def performance_document(answer: Answer[PerformanceRating], words: Words) -> PerformanceDocument:
    """Return the document of a performance rating."""
    result = answer.result
    return PerformanceDocument(
        edition=answer.edition.id,
        list=str(answer.list),
        rating=result.rating,
        average=result.average,
        dp=result.difference,
        score=decimal_text(result.score),
        games=result.games,
        steps=step_documents(answer.steps, words),
    )


@dataclass
class ExpectedDocument(ChessHeading):
    """An expected score."""

    rating: int
    opponent: int
    difference: int
    capped: bool
    rated: bool
    expected: str | None
    steps: Sequence[StepDocument]


def expected_document(answer: Answer[GameChange], words: Words) -> ExpectedDocument:
    """Return the document of an expected score."""
    game = answer.result
    return ExpectedDocument(
        edition=answer.edition.id,
        list=str(answer.list),
        rating=game.game.own,
        opponent=game.game.opponent,
        difference=game.difference,
        capped=game.capped,
        rated=game.rated,
        expected=decimal_text(from_hundredths(game.expected)) if game.rated else None,
        steps=step_documents(answer.steps, words),
    )
