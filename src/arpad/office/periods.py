"""Closing a period: which reports fall in, with which ratings and under which editions; and a draft of the list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.errors import BadInput
from arpad.model import ListName
from arpad.office import draughts
from arpad.office.closing import Closed, computed
from arpad.office.decisions import UNRATED, decided_facts, decided_rounds
from arpad.office.desk import Office
from arpad.office.in_force import list_in_force, newest
from arpad.office.inputs import AmendedResult, EventInput, Inputs
from arpad.published import DRAUGHTS
from arpad.regulations import CHESS, chess_edition, in_force
from arpad.rules import ChessRules, add_months
from arpad.standing import Standing
from arpad.store import ledger, lists, register
from arpad.store import reports as rows
from arpad.store.lists import Publication
from arpad.store.reports import ACCEPTED, RECEIVED, Decision, Filed
from arpad.store.values import from_standing, load, to_standing


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A report that is not in the list, and why."""

    report: Filed
    reason: str
    """``received``, ``after-cutoff``, ``not-rated``, ``declared-unrated``; or ``corrects-published``: revise first."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What would be published now."""

    inputs: Inputs
    closed: Closed
    base: Publication | None
    taken: tuple[Filed, ...]
    left_out: tuple[LeftOut, ...]


def draft(office: Office, on_list: ListName, day: date) -> Draft:
    """Make the list without publishing it: the same value that ``publish`` would keep."""
    with office.store.reading() as connection:
        return drafted(connection, on_list, day)


@dataclass(frozen=True, slots=True)
class Making:
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


def drafted(connection: Connection, on_list: ListName, day: date) -> Draft:
    """A draft of the next list."""
    found = lists.all_publications(connection, on_list)
    last = newest(found)
    if last is not None and last.day >= day:
        raise BadInput("list-out", list=str(on_list), day=day, last=last.day)
    if on_list in DRAUGHTS:
        base = draughts.base_for(found, day)
        taken, left_out = draughts.falls_in(connection, found, on_list, day, base)
    else:
        refuse_off_calendar(on_list, day)
        base = last
        taken, left_out = falls_in(connection, found, on_list, day)
    making = Making((last.number if last else 0) + 1, _shown_digest(found))
    inputs = gather(connection, on_list, day, taken, base, making)
    return Draft(inputs, computed(inputs), base, tuple(taken), tuple(left_out))


def _shown_digest(found: Sequence[Publication]) -> str:
    shown = newest([p for p in found if p.kind != lists.BASE])
    return shown.digest if shown else ""


def refuse_off_calendar(on_list: ListName, day: date) -> None:
    """A list comes out on the first of a month that the edition names."""
    months = in_force(CHESS, on_list, day).on(on_list).list_months.value
    if day.day != 1 or day.month not in months:
        raise BadInput("off-calendar", day=day, list=str(on_list), months=", ".join(map(str, months)))


# ------------------------------------------------------------------------------------------------ what falls in


def falls_in(
    connection: Connection, found: Sequence[Publication], on_list: ListName, day: date
) -> tuple[list[Filed], list[LeftOut]]:
    """Accepted reports that no list has rated yet and that ended by the cut-off; and the others, with the reason."""
    rules = in_force(CHESS, on_list, day).on(on_list)
    decided = rows.standing_decisions(connection)
    rated = rows.rated_already(connection, [publication.id for publication in found])
    taken: list[Filed] = []
    left_out: list[LeftOut] = []
    for filed in rows.filed(connection).values():
        if filed.list != on_list or filed.id in rated or filed.status not in (RECEIVED, ACCEPTED):
            continue
        reason = "corrects-published" if filed.replaces in rated else _against(filed, decided, day, rules)
        if reason:
            left_out.append(LeftOut(filed, reason))
        else:
            taken.append(filed)
    return taken, left_out


def _against(filed: Filed, decided: Sequence[Decision], day: date, rules: ChessRules) -> str:
    """Why a report does not fall in, or nothing (7.13)."""
    if unrated := unrated_by_decision(filed, decided):
        return unrated
    if not in_time(filed, decided, day, rules):
        return "after-cutoff"
    return RECEIVED if filed.status == RECEIVED else ""


