"""Everything that the office holds about one player, as one document for that person."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.model.declared import document
from arpad.model.names import spelled
from arpad.office.arbiters.rows import load_arbiters
from arpad.office.fees.rows import load_invoices
from arpad.office.fide.rows import reference_players
from arpad.office.lists import rows as lists
from arpad.office.lists.history_rows import player_history
from arpad.office.notices.rows import confirmed_follows
from arpad.office.privacy.erase import Entries, entries_of, personal_texts
from arpad.office.privacy.rows import rows_naming
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.proof.erasure_rows import fide_numbers
from arpad.office.register.acts import known_player
from arpad.office.reports import rows as report_rows
from arpad.office.reports.act_subjects import subjects_of
from arpad.office.running.rows import all_running
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.settings import read_setting

SCHEMA = "arpad.player-data/1"


@dataclass(frozen=True, slots=True)
class PlayerData:
    """Everything that the office holds about a player."""

    made: str
    player: int
    office: dict[str, str]
    numbers: list[int]
    rows: dict[str, Any]
    """The rows of the database that name the player, by table."""

    reports: list[dict[str, Any]]
    lists: list[dict[str, Any]]
    reference_lists: list[dict[str, Any]]
    running_tournaments: list[dict[str, Any]]
    arbiters: list[dict[str, Any]]
    invoices: list[dict[str, Any]]
    followers: int
    acts: list[dict[str, Any]]


def data_of(connection: Connection, player: int, today: date, made: str) -> PlayerData:
    """Return everything that the office holds about a player."""
    known_player(connection, player)
    return PlayerData(made, player, **_document(connection, personal_texts(connection, player, today)))


def player_data_bytes(data: PlayerData) -> bytes:
    """Return the document as a file of JSON."""
    whole = {"schema": SCHEMA, **document(data)}
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def _document(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    numbers = sorted(person.numbers)
    entries = entries_of(connection, person)
    listed = reference_players(connection, fide_numbers(connection, numbers))
    follows = [it for it in confirmed_follows(connection) if it.kind == "player"]
    return {
        "office": {name: read_setting(connection, name) for name in ("name", "federation", "contact", "website")},
        "numbers": numbers,
        "rows": rows_naming(connection, numbers),
        "reports": _reports(connection, entries),
        "lists": _lists(connection, numbers),
        "reference_lists": [row._asdict() for row in listed.values()],
        "running_tournaments": [
            {"tournament": it.name, "title": it.title, "first_day": it.first_day, "last_day": it.last_day}
            for it in all_running(connection, whole=True)
            if _names(person, it.document)
        ],
        "arbiters": _arbiters(connection, person),
        "invoices": [
            {"number": it.number, "day": it.day, "recipient": it.content["recipient"]}
            for it in load_invoices(connection)
            if _names(person, "\n".join(it.content["recipient"]))
        ],
        "followers": sum(it.target in map(str, numbers) for it in follows),
        "acts": _acts(connection, person),
    }  # fmt: skip


def _reports(connection: Connection, entries: Entries) -> list[dict[str, Any]]:
    """Return the reports in which the player is entered, with the player's own line and games."""
    filed = report_rows.filed(connection, entries)
    found = []
    for number, own in sorted(entries.items()):
        on_file = filed[number]
        report = read_filed(report_rows.data(connection, number), on_file.file)
        found.append(
            {
                "report": number,
                "event": on_file.name,
                "list": str(on_file.list),
                "status": on_file.status,
                "first_day": on_file.first_day,
                "last_day": on_file.last_day,
                "received": on_file.received,
                "entries": [_entry(report, index) for index in sorted(own)],
            }
        )
    return found


def _entry(report: Report, index: int) -> dict[str, Any]:
    """Return what a report says of an entrant; opponents by their start numbers, since they are other people."""
    entrant = report.entrants[index]
    games = [
        {
            "round": at,
            "day": cells.day,
            "opponent": cells.opponents[index],
            "colour": cells.colours[index],
            "result": cells.results[index],
        }
        for at, cells in enumerate(report.rounds, start=1)
    ]
    return {**asdict(entrant), "games": games}


def _lists(connection: Connection, numbers: Collection[int]) -> list[dict[str, Any]]:
    """Return the player on every published list."""
    published = {publication.id: publication for publication in lists.ever_published(connection)}
    return [
        {"player": number, "list": str(of.list), "day": of.day, "revision": of.revision, **row._asdict()}
        for number in numbers
        for publication, row in player_history(connection, number).items()
        if (of := published.get(publication)) is not None
    ]


def _arbiters(connection: Connection, person: PersonalTexts) -> list[dict[str, Any]]:
    """Return the arbiters with a name or a FIDE number of the player, who are likely the same person."""
    spellings = {spelled(name) for name in person.names}
    fide = {str(number) for number in fide_numbers(connection, person.numbers)}
    return [
        asdict(arbiter)
        for arbiter in load_arbiters(connection)
        if spelled(arbiter.name) in spellings or arbiter.fide in fide
    ]


def _acts(connection: Connection, person: PersonalTexts) -> list[dict[str, Any]]:
    """Return the acts that name the player by number or by name."""
    return [
        {
            "act": act.seq,
            "at": act.at,
            "author": act.author,
            "verb": act.verb,
            "details": facts,
            "reason": act.reason,
        }
        for act in ledger.acts(connection)
        if (facts := act.facts) is not None
        and (
            subjects_of(facts).numbers["player"] & person.numbers
            or _names(person, f"{act.details}\n{act.reason}")
        )
    ]


def _names(person: PersonalTexts, text: str) -> bool:
    return person.without_names(text) != text
