"""Everything that the office holds about one player, as one document for that person."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.office.lists import rows as lists
from arpad.office.lists.history_rows import player_history
from arpad.office.parts import held_about
from arpad.office.privacy.erase import Entries, entries_of, personal_texts
from arpad.office.privacy.rows import rows_naming
from arpad.office.proof.erased_texts import PersonalTexts
from arpad.office.register.acts import known_player
from arpad.office.reports import rows as report_rows
from arpad.office.reports.act_subjects import subjects_of
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.settings import read_setting

SCHEMA = "arpad.player-data/1"


PlayerData = dict[str, Any]
"""What the office holds about a player; each feature adds what it holds under a name of its own."""


def data_of(connection: Connection, player: int, today: date, made: str) -> PlayerData:
    """Return everything that the office holds about a player, as JSON has it."""
    known_player(connection, player)
    held = _document(connection, personal_texts(connection, player, today))
    whole: PlayerData = json.loads(json.dumps({"made": made, "player": player, **held}, default=str))
    return whole


def player_data_bytes(data: PlayerData) -> bytes:
    """Return the document as a file of JSON."""
    return (json.dumps({"schema": SCHEMA, **data}, ensure_ascii=False, indent=1) + "\n").encode()


def _document(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    numbers = sorted(person.numbers)
    entries = entries_of(connection, person)
    return {
        "office": {name: read_setting(connection, name) for name in ("name", "federation", "contact", "website")},
        "numbers": numbers,
        "rows": rows_naming(connection, numbers),
        "reports": _reports(connection, entries),
        "lists": _lists(connection, numbers),
        **held_about(connection, person),
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
