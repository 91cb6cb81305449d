"""Tournaments in progress: what the site and programs show of them, and the end of one.

Everything that a page shows was computed when the version arrived (``running.versions``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.explain.running_document import (
    RunningDocument,
    RunningEntry,
    RunningNext,
    RunningPlayer,
    without_hidden,
)
from arpad.model import names
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput, Missing
from arpad.model.exact import decimal_text, from_hundredths
from arpad.office.declared import Reading, Reason, act, query
from arpad.office.office import ActContext, utc
from arpad.office.register.number_rows import hidden
from arpad.office.reports import rows as reports
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, RECEIVED
from arpad.office.running import rows
from arpad.office.running.rows import RunningTournament, all_running, set_report
from arpad.office.settings.acts import SHOWN, with_defaults
from arpad.office.users import EVERYBODY, Role, User, arbiter
from arpad.reports.duplicates import overlapping_reports
from arpad.store.bulk import cached_until_act

FINAL = (RECEIVED, ACCEPTED)
"""The statuses of a report that ends a tournament in progress; one that was returned or withdrawn does not."""


def _ends(tournament: RunningTournament, name: str, first_day: str, last_day: str, marks: bytes) -> bool:
    """Return whether a report on file, by its name, days and marks, is the final one of a tournament in progress."""
    if tournament.first_day == first_day and names.key(tournament.title) == names.key(name):
        return True
    stored = [(0, marks, first_day, last_day)]
    return bool(overlapping_reports(stored, tournament.marks, tournament.first_day, tournament.last_day))


def final_on_file(connection: Connection, tournament: RunningTournament) -> Filed | None:
    """Return the final report of a tournament, if one is on file."""
    on_days = reports.overlapping_reports(connection, tournament.first_day, tournament.last_day)
    filed = reports.filed(connection, [number for number, *_ in on_days])
    final = [
        filed[number]
        for number, marks, first_day, last_day in on_days
        if filed[number].status in FINAL and _ends(tournament, filed[number].name, first_day, last_day, marks)
    ]
    return max(final, key=lambda report: report.id, default=None)


def expected_reports(connection: Connection) -> Callable[[Any, int], None]:
    """Return the function that takes a new report and its number, and stores it with the tournaments it ends."""
    running = all_running(connection)

    def take(new: Any, number: int) -> None:
        ended = [it.name for it in running if _ends(it, new.name, new.first_day, new.last_day, new.marks)]
        if ended:
            set_report(connection, ended, number)

    return take


LONGEST_NAME = 60
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
Name = Annotated[str, Accepts("open-2026", longest=LONGEST_NAME, word="running-name", personal=False)]

MayReplace = Callable[[RunningTournament], bool]


@dataclass(frozen=True, slots=True)
class TournamentInProgress:
    """A tournament in progress; ``report`` is its final report once one arrived."""

    name: str
    title: str
    federation: str
    list: str
    first_day: str
    last_day: str
    version: int
    rounds: int
    players: int
    received: str
    report: int | None


@dataclass(frozen=True, slots=True)
class TournamentsInProgress:
    """The tournaments in progress, the latest version first."""

    tournaments: tuple[TournamentInProgress, ...]


@dataclass(frozen=True, slots=True)
class NextGame:
    """The next game, and what a win, a draw and a loss would add; null if it would not be rated."""

    round: int
    opponent: int
    colour: str
    win: str | None
    draw: str | None
    loss: str | None


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player in the order of the standings; a hidden player has no name and no id."""

    rank: int
    number: int
    id: int | None
    name: str
    title: str
    federation: str
    rating: int | None
    k: int | None
    score: str
    change: str | None
    rounds: tuple[str, ...]
    next: NextGame | None
    entry: RunningEntry | None


@dataclass(frozen=True, slots=True)
class PossibleNorm:
    """A title norm that is made, or that the remaining rounds can bring."""

    number: int
    title: str
    made: bool
    text: str


@dataclass(frozen=True, slots=True)
class RunningStandings:
    """A tournament in progress with standings, changes, next games and norms; nothing of it is official."""

    tournament: TournamentInProgress
    official: bool
    next_round: int | None
    edition: str
    standings: tuple[StandingRow, ...]
    norms: tuple[PossibleNorm, ...]


# -------------------------------------------------------------------------------------------------------- who may


def may_replace(user: User) -> MayReplace:
    """Return whether a user may replace or end a tournament: its sender, its arbiters, an officer of its federation."""
    own = set(names.fold(user.name))

    def permitted(tournament: RunningTournament) -> bool:
        arbiters = (set(names.fold(name)) for name in tournament.arbiters.split("\n"))
        return (
            tournament.sender == user.login
            or user.may(Role.OFFICER, tournament.federation)
            or (len(own) > 1 and any(own <= arbiter for arbiter in arbiters))
        )

    return permitted


