"""The guests of a list's events, with their ratings on the reference list in force on each first day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.lists.inputs import Guests, Inputs
from arpad.office.lists.as_of import InputsAsOf
from arpad.office.lists.ownership import Ownership, owned_by_day
from arpad.office.parts import rated_guests


def load_guests(
    connection: Connection,
    inputs: Inputs,
    owner: Ownership | None,
    as_of: InputsAsOf,
    merged: Mapping[int, int],
) -> dict[date, Guests]:
    """Return the guests of each first day: as a published list had them, or from the reference lists."""
    if as_of.guests is not None:
        return {day: _with_kept_numbers(guests, merged) for day, guests in as_of.guests.items()}
    if owner is None:
        return {}
    players_of: dict[date, set[int]] = {}
    for event in inputs.events:
        players_of.setdefault(event.first_day, set()).update(event.players)
    owned = owned_by_day(connection, owner, players_of)
    guests: dict[date, Guests] = {}
    for day, players in sorted(players_of.items()):
        foreign = players - owned[day]
        if not foreign:
            continue
        takes_standard = inputs.edition_on(day).on(inputs.on_list).entry_takes_standard is not None
        rated = rated_guests(connection, foreign, inputs.on_list, day, takes_standard=takes_standard)
        earlier = as_of.earlier_guests.get(day)
        if rated is None and earlier is not None:
            earlier = _with_kept_numbers(earlier, merged)
            ratings = {player: earlier.ratings.get(player) for player in sorted(foreign)}
            guests[day] = Guests(ratings, earlier.source, earlier.day, earlier.digest)
        else:
            guests[day] = Guests(dict.fromkeys(sorted(foreign))) if rated is None else rated
    return guests


@dataclass(frozen=True, slots=True)
class LeftOutGuest:
    """A player of a list's events whom the office does not own."""

    player: int
    name: str
    federation: str
    """Empty if it is unknown: a list about members leaves out everybody who is none."""

    rating: int | None
    """On the newest reference list that counts; None if the player has no rating there."""


def left_out_guests(inputs: Inputs) -> tuple[LeftOutGuest, ...]:
    """Return the guests of all events of a list by name: they are neither rated nor on the list."""
    ratings: dict[int, int | None] = {}
    for day in sorted(inputs.guests):
        ratings |= inputs.guests[day].ratings
    people = {player: inputs.people[player] for player in ratings}
    guests = [
        LeftOutGuest(player, person.name, person.federation, ratings[player])
        for player, person in people.items()
    ]
    return tuple(sorted(guests, key=lambda guest: (guest.name.casefold(), guest.player)))


def _with_kept_numbers(guests: Guests, merged: Mapping[int, int]) -> Guests:
    """Return guests under the numbers that were kept in a merge."""
    ratings: dict[int, int | None] = {}
    for player, rating in guests.ratings.items():
        ratings[merged.get(player, player)] = rating
    return Guests(ratings, guests.source, guests.day, guests.digest)
