"""The answers of the calculators as documents: ``--json`` and the API give the same.

Ratings, K and counts are integers; scores, expectations and unrounded changes are exact decimal texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arpad.explain.documents import StepDocument, filled, plain_value, short_finding, step_documents
from arpad.explain.words import Words
from arpad.model.chess import Change, Entry, GameChange
from arpad.model.exact import Hundredths, decimal_text, from_hundredths, half_up, points

if TYPE_CHECKING:
    from arpad.rating.calculator import Answer
    from arpad.rating.round_robin import RoundRobinFigures, RoundRobinRating
    from arpad.regulations.fide.performance_rating import PerformanceRating


@dataclass
class ChessHeading:
    """Edition and list of an answer."""

    edition: str
    list: str


def _heading(answer: Answer[Any]) -> dict[str, Any]:
    """Return the fields of a heading."""
    return {"edition": answer.edition.id, "list": str(answer.list)}


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
    return filled(
        ChangeDocument,
        change,
        **_heading(answer),
        games=[_game(game) for game in change.games],
        sum=decimal_text(from_hundredths(change.sum)),
        steps=step_documents(answer.steps, words),
    )


def _game(game: GameChange) -> GameDocument:
    return filled(
        GameDocument,
        game,
        opponent=game.game.opponent,
        own=game.game.own,
        event=game.game.event,
        score=decimal_text(points(game.game.score)),
        expected=_hundredths(game.expected, shown=game.rated),
        change=_hundredths(game.change, shown=game.rated),
    )


def _hundredths(value: Hundredths, *, shown: bool) -> str | None:
    """Return hundredths as a text, if they are shown."""
    return decimal_text(from_hundredths(value)) if shown else None


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
    figures, steps = _entry_figures(answer.result, words), step_documents(answer.steps, words)
    return EntryDocument(**_heading(answer), **vars(figures), steps=steps)


def _entry_figures(entry: Entry, words: Words) -> EntryFigures:
    return filled(
        EntryFigures,
        entry,
        score=decimal_text(points(entry.score)),
        average=half_up(entry.average) if entry.average is not None else None,
        average_exact=plain_value(entry.average),
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
    return filled(
        RoundRobinDocument,
        table,
        **_heading(answer),
        cycles=rating.cycles,
        removed=list(table.ignored),
        findings=[short_finding(finding, words) for finding in rating.findings],
        players=[_round_robin_player(player, words) for player in rating.players],
        steps=step_documents(table.steps, words),
    )


def _round_robin_player(player: RoundRobinFigures, words: Words) -> RoundRobinPlayerDocument:
    change, unrated = player.change, player.unrated
    expected = sum(game.expected for game in change.games) if change else 0
    of_change = ("k", "k_applied", "change", "change_rounded", "new_rating")
    parts = {name: plain_value(getattr(change, name)) if change else None for name in of_change}
    parts |= {name: getattr(unrated, name) if unrated else None for name in ("rc", "ru", "rc_new", "ru_new")}
    return filled(
        RoundRobinPlayerDocument,
        player,
        **parts,
        score=decimal_text(points(player.score)),
        p=None if player.p is None else decimal_text(from_hundredths(player.p)),
        initial=_entry_figures(player.entry, words) if player.entry else None,
        expected=_hundredths(expected, shown=change is not None),
        sum=_hundredths(change.sum if change else 0, shown=change is not None),
        opponents=[
            filled(
                OpponentDocument,
                opponent,
                score=None if opponent.score is None else decimal_text(points(opponent.score)),
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
    return CoefficientDocument(**_heading(answer), k=answer.result, steps=step_documents(answer.steps, words))


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
    result, steps = answer.result, step_documents(answer.steps, words)
    return filled(PerformanceDocument, result, **_heading(answer), dp=result.difference, steps=steps)


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
    return filled(
        ExpectedDocument,
        game,
        **_heading(answer),
        rating=game.game.own,
        opponent=game.game.opponent,
        expected=_hundredths(game.expected, shown=game.rated),
        steps=step_documents(answer.steps, words),
    )
