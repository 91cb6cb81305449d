"""Load reports as the events that lists are computed from, as officers decided about them, and their guests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.lists.inputs import AmendedResult, EventInput, Guests, Inputs
from arpad.model.canonical_json import load
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.office.lists.in_force import AsOf, publication_in_force
from arpad.office.lists.ownership import Ownership, owned_by_day
from arpad.office.lists.rows import Publication
from arpad.office.parts import rated_guests
from arpad.office.reports import rows
from arpad.office.reports.entrant_rows import load_games
from arpad.office.reports.rows import Decision, Filed
from arpad.office.reports.stated_facts import decided_facts, decided_rounds
from arpad.regulations.editions import in_force
from arpad.regulations.systems import system_of
from arpad.reports.report_games import ReportGames


def load_events(
    connection: Connection,
    reports: Sequence[Filed],
    decisions: Sequence[Decision],
    merged: Mapping[int, int],
    on_list: ListName,
    publications: Sequence[Publication],
    editions: Sequence[Edition[Any]],
    unfiled: Mapping[int, Sequence[int]] | None = None,
    *,
    with_games: bool = False,
) -> tuple[EventInput, ...]:
    """Return the reports as events, in their order; ``unfiled`` are the entrants of reports without any on file.

    ``with_games`` takes the games as they were kept at acceptance, so that no report is read again.
    """
    by_report: dict[int | None, list[Decision]] = {}
    for decision in decisions:
        by_report.setdefault(decision.report, []).append(decision)
    numbers = [filed.id for filed in reports]
    data, entrants = rows.data_of(connection, numbers), rows.entrants_of(connection, numbers)
    games = load_games(connection, numbers) if with_games else {}
    entrants |= {number: list(players) for number, players in (unfiled or {}).items()}
    events: list[EventInput] = []
    for filed in reports:
        decided = by_report.get(filed.id, [])
        players = tuple(entrants.get(filed.id, ()))
        if merged:
            players = tuple(merged.get(player, player) for player in players)
        event = _event(filed, data[filed.id], games.get(filed.id), players, decided)
        events += _parts_of(event, filed, decided, on_list, publications, editions)
    return tuple(events)


def _event(
    filed: Filed,
    data: bytes,
    games: ReportGames | None,
    players: tuple[int, ...],
    decisions: Sequence[Decision],
) -> EventInput:
    amended = tuple(
        AmendedResult(value["number"], value["round"], value["result"])
        for value in (load(d.value) for d in decisions if d.kind == "result")
    )
    facts, rounds = decided_facts(filed, decisions), decided_rounds(filed, decisions)
    return EventInput(
        str(filed.id), filed.file, data, players, facts, amended, rounds, filed.first_day, games
    )


def _parts_of(
    event: EventInput,
    filed: Filed,
    decisions: Sequence[Decision],
    on_list: ListName,
    publications: Sequence[Publication],
    editions: Sequence[Edition[Any]],
) -> list[EventInput]:
    """Return an event, or its parts if each round takes the ratings of its own list (4.13)."""
    by_round = any(decision.kind == "by-round" for decision in decisions)
    if system_of(on_list).rates_again or not by_round or filed.first_day is None:
        return [event]
    rules = in_force(editions, on_list, filed.first_day).on(on_list)
    if not rules.ratings_by_round:
        raise BadInput("by-round-not-allowed", report=filed.id, day=filed.first_day)
    return [
        replace(event, id=f"{filed.id}/{number}", rounds=rounds)
        for number, rounds in enumerate(_parts(event, publications), start=1)
    ]


def _parts(event: EventInput, publications: Sequence[Publication]) -> list[tuple[int, int]]:
    """Return the first and last number of rounds in a row that have the same list in force."""
    parts: list[tuple[int, int]] = []
    before: object = object()
    for number, cells in event.report().numbered_rounds():
        now = publication_in_force(publications, cells.day) if cells.day else None
        if parts and (now == before or cells.day is None):
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
            before = now
    return parts


def load_guests(
    connection: Connection,
    inputs: Inputs,
    owner: Ownership | None,
    as_of: AsOf,
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
class DraftGuest:
    """A player whom the office does not own, with the rating on the reference list; no federation: it is unknown."""

    player: int
    name: str
    federation: str
    """Empty if it is unknown: a list about members leaves out everybody who is none."""

    rating: int | None
    """On the newest reference list that counts; None if the player has no rating there."""


def left_out_guests(inputs: Inputs) -> tuple[DraftGuest, ...]:
    """Return the guests of all events of a list by name: they are neither rated nor on the list."""
    ratings: dict[int, int | None] = {}
    for day in () if inputs.on_list.is_own else sorted(inputs.guests):
        ratings |= inputs.guests[day].ratings
    people = {player: inputs.people[player] for player in ratings}
    guests = [
        DraftGuest(player, person.name, person.federation, ratings[player])
        for player, person in people.items()
    ]
    return tuple(sorted(guests, key=lambda guest: (guest.name.casefold(), guest.player)))


def _with_kept_numbers(guests: Guests, merged: Mapping[int, int]) -> Guests:
    """Return guests under the numbers that were kept in a merge."""
    ratings: dict[int, int | None] = {}
    for player, rating in guests.ratings.items():
        ratings[merged.get(player, player)] = rating
    return Guests(ratings, guests.source, guests.day, guests.digest)
