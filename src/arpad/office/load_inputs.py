"""Gathering what a list is made from: events, states, lists in force, register, decisions; all of it, or one player's.

What is read by the hundred thousand comes as plain rows (``store.many``, ``store.people``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection, select

from arpad.lists import compute_draughts as draughts
from arpad.lists.inputs import AmendedResult, EventInput, Inputs
from arpad.lists.people import People
from arpad.lists.published import DRAUGHTS
from arpad.model.chess import Standing
from arpad.model.errors import BadInput
from arpad.model.json_values import from_standing, load, to_standing
from arpad.model.rules import Edition, ListName
from arpad.office.decisions import decided_rounds
from arpad.office.editions import own_of
from arpad.office.lists_in_force import list_in_force
from arpad.office.starting_capitals import with_starting_capitals
from arpad.office.stated_facts import decided_facts
from arpad.regulations.adopted import editions_with
from arpad.regulations.chess.rules import ChessRules, add_months
from arpad.regulations.editions import in_force
from arpad.store import ledger, lists, register
from arpad.store import reports as rows
from arpad.store.bulk import fetch_rows, id_batches
from arpad.store.hidden_players import hidden as hidden_on_request
from arpad.store.lists import Publication
from arpad.store.merges import merge_targets
from arpad.store.register import load_people
from arpad.store.reports import Decision, Filed
from arpad.store.schema import entrants, reports


@dataclass(frozen=True, slots=True)
class InputsAsOf:
    """How a list is gathered: which revision it is of what, and what was known then.

    A draft knows everything; a list that is gathered again knows what was known when it was published; a revision
    takes the register of the list it corrects, and everything that was decided since.
    """

    number: int
    previous: str = ""
    revision: int = 1
    revises: str = ""
    newest_revision: bool = False
    """Whether events take the newest revision of the list in force, rather than the one that was out."""

    register_at: int | None = None
    decided_at: int | None = None
    lists_before: int | None = None
    """Only publications with a lower number were there."""

    hidden: tuple[int, ...] | None = None
    """Players who had asked not to be shown, where that is known; None for those of now."""

    merged_at: int | None = None
    """The act up to which merges are known, where it is not that of the register: a revision knows all of them."""

    @property
    def merges_known_at(self) -> int | None:
        """The act up to which merges are known; None for those of now."""
        return self.register_at if self.merged_at is None else self.merged_at


def load_inputs(
    connection: Connection,
    on_list: ListName,
    day: date,
    taken: Iterable[Filed],
    base: Publication | None,
    making: InputsAsOf,
    *,
    states: dict[int, str] | None = None,
    only: AbstractSet[int] | None = None,
) -> Inputs:
    """Everything a list is made from; ``states`` stand in for those of the base.

    With ``only``, what concerns these players: themselves and whoever plays in the events given. That is enough to
    work out their period, and not to make the list.
    """
    kept = merge_targets(connection, making.merges_known_at)
    decided = rows.with_merged(rows.standing_decisions(connection, making.decided_at), kept)
    chess = on_list not in DRAUGHTS
    found = [p for p in lists.all_publications(connection, on_list) if _there(p, making)]
    own = own_of(connection, on_list, day, making.register_at)
    editions = editions_with(on_list, own)
    events = _all_events(connection, list(taken), decided, kept, on_list, found, editions)
    playing = {player for event in events for player in event.players}
    concerned = None if only is None else _with_dropped({*playing, *only}, kept)
    if states is None:
        states = lists.states(connection, base.id, concerned) if base else {}
    states = (_merged_states if chess else draughts.merge_states)(states, kept)
    days, listed = _lists_used(connection, events, found, making, concerned) if chess else ({}, {})
    used = {digest: _merged_ratings(ratings, kept) for digest, ratings in listed.items()}
    edition = in_force(editions, on_list, day).id
    people = _people(connection, on_list, day, base, {*states, *playing}, kept, making, only)
    asked_for = hidden_on_request(connection) if making.hidden is None else frozenset(making.hidden)
    inputs = Inputs(
        on_list, day, base.day if base else add_months(day, -1), making.number, making.revision,
        making.previous, making.revises, edition, states, used, days, events, people,
        k=_decided_k(decided, on_list, day), hidden=_hidden(people, decided, day) | (asked_for & people.keys()),
        decisions=_told(connection, decided, events, on_list, day) if only is None else (), own=own,
        merged={n: player for n, player in kept.items() if player in people},
    )  # fmt: skip
    if not chess:
        return with_starting_capitals(connection, inputs, decided, kept, making)
    return (
        inputs if on_list == ListName.STANDARD else _with_standard(connection, inputs, playing, kept, making)
    )


def _there(publication: Publication, making: InputsAsOf) -> bool:
    return making.lists_before is None or publication.id < making.lists_before


def _with_dropped(players: AbstractSet[int], kept: Mapping[int, int]) -> set[int]:
    """Some players, with the numbers that were merged into theirs."""
    return {*players, *(dropped for dropped, player in kept.items() if player in players)}


def _people(
    connection: Connection,
    on_list: ListName,
    day: date,
    base: Publication | None,
    known: set[int],
    kept: Mapping[int, int],
    making: InputsAsOf,
    only: AbstractSet[int] | None,
) -> People:
    """The register's facts of everybody who stands, plays or holds a title; of those asked about alone."""
    as_of_act = making.register_at
    if only is not None:
        return load_people(connection, only, on=day, as_of_act=as_of_act)
    titled = register.titled(connection, as_of_act) if on_list not in DRAUGHTS else set()
    wanted = {kept.get(player, player) for player in {*known, *titled}}
    found = load_people(
        connection, wanted, publication=base.id if base else None, on=day, as_of_act=as_of_act
    )
    if len(found) == len(wanted):
        return found
    return People({player: row for player, row in found.rows.items() if player in wanted})


