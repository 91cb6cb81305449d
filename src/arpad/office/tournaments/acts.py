"""Accepted tournaments as answers have them: all of them, and each with its games, changes and findings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from arpad.explain.documents import FindingDocument, finding_document
from arpad.model.cursors import Cursor
from arpad.model.exact import decimal_text
from arpad.model.rules import ListName
from arpad.office.declared import After, Reading, ReportNumber, Size, query
from arpad.office.lists.rows import Publication
from arpad.office.reports.page_rows import accepted_reports_before, rating_publications
from arpad.office.reports.rows import Filed, unrated_reports
from arpad.office.tournaments.page import TournamentPage, read_tournament
from arpad.office.users import EVERYBODY

LATEST = "9999"
"""A text after every last day."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """An accepted tournament."""

    id: int
    name: str
    federation: str
    list: ListName
    first_day: date | None
    last_day: date | None
    rated_with: tuple[str, ...]
    not_rated: str | None
    """The day of the decision that it is not rated."""


@dataclass(frozen=True, slots=True)
class Tournaments:
    """A page of tournaments, the latest first."""

    tournaments: tuple[Tournament, ...]
    next: str
    more: bool


@dataclass(frozen=True, slots=True)
class Played:
    """One round of one player: the opponent's start number, the colour, the result as the report has it."""

    round: int
    opponent: int | None
    colour: str
    result: str


@dataclass(frozen=True, slots=True)
class TournamentPlayer:
    """One player of a tournament; a player who asked not to be shown has no id and no name.

    ``rating`` is the one with which the tournament was rated, ``change`` its share of the period before rounding.
    """

    number: int
    id: int | None
    name: str
    title: str
    federation: str
    rating: int | None
    score: str | None
    expected: str | None
    change: str | None
    games: tuple[Played, ...]
    other_changes: Mapping[str, str | None]
    """The changes on the other lists that rate the tournament, by list."""


@dataclass(frozen=True, slots=True)
class TournamentResults:
    """A tournament: games, changes of all players, and findings."""

    tournament: Tournament
    city: str
    time_control: str
    rounds: int
    players: tuple[TournamentPlayer, ...]
    findings: tuple[FindingDocument, ...]


@query("list tournaments", EVERYBODY, columns=("id", "name", "list", "last_day"), path="/tournaments")
def list_tournaments(reading: Reading, *, after: After = None, size: Size = 50) -> Tournaments:
    """Show the accepted tournaments, the latest first."""
    connection = reading.connection
    day, number = (LATEST, 0) if after is None else (_day(after), after.part)
    reports = accepted_reports_before(connection, day, number, size + 1)
    shown, more = reports[:size], len(reports) > size
    rated = rating_publications(connection, [filed.id for filed in shown], still=True)
    unrated = unrated_reports(connection)
    listed = tuple(_tournament(filed, rated[filed.id], unrated.get(filed.id, "")) for filed in shown)
    return Tournaments(listed, str(_cursor(shown[-1]) if shown else after or ""), more)


def _tournament(filed: Filed, rated: Sequence[Publication], unrated: str) -> Tournament:
    names = tuple(publication.name for publication in rated)
    return Tournament(
        filed.id, filed.name, filed.federation, filed.list, filed.first_day, filed.last_day, names, unrated or None
    )  # fmt: skip


def _cursor(filed: Filed) -> Cursor:
    return Cursor(int(f"{filed.last_day:%Y%m%d}") if filed.last_day else 0, filed.id)


def _day(cursor: Cursor) -> str:
    """Return the last day of a cursor as reports are sorted by it; a report without one has an empty text."""
    digits = f"{cursor.item:08d}"
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if cursor.item else ""


@query(
    "get tournament", EVERYBODY, columns=("number", "id", "name", "rating", "score", "expected", "change"),
    path="/tournaments/{number}",
)  # fmt: skip
def get_tournament(reading: Reading, number: ReportNumber) -> TournamentResults:
    """Show a tournament with its games, the changes of all players, and the findings."""
    played = read_tournament(reading.connection, number)
    header = played.report.header
    findings = tuple(finding_document(finding, reading.words) for finding in played.findings)
    return TournamentResults(
        _tournament(played.filed, played.rated, played.unrated), header.city, header.time_control,
        len(played.report.rounds), tuple(_players(played)), findings,
    )  # fmt: skip


def _players(played: TournamentPage) -> list[TournamentPlayer]:
    players = []
    for index, entrant in enumerate(played.report.entrants):
        part, away = played.result_at(index), played.is_hidden(index)
        games = tuple(
            Played(
                number, cells.opponents[index] or None, cells.colours[index].strip(), cells.results[index].strip()
            )
            for number, cells in enumerate(played.report.rounds, start=1)
        )  # fmt: skip
        players.append(
            TournamentPlayer(
                entrant.number, None if away else played.players[index], "" if away else entrant.name,
                "" if away else entrant.title, entrant.federation, part.before if part else entrant.rating,
                _decimal(part.score) if part else None, _decimal(part.expected, 2) if part else None,
                _decimal(part.change) if part else None, games,
                {name: _decimal(change) for name, change in played.changes_at(index).items()},
            )
        )  # fmt: skip
    return players


def _decimal(value: Fraction | None, places: int | None = None) -> str | None:
    return decimal_text(value, places=places) if value is not None else None
