"""A rated report as data for other programs: the JSON document and the CSV table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arpad.explain.documents import FindingDocument, ProposalDocument, finding_document
from arpad.explain.words import Words
from arpad.model.chess import Entry
from arpad.model.exact import decimal_text, from_hundredths, points
from arpad.rating.preview import RatedCell, RatedEntrant, RatedReport
from arpad.system.spreadsheet_cells import escape


def document(rated: RatedReport, words: Words) -> dict[str, Any]:
    """Return the document of a rated report, with the names that other programs rely on."""
    return {
        **heading(rated),
        "findings": [finding_document(finding, words) for finding in rated.findings],
        "players": [player_document(player, words) for player in rated.players],
    }


def heading(rated: RatedReport) -> dict[str, Any]:
    """Return the event, and how it is treated."""
    header = rated.report.header
    return {
        "event": header.name,
        "city": header.city,
        "federation": header.federation,
        "first_day": str(header.first_day) if header.first_day else None,
        "last_day": str(header.last_day) if header.last_day else None,
        "edition": rated.edition.id if rated.edition else None,
        "list": str(rated.on_list),
        "format": str(rated.kind),
        "treated_as": str(rated.treated_as),
    }


@dataclass
class EventEntryDocument:
    """The result of an event for an unrated player."""

    rating: int | None
    computed: int | None
    games: int
    score: str
    reason: str
    text: str


@dataclass
class RatedGameDocument:
    """One round of one player."""

    round: int
    opponent: int | None
    opponent_rating: int | None
    score: str
    rated: bool
    reason: str | None
    article: str | None
    text: str | None
    difference: int | None
    expected: str | None
    change: str | None


@dataclass
class RatedPlayerDocument:
    """The result of an event for one player."""

    number: int
    id: str | None
    name: str
    rating: int | None
    k: int | None
    k_applied: int | None
    score: str
    rated_games: int
    expected: str | None
    change: str | None
    change_rounded: int | None
    new_rating: int | None
    initial: EventEntryDocument | None
    games: Sequence[RatedGameDocument]


@dataclass
class ReportHeading:
    """The tournament of a report, and how it is treated."""

    event: str
    edition: str | None
    list: str
    format: str
    treated_as: str


@dataclass
class CheckedReportDocument(ReportHeading):
    """A report's findings, and the corrections that Arpad proposes for them."""

    findings: Sequence[FindingDocument]
    proposals: Sequence[ProposalDocument]


@dataclass
class RatedPageDocument(ReportHeading):
    """A rated report; the players of a very large one come in pages, the findings with the first."""

    findings: Sequence[FindingDocument]
    players: Sequence[RatedPlayerDocument]
    next: str
    more: bool


def player_document(player: RatedEntrant, words: Words) -> RatedPlayerDocument:
    """Return what the event is worth to one player, with every round."""
    change = player.change
    expected = sum(game.expected for game in change.games if game.rated) if change else 0
    return RatedPlayerDocument(
        number=player.entrant.number,
        id=player.entrant.id or None,
        name=player.entrant.name,
        rating=player.rating,
        k=player.k,
        k_applied=change.k_applied if change else None,
        score=decimal_text(points(player.score)),
        rated_games=sum(game.rated for game in player.games),
        expected=decimal_text(from_hundredths(expected)) if change else None,
        change=decimal_text(change.change) if change else None,
        change_rounded=change.change_rounded if change else None,
        new_rating=change.new_rating if change else None,
        initial=_initial(player.initial, words) if player.initial else None,
        games=[_game(game, words) for game in player.games],
    )


def _initial(entry: Entry, words: Words) -> EventEntryDocument:
    return EventEntryDocument(
        rating=entry.rating,
        computed=entry.computed,
        games=entry.games,
        score=decimal_text(points(entry.score)),
        reason=entry.reason,
        text=words.text(f"reason.{entry.reason}"),
    )


def _game(game: RatedCell, words: Words) -> RatedGameDocument:
    worth = game.change if game.rated else None
    return RatedGameDocument(
        round=game.cell.round,
        opponent=game.cell.opponent_number or None,
        opponent_rating=game.opponent_rating,
        score=decimal_text(points(game.cell.score)),
        rated=game.rated,
        reason=game.reason or None,
        article=game.article or None,
        text=words.text(f"not-rated.{game.reason}") if game.reason else None,
        difference=worth.difference if worth else None,
        expected=decimal_text(from_hundredths(worth.expected)) if worth else None,
        change=decimal_text(from_hundredths(worth.change)) if worth else None,
    )


CSV_COLUMNS = (
    "number", "id", "name", "rating", "k", "k_applied", "score", "rated_games", "expected", "change",
    "change_rounded", "new_rating", "initial_rating", "initial_games", "initial_reason",
)  # fmt: skip


def csv_text(rated: RatedReport, words: Words) -> str:
    """Return one row for each player; text that a spreadsheet would take for a formula gets an apostrophe."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for player in rated.players:
        row = vars(player_document(player, words))
        row |= {f"initial_{key}": getattr(row["initial"], key, None) for key in ("rating", "games", "reason")}
        writer.writerow([_safe(row[column]) for column in CSV_COLUMNS])
    return stream.getvalue()


def _safe(value: Any) -> Any:
    """Return a value for a spreadsheet: a decimal stays a number, no text becomes a formula."""
    numeric = isinstance(value, str) and value.lstrip("-").replace(".", "", 1).isdecimal()
    return escape(value) if isinstance(value, str) and not numeric else value
