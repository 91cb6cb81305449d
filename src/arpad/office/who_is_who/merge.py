"""Merge two numbers of one player, undo it, and find the published lists that this concerns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.people import Person, birth_year
from arpad.office.corrections.affected_lists import ToRevise, concerned_lists, numbers_of
from arpad.office.office import Office, record_act
from arpad.office.register.acts import known_player
from arpad.office.register.merge_rows import (
    active_merge,
    add_merge,
    add_unmerge,
    merge_targets,
)
from arpad.office.reports import rows
from arpad.office.reports.tables import ACCEPTED
from arpad.office.who_is_who.duplicates import agreement
from arpad.reports.entrant_match import DOUBTFUL_FROM


def merge(office: Office, kept: int, dropped: int, reason: str, *, confirmed: bool = False) -> int:
    """Merge two numbers of one player; the first number stays. Return the number of the merge.

    If names and births do not agree, somebody has to have ``confirmed`` that it is one person.
    """
    with record_act(office, "merge", reason, reason_needed=True) as act:
        already = merge_targets(act.connection)
        people = [known_player(act.connection, player) for player in (kept, dropped)]
        for player in (kept, dropped):
            if player in already:
                raise BadInput("merged-already", player=player, kept=already[player])
        if kept == dropped:
            raise BadInput("merge-itself", player=kept)
        _refuse_same_event(act.connection, kept, dropped, already)
        if not confirmed:
            _refuse_others(*people)
        number = add_merge(act.connection, kept, dropped, act.seq)
        act.record(merge=number, kept=kept, dropped=dropped, revise=_documents(act.connection, act.seq))
    return number


def unmerge(office: Office, number: int, reason: str) -> None:
    """Undo a merge of two different players."""
    with record_act(office, "unmerge", reason, reason_needed=True) as act:
        merged = active_merge(act.connection, number)
        if merged is None:
            raise BadInput("no-merge", merge=number)
        kept, dropped = merged
        add_unmerge(act.connection, number, act.seq)
        act.record(merge=number, kept=kept, dropped=dropped, revise=_documents(act.connection, act.seq))


def concerned_by_merge(office: Office, kept: int, dropped: int) -> tuple[ToRevise, ...]:
    """Return the published lists that a merge would concern; nothing is stored."""
    with record_act(replace(office, rehearsing=True), "merge") as act:
        add_merge(act.connection, kept, dropped, act.seq)
        return concerned_lists(act.connection, act.seq)


def _documents(connection: Connection, act: int) -> list[dict[str, str | int]]:
    """Return what the ledger says about the lists to revise."""
    return [it.document() for it in concerned_lists(connection, act)]


def _refuse_others(kept: Person, dropped: Person) -> None:
    """Refuse two players whose names and births do not agree."""
    score, agree = agreement(kept, dropped)
    if not agree:
        first, second = (
            f"{it.name} ({year})" if (year := birth_year(it.born)) else it.name for it in (kept, dropped)
        )
        raise BadInput(
            "merge-differs", kept=kept.id, first=first, dropped=dropped.id, second=second, score=score,
            least=DOUBTFUL_FROM,
        )  # fmt: skip


def _refuse_same_event(connection: Connection, kept: int, dropped: int, targets: Mapping[int, int]) -> None:
    """Refuse two numbers that are entered in the same accepted report: a player enters an event once."""
    first, second = (
        {report for number in numbers_of(player, targets) for report in rows.reports_of(connection, number)}
        for player in (kept, dropped)
    )
    for report, filed in sorted(rows.filed(connection, sorted(first & second)).items()):
        if filed.status == ACCEPTED:
            raise BadInput("merge-same-event", kept=kept, dropped=dropped, report=report)
