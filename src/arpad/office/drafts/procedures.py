"""How the office makes the lists of each discipline: on which days, from which list on, with which reports (7.13)."""

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.rules import LIST_UNDECIDED, ListName
from arpad.office.drafts.own_facts import not_in_system
from arpad.office.editions.acts import chess_rules
from arpad.office.lists.in_force import newest
from arpad.office.lists.published import shown_publications
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import IMPORTED
from arpad.office.reports import rows
from arpad.office.reports.page_rows import own_list_reports, unlisted_by_list, waiting_by_list
from arpad.office.reports.rated_rows import outdated_revisions, rated_already, reports_to_rate, still_rated
from arpad.office.reports.rows import Decision, Filed, decisions_in_force, last_moves
from arpad.office.reports.stated_facts import decided_facts
from arpad.office.reports.tables import RECEIVED
from arpad.office.switches import features_off
from arpad.regulations.calendar import closes_year, half_year_end, is_in_time, is_list_day, list_after
from arpad.regulations.fide.rules import add_months
from arpad.regulations.systems import system_of
from arpad.store.bulk import cached_until_act
from arpad.store.settings import kept_lists, own_lists_of

InTime: TypeAlias = Callable[[Filed, Sequence[Decision]], bool]
"""Whether a report ended by the cut-off of a list, given the decisions about it."""


class ListStart(NamedTuple):
    """The start of a list: the publication it begins from, and those whose reports are rated already."""

    base: Publication | None
    already_rated_by: AbstractSet[int]


@dataclass(frozen=True, slots=True)
class ListProcedure:
    """How the lists of one discipline are made."""

    next_day: Callable[[Connection, ListName, date | None, date], date]
    """Return the day of the next list, given the day of the last one, if any, and today."""

    refusal: Callable[[Connection, ListName, date, date | None, date], BadInput | None]
    """Return why a list of a day may only be published as a special list, or None."""

    start: Callable[[Sequence[Publication], date], ListStart]
    """Return what a list of a day starts from."""

    in_time: Callable[[Connection, ListName, date], InTime]
    """Return the cut-off of a list of a day."""


def procedure_of(on_list: ListName) -> ListProcedure:
    """Return how a list is made."""
    return _PROCEDURES.get(on_list.system, _OWN)


def next_list_day(connection: Connection, on_list: ListName, last: Publication | None, today: date) -> date:
    """Return the day of the next list: after the last one, or after today if there is none yet (7.1).

    A chess list follows the calendar of the edition in force. A draughts list is due on 30 June and 31 December.
    """
    return procedure_of(on_list).next_day(connection, on_list, last.day if last else None, today)


def closing_day(connection: Connection, on_list: ListName, day: date) -> date:
    """Return the last day on which a tournament that is not official may end to be in time for a list (7.13)."""
    if system_of(on_list).rates_again:
        return day
    return day - timedelta(days=chess_rules(connection, on_list, day).cutoff_days.value)


def out_of_turn(
    connection: Connection, on_list: ListName, day: date, last: Publication | None, today: date
) -> BadInput | None:
    """Return why a list of this day may only be published as a special list; None if it is its turn.

    A chess list is published on the next day of its calendar. The first one of an office may have any day of the
    calendar up to the next. A draughts list may have any day up to the next 30 June or 31 December.
    """
    return procedure_of(on_list).refusal(connection, on_list, day, last.day if last else None, today)


# ------------------------------------------------------------------------------------------------------- chess


def _next_chess_day(connection: Connection, on_list: ListName, last: date | None, today: date) -> date:
    return list_after(last or today, lambda day: chess_rules(connection, on_list, day))


def _chess_refusal(
    connection: Connection, on_list: ListName, day: date, last: date | None, today: date
) -> BadInput | None:
    following = _next_chess_day(connection, on_list, last, today)
    rules = chess_rules(connection, on_list, day)
    if not is_list_day(day, rules):
        months = ", ".join(map(str, rules.list_months.value))
        return BadInput("off-calendar", option="day", day=day, list=str(on_list), months=months)
    if day > following or (day < following and last is not None):
        return BadInput("not-next-list", option="day", list=str(on_list), day=day, following=following)
    return None


def _chess_start(publications: Sequence[Publication], _day: date) -> ListStart:
    return ListStart(newest(publications), {publication.id for publication in publications})


def _chess_cutoff(connection: Connection, on_list: ListName, day: date) -> InTime:
    rules = chess_rules(connection, on_list, day)

    def in_time(filed: Filed, decisions: Sequence[Decision]) -> bool:
        official = bool(decided_facts(filed, decisions).official)
        return filed.last_day is not None and is_in_time(filed.last_day, day, rules, official=official)

    return in_time


