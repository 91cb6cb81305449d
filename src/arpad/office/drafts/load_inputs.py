"""Load what a list is computed from: events, states, lists in force, register, decisions; of all players or some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.input_tables import PeopleTable, RatingTable, StateTable
from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.sealed_blocks import join_blocks
from arpad.lists.table import STATE
from arpad.model.canonical_json import load
from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.model.rules import Edition, ListName
from arpad.office.drafts.load_events import load_events, load_guests
from arpad.office.drafts.own_lists import load_own_inputs
from arpad.office.editions.acts import own_of
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_ratings, read_states, sealed_blocks
from arpad.office.lists.in_force import AsOf, inputs_as_of, publication_in_force
from arpad.office.lists.ownership import not_owned, ownership
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.register.number_rows import hidden as hidden_on_request
from arpad.office.register.number_rows import hidden_schemes, merge_targets, with_merged
from arpad.office.register.rows import load_people, titled_players
from arpad.office.register.table_rows import load_people_table
from arpad.office.reports import rows
from arpad.office.reports.rows import Decision, Filed, decisions_in_force, with_kept_players
from arpad.regulations.adopted import editions_with
from arpad.regulations.editions import in_force
from arpad.regulations.fide.rules import ChessRules, add_months
from arpad.regulations.systems import system_of
from arpad.reports.number_schemes import ON_LISTS
from arpad.store import ledger
from arpad.store.bulk import keeps_values
from arpad.store.columns import is_reading, memoized, memoized_in_thread


def load_inputs(
    connection: Connection,
    on_list: ListName,
    day: date,
    reports: Iterable[Filed],
    base: Publication | None,
    as_of: AsOf,
    *,
    states: Mapping[int, str] | None = None,
    only: AbstractSet[int] | None = None,
    counted: AbstractSet[int] | None = None,
    unfiled: UnfiledEntrants | None = None,
) -> Inputs:
    """Load everything that a list is computed from; ``states`` replace those of the base.

    With ``only``, load what concerns these players: themselves and the entrants of the reports. That is enough to
    compute their period, and not to compute the list. ``counted`` are the players whose games the readable period
    counts: then of the other entrants only those are loaded on whom these games depend. ``unfiled`` are the entrants
    of reports that are not accepted.
    """
    merged = merge_targets(connection, as_of.merges_as_of)
    decisions = with_kept_players(decisions_in_force(connection, as_of.decisions_as_of), merged)
    if on_list.is_own:
        return load_own_inputs(connection, on_list, day, reports, base, as_of, decisions)
    publications = [p for p in lists.all_publications(connection, on_list) if as_of.sees(p)]
    own = own_of(connection, on_list, day, as_of.register_as_of)
    editions = editions_with(on_list, own)
    events = load_events(
        connection, list(reports), decisions, merged, on_list, _revisions_in_force(publications, as_of), editions,
        unfiled.players if unfiled else {},
        # a verification reads the bytes themselves
        with_games=only is None and not keeps_values(connection),
    )  # fmt: skip
    playing = [player for event in events for player in event.players]
    concerned = with_state = None if only is None else with_merged({*playing, *only}, merged)
    if counted is not None:
        with_state = with_merged({*counted, *_in_round_robins(events, on_list, editions)}, merged)
        concerned = with_state | with_merged(_opponents(events, counted), merged)
    of_base = states is None and not merged
    states = _states(connection, on_list, base, with_state, states, merged)
    people = _people(connection, on_list, day, states, playing, merged, as_of, only)
    strangers = {p: unfiled.strangers[p] for p in playing if p in unfiled.strangers} if unfiled else {}
    people = _with_strangers(people, strangers) if strangers else people
    on_request = hidden_on_request(connection) if as_of.hidden is None else frozenset(as_of.hidden)
    owner = ownership(connection, on_list, as_of.register_as_of) if as_of.not_owned is None else None
    others = as_of.not_owned or not_owned(connection, owner, people, day)
    inputs = Inputs(
        on_list, day, base.day if base else add_months(day, -1), as_of.number, as_of.revision,
        as_of.previous, as_of.revises, in_force(editions, on_list, day).id, states, {}, {}, events, people,
        k=_decided_k(decisions, on_list, day),
        hidden=_hidden(people, decisions, day) | (on_request & people.keys())
        | (others & people.keys()) | strangers.keys(),
        decisions=_decisions(connection, decisions, events, on_list, day) if only is None else (), own=own,
        merged={dropped: player for dropped, player in merged.items() if player in people},
    )  # fmt: skip
    if owner is not None or as_of.guests:
        inputs = replace(inputs, guests=load_guests(connection, inputs, owner, as_of, merged))
    read_before = {base.id: states} if of_base and base and isinstance(states, StateTable) else {}
    source = _Source(connection, as_of, merged, decisions, publications, concerned, read_before)
    inputs = _COMPLETE[on_list.system](source, inputs)
    if counted is None or base is None:
        return inputs
    return replace(inputs, states={**states, **_states_of_rated_since(source, inputs, base)})


def _revisions_in_force(publications: Sequence[Publication], as_of: AsOf) -> list[Publication]:
    """Return the publications that may be in force: of each day all revisions, or only the newest."""
    if not as_of.newest_revision:
        return list(publications)
    return list({p.day: p for p in publications if p.kind != BASE}.values())


@dataclass(frozen=True, slots=True)
class UnfiledEntrants:
    """The entrants of reports that are not accepted."""

    players: Mapping[int, Sequence[int]]
    """Report → the number of each entrant, in the order of the report."""

    strangers: Mapping[int, Person]
    """The entrants who are not in the register, with negative numbers."""


def _with_strangers(people: Mapping[int, Person], strangers: Mapping[int, Person]) -> Mapping[int, Person]:
    """Return people of the register with some who are not in it."""
    if isinstance(people, PeopleTable):
        return PeopleTable(pl.concat([PeopleTable.of(strangers).frame, people.frame]).sort("player"))
    return {**strangers, **people}


def inputs_of(connection: Connection, publication: Publication) -> Inputs:
    """Load what a list was computed from, as it was at publication."""
    by_id = {p.id: p for p in lists.all_publications(connection)}
    base = by_id[publication.base] if publication.base is not None else None
    reports = rows.filed(connection, lists.rated_in(connection, publication.id)).values()
    return load_inputs(
        connection, publication.list, publication.day, reports, base, inputs_as_of(publication)
    )


def _states(
    connection: Connection,
    on_list: ListName,
    base: Publication | None,
    players: AbstractSet[int] | None,
    replaced: Mapping[int, str] | None,
    merged: Mapping[int, int],
) -> Mapping[int, str]:
    """Return the states as the period begins, those of merged players joined: of a whole chess list as a table."""
    system = system_of(on_list)
    if system.rates_again or players is not None:
        states = (
            replaced
            if replaced is not None
            else list_rows.states(connection, base.id, players)
            if base
            else {}
        )
        return system.stored.merge(dict(states), merged)
    if replaced is not None:
        table = StateTable.of(replaced, system)
    elif base is not None:
        number = base.id
        table = StateTable(memoized(connection, _key(number), lambda: read_states(connection, number).frame))
    else:
        table = StateTable.of({}, system)
    return table.merged(merged, system)


def open_states_beside(connection: Connection, base: Publication, beside: Executor) -> None:
    """Begin to open the states of all players after a list beside other work of a reading transaction."""
    if is_reading(connection) and not keeps_values(connection):
        blocks = list(sealed_blocks(connection, base.id))
        columns = ("player", "rating", *STATE)
        memoized_in_thread(
            connection, _key(base.id), lambda: StateTable.of_list(join_blocks(blocks, columns)).frame, beside
        )


def _key(publication: int) -> tuple[str, int]:
    """Return the key under which a reading transaction has the states after a list."""
    return ("states", publication)


def _opponents(events: Iterable[EventInput], players: AbstractSet[int]) -> set[int]:
    """Return everybody with whom some players are paired."""
    opponents: set[int] = set()
    for event in events:
        report = event.report()
        for index, player in enumerate(event.players):
            if player in players:
                numbers = {cells.opponents[index] for cells in report.rounds}
                opponents |= {
                    event.players[report.places[number]] for number in numbers if number in report.places
                }
    return opponents


def _in_round_robins(
    events: Iterable[EventInput], on_list: ListName, editions: Sequence[Edition[Any]]
) -> set[int]:
    """Return the entrants of events that may be round robins with a procedure for unrated players, which needs all."""
    return {
        player
        for event in events
        if in_force(editions, on_list, event.first_day).on(on_list).round_robin_entry is not None
        for player in event.players
    }


def _states_of_rated_since(source: _Source, inputs: Inputs, base: Publication) -> Mapping[int, str]:
    """Return the states of players who were unrated when an event began, and are rated as the period begins.

    Of other opponents the readable period needs no state: those who are listed count with that rating, and the games
    of those who are still unrated go into nobody's sum.
    """
    days = {event.first_day for event in inputs.events}
    listed = [inputs.lists.get(inputs.in_force.get(day, ""), {}) for day in days]
    unlisted = {player for player in source.players or () if any(player not in each for each in listed)}
    rated = list_rows.ratings(source.connection, base.id, unlisted - inputs.states.keys())
    players = with_merged({source.merged.get(player, player) for player in rated}, source.merged)
    return _states(source.connection, inputs.on_list, base, players, None, source.merged)


def _people(
    connection: Connection,
    on_list: ListName,
    day: date,
    states: Mapping[int, str],
    playing: Sequence[int],
    merged: Mapping[int, int],
    as_of: AsOf,
    only: AbstractSet[int] | None,
) -> Mapping[int, Person]:
    """Return the register's facts of every player with a state, an event or a title; or of ``only`` these."""
    register_as_of = as_of.register_as_of
    hidden = hidden_schemes(connection, ON_LISTS, register_as_of)
    if only is not None:
        return load_people(connection, only, on=day, as_of_act=register_as_of, without_schemes=hidden)
    system = system_of(on_list)
    if system.rates_again:
        titled = titled_players(connection, register_as_of) if system.has_titles else ()
        numbers = {merged.get(player, player) for player in (*states, *playing, *titled)}
        # each person is used several times, and made once
        return dict(
            load_people(connection, numbers, on=day, as_of_act=register_as_of, without_schemes=hidden)
        )
    with_state = StateTable.of(states, system).frame["player"]
    return load_people_table(
        connection, pl.concat([with_state, pl.Series("player", playing, pl.Int64)]), on=day,
        as_of_act=register_as_of, without_schemes=hidden, titled=system.has_titles, merged=merged,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ what each discipline adds


@dataclass(frozen=True, slots=True)
class _Source:
    """The sources of a list's inputs."""

    connection: Connection
    as_of: AsOf
    merged: Mapping[int, int]
    decisions: Sequence[Decision]
    publications: Sequence[Publication]
    players: AbstractSet[int] | None
    """The players whose ratings are needed; None for all."""

    states: Mapping[int, StateTable]
    """The states of publications that were read before."""


def _with_lists_in_force(source: _Source, inputs: Inputs) -> Inputs:
    """Return chess inputs with the lists in force on the first days of their events."""
    days, used = _lists_used(source, inputs.events, source.publications, source.players)
    inputs = replace(inputs, lists=used, in_force=days)
    stand_in = system_of(inputs.on_list).stand_in_for(inputs.on_list)
    return inputs if stand_in is None else _with_standard(source, inputs, stand_in)


def _with_capitals(source: _Source, inputs: Inputs) -> Inputs:
    """Return draughts inputs with the capitals with which players begin."""
    from arpad.office.drafts.starting_capitals import with_starting_capitals

    return with_starting_capitals(source.connection, inputs, source.decisions, source.merged, source.as_of)


_COMPLETE = {"fide": _with_lists_in_force, "rubele": _with_capitals}


def _lists_used(
    source: _Source,
    events: Iterable[EventInput],
    publications: Sequence[Publication],
    players: AbstractSet[int] | None,
) -> tuple[dict[date, str], dict[str, Mapping[int, int]]]:
    """Return the list in force on each event's first day, and the ratings of each such list."""
    days: dict[date, str] = {}
    used: dict[str, Mapping[int, int]] = {}
    for first in sorted({event.first_day for event in events}):
        publication = publication_in_force(publications, first, newest_revision=source.as_of.newest_revision)
        if publication is not None:
            days[first] = publication.digest
            if publication.digest not in used:
                used[publication.digest] = _ratings(source, publication, players)
    return days, used


def _ratings(
    source: _Source, publication: Publication, players: AbstractSet[int] | None
) -> Mapping[int, int]:
    """Return the ratings of a list, those of merged players under the number kept."""
    if players is None:
        ratings = read_ratings(source.connection, publication.id, source.states.get(publication.id))
        if ratings.frame["player"].is_in(list(source.merged)).any():
            return RatingTable.of(_with_kept_numbers(dict(ratings.frame.iter_rows()), source.merged))
        return ratings
    return _with_kept_numbers(list_rows.ratings(source.connection, publication.id, players), source.merged)


def _with_kept_numbers(ratings: dict[int, int], merged: Mapping[int, int]) -> dict[int, int]:
    """Return ratings with those of merged players under the number kept."""
    for dropped, player in merged.items():
        if dropped in ratings:
            ratings.setdefault(player, ratings.pop(dropped))
    return ratings


def _with_standard(source: _Source, inputs: Inputs, standard: ListName) -> Inputs:
    """Return rapid or blitz inputs with the standard ratings used for missing ones.

    They are those in force on each event's first day; a one-off adjustment also needs those of the list's own day.
    """
    players = source.players
    if players is None:
        players = with_merged({p for event in inputs.events for p in event.players}, source.merged)
    shown = [p for p in lists.all_publications(source.connection, standard) if source.as_of.sees(p)]
    days, used = _lists_used(source, inputs.events, shown, players)
    adjusting = standard_for_adjustment(inputs.governing().on(inputs.on_list), inputs.day, shown)
    if adjusting and adjusting.day < inputs.day and all(it.day < inputs.day for it in shown):
        # the standard list that the adjustment needs is not published yet
        raise BadInput("standard-list-first", list=str(inputs.on_list), day=inputs.day, last=adjusting.day)
    return replace(
        inputs,
        lists={**inputs.lists, **used},
        standard_in_force=days,
        standard=_ratings(source, adjusting, None) if adjusting else {},
    )


def standard_for_adjustment(
    rules: ChessRules, day: date, standard: Sequence[Publication]
) -> Publication | None:
    """Return the standard list that a one-off adjustment of a rapid or blitz list compares with, if any."""
    adjustment = rules.one_off_adjustment
    if adjustment is None or adjustment.value.on != day or adjustment.value.standard_minus is None:
        return None
    return publication_in_force(standard, day, newest_revision=True)


# ---------------------------------------------------------------------------------------------------- decisions


def _decided_k(decisions: Iterable[Decision], on_list: ListName, day: date) -> dict[int, int]:
    return {
        d.player: int(load(d.value)["k"])
        for d in decisions
        if d.kind == "k" and d.player is not None and d.list == str(on_list) and d.day == str(day)
    }


def _hidden(people: Mapping[int, Person], decisions: Sequence[Decision], day: date) -> frozenset[int]:
    """Return players who are computed but not published: of a suspended federation, or left out at its wish (13)."""
    standing = [d for d in decisions if d.day is None or d.day <= str(day)]
    suspended = {d.federation for d in standing if d.kind == "suspended"}
    admitted = {d.player for d in standing if d.kind == "dispensation"}
    left_out = {d.player for d in standing if d.kind == "leave-out"}
    if not suspended and not left_out:
        return frozenset()
    return frozenset(
        player
        for player, person in people.items()
        if player in left_out or (person.federation in suspended and player not in admitted)
    )


def _decisions(
    connection: Connection,
    decisions: Sequence[Decision],
    events: Sequence[EventInput],
    on_list: ListName,
    day: date,
) -> tuple[Mapping[str, Any], ...]:
    """Return the decisions that the list depends on, with author and reason."""
    reports = {event.report_number for event in events}

    def concerns(d: Decision) -> bool:
        if d.report is not None:
            return d.report in reports
        return d.list in (None, str(on_list)) and (d.day is None or d.day <= str(day))

    relevant = [d for d in decisions if concerns(d)]
    acts = ledger.some_acts(connection, [d.act for d in relevant])
    return tuple(
        {
            "decision": d.id, "kind": d.kind, "report": d.report, "player": d.player,
            "federation": d.federation, "list": d.list, "day": d.day, "value": load(d.value),
            "author": acts[d.act].author, "reason": acts[d.act].reason, "at": acts[d.act].at,
        }
        for d in relevant
    )  # fmt: skip
