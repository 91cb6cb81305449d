"""The names of tournaments that may be shown outside the site: without those that contain a hidden player's name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy import Connection

from arpad.model.names import fold, transliterated
from arpad.store.hidden_players import hidden
from arpad.store.register import load_people
from arpad.store.reports import Filed, entrants_of

SHORTEST_WORD = 3
"""Shorter words of a name, as "de", are parts of many tournaments' names."""


def public_names(connection: Connection, reports: Iterable[Filed]) -> dict[int, str]:
    """Return the names of tournaments by report; an empty one if it contains the name of a hidden entrant."""
    reports = list(reports)
    hidden_players = hidden(connection)
    players = entrants_of(connection, [report.id for report in reports]) if hidden_players else {}
    absent = {player for entrants in players.values() for player in entrants if player in hidden_players}
    words = {number: _words(person.name) for number, person in load_people(connection, absent).items()}
    return {
        report.id: ""
        if any(
            _contains(report.name, words[player]) for player in players.get(report.id, ()) if player in words
        )
        else report.name
        for report in reports
    }


def _words(name: str) -> tuple[str, ...]:
    return fold(transliterated(name))


def _contains(name: str, words: Collection[str]) -> bool:
    """Return whether the name of a tournament contains a word of a player's name."""
    in_name = set(_words(name))
    return any(word in in_name for word in words if len(word) >= SHORTEST_WORD)
