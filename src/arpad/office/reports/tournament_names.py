"""The names of tournaments that may be shown outside the site: without those that contain a hidden player's name."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from sqlalchemy import Connection

from arpad.model.names import fold, transliterated
from arpad.office.parts import reports_of_events
from arpad.office.register.number_rows import hidden
from arpad.office.register.rows import load_people
from arpad.office.reports.rows import Filed, entrants_of, filed

SHORTEST_WORD = 3
"""Shorter words of a name, as "de", are parts of many tournaments' names."""


def public_names(connection: Connection, reports: Iterable[Filed]) -> dict[int, str]:
    """Return the names of tournaments by report; an empty one if it contains the name of a hidden entrant."""
    reports = list(reports)
    hidden_players = hidden(connection)
    players = entrants_of(connection, [report.id for report in reports]) if hidden_players else {}
    absent = {player for entrants in players.values() for player in entrants if player in hidden_players}
    names = {number: person.name for number, person in load_people(connection, absent).items()}
    return {
        report.id: public_name(
            report.name, [names[player] for player in players.get(report.id, ()) if player in names]
        )
        for report in reports
    }


def public_name(tournament: str, absent: Iterable[str]) -> str:
    """Return the name of a tournament; an empty one if it contains a word of the name of an absent player."""
    words = set(_words(tournament))
    named = any(word in words for name in absent for word in _words(name) if len(word) >= SHORTEST_WORD)
    return "" if named else tournament


def public_event_names(connection: Connection, events: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    """Return the names of registered tournaments by number; an empty one if their reports may not be named."""
    events = list(events)
    reports = reports_of_events(connection) if hidden(connection) else {}
    of_event = {event["id"]: [report.report for report in reports.get(event["id"], ())] for event in events}
    names = public_names(connection, filed(connection, chain.from_iterable(of_event.values())).values())
    return {
        event["id"]: event["name"] if all(names[number] for number in of_event[event["id"]]) else ""
        for event in events
    }


def _words(name: str) -> tuple[str, ...]:
    return fold(transliterated(name))
