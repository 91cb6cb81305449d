"""Draughts as documents for ``--json`` and the API: answers of the calculators, rated events, seasons and years."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any, TypeAlias

from arpad.explain.documents import (
    Calculation,
    StepDocument,
    filled,
    finding_document,
    plain_value,
    step_documents,
)
from arpad.explain.templates import fill_template, typeset
from arpad.explain.words import Words
from arpad.model.draughts import DraughtsState
from arpad.model.exact import decimal_text, from_hundredths
from arpad.model.rules import Edition, ListName
from arpad.rating.calculator import Answer
from arpad.rating.draughts_calculator import (
    ExpectedPoints,
    calculate_capital,
    calculate_expected_points,
    convert_capital,
    split_groups,
)
from arpad.rating.draughts_event import GameSide, PlayerResult, RatedEvent, Season, corresponds_to
from arpad.regulations.rubele.capital import CapitalChange
from arpad.regulations.rubele.categories import Promotion, category_of
from arpad.regulations.rubele.groups import Limits, Split
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import Debut
from arpad.regulations.rubele.year_end import Deduction, YearEnd

EditionOn: TypeAlias = Callable[[date | None], Edition[DraughtsRules]]
"""Returns the edition for an event by its first day."""


@dataclass
class DraughtsHeading:
    """Discipline and edition of an answer."""

    discipline: str
    edition: str


def _heading(answer: Answer[Any]) -> dict[str, Any]:
    """Return the fields of a heading."""
    return {"discipline": str(answer.list), "edition": answer.edition.id}


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


def capital_document(answer: Answer[CapitalChange], words: Words) -> CapitalDocument:
    """Return the document of a capital's change, with the category that the capital corresponds to."""
    rules: DraughtsRules = answer.edition.on(answer.list)
    return CapitalDocument(
        **_heading(answer),
        **vars(capital_figures(answer.result)),
        corresponds_to=str(category_of(answer.result.final, rules)),
        steps=step_documents(answer.steps, words),
    )


