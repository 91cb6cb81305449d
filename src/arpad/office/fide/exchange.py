"""What the office exchanges with FIDE: players for pairing programs, reports, and FIDE's next list compared with ours.

The players are FIDE's combined text or XML with national numbers and ratings, or a CSV with clubs. A report is written
with its corrections, and its players who need a FIDE ID are named. The list is compared with the one before and the
changes calculated from the accepted reports.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import parse_identifiers
from arpad.lists.input_tables import PERSON, PeopleTable
from arpad.lists.period import Event
from arpad.lists.reconciled import DatedList, Reconciliation
from arpad.lists.reconciliation import reconcile
from arpad.lists.reconciliation_inputs import fide_entry
from arpad.lists.reference import LISTS, SCHEMA, rating_column
from arpad.model.errors import BadInput, NoEdition
from arpad.model.people import Person
from arpad.model.rules import Finding, ListName
from arpad.model.typed_values import check_among
from arpad.office.clubs.rows import members_on, units_on
from arpad.office.drafts.load_events import load_events
from arpad.office.fide.rows import (
    Reference,
    read_federation,
    read_numbers,
    read_players,
    reference_in_force,
    references,
)
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.in_force import publication_in_force
from arpad.office.lists.ownership import not_owned, ownership
from arpad.office.office import Office, today
from arpad.office.register.number_rows import hidden, merge_targets
from arpad.office.register.rows import load_people, numbers_in_scheme
from arpad.office.register.table_rows import all_players, load_people_table
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed, decisions_in_force, with_kept_players
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.publishing.pairing_players import FORMATS, write_players
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.rules import add_months
from arpad.regulations.systems import system_of
from arpad.reports.formats import write_report
from arpad.reports.register_facts import FIDE, ChangedFact, with_register_facts
from arpad.store.settings import read_setting
from arpad.system.atomic_files import atomic_write

_FIGURES = ("rating", "games", "k")
_NO_LIST = {"player": pl.Int64, **dict.fromkeys(_FIGURES, pl.Int32), "inactive": pl.Boolean}


def export_players(
    office: Office,
    path: Path,
    *,
    day: date | None = None,
    scheme: str = "",
    unrated: bool = False,
) -> tuple[int, tuple[Finding, ...]]:
    """Write the players of the lists in force on a day; return how many, and findings about what was left out.

    The ending of the path says the format. National numbers are those of a ``scheme``, by default the register's.
    ``unrated`` also writes the players of the register who are on no list.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise BadInput("players-format", name=path.name, accepted=", ".join(f".{it}" for it in FORMATS))
    with office.store.reading() as connection:
        players = pairing_players(
            connection, day or today(office, connection), scheme=scheme, unrated=unrated
        )
    with atomic_write(path) as stream:
        findings = write_players(players, stream, kind)
    return players.height, findings


def pairing_players(
    connection: Connection, day: date, *, scheme: str = "", unrated: bool = False
) -> pl.DataFrame:
    """Return the players as ``publishing.pairing_players`` writes them, our own first, then by name."""
    figures = _own_figures(connection, day)
    numbers = figures["player"] if not unrated else all_players(connection)
    gone = {*hidden(connection), *merge_targets(connection)}
    people = load_people_table(connection, numbers, on=day).texts()
    people = people.filter(~pl.col("player").is_in(list(gone)) & (pl.col("died") == ""))
    people = people.join(figures, on="player", how="left", maintain_order="left")
    others = _others(connection, people, day)
    texts = people["identifiers"].to_list()
    identifiers = [dict(parse_identifiers(text)) for text in texts]
    fide = [number if (number := held.get("fide", "")).isdigit() else "" for held in identifiers]
    numbers = people["player"]
    national = [held.get(scheme, "") for held in identifiers] if scheme else list(map(str, numbers))
    clubs = members_on(connection, day)
    names = {code: unit.name for code, unit in units_on(connection, day).items()}
    codes = [clubs.get(player, "") for player in people["player"]]
    people = people.with_columns(
        pl.Series("fide", fide, pl.String),
        pl.Series("national_number", national, pl.String),
        pl.Series("club", codes, pl.String),
        pl.Series("club_name", [names.get(code, "") for code in codes], pl.String),
        pl.col("player").is_in(list(others)).alias("guest"),
        pl.col("born").str.slice(0, 4),
    )
    people = people.join(_fide_figures(connection, fide, day), on="fide", how="left", maintain_order="left")
    return people.sort("guest", "name", "player")