# ------------------------------------------------------------------------------------- states and lists in force


def _lists_used(
    connection: Connection,
    events: Iterable[EventInput],
    found: Sequence[Publication],
    making: InputsAsOf,
    players: AbstractSet[int] | None,
) -> tuple[dict[date, str], dict[str, dict[int, int]]]:
    """The list in force on each event's first day, and the ratings of each such list."""
    days: dict[date, str] = {}
    used: dict[str, dict[int, int]] = {}
    for first in sorted({event.first_day for event in events}):
        publication = list_in_force(found, first, newest_revision=making.newest_revision)
        if publication is not None:
            days[first] = publication.digest
            if publication.digest not in used:
                used[publication.digest] = lists.ratings(connection, publication.id, players)
    return days, used


def _merged_states(states: dict[int, str], kept: Mapping[int, int]) -> dict[int, str]:
    """Return states with two numbers of one player made one: that of the number kept, filled from the other."""
    for dropped, player in kept.items():
        if dropped in states:
            other = to_standing(dropped, states.pop(dropped))
            mine = to_standing(player, states[player]) if player in states else Standing(player)
            states[player] = from_standing(_joined(mine, other))
    return states


def _joined(mine: Standing, other: Standing) -> Standing:
    """Return one state of two: the rating of the number kept, else the other's; games and tranches add up."""
    leading = mine if mine.rating is not None or other.rating is None else other
    rated = leading.rating is not None
    return replace(
        leading,
        player=mine.player,
        games=mine.games + other.games,
        peak=max(mine.peak, other.peak),
        last_list=max((d for d in (mine.last_list, other.last_list) if d), default=None),
        tranches=() if rated else (*mine.tranches, *other.tranches),
    )


def _merged_ratings(ratings: dict[int, int], kept: Mapping[int, int]) -> dict[int, int]:
    for dropped, player in kept.items():
        if dropped in ratings:
            ratings.setdefault(player, ratings.pop(dropped))
    return ratings


# ------------------------------------------------------------------------------------------------------- events


def _all_events(
    connection: Connection,
    taken: Sequence[Filed],
    decided: Sequence[Decision],
    kept: Mapping[int, int],
    on_list: ListName,
    found: Sequence[Publication],
    editions: Sequence[Edition[Any]],
) -> tuple[EventInput, ...]:
    """The reports as events, in their order."""
    about: dict[int, list[Decision]] = {}
    for decision in decided:
        if decision.report is not None:
            about.setdefault(decision.report, []).append(decision)
    data: dict[int, bytes] = {}
    players: dict[int, list[int]] = {}
    for some in id_batches(filed.id for filed in taken):
        query = select(reports.c.id, reports.c.data).where(reports.c.id.in_(some))
        data |= {number: bytes(whole) for number, whole in fetch_rows(connection, query)}
        places = select(entrants.c.report, entrants.c.player).where(entrants.c.report.in_(some))
        for number, player in fetch_rows(connection, places.order_by(entrants.c.report, entrants.c.place)):
            players.setdefault(number, []).append(kept.get(player, player))
    events: list[EventInput] = []
    for filed in taken:
        mine = about.get(filed.id, [])
        whole = _whole(filed, data[filed.id], tuple(players.get(filed.id, ())), mine)
        events += _parts_of(whole, filed, mine, on_list, found, editions)
    return tuple(events)


def _whole(filed: Filed, data: bytes, players: tuple[int, ...], decided: Sequence[Decision]) -> EventInput:
    amended = tuple(
        AmendedResult(value["number"], value["round"], value["result"])
        for value in (load(d.value) for d in decided if d.kind == "result")
    )
    facts, rounds = decided_facts(filed, decided), decided_rounds(filed, decided)
    return EventInput(str(filed.id), filed.file, data, players, facts, amended, rounds)


