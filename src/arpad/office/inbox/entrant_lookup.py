"""Look up the players of some reports entrant by entrant."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from sqlalchemy import Connection

from arpad.model.json_values import to_birth
from arpad.office.inbox.player_candidates import UncertainEntrant, load_candidates
from arpad.office.inbox.player_lookup import (
    EntrantsFound,
    PlayerLookup,
    RegisteredPlayer,
    ReportToCheck,
    load_present,
    new_lookup,
)
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import numbers_by_scheme


def load_players(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]] | None = None,
) -> PlayerLookup:
    """Load the players of some reports, the players that an officer chose, and candidates for everybody in doubt.

    ``matches`` maps start numbers to the chosen players, by the key of the report.
    """
    decided = {key: (matches or {}).get(key, {}) for key in reports}
    chosen = {player for by_number in decided.values() for player in by_number.values() if player}
    lookup = new_lookup(connection)
    meanings = {key: lookup.numbers_of(item) for key, item in reports.items()}
    numbers = {key: meanings[key].possible(item.report) for key, item in reports.items()}
    wanted = numbers_by_scheme(chain.from_iterable(numbers.values()))
    identified = {
        scheme: register.identified_players(connection, scheme, values) for scheme, values in wanted.items()
    }
    for scheme, by_value in identified.items():
        for value, (player, name, born, affiliation) in by_value.items():
            lookup.holders.players[scheme, value] = player
            lookup.people[player] = RegisteredPlayer(name, to_birth(born), affiliation)
    load_present(connection, lookup, chosen | lookup.people.keys())
    uncertain: list[UncertainEntrant] = []
    for key, (report, _) in reports.items():
        holders = lookup.holders.holding(numbers[key])
        certain = list(map(lookup.agreeing, report.entrants, holders))
        lookup.found[key] = EntrantsFound(meanings[key], numbers[key], holders, certain)
        uncertain += (
            UncertainEntrant(entrant, meanings[key], players)
            for entrant, players, player in zip(report.entrants, holders, certain, strict=True)
            if player is None and entrant.number not in decided[key]
        )
    if uncertain:
        load_candidates(connection, lookup, uncertain)
    return lookup