def _others(connection: Connection, people: pl.DataFrame, day: date) -> set[int]:
    """Return the players whom none of the three lists owns."""
    table = PeopleTable(people.select(*PERSON))
    owners = [ownership(connection, on_list) for on_list in LISTS]
    sets = [set(not_owned(connection, owner, table, day)) for owner in owners]
    return set.intersection(*sets)


def _own_figures(connection: Connection, day: date) -> pl.DataFrame:
    """Return rating, games and K of each player on the three lists in force, and whether the player is inactive."""
    joined = pl.DataFrame(schema={"player": pl.Int64})
    for on_list in LISTS:
        publication = publication_in_force(lists.all_publications(connection, on_list), day)
        columns = ("player", "listed", *_FIGURES, "inactive")
        table = (
            read_table(connection, publication.id, columns).filter("listed").drop("listed")
            if publication
            else pl.DataFrame(schema=_NO_LIST)
        )
        table = table.rename({name: f"own_{on_list}_{name}" for name in (*_FIGURES, "inactive")})
        joined = joined.join(table, on="player", how="full", coalesce=True)
    rated = [
        pl.col(f"own_{on_list}_rating").is_not_null() & ~pl.col(f"own_{on_list}_inactive")
        for on_list in LISTS
    ]
    active = pl.any_horizontal([flag.fill_null(value=False) for flag in rated])
    return (
        joined.with_columns(inactive=~active)
        .drop(f"own_{on_list}_inactive" for on_list in LISTS)
        .sort("player")
    )


def _fide_figures(connection: Connection, numbers: list[str], day: date) -> pl.DataFrame:
    """Return FIDE's ratings, games and K by FIDE ID, from the reference list in force."""
    reference = reference_in_force(references(connection), ListName.STANDARD, day)
    names = [rating_column(on_list).removesuffix("rating") + name for on_list in LISTS for name in _FIGURES]
    schema: Mapping[str, pl.DataType] = {name: SCHEMA[name] for name in names}
    if reference is None:
        return pl.DataFrame(schema={"fide": pl.String, **schema})
    asked = [int(number) for number in numbers if number]
    rows = read_numbers(connection, reference.id, asked, ["id", *names])
    return rows.with_columns(pl.col("id").cast(pl.String)).rename({"id": "fide"})


EARLIER_MONTHS = 12
"""Reports of so many months before the period are compared too: FIDE may rate them late."""


def reconcile_office(office: Office, on_list: ListName, day: date | None = None) -> Reconciliation:
    """Compare the newest reference list, or that of a day, with the one before and the accepted reports between them.

    The office rates by its own editions; what FIDE should have published follows FIDE's.
    """
    check_among(on_list, "list", LISTS)
    with office.store.reading() as connection:
        after, before, earlier = _lists(connection, on_list, day)
        events = list(_events(connection, on_list, before.day, after.day))
        federation = read_setting(connection, "federation")
        playing = {player for event in events for player in event.players if player > 0}
        dated = {
            reference.id: _dated(connection, reference, on_list, federation, playing)
            for reference in (*earlier, before, after)
        }
        return reconcile(
            on_list, dated[before.id], dated[after.id], events,
            earlier=[dated[reference.id] for reference in earlier], federation=federation,
        )  # fmt: skip


def _lists(
    connection: Connection, on_list: ListName, day: date | None
) -> tuple[Reference, Reference, list[Reference]]:
    """Return the reference list of a day, the one before it, and those before that."""
    kept = [it for it in references(connection) if on_list in it.lists]
    if day is not None and not any(it.day == day for it in kept):
        raise BadInput("reference-unknown", day=day)
    until = [it for it in kept if day is None or it.day <= day]
    if len(until) < 2:  # noqa: PLR2004  one before and one after
        raise BadInput("reconcile-two-lists", list=str(on_list), kept=len(until))
    *earlier, before, after = until
    return after, before, earlier[-2:]


def _events(connection: Connection, on_list: ListName, opened: date, day: date) -> Iterator[Event]:
    """Yield the accepted reports of some months as events whose players have FIDE IDs.

    A player without a FIDE ID has the negative number of the register.
    """
    since = add_months(opened, -EARLIER_MONTHS)
    filed = [
        report
        for report in rows.filed(connection).values()
        if report.status == ACCEPTED
        and report.list is on_list
        and report.last_day is not None
        and since <= report.last_day <= day
    ]
    merged = merge_targets(connection)
    decisions = with_kept_players(decisions_in_force(connection), merged)
    publications = lists.all_publications(connection, on_list)
    inputs = load_events(connection, filed, decisions, merged, on_list, publications, CHESS_EDITIONS)
    fide = _fide_numbers(connection, merged)
    for item in inputs:
        report = item.report()
        try:
            edition = in_force(CHESS_EDITIONS, on_list, item.first_day)
        except NoEdition:
            continue
        players = tuple(fide.get(player, -player) for player in item.players)
        yield Event(f"{item.report_number} {report.header.name}", report, players, edition, item.facts)