def _parts_of(
    whole: EventInput,
    filed: Filed,
    decided: Sequence[Decision],
    on_list: ListName,
    found: Sequence[Publication],
    editions: Sequence[Edition[Any]],
) -> list[EventInput]:
    """A report as the event it is, or as its parts where each round takes the ratings of its own list (4.13)."""
    if on_list in DRAUGHTS or not any(d.kind == "by-round" for d in decided) or filed.first_day is None:
        return [whole]
    rules = in_force(editions, on_list, filed.first_day).on(on_list)
    if not rules.ratings_by_round:
        raise BadInput("by-round-not-allowed", report=filed.id, day=filed.first_day)
    return [
        replace(whole, id=f"{filed.id}/{number}", rounds=part)
        for number, part in enumerate(_parts(whole, found), start=1)
    ]


def _parts(event: EventInput, found: Sequence[Publication]) -> list[tuple[int, int]]:
    """Rounds in a row that have the same list in force."""
    parts: list[tuple[int, int]] = []
    before: object = object()
    for number, cells in event.report().numbered_rounds():
        now = list_in_force(found, cells.day) if cells.day else None
        if parts and (now == before or cells.day is None):
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
            before = now
    return parts


# ------------------------------------------------------------------------------------------------------- beside


def _decided_k(decided: Iterable[Decision], on_list: ListName, day: date) -> dict[int, int]:
    return {
        d.player: int(load(d.value)["k"])
        for d in decided
        if d.kind == "k" and d.player is not None and d.list == str(on_list) and d.day == str(day)
    }


def _with_standard(
    connection: Connection, inputs: Inputs, playing: set[int], kept: Mapping[int, int], making: InputsAsOf
) -> Inputs:
    """Standard ratings beside: those in force on each event's first day, and for a lift those of the list's own."""
    shown = [p for p in lists.all_publications(connection, ListName.STANDARD) if _there(p, making)]
    days, used = _lists_used(connection, inputs.events, shown, making, _with_dropped(playing, kept))
    beside = standard_beside(inputs.governing().on(inputs.on_list), inputs.day, shown)
    if beside is not None:
        _refuse_before_standard(inputs, beside, shown)
    return replace(
        inputs,
        lists={
            **inputs.lists,
            **{digest: _merged_ratings(ratings, kept) for digest, ratings in used.items()},
        },
        standard_in_force=days,
        standard=_merged_ratings(lists.ratings(connection, beside.id), kept) if beside else {},
    )


def standard_beside(rules: ChessRules, day: date, standard: Sequence[Publication]) -> Publication | None:
    """Return the standard list that an adjustment of a rapid or blitz list of a day looks at, if there is one."""
    lift = rules.lift
    if lift is None or lift.value.on != day or lift.value.standard_minus is None:
        return None
    return list_in_force(standard, day, newest_revision=True)


def _refuse_before_standard(inputs: Inputs, beside: Publication, standard: Sequence[Publication]) -> None:
    """Refuse a list whose adjustment looks at a standard list that is still to come."""
    if beside.day < inputs.day and all(publication.day < inputs.day for publication in standard):
        raise BadInput("standard-list-first", list=str(inputs.on_list), day=inputs.day, last=beside.day)


def _hidden(people: People, decided: Sequence[Decision], day: date) -> frozenset[int]:
    """Players who are computed but not published: of a suspended federation, or left out at its wish (13)."""
    standing = [d for d in decided if d.day is None or d.day <= str(day)]
    suspended = {d.federation for d in standing if d.kind == "suspended"}
    admitted = {d.player for d in standing if d.kind == "dispensation"}
    left_out = {d.player for d in standing if d.kind == "leave-out"}
    if not suspended and not left_out:
        return frozenset()
    return frozenset(
        player
        for player, (_, facts, _) in people.rows.items()
        if player in left_out or (facts.federation in suspended and player not in admitted)
    )


def _told(
    connection: Connection,
    decided: Sequence[Decision],
    events: Sequence[EventInput],
    on_list: ListName,
    day: date,
) -> tuple[Mapping[str, Any], ...]:
    """The decisions that the list depends on, with author and reason."""
    taken = {event.report_number for event in events}

    def concerns(d: Decision) -> bool:
        if d.report is not None:
            return d.report in taken
        return d.list in (None, str(on_list)) and (d.day is None or d.day <= str(day))

    wanted = [d for d in decided if concerns(d)]
    acts = ledger.some_acts(connection, [d.act for d in wanted])
    return tuple(
        {
            "decision": d.id, "kind": d.kind, "report": d.report, "player": d.player,
            "federation": d.federation, "list": d.list, "day": d.day, "value": load(d.value),
            "author": acts[d.act].author, "reason": acts[d.act].reason, "at": acts[d.act].at,
        }
        for d in wanted
    )  # fmt: skip
