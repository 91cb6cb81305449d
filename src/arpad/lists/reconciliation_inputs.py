"""Read what a reconciliation compares: FIDE's lists of two days, and the reports between them as events."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from arpad.lists.canonical import is_canonical, read_canonical
from arpad.lists.period import Event
from arpad.lists.rating_lookup import HEAD, read_list_rows
from arpad.lists.reconciled import DatedList, FideEntry
from arpad.model import names
from arpad.model.errors import BadInput, NoEdition, Unreadable
from arpad.model.federations import known_federation
from arpad.model.people import births_agree
from arpad.model.rules import ListName
from arpad.rating.preview import listed_on
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists.fide_list import open_file, open_list
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.written_values import MONTHS
from arpad.reports.report import Entrant, Report

_MONTH_IN_NAME = re.compile(r"(?<![a-z])([a-z]{3})_?(?:20)?(\d{2})(?!\d)", re.ASCII)
"""A month in the name of a file, as in ``standard_nov26frl.xml``."""

_ENTRANTS = 100_000
"""More than an event has entrants: keeps the numbers of entrants without a FIDE ID apart."""


@dataclass(frozen=True, slots=True)
class NamedReport:
    """A report with the name of its file, under which the comparison speaks of it."""

    file: str
    report: Report


@dataclass(frozen=True, slots=True)
class Played:
    """The reports as events of one list, and what was left out."""

    events: tuple[Event, ...]
    other_lists: tuple[tuple[str, ListName], ...]
    """Files of events that are rated on another list."""

    unidentified: tuple[tuple[str, str], ...]
    """File and name of the entrants who are on no list."""


def list_day(path: Path, stated: date | None, option: str) -> date:
    """Return the day of a list: as stated, or from its header, or from the name of its file."""
    if stated is not None:
        return stated
    with open_file(path) as stream:
        head = stream.read(HEAD)
    if is_canonical(head):
        return read_canonical(path.read_bytes()).day
    try:
        with open_list(path) as rows:
            if rows.month is not None:
                return rows.month
    except Unreadable:
        pass  # a CSV, which says nothing of its day
    for month, year in _MONTH_IN_NAME.findall(path.name.lower()):
        if month in MONTHS:
            return date(2000 + int(year), MONTHS[month], 1)
    raise BadInput("list-day-unknown", path=str(path), option=option)


def read_dated_list(
    path: Path, day: date, on_list: ListName, reports: Iterable[NamedReport], federation: str = ""
) -> DatedList:
    """Read a list once and keep the players of the reports and those of a federation."""
    entrants = [entrant for named in reports for entrant in named.report.entrants]
    numbers = {entrant.id for entrant in entrants if entrant.id}
    spelled = {names.key(entrant.name) for entrant in entrants if entrant.name}
    players: dict[int, FideEntry] = {}
    for row, combined in read_list_rows(path):
        wanted = str(row.id) in numbers or row.federation == federation or names.key(row.name) in spelled
        if not wanted:
            continue
        if row.id in players:
            raise Unreadable("list-number-twice", number=row.id)
        players[row.id] = fide_entry(row, on_list, combined=combined)
    return DatedList(day, players)


def fide_entry(row: ListRow, on_list: ListName, *, combined: bool) -> FideEntry:
    """Return what a row says about a player on a list; ``combined`` is whether it has all three lists."""
    rating, games, k = row.figures(on_list) if combined else (row.rating, row.games, row.k)
    standard = row.rating if combined and on_list is not ListName.STANDARD else None
    return FideEntry(rating, games, k, row.name, row.federation, row.born, standard)


def events_of(reports: Sequence[NamedReport], lists: Sequence[DatedList], on_list: ListName) -> Played:
    """Return the reports of one list as events whose players have FIDE IDs."""
    by_key: dict[str, dict[int, FideEntry]] = {}
    known: set[int] = set()
    for chosen in lists:
        known |= chosen.players.keys()
        for number, entry in chosen.players.items():
            by_key.setdefault(names.key(entry.name), {})[number] = entry
    events: list[Event] = []
    others: list[tuple[str, ListName]] = []
    unidentified: list[tuple[str, str]] = []
    for index, named in enumerate(reports):
        report = named.report
        if report.header.first_day is None:
            raise BadInput("report-without-days", file=named.file)
        its_list = listed_on(report, EventFacts(), CHESS_EDITIONS)
        if its_list is not on_list:
            others.append((named.file, its_list))
            continue
        players = []
        for row, entrant in enumerate(report.entrants):
            identified = _number(entrant, known, by_key)
            if identified is None:
                unidentified.append((named.file, entrant.name))
            players.append(-(index * _ENTRANTS + row + 1) if identified is None else identified)
        try:
            edition = in_force(CHESS_EDITIONS, on_list, report.header.first_day)
        except NoEdition:
            raise BadInput("report-before-editions", file=named.file, day=report.header.first_day) from None
        events.append(Event(named.file, report, tuple(players), edition))
    return Played(tuple(events), tuple(others), tuple(unidentified))


def _number(
    entrant: Entrant, known: Collection[int], by_key: Mapping[str, Mapping[int, FideEntry]]
) -> int | None:
    """Return the FIDE ID of an entrant: as reported if a list has it, else of the only player of that name."""
    if entrant.id.isdecimal() and int(entrant.id) in known:
        return int(entrant.id)
    federation = known_federation(entrant.federation, "")  # the code of a club says nothing
    same = {
        number: entry
        for number, entry in by_key.get(names.key(entrant.name), {}).items()
        if births_agree(entry.born, entrant.born) and (not federation or entry.federation == federation)
    }
    return next(iter(same)) if len(same) == 1 else None
