"""Select the reports that a list rates, and say why the others are left out (7.13)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.model.rules import LIST_UNDECIDED, ListName
from arpad.office.drafts.procedures import InTime
from arpad.office.lists.rows import Publication
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import Decision, decisions_in_force, last_moves
from arpad.office.reports.rated_rows import outdated_revisions, rated_already, reports_to_rate, still_rated
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import RECEIVED


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A report that is not in the list, and why."""

    report: Filed
    reason: str
    """``received``, ``list-undecided``, ``after-cutoff``, ``without-last-day``, ``not-rated``, ``declared-unrated``;
    or ``corrects-published`` and ``moved-from-published``: revise first."""


def select_reports(
    connection: Connection,
    publications: Sequence[Publication],
    already_rated_by: AbstractSet[int],
    on_list: ListName,
    in_time: InTime,
    among: Collection[int] | None = None,
) -> tuple[list[Filed], list[LeftOut]]:
    """Return the accepted reports that ended in time and are not rated yet; and the others, with the reason (7.13).

    ``among`` are the only reports that are looked at.
    """
    decisions: dict[int | None, list[Decision]] = {}
    for decision in decisions_in_force(connection):
        decisions.setdefault(decision.report, []).append(decision)
    outdated = outdated_revisions(connection)
    rated_again = {p.id for p in publications if p.id not in already_rated_by}
    waiting = reports_to_rate(connection, on_list, outdated | rated_again, among)
    versions = _EarlierVersions(connection, waiting, already_rated_by - outdated)
    selected: list[Filed] = []
    left_out: list[LeftOut] = []
    for filed in waiting:
        reason = versions.exclusion_reason(filed) or _exclusion_reason(
            filed, decisions.get(filed.id, ()), in_time
        )
        if reason:
            left_out.append(LeftOut(filed, reason))
        else:
            selected.append(filed)
    return selected, left_out


class _EarlierVersions:
    """The lists that still rate a report that was moved from them, or an earlier version of it."""

    def __init__(
        self, connection: Connection, waiting: Sequence[Filed], already_rated_by: AbstractSet[int]
    ) -> None:
        self._earlier = rows.earlier_versions(connection, waiting)
        versions = {number for earlier in self._earlier.values() for number in earlier}
        moved = last_moves(connection, [filed.id for filed in waiting if filed.list != filed.filed_on])
        replaced = {number: rows.history(connection, number)[-1][1] for number in versions}
        self._still_rated = still_rated(connection, replaced | moved)
        self._already_rated = rated_already(connection, already_rated_by, versions)

    def exclusion_reason(self, filed: Filed) -> str:
        """Return why a report waits for a correction of its own list or of another, or nothing."""
        versions = {filed.id, *self._earlier[filed.id]}
        rating = {(report, name) for report, name in self._still_rated if report in versions}
        if any(name == filed.list and report in self._already_rated for report, name in rating):
            return "corrects-published"
        return "moved-from-published" if any(name != filed.list for _, name in rating) else ""


def _exclusion_reason(filed: Filed, decisions: Sequence[Decision], in_time: InTime) -> str:
    """Return why a report is left out, or nothing (7.13)."""
    if unrated := unrated_by_decision(filed, decisions):
        return unrated
    if filed.undecided:
        return LIST_UNDECIDED
    if not in_time(filed, decisions):
        return "after-cutoff" if filed.last_day is not None else "without-last-day"
    return RECEIVED if filed.status == RECEIVED else ""


def unrated_by_decision(filed: Filed, decisions: Sequence[Decision]) -> str:
    """Return the kind of the decision that keeps a report from being rated, or nothing."""
    return next((d.kind for d in decisions if d.report == filed.id and d.leaves_off), "")
