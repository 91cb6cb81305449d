"""The file of an accepted report for FIDE, with corrections applied; and the players who need a FIDE ID."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.model.rules import Finding
from arpad.office.drafts.load_events import load_events
from arpad.office.fide.rows import read_players, reference_in_force, references
from arpad.office.office import Office
from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.rows import load_people
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed, decisions_in_force, with_kept_players
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.systems import system_of
from arpad.reports.formats import write_report
from arpad.reports.register_facts import FIDE, ChangedFact, with_register_facts

FORMATS = ("trf16", "trf26")


@dataclass(frozen=True, slots=True)
class FideReport:
    """A report as FIDE takes it."""

    data: bytes
    file: str
    changes: tuple[ChangedFact, ...]
    findings: tuple[Finding, ...]
    """Findings about facts that the format cannot hold."""

    without_number: tuple[Person, ...]


def fide_report(office: Office, number: int, to: str = FORMATS[0]) -> FideReport:
    """Return the file of an accepted report for FIDE.

    Decided results are those of the decision, the players' facts those of the register on the first day, the ratings
    those of FIDE's list in force, if the office keeps it as a reference.
    """
    if to not in FORMATS:
        raise BadInput("value-unknown", option="to", value=to, accepted=", ".join(FORMATS))
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
