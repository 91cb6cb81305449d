"""The register of arbiters and their licences, and the days on which reports were sent to FIDE."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from sqlalchemy import Connection, select

from arpad.model.names import spelled
from arpad.model.people import Arbiter, Licence
from arpad.office.arbiters.tables import FIELDS, arbiter_facts, arbiter_licences, sent_reports
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.proof.erasure_rows import fide_numbers
from arpad.store.bulk import add_numbered_rows, fetch_rows


def add_arbiter_facts(
    connection: Connection, arbiter: int, values: Mapping[str, str], since: date, act: int
) -> None:
    """Append facts about an arbiter that count from a day on."""
    rows = [(arbiter, name, value, str(since), act) for name, value in values.items()]
    add_numbered_rows(connection, arbiter_facts, ("arbiter", "field", "value", "since", "act"), rows)


def load_arbiters(connection: Connection, on: date | None = None) -> list[Arbiter]:
    """Return all arbiters, with their facts as of a day, or the latest ones."""
    facts: dict[int, dict[str, str]] = {}
    for arbiter, field, value, known_since in fetch_rows(connection, _FACTS):
        known = facts.setdefault(arbiter, {})
        if on is None or known_since <= str(on) or field not in known:
            known[field] = value
    licences: dict[int, dict[str, str]] = {}
    for arbiter, first_day, last_day in fetch_rows(connection, _LICENCES):
        licences.setdefault(arbiter, {})[first_day] = last_day
    return [
        Arbiter(
            number,
            **{name: known.get(name, "") for name in FIELDS},
            licences=tuple(
                Licence(date.fromisoformat(since), date.fromisoformat(until) if until else None)
                for since, until in sorted(licences.get(number, {}).items())
            ),
        )
        for number, known in sorted(facts.items())
    ]


_FACTS = select(
    arbiter_facts.c.arbiter, arbiter_facts.c.field, arbiter_facts.c.value, arbiter_facts.c.since
).order_by(arbiter_facts.c.since, arbiter_facts.c.id)
_LICENCES = select(arbiter_licences.c.arbiter, arbiter_licences.c.since, arbiter_licences.c.until).order_by(
    arbiter_licences.c.id
)


def days_sent(connection: Connection) -> dict[int, date]:
    """Return the day on which each report was sent to FIDE, if it was."""
    rows = connection.execute(select(sent_reports).order_by(sent_reports.c.id))
    return {row.report: date.fromisoformat(row.day) for row in rows}


def federations_of(connection: Connection, kind: str) -> dict[int, str]:
    """Return the federation of each arbiter."""
    return (
        {arbiter.id: arbiter.federation for arbiter in load_arbiters(connection)} if kind == "arbiter" else {}
    )


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the arbiters with a name or a FIDE ID of a person, who are likely the same."""
    spellings = {spelled(name) for name in person.names}
    fide = {str(number) for number in fide_numbers(connection, person.numbers)}
    likely = [
        asdict(arbiter)
        for arbiter in load_arbiters(connection)
        if spelled(arbiter.name) in spellings or arbiter.fide in fide
    ]
    return {"arbiters": likely}