def in_time(filed: Filed, decided: Sequence[Decision], day: date, rules: ChessRules) -> bool:
    """Whether an event ended by a list's cut-off; official events have until the last day (7.13)."""
    official = decided_facts(filed, decided).official
    cutoff = rules.official_cutoff_days if official else rules.cutoff_days
    return filed.last_day is not None and (day - filed.last_day).days >= cutoff.value


def unrated_by_decision(filed: Filed, decided: Sequence[Decision]) -> str:
    """The decision that keeps a report from being rated, if there is one."""
    return next((d.kind for d in decided if d.report == filed.id and d.kind in UNRATED), "")


# ------------------------------------------------------------------------------------------------- gathering


def gather(
    connection: Connection,
    on_list: ListName,
    day: date,
    taken: Iterable[Filed],
    base: Publication | None,
    making: Making,
    *,
    states: dict[int, str] | None = None,
) -> Inputs:
    """Everything a list is made from; ``states`` stand in for those of the base."""
    decided = rows.standing_decisions(connection, making.decided_at)
    kept = register.merged(connection, making.register_at)
    chess = on_list not in DRAUGHTS
    if states is None:
        states = lists.states(connection, base.id) if base else {}
    if chess:
        states = _merged_states(states, kept)
    found = [p for p in lists.all_publications(connection, on_list) if _there(p, making)]
    events = tuple(
        event for filed in taken for event in _events(connection, filed, decided, kept, on_list, found)
    )
    days, used = _lists_used(connection, events, found, kept, making) if chess else ({}, {})
    playing = {player for event in events for player in event.players}
    titled = register.titled(connection, making.register_at) if chess else set()
    everybody = {kept.get(player, player) for player in {*states, *playing, *titled}}
    people = register.people(connection, everybody, on=day, known_at=making.register_at)
    edition = (in_force(CHESS, on_list, day) if chess else draughts.edition(on_list, day)).id
    inputs = Inputs(
        on_list, day, base.day if base else add_months(day, -1), making.number, making.revision,
        making.previous, making.revises, edition, states, used, days, events, people,
        k=_decided_k(decided, on_list, day), hidden=_hidden(people, decided, day),
        decisions=_told(connection, decided, events, on_list, day),
    )  # fmt: skip
    if not chess:
        return replace(inputs, capitals=draughts.beginnings(connection, inputs, decided, making.lists_before))
    return inputs if on_list == ListName.STANDARD else _with_standard(connection, inputs, playing, making)


def _there(publication: Publication, making: Making) -> bool:
    return making.lists_before is None or publication.id < making.lists_before


def _lists_used(
    connection: Connection,
    events: Iterable[EventInput],
    found: Sequence[Publication],
    kept: Mapping[int, int],
    making: Making,
) -> tuple[dict[date, str], dict[str, Mapping[int, int]]]:
    """The list in force on each event's first day, and the ratings of each such list."""
    days: dict[date, str] = {}
    used: dict[str, Mapping[int, int]] = {}
    for first in sorted({event.report().header.first_day or date.min for event in events}):
        publication = list_in_force(found, first, newest_revision=making.newest_revision)
        if publication is not None:
            days[first] = publication.digest
            if publication.digest not in used:
                used[publication.digest] = _merged_ratings(lists.ratings(connection, publication.id), kept)
    return days, used


def _decided_k(decided: Iterable[Decision], on_list: ListName, day: date) -> dict[int, int]:
    return {
        d.player: int(load(d.value)["k"])
        for d in decided
        if d.kind == "k" and d.player is not None and d.list == str(on_list) and d.day == str(day)
    }


