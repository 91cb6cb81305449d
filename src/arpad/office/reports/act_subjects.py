"""The subjects of acts of the ledger: players, reports, arbiters, tournaments and decisions, and their federations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from arpad.office.parts import federations_of
from arpad.office.register.rows import load_people
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import Decision, all_decisions
from arpad.store.ledger import Act

_KEYS = {
    "player": ("player", "kept", "dropped", "other"),
    "report": ("report", "superseded", "replaces"),
    "arbiter": ("arbiter",),
    "event": ("event",),
    "decision": ("decision", "appeal"),
}
"""The facts of an act that name something by its number here, by what they name."""


@dataclass(frozen=True, slots=True)
class Subjects:
    """What an act names: numbers by kind, and a federation that it states itself."""

    numbers: Mapping[str, frozenset[int]]
    federation: str = ""


def subjects_of(facts: Mapping[str, Any]) -> Subjects:
    """Return what the facts of an act name."""
    numbers = {
        kind: frozenset(value for key in keys if isinstance(value := facts.get(key), int))
        for kind, keys in _KEYS.items()
    }
    matches = facts.get("matches")
    numbers["player"] |= {
        *_listed(facts, "numbers"),
        *_listed(facts, "newcomers"),
        *(it for it in (matches.values() if isinstance(matches, dict) else ()) if isinstance(it, int)),
    }
    stated = facts.get("federation")
    return Subjects(numbers, stated if isinstance(stated, str) else "")


def _listed(facts: Mapping[str, Any], key: str) -> Iterator[int]:
    values = facts.get(key)
    return (value for value in values if isinstance(value, int)) if isinstance(values, list) else iter(())


def federations_of_acts(connection: Connection, acts: Collection[Act]) -> dict[int, frozenset[str]]:
    """Return the federations of everything that each act names; empty if it names nothing that has one."""
    named = {act.seq: subjects_of(act.facts) for act in acts}
    decided: dict[int, Decision] = {}
    if any(subjects.numbers["decision"] for subjects in named.values()):
        decided = {decision.id: decision for decision in all_decisions(connection)}
    pairs = {seq: [*_pairs(subjects, decided)] for seq, subjects in named.items()}
    known = {
        kind: _federations(
            connection, kind, {number for of_act in pairs.values() for what, number in of_act if what == kind}
        )
        for kind in ("player", "report", "arbiter", "event")
    }
    return {
        seq: frozenset(
            [
                *(known[kind][number] for kind, number in pairs[seq] if number in known[kind]),
                *([subjects.federation] if subjects.federation else []),
                *(it.federation for it in _decided(subjects, decided) if it.federation),
            ]
        )
        for seq, subjects in named.items()
    }


def _decided(subjects: Subjects, decided: Mapping[int, Decision]) -> list[Decision]:
    return [decided[number] for number in subjects.numbers["decision"] if number in decided]


def _pairs(subjects: Subjects, decided: Mapping[int, Decision]) -> Iterator[tuple[str, int]]:
    """Return what an act names, also by a decision, as kinds and numbers; if it names reports, they stand for all."""
    numbers = {kind: set(named) for kind, named in subjects.numbers.items() if kind != "decision"}
    for decision in _decided(subjects, decided):
        numbers["player"] |= {decision.player} if decision.player else set()
        numbers["report"] |= {decision.report} if decision.report else set()
    chosen = {"report": numbers["report"]} if numbers["report"] else numbers
    return ((kind, number) for kind, named in chosen.items() for number in named)


def _federations(connection: Connection, kind: str, numbers: Collection[int]) -> dict[int, str]:
    if not numbers:
        return {}
    match kind:
        case "player":
            return {it: person.federation for it, person in load_people(connection, numbers).items()}
        case "report":
            return {it: filed.federation for it, filed in rows.filed(connection, numbers).items()}
        case _:
            return federations_of(connection, kind)
