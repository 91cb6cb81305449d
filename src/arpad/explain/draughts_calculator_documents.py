"""The answers of the draughts calculators as documents: ``--json`` and the API give the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arpad.explain.documents import StepDocument, step_documents
from arpad.explain.words import Words
from arpad.model.exact import decimal_text, from_hundredths
from arpad.rating.calculator import Answer
from arpad.rating.draughts_calculator import ExpectedPoints
from arpad.regulations.draughts.capital import CapitalChange
from arpad.regulations.draughts.groups import Split
from arpad.regulations.draughts.starting_capital import Debut


@dataclass
class DraughtsHeading:
    """Discipline and edition of an answer."""

    discipline: str
    edition: str


@dataclass
class CrossingDocument:
    """A threshold that a capital crosses within one event (table 17)."""

    threshold: int
    would_be: str
    excess: str
    old_s: int
    new_s: int
    scaled: str


@dataclass
class CapitalFigures:
    """The change of a draughts capital over an event."""

    capital: int
    final: int
    change: int
    scored: str
    expected: str
    deviation: str
    s: int
    variation: str
    unrounded: str
    added: int
    crossings: Sequence[CrossingDocument]


@dataclass
class CapitalDocument(CapitalFigures, DraughtsHeading):
    """A draughts capital after an event."""

    corresponds_to: str
    steps: Sequence[StepDocument]


def capital_document(answer: Answer[CapitalChange], corresponds_to: str, words: Words) -> CapitalDocument:
    """Return the document of a capital's change, with the category that the capital corresponds to."""
    return CapitalDocument(
        discipline=str(answer.list),
        edition=answer.edition.id,
        **vars(capital_figures(answer.result)),
        corresponds_to=corresponds_to,
        steps=step_documents(answer.steps, words),
    )


def capital_figures(change: CapitalChange) -> CapitalFigures:
    """Return the figures of a capital's change."""
    return CapitalFigures(
        capital=change.capital,
        final=change.final,
        change=change.final - change.capital,
        scored=str(change.scored),
        expected=decimal_text(from_hundredths(change.expected), places=2),
        deviation=decimal_text(change.deviation),
        s=change.s,
        variation=decimal_text(change.variation),
        unrounded=decimal_text(change.unrounded),
        added=change.added,
        crossings=[
            CrossingDocument(
                threshold=crossing.threshold,
                would_be=decimal_text(crossing.would_be),
                excess=decimal_text(crossing.excess),
                old_s=crossing.old_s,
                new_s=crossing.new_s,
                scaled=decimal_text(crossing.scaled),
            )
            for crossing in change.crossings
        ],
    )


@dataclass
class ExpectedGameDocument:
    """The points expected against one opponent."""

    opponent: int
    difference: int
    expected: str


@dataclass
class ExpectedPointsDocument(DraughtsHeading):
    """The points expected against each opponent, and in all."""

    capital: int
    games: Sequence[ExpectedGameDocument]
    expected: str


def points_document(answer: Answer[ExpectedPoints]) -> ExpectedPointsDocument:
    """Return the document of the points expected."""
    result = answer.result
    games = [
        ExpectedGameDocument(
            opponent, result.capital - opponent, decimal_text(from_hundredths(value), places=2)
        )
        for opponent, value in result.games
    ]
    total = decimal_text(from_hundredths(result.total), places=2)
    return ExpectedPointsDocument(str(answer.list), answer.edition.id, result.capital, games, total)


@dataclass
class ConversionDocument(DraughtsHeading):
    """Category and capital with which a player begins."""

    category: str
    capital: int
    steps: Sequence[StepDocument]


def conversion_document(answer: Answer[Debut], words: Words) -> ConversionDocument:
    """Return the document of a starting capital."""
    debut = answer.result
    return ConversionDocument(
        str(answer.list),
        answer.edition.id,
        str(debut.category),
        debut.capital,
        step_documents(answer.steps, words),
    )


@dataclass
class SplitFigures:
    """The groups of an event, the first group first, and what table 23 fixes for them."""

    players: int
    rounds: int
    groups: int
    critical: int
    increment: int
    first_group_cap: int
    minimum: int
    sizes: Sequence[int]


@dataclass
class GroupsDocument(SplitFigures, DraughtsHeading):
    """A split into groups, the first group first."""


def groups_document(answer: Answer[Split]) -> GroupsDocument:
    """Return the document of a split with its discipline and edition."""
    return GroupsDocument(
        discipline=str(answer.list), edition=answer.edition.id, **vars(split_figures(answer.result))
    )


def split_figures(split: Split) -> SplitFigures:
    """Return the figures of a split."""
    limits = split.limits
    return SplitFigures(
        players=limits.players,
        rounds=limits.rounds,
        groups=limits.groups,
        critical=limits.critical,
        increment=limits.increment,
        first_group_cap=limits.first_group_cap,
        minimum=limits.minimum,
        sizes=list(split.sizes),
    )
