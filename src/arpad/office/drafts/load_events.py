"""Load reports as the events that lists are computed from, as officers decided about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from arpad.lists.inputs import AmendedResult, EventInput
from arpad.model.canonical_json import load
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.office.lists.in_force import publication_in_force
from arpad.office.lists.rows import Publication
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import Decision
from arpad.office.reports.game_rows import load_games
from arpad.office.reports.rows import Filed
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