# ---------------------------------------------------------------------------------------------------- draughts


def _next_draughts_day(_connection: Connection, _on_list: ListName, last: date | None, today: date) -> date:
    return half_year_end(last or today, after=last is not None)


def _draughts_refusal(
    connection: Connection, on_list: ListName, day: date, last: date | None, today: date
) -> BadInput | None:
    following = max(_next_draughts_day(connection, on_list, last, today), half_year_end(today))
    if day > following:
        return BadInput("not-next-list", option="day", list=str(on_list), day=day, following=following)
    return None


def _draughts_start(publications: Sequence[Publication], day: date) -> ListStart:
    """Return the last year's end or an imported list; years are closed one by one."""
    starts = [p for p in publications if p.day < day and (p.kind == IMPORTED or closes_year(p.day))]
    base = newest(starts)
    first = base or min(publications, key=lambda p: p.day, default=None)
    if first is not None:
        open_year = first.day.year + (1 if closes_year(first.day) else 0)
        if open_year < day.year:
            raise BadInput("year-open", option="day", year=open_year)
    return ListStart(base, {p.id for p in publications if base is not None and p.day <= base.day})


def _draughts_cutoff(_connection: Connection, _on_list: ListName, day: date) -> InTime:
    """Return whether an event ended by the day of the list; there is no cut-off before it."""
    return lambda filed, _decisions: filed.last_day is not None and filed.last_day <= day


# ---------------------------------------------------------------------------------------------- the office's own


def _next_own_day(_connection: Connection, _on_list: ListName, last: date | None, today: date) -> date:
    """Return the first day of the month after the last list, or after today."""
    return add_months((last or today).replace(day=1), 1)


def _own_refusal(
    connection: Connection, on_list: ListName, day: date, last: date | None, today: date
) -> BadInput | None:
    following = max(
        _next_own_day(connection, on_list, last, today), _next_own_day(connection, on_list, None, today)
    )
    if day > following:
        return BadInput("not-next-list", option="day", list=str(on_list), day=day, following=following)
    return None


def _own_start(publications: Sequence[Publication], day: date) -> ListStart:
    """Return the imported list from which all events are rated again, if there is one."""
    base = newest([p for p in publications if p.day < day and p.kind == IMPORTED])
    return ListStart(base, {p.id for p in publications if base is not None and p.day <= base.day})


_OWN = ListProcedure(_next_own_day, _own_refusal, _own_start, _draughts_cutoff)

_PROCEDURES = {
    "fide": ListProcedure(_next_chess_day, _chess_refusal, _chess_start, _chess_cutoff),
    "rubele": ListProcedure(_next_draughts_day, _draughts_refusal, _draughts_start, _draughts_cutoff),
}


@dataclass(frozen=True, slots=True)
class NextList:
    """The next list of a kind, and what waits for it."""

    list: ListName
    day: date
    left: int
    accepted: int
    """Accepted reports that no published list rates."""

    waiting: int
    """Reports that nobody has decided about."""


def offered_lists(connection: Connection) -> tuple[ListName, ...]:
    """Return the lists that the office may publish: those of the features that are on."""
    off = features_off(connection)
    return tuple(
        name for name in kept_lists(connection) if not (system_of(name).has_categories and "draughts" in off)
    )


@cached_until_act
def next_lists(connection: Connection, day: date) -> tuple[NextList, ...]:
    """Return the next lists of an office, the first one first: of those it has, and of those with reports.

    An office without any list or report has yet to choose, so all are returned.
    """
    offered = offered_lists(connection)
    last = {name: newest(shown_publications(connection, name)) for name in offered}
    accepted, waiting = unlisted_by_list(connection), waiting_by_list(connection)
    for own in own_lists_of(connection).values():
        unrated, received = own_list_reports(connection, own)
        outside = not_in_system(connection, own, (*unrated, *received), decisions_in_force(connection))
        accepted[own.name], waiting[own.name] = (
            sum(it.id not in outside for it in filed) for filed in (unrated, received)
        )
    kept = [name for name in offered if last[name] or name.is_own or name in accepted or name in waiting]
    days = {name: next_list_day(connection, name, last[name], day) for name in kept or offered}
    return tuple(
        NextList(name, to, (to - day).days, accepted.get(name, 0), waiting.get(name, 0))
        for name, to in sorted(days.items(), key=lambda it: it[1])
    )


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