def _events(
    connection: Connection,
    filed: Filed,
    decided: Sequence[Decision],
    kept: Mapping[int, int],
    on_list: ListName,
    found: Sequence[Publication],
) -> list[EventInput]:
    """A report as the event it is, or as its parts where each round takes the ratings of its own list (4.13)."""
    mine = [d for d in decided if d.report == filed.id]
    amended = tuple(
        AmendedResult(value["number"], value["round"], value["result"])
        for value in (load(d.value) for d in mine if d.kind == "result")
    )
    players = tuple(kept.get(player, player) for player in rows.players_of(connection, filed.id))
    data = rows.data(connection, filed.id)
    rounds = decided_rounds(filed, mine)
    whole = EventInput(str(filed.id), filed.file, data, players, decided_facts(filed, mine), amended, rounds)
    if on_list in DRAUGHTS or not any(d.kind == "by-round" for d in mine) or filed.first_day is None:
        return [whole]
    rules = in_force(CHESS, on_list, filed.first_day).on(on_list)
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
    for number, cells in enumerate(event.report().rounds, start=1):
        now = list_in_force(found, cells.day) if cells.day else None
        if parts and (now == before or cells.day is None):
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
            before = now
    return parts


def _merged_states(states: dict[int, str], kept: Mapping[int, int]) -> dict[int, str]:
    """Where two numbers turned out to be one player, his state is that of the one kept, filled from the other."""
    for dropped, player in kept.items():
        if dropped in states:
            other = to_standing(dropped, states.pop(dropped))
            mine = to_standing(player, states[player]) if player in states else Standing(player)
            states[player] = from_standing(_joined(mine, other))
    return states


def _joined(mine: Standing, other: Standing) -> Standing:
    """The rating of the one kept stands; if he has none, the other's; games and tranches add up."""
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


def _with_standard(connection: Connection, inputs: Inputs, playing: set[int], making: Making) -> Inputs:
    """Standard ratings beside: those in force on each event's first day, and for a lift those of the list's own."""
    shown = [p for p in lists.all_publications(connection, ListName.STANDARD) if _there(p, making)]
    days: dict[date, str] = {}
    used: dict[str, Mapping[int, int]] = {}
    for first in sorted({event.report().header.first_day or date.min for event in inputs.events}):
        publication = list_in_force(shown, first, newest_revision=making.newest_revision)
        if publication is not None:
            days[first] = publication.digest
            if publication.digest not in used:
                ratings = lists.ratings(connection, publication.id)
                used[publication.digest] = {
                    player: ratings[player] for player in playing if player in ratings
                }
    lift = chess_edition(inputs.edition).on(inputs.on_list).lift
    own_day = (
        list_in_force(shown, inputs.day, newest_revision=True)
        if lift and lift.value.on == inputs.day
        else None
    )
    return replace(
        inputs,
        lists={**inputs.lists, **used},
        standard_in_force=days,
        standard=lists.ratings(connection, own_day.id) if own_day else {},
    )


def _hidden(people: Mapping[int, register.Person], decided: Sequence[Decision], day: date) -> frozenset[int]:
    """Players who are computed but not published: of a suspended federation, or left out at its wish (13)."""
    standing = [d for d in decided if d.day is None or d.day <= str(day)]
    suspended = {d.federation for d in standing if d.kind == "suspended"}
    admitted = {d.player for d in standing if d.kind == "dispensation"}
    left_out = {d.player for d in standing if d.kind == "leave-out"}
    return frozenset(
        player
        for player, person in people.items()
        if player in left_out or (person.federation in suspended and player not in admitted)
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
    told = []
    for d in decided:
        about_event = d.report is not None and d.report in taken
        about_list = (
            d.report is None and d.list in (None, str(on_list)) and (d.day is None or d.day <= str(day))
        )
        if about_event or about_list:
            act = next(ledger.acts(connection, d.act))
            told.append(
                {
                    "decision": d.id,
                    "kind": d.kind,
                    "report": d.report,
                    "player": d.player,
                    "federation": d.federation,
                    "list": d.list,
                    "day": d.day,
                    "value": load(d.value),
                    "author": act.author,
                    "reason": act.reason,
                    "at": act.at,
                }
            )
    return tuple(told)