def capital_figures(change: CapitalChange) -> CapitalFigures:
    """Return the figures of a capital's change."""
    return filled(
        CapitalFigures,
        change,
        change=change.final - change.capital,
        scored=str(change.scored),
        expected=decimal_text(from_hundredths(change.expected), places=2),
        crossings=[filled(CrossingDocument, crossing) for crossing in change.crossings],
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


def points_document(answer: Answer[ExpectedPoints], _words: Words) -> ExpectedPointsDocument:
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
    steps = step_documents(answer.steps, words)
    return filled(ConversionDocument, debut, **_heading(answer), steps=steps)


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


def groups_document(answer: Answer[Split], _words: Words) -> GroupsDocument:
    """Return the document of a split with its discipline and edition."""
    return GroupsDocument(**_heading(answer), **vars(split_figures(answer.result)))


CAPITAL = Calculation("rubele change", calculate_capital, capital_document, CapitalDocument)
POINTS = Calculation("rubele expected", calculate_expected_points, points_document, ExpectedPointsDocument)
CONVERSION = Calculation(
    "rubele convert", convert_capital, conversion_document, ConversionDocument,
    local=("capital", "author", "reason"),
)  # fmt: skip
GROUPS = Calculation("rubele groups", split_groups, groups_document, GroupsDocument)
OF_DRAUGHTS = (CAPITAL, POINTS, CONVERSION, GROUPS)


def split_figures(split: Split) -> SplitFigures:
    """Return the figures of a split."""
    return filled(SplitFigures, split.limits, sizes=list(split.sizes))


def standing_document(standing: DraughtsState) -> dict[str, Any]:
    """Return a player's standing."""
    values = {name: plain_value(getattr(standing, name)) for name in _OF_STANDING}
    return values | {"id": standing.id or None}


_OF_STANDING = (
    "id", "name", "capital", "category", "title", "foreign", "last_event", "idle_years", "malus", "fmjd",
)  # fmt: skip


def chain_document(chain: Season, on_list: ListName, edition_on: EditionOn, words: Words) -> dict[str, Any]:
    """A chain: its events, the years closed on the way, the list afterwards."""
    return {
        "discipline": str(on_list),
        "events": [
            event_document(rated, on_list, edition_on(rated.event.report.header.first_day), words)
            for rated in chain.events
        ],
        "years": [year_document(closed) for closed in chain.years],
        "standings": [standing_document(standing) for standing in chain.standings],
    }


def event_document(
    rated: RatedEvent, on_list: ListName, edition: Edition[DraughtsRules], words: Words
) -> dict[str, Any]:
    """One rated event."""
    header, rules = rated.event.report.header, edition.on(on_list)
    return {
        "event": header.name or rated.event.id,
        "id": rated.event.id,
        "city": header.city or None,
        "first_day": plain_value(header.first_day),
        "last_day": plain_value(rated.event.last_day),
        "edition": edition.id,
        "weight_percent": decimal_text(100 * rated.event.weight),
        "findings": [finding_document(finding, words) for finding in rated.findings],
        "players": [_player_document(player, rules, words) for player in rated.players],
        "promotions": [promotion_document(promotion) for promotion in rated.promotions],
    }


def _player_document(player: PlayerResult, rules: DraughtsRules, words: Words) -> dict[str, Any]:
    standing, change = player.participant.standing, player.change
    figures = (
        vars(capital_figures(change))
        if change
        else {"capital": player.final, "final": player.final, "change": 0}
    )
    steps = (*player.participant.debut, *(change.steps if change else ()))
    return {
        "number": player.number,
        "id": standing.id or None,
        "name": player.name,
        "category": str(standing.category),
        "category_after": str(player.held_after),
        "corresponds_to": str(corresponds_to(player, rules)),
        "first_of_year": player.participant.first_of_year,
        **figures,
        "games": [_game_document(cell) for cell in player.cells],
        "steps": step_documents(steps, words),
    }


def _game_document(cell: GameSide) -> dict[str, Any]:
    expected = None if cell.expected is None else decimal_text(from_hundredths(cell.expected), places=2)
    document = {name: getattr(cell, name) for name in ("round", "opponent_capital", "result", "counted")}
    return document | {"opponent": cell.opponent or None, "scored": str(cell.points), "expected": expected}


def promotion_document(promotion: Promotion) -> dict[str, Any]:
    """One promotion."""
    names = ("name", "capital", "threshold", "event", "day")
    document = {name: plain_value(getattr(promotion, name)) for name in names}
    return document | {"id": promotion.id or None, "from": str(promotion.held), "to": str(promotion.reached)}


def year_document(closed: YearEnd) -> dict[str, Any]:
    """A year that was closed."""

    def entry(item: Deduction) -> dict[str, Any]:
        return {
            "name": item.before.name,
            "id": item.before.id or None,
            "before": item.before.capital,
            "taken": item.taken,
            "after": item.after.capital,
            "total": item.after.malus,
        }

    return {
        "year": closed.year,
        "malus": [entry(item) for item in closed.deductions],
        "cancelled": [entry(item) for item in closed.cancelled],
        "register": [standing_document(standing) for standing in closed.register],
        "standings": [standing_document(standing) for standing in closed.standings],
    }


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The splits into one number of groups."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def group_tables(splits: Sequence[tuple[Limits, Split | None]], words: Words) -> tuple[GroupTable, ...]:
    """Return one table for each number of groups, with a column for each number of rounds (table 24)."""
    tables = []
    for groups in sorted({bounds.groups for bounds, _ in splits}):
        cells = {
            (bounds.players, bounds.rounds): "+".join(map(str, split.sizes)) if split else "–"
            for bounds, split in splits
            if bounds.groups == groups
        }
        rounds = sorted({number for _, number in cells})
        players = sorted({number for number, _ in cells})
        headings = (
            words.text("rubele.players"),
            *(words.text("rubele.rounds", rounds=number) for number in rounds),
        )
        rows = tuple((str(count), *(cells[count, number] for number in rounds)) for count in players)
        tables.append(GroupTable(words.text("rubele.groups-table-title", groups=groups), headings, rows))
    return tuple(tables)


def html_group_tables(tables: Sequence[GroupTable], words: Words) -> str:
    """Return a self-contained HTML page for A4."""
    parts = {
        "language": words.language,
        "title": escape(words.text("rubele.groups-table-name")),
        "tables": "\n".join(_section(table) for table in tables),
        "note": escape(words.text("rubele.groups-table-note")),
    }
    return fill_template("group_table", parts)


def _section(table: GroupTable) -> str:
    heads = "".join(f"<th>{escape(text)}</th>" for text in table.headings)
    rows = "\n".join(
        f"<tr><th>{escape(row[0])}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in table.rows
    )
    return (
        f"<section><h2>{escape(table.title)}</h2>\n"
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></section>"
    )


def pdf_group_tables(tables: Sequence[GroupTable], words: Words) -> bytes:
    """Return the tables as PDF on A4, each on a new sheet."""
    data = {
        "language": words.language,
        "title": words.text("rubele.groups-table-name"),
        "note": words.text("rubele.groups-table-note"),
        "tables": tables,
    }
    return typeset("group_table", data)