def _may_end(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    present = rows.running_tournament(connection, given["name"])
    return present is None or may_replace(user)(present)


END = arbiter("running", _may_end, "running-not-yours")


# ------------------------------------------------------------------------------------------------------ declared


@query(
    "running list",
    EVERYBODY,
    columns=("name", "title", "list", "version", "rounds", "players", "received", "report"),
    path="/running",
    says="running.none",
)
def list_tournaments(reading: Reading) -> TournamentsInProgress:
    """List the tournaments in progress, the latest version first; nothing of them is official."""
    is_shown = reading.caller.owner or shown(reading.connection)
    pages = running_pages(reading.connection) if is_shown else []
    return TournamentsInProgress(tuple(map(in_progress, pages)))


@query(
    "running show",
    EVERYBODY,
    columns=("rank", "number", "name", "federation", "rating", "score", "change"),
    path="/running/{name}",
)
def show_tournament(reading: Reading, name: Name) -> RunningStandings:
    """Show standings after the latest round, with changes so far, next games, first ratings and norms in reach."""
    connection = reading.connection
    stored = running_page(connection, name) if reading.caller.owner or shown(connection) else None
    document = None if stored is None or stored.accepted else stored.document
    if stored is None or document is None:
        raise Missing("no-running")
    away = without_hidden(document, hidden(connection))
    return RunningStandings(
        tournament=in_progress(stored), official=False, next_round=document.next_round or None,
        edition=document.edition,
        standings=tuple(_row(player, is_hidden=player.number in away) for player in document.players),
        norms=tuple(
            PossibleNorm(norm.number, norm.title, norm.made, norm.words[reading.words.language])
            for norm in document.norms
            if norm.number not in away
        ),
    )  # fmt: skip


def in_progress(page: RunningPage) -> TournamentInProgress:
    """Return what everybody may know of a tournament in progress."""
    it = page.tournament
    return TournamentInProgress(
        it.name, it.title, it.federation, it.list, it.first_day, it.last_day, it.version, it.rounds,
        it.players, it.received, page.report,
    )  # fmt: skip


def _row(player: RunningPlayer, *, is_hidden: bool) -> StandingRow:
    return StandingRow(
        player.rank, player.number, None if is_hidden else player.player, "" if is_hidden else player.name,
        "" if is_hidden else player.title, player.federation, player.rating, player.k, player.score,
        _decimal(player.change), tuple(player.rounds), _next_game(player.next), player.entry,
    )  # fmt: skip


def _next_game(game: RunningNext | None) -> NextGame | None:
    if game is None:
        return None
    outcomes = map(_decimal, (game.win, game.draw, game.loss))
    return NextGame(game.round, game.opponent, game.colour, *outcomes)


def _decimal(value: int | None) -> str | None:
    return None if value is None else decimal_text(from_hundredths(value))


@act("running end", END, says="running.ended", page="/desk/running", verb="end-tournament")
def end_tournament(act: ActContext, name: Name, *, reason: Reason = "") -> TournamentInProgress:
    """End the page of a tournament; its last version is deleted."""
    present = rows.running_tournament(act.connection, name)
    if present is None or present.ended:
        raise BadInput("running-unknown", option="name", name=name)
    ended = emptied(present, utc(act.office.now()))
    rows.put_tournament(act.connection, ended)
    act.record(tournament=name, name=None)
    return in_progress(RunningPage(ended))


def emptied(tournament: RunningTournament, ended: str) -> RunningTournament:
    """Return a tournament after its end, without bytes, games and document."""
    return replace(tournament, ended=ended, arbiters="", file="", data=b"", marks=b"", document="")


def final_of(connection: Connection, tournament: RunningTournament) -> reports.Filed | None:
    """Return the final report that was submitted, unless it was returned or withdrawn since."""
    if tournament.report is None:
        return None
    filed = reports.filed(connection, [tournament.report]).get(tournament.report)
    return filed if filed is not None and filed.status in FINAL else None


# ------------------------------------------------------------------------------------------------------ reading


@dataclass(frozen=True, slots=True)
class RunningPage:
    """A tournament in progress with the number of its final report, and whether that was accepted."""

    tournament: RunningTournament
    report: int | None = None
    accepted: bool = False

    @property
    def document(self) -> RunningDocument | None:
        """The values of the page; None after the end."""
        from msgspec import json

        text = self.tournament.document
        return json.decode(text, type=RunningDocument) if text else None


def running_page(connection: Connection, name: str) -> RunningPage | None:
    """Return the tournament of a name, if the office shows it."""
    tournament = rows.running_tournament(connection, name)
    return _page_of(connection, tournament) if tournament is not None else None


def running_pages(connection: Connection) -> list[RunningPage]:
    """Return the tournaments in progress whose final report was not accepted yet, without their documents."""
    pages = [_page_of(connection, tournament) for tournament in rows.all_running(connection)]
    return [page for page in pages if not page.accepted]


def shown_running(connection: Connection, most: int) -> list[RunningPage]:
    """Return the first tournaments in progress, if the office shows them."""
    return running_pages(connection)[:most] if shown(connection) else []


@dataclass(frozen=True, slots=True)
class PlayingNow:
    """A player in a tournament in progress, after its latest round."""

    name: str
    """The name in its address."""

    version: int
    title: str
    round: int
    score: Fraction
    change: Fraction | None


def playing_now(connection: Connection, player: int) -> list[PlayingNow]:
    """Return the tournaments in progress in which a player plays, if the office shows them."""
    return _playing_now(connection).get(player, []) if shown(connection) else []


@cached_until_act
def _playing_now(connection: Connection) -> dict[int, list[PlayingNow]]:
    """Return the players of the tournaments in progress."""
    playing: dict[int, list[PlayingNow]] = {}
    for tournament in rows.all_running(connection, whole=True):
        page = _page_of(connection, tournament)
        for it in page.document.players if page.document and not page.accepted else ():
            if it.player is not None:
                change = None if it.change is None else from_hundredths(it.change)
                now = PlayingNow(
                    tournament.name,
                    tournament.version,
                    tournament.title,
                    tournament.rounds,
                    Fraction(it.score),
                    change,
                )
                playing.setdefault(it.player, []).append(now)
    return playing


def _page_of(connection: Connection, tournament: RunningTournament) -> RunningPage:
    filed = final_of(connection, tournament)
    return RunningPage(
        tournament, filed.id if filed else None, accepted=filed is not None and filed.status == ACCEPTED
    )


def shown(connection: Connection) -> bool:
    """Return whether the office shows tournaments in progress."""
    return with_defaults(connection)["running_tournaments"] == SHOWN[0]