def _fide_numbers(connection: Connection, merged: Mapping[int, int]) -> dict[int, int]:
    """Return the FIDE ID of each player; a merged player brings theirs, if the kept one has none."""
    numbers = numbers_in_scheme(connection, "fide")
    for dropped, kept in merged.items():
        if dropped in numbers:
            numbers.setdefault(kept, numbers[dropped])
    return numbers


def _dated(
    connection: Connection, reference: Reference, on_list: ListName, federation: str, playing: set[int]
) -> DatedList:
    players = read_federation(connection, reference.id, federation, playing)
    return DatedList(
        reference.day, {player.id: fide_entry(player, on_list, combined=True) for player in players}
    )


REPORT_FORMATS = ("trf16", "trf26")


@dataclass(frozen=True, slots=True)
class FideReport:
    """A report as FIDE takes it."""

    data: bytes
    file: str
    changes: tuple[ChangedFact, ...]
    findings: tuple[Finding, ...]
    """Findings about facts that the format cannot hold."""

    without_number: tuple[Person, ...]


def fide_report(office: Office, number: int, to: str = REPORT_FORMATS[0]) -> FideReport:
    """Return the file of an accepted report for FIDE.

    Decided results are those of the decision, the players' facts those of the register on the first day, the ratings
    those of FIDE's list in force, if the office keeps it as a reference.
    """
    check_among(to, "to", REPORT_FORMATS)
    with office.store.reading() as connection:
        filed = report_on_file(connection, number)
        require_status(filed, ACCEPTED)
        if system_of(filed.list).rates_again:
            raise BadInput("fide-not-chess", report=number, list=str(filed.list))
        merged = merge_targets(connection)
        decided = with_kept_players(decisions_in_force(connection), merged)
        whole = [decision for decision in decided if decision.kind != "by-round"]  # FIDE takes one file
        (event,) = load_events(connection, [filed], whole, merged, filed.list, (), CHESS_EDITIONS)
        known = load_people(connection, event.players, on=filed.first_day)
        people = [known[player] for player in event.players]
        ratings = _fide_ratings(connection, filed, people)
    report, changes = with_register_facts(event.report(), people, ratings)
    data, findings = write_report(report, to)
    stem = filed.file.rpartition("/")[2].rpartition(".")[0] or f"report-{number}"
    without = tuple(person for person in people if not person.identifier(FIDE))
    return FideReport(data, f"{stem}.{to}.txt", changes, findings, without)


def _fide_ratings(connection: Connection, filed: Filed, people: Sequence[Person]) -> list[int | None] | None:
    """Return the ratings on FIDE's list of the first day; None if the office does not keep it."""
    reference = reference_in_force(references(connection), filed.list, filed.first_day or date.min)
    if reference is None:
        return None
    numbers = [int(person.identifier(FIDE) or 0) for person in people]
    listed = read_players(connection, reference.id, filter(None, numbers))
    return [listed[number].figures(filed.list)[0] if number in listed else None for number in numbers]


@dataclass(frozen=True, slots=True)
class NumberNeeded:
    """A player without a FIDE ID, with the last event that needs it."""

    person: Person
    report: int
    event: str
    last_day: date | None


def numbers_needed(office: Office) -> list[NumberNeeded]:
    """Return the players of accepted chess reports who have no FIDE ID, by name."""
    with office.store.reading() as connection:
        filed = {
            number: report
            for number, report in rows.filed(connection).items()
            if report.status == ACCEPTED and not system_of(report.list).rates_again
        }
        merged = merge_targets(connection)
        last: dict[int, Filed] = {}
        for number, players in rows.entrants_of(connection, filed).items():
            for player in players:
                kept = merged.get(player, player)
                if kept not in last or _end(last[kept]) <= _end(filed[number]):
                    last[kept] = filed[number]
        people = load_people(connection, last)
    needed = [
        NumberNeeded(people[player], report.id, report.name, report.last_day)
        for player, report in last.items()
        if player in people and not people[player].identifier(FIDE)
    ]
    return sorted(needed, key=lambda item: (item.person.name.casefold(), item.person.id))


def _end(report: Filed) -> date:
    return report.last_day or date.min
