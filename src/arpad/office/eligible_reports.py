"""Which reports fall into a list, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection

from arpad.model.rules import ListName
from arpad.office.decisions import UNRATED
from arpad.store import reports as rows
from arpad.store.decisions import Decision, decisions_in_force, last_moves
from arpad.store.lists import Publication
from arpad.store.rated_reports import outdated_revisions, rated_already, reports_to_rate, still_rated
from arpad.store.reports import RECEIVED, Filed

InTime: TypeAlias = Callable[[Filed, Sequence[Decision]], bool]
"""Whether a report ended by a list's cut-off, with what was decided about it."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A report that is not in the list, and why."""

    report: Filed
    reason: str
    """``received``, ``after-cutoff``, ``not-rated``, ``declared-unrated``; or ``corrects-published`` and
    ``moved-from-published``: revise first."""


def select_reports(
    connection: Connection,
    found: Sequence[Publication],
    behind: AbstractSet[int],
    on_list: ListName,
    in_time: InTime,
) -> tuple[list[Filed], list[LeftOut]]:
    """Accepted reports that ended in time and that no list ``behind`` rates; and the others, with the reason."""
    about: dict[int | None, list[Decision]] = {}
    for decision in decisions_in_force(connection):
        about.setdefault(decision.report, []).append(decision)
    outdated = outdated_revisions(connection)
    waiting = reports_to_rate(connection, on_list, outdated | {p.id for p in found if p.id not in behind})
    still = _Still(connection, waiting, behind - outdated)
    taken: list[Filed] = []
    left_out: list[LeftOut] = []
    for filed in waiting:
        reason = still.rated(filed) or _exclusion_reason(filed, about.get(filed.id, ()), in_time)
        if reason:
            left_out.append(LeftOut(filed, reason))
        else:
            taken.append(filed)
    return taken, left_out


class _Still:
    """Tells which lists still rate a report that was moved from them, or an earlier version of it."""

    def __init__(self, connection: Connection, waiting: Sequence[Filed], behind: AbstractSet[int]) -> None:
        """Look at all reports that wait together; ``behind`` are the lists whose reports are not rated again."""
        self._earlier = {filed.id: rows.earlier_versions(connection, filed) for filed in waiting}
        versions = {number for some in self._earlier.values() for number in some}
        moved = last_moves(connection, [filed.id for filed in waiting if filed.list != filed.filed_on])
        gone = {number: rows.history(connection, number)[-1][1] for number in versions}
        self._rated = still_rated(connection, gone | moved)
        self._behind = rated_already(connection, behind, versions)

    def rated(self, filed: Filed) -> str:
        """Return why a report waits for a correction: of its own list, of another, or nothing."""
        mine = {filed.id, *self._earlier[filed.id]}
        lists = {(report, name) for report, name in self._rated if report in mine}
        if any(name == filed.list and report in self._behind for report, name in lists):
            return "corrects-published"
        return "moved-from-published" if any(name != filed.list for _, name in lists) else ""


def _exclusion_reason(filed: Filed, decided: Sequence[Decision], in_time: InTime) -> str:
    """Why a report does not fall in, or nothing (7.13)."""
    if unrated := unrated_by_decision(filed, decided):
        return unrated
    if not in_time(filed, decided):
        return "after-cutoff"
    return RECEIVED if filed.status == RECEIVED else ""


def unrated_by_decision(filed: Filed, decided: Sequence[Decision]) -> str:
    """The decision that keeps a report from being rated, if there is one."""
    return next((d.kind for d in decided if d.report == filed.id and d.kind in UNRATED), "")
