"""Correct published lists: a published list never changes, a revision names the list that it corrects.

There are two modes, which the ledger records. ``lists`` revises every list that changes, and events take the revised
ratings. ``base`` leaves the lists as they are and corrects only what the next one starts from.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from sqlalchemy import Connection

from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult, base_result
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.corrections.affected_lists import ToRevise, affected_lists, basis_changed, merges_differ
from arpad.office.corrections.publishing import draft_list, publish_list, take_back
from arpad.office.declared import ListChosen, Reason, task
from arpad.office.drafts.checkpoint_rows import compute_from_checkpoint
from arpad.office.drafts.load_inputs import load_inputs
from arpad.office.drafts.own_lists import select_own_reports
from arpad.office.drafts.procedures import procedure_of, unrated_by_decision
from arpad.office.drafts.publish import ComputedList, emit, store_publication
from arpad.office.editions.acts import own_of
from arpad.office.inbox.closed_years import late_reports
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.acts import ListRevision, list_facts
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.in_force import AsOf, inputs_as_of, newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.office import ActContext, Office, record_act
from arpad.office.proof.checkpoints import checkpoint_after
from arpad.office.reports import rows
from arpad.office.reports.page_rows import unlisted_reports
from arpad.office.reports.rated_rows import rated_already
from arpad.office.reports.rows import Filed, decisions_in_force, last_decision_act
from arpad.office.reports.tables import ACCEPTED
from arpad.office.users import officer_of_all
from arpad.regulations.calendar import closes_year
from arpad.regulations.systems import system_of
from arpad.system.atomic_files import prepare_folder

DECLARED = (draft_list, publish_list, take_back)
"""The acts and queries of other modules of this feature."""

LISTS, ONLY_BASE = "lists", "base"


@dataclass(frozen=True, slots=True)
class RatingDifference:
    """What a revision changes for one player; None means no rating."""

    player: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Revision:
    """A list that changes."""

    publication: Publication
    corrects: Publication
    differences: tuple[RatingDifference, ...]
    lines: Mapping[str, Any] = field(default_factory=dict)
    """The seal of its lines; empty for a corrected start, which no list shows."""


@dataclass(frozen=True, slots=True)
class RevisedList(ListRevision):
    """A list that changed: the digest of the one that it corrects, and the differences."""

    corrects: str
    differences: tuple[RatingDifference, ...]


@dataclass(frozen=True, slots=True)
class RevisedLists:
    """The result of a correction; no revisions if no list changes."""

    mode: str
    revisions: tuple[RevisedList, ...]
    revise: tuple[Mapping[str, Any], ...]
    written_again: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Revised:
    """The result of a correction: no revisions if no list changes."""

    mode: str
    revisions: tuple[Revision, ...]
    to_revise: tuple[ToRevise, ...] = ()
    """The lists that were made from one that has been corrected since, and are not revised yet."""

    written_again: tuple[Publication, ...] = ()
    """If no list changes: the lists of the last correction, whose files were written once more."""

    done: str = ""
    """``corrected`` or ``no-list-changes``."""

    def document(self) -> RevisedLists:
        """Return it as JSON has it."""
        return RevisedLists(
            self.mode,
            tuple(
                RevisedList(**list_facts(it.publication), corrects=it.corrects.digest, differences=it.differences)
                for it in self.revisions
            ),
            tuple(it.document() for it in self.to_revise),
            tuple(it.name for it in self.written_again),
        )  # fmt: skip


@dataclass(slots=True)
class _Run:
    """The state of a recomputation, list by list."""

    act: ActContext
    mode: str
    used: dict[date, set[int]] = field(default_factory=dict)
    """The reports that were rated again, by the day of the list."""

    changed: bool = False
    """Whether a list changed: from then on every list is computed again."""

    considered: bool = False
    """Whether a list was computed again because of merges, or because a list that it was made from has changed."""

    states: dict[date, Mapping[int, str]] = field(default_factory=dict)
    """The states of all players after each list, in the mode that only corrects the base."""

    revisions: list[Revision] = field(default_factory=list)


Mode = Annotated[Literal["lists", "base"], Accepts("lists", word="revise-mode")]
LateReports = Annotated[list[int], Accepts("1", word="late-reports")]


@task("revise", officer_of_all("lists"), says="site.done-{done}", page="/desk/corrections")
def revise_lists(
    office: Office,
    list_: ListChosen,
    *,
    mode: Mode = "lists",
    add: LateReports = [],  # noqa: B006  nobody changes it
    reason: Reason,
) -> Revised:
    """Correct published lists with new revisions.

    The old revisions stay; the differences are shown player by player.
    """
    result = revise(office, list_, reason=reason, mode=mode, add=add)
    return replace(result, done="corrected" if result.revisions else "no-list-changes")


def revise(
    office: Office,
    on_list: ListName,
    out: Path | None = None,
    *,
    reason: str,
    mode: str = LISTS,
    add: Sequence[int] = (),
    kinds: Sequence[str] | None = None,
) -> Revised:
    """Recompute from the first list that the reports and decisions of today would change.

    Withdrawn and superseded reports, later decisions and merges are found automatically; ``add`` names late reports
    that belong into the list they missed instead of the next one. If no list changes, the files of the last correction
    are written again, which completes a run that was killed.
    """
    if mode not in (LISTS, ONLY_BASE):
        raise BadInput("revise-mode", option="mode", given=mode, accepted=f"{LISTS}, {ONLY_BASE}")
    if mode == ONLY_BASE and on_list.is_own:
        raise BadInput("own-list-base", option="mode")
    if out is not None:
        prepare_folder(out)
    following = checkpoint_after(office)
    with record_act(office, "revise", reason, reason_needed=True) as act:
        act.afterwards = following
        run = _Run(act, mode)
        revisions = _revisions(run, on_list, add)
        if revisions or run.considered:
            act.record(
                list=str(on_list),
                mode=mode,
                add=sorted(add),
                revisions=[
                    {
                        "day": str(r.publication.day), "revision": r.publication.revision,
                        "publication": r.publication.id, "digest": r.publication.digest,
                        "corrects": r.corrects.digest, "players": len(r.differences),
                        "standings": r.publication.standings_digest, "inputs": r.publication.inputs_digest,
                        **({"lines": r.lines} if r.lines else {}),
                    }
                    for r in revisions
                ],
            )  # fmt: skip
        others = tuple(it for it in affected_lists(act.connection) if it.list != on_list)
    if out is None:
        return Revised(mode, tuple(revisions), others)
    again = () if revisions else _last_correction(office, on_list)
    for publication in (*(r.publication for r in revisions), *again):
        if publication.kind == PUBLISHED:
            emit(office, publication, out, kinds)
    return Revised(mode, tuple(revisions), others, again)


def _last_correction(office: Office, on_list: ListName) -> tuple[Publication, ...]:
    """Return the lists that the last correction published."""
    with office.store.reading() as connection:
        publications = lists.all_publications(connection, on_list)
    corrected = [p for p in publications if p.corrects is not None and p.kind == PUBLISHED]
    last = max((p.act for p in corrected), default=0)
    return tuple(p for p in corrected if p.act == last)


def _revisions(run: _Run, on_list: ListName, add: Sequence[int]) -> list[Revision]:
    connection = run.act.connection
    publications = lists.all_publications(connection, on_list)
    added = [*_missed_lists(connection, on_list, add), *_moved_reports(connection, on_list, publications)]
    for day in _own_days(publications):
        _recompute(run, on_list, day, added)
    return _corrected_bases(run, on_list) if run.states else run.revisions


def _own_days(publications: Iterable[Publication]) -> list[date]:
    return sorted({p.day for p in publications if p.kind != IMPORTED})


def reports_to_add(connection: Connection, on_list: ListName) -> list[Filed]:
    """Return the accepted reports that no list rates and a published one should have; any report for an own list."""
    unlisted = [*unlisted_reports(connection), *late_reports(connection)]
    if on_list.is_own:
        return unlisted
    missed_day = _missed_days(connection, on_list)
    return [report for report in unlisted if report.list == on_list and missed_day(report) is not None]


def _missed_days(connection: Connection, on_list: ListName) -> Callable[[Filed], date | None]:
    """Return a function that says the day of the first list for which a report was played in time."""
    decisions = decisions_in_force(connection)
    in_time = procedure_of(on_list).in_time
    days = _own_days(lists.all_publications(connection, on_list))
    return lambda report: next(
        (day for day in days if in_time(connection, on_list, day)(report, decisions)), None
    )


def _missed_lists(connection: Connection, on_list: ListName, add: Sequence[int]) -> list[tuple[Filed, date]]:
    """Return late reports with the day of the list that each one missed."""
    filed = rows.filed(connection, add)
    missed_day = _missed_days(connection, on_list)
    missed = []
    for number in add:
        report = filed.get(number)
        if report is None or report.status != ACCEPTED or report.list != on_list:
            raise BadInput("add-not-accepted", option="add", report=number, list=str(on_list))
        day = missed_day(report)
        if day is None:
            raise BadInput("add-too-late", option="add", report=number)
        missed.append((report, day))
    return missed


def _moved_reports(
    connection: Connection, on_list: ListName, publications: Sequence[Publication]
) -> list[tuple[Filed, date]]:
    """Return the reports whose new version ended too late for their list, with the day of the list that takes them.

    If there is no such list yet, the next one does.
    """
    decisions = decisions_in_force(connection)
    newest_of_day = {p.day: p for p in publications if p.kind == PUBLISHED}
    in_time = {day: procedure_of(on_list).in_time(connection, on_list, day) for day in newest_of_day}
    moved: list[tuple[Filed, date]] = []
    for day, last in () if on_list.is_own else newest_of_day.items():
        before = rows.filed(connection, lists.rated_in(connection, last.id))
        today = _reports_today(connection, before, publications, on_list, day)
        for number in today.keys() - before.keys():
            if not in_time[day](today[number], decisions):
                later = [other for other in in_time if in_time[other](today[number], decisions)]
                moved.append((today[number], min(later, default=date.max)))
    return moved


def _recompute(run: _Run, on_list: ListName, day: date, added: Sequence[tuple[Filed, date]]) -> None:
    """Compute one list again, from the reports and decisions of today."""
    connection = run.act.connection
    publications = lists.all_publications(connection, on_list)
    of_day = [p for p in publications if p.day == day and p.kind == PUBLISHED]
    if not of_day:
        return
    first, last = of_day[0], of_day[-1]
    before = rows.filed(connection, lists.rated_in(connection, last.id))
    reports = _reports_today(connection, before, publications, on_list, day)
    reports = {number: reports[number] for number in reports.keys() - {filed.id for filed, _ in added}} | {
        filed.id: filed for filed, where in added if _rates(publications, day, where)
    }
    remerged = merges_differ(connection, last)
    another_basis = basis_changed(connection, last)
    run.considered = run.considered or remerged or another_basis
    ordered = [reports[number] for number in sorted(reports)]
    previous = newest([p for p in publications if p.kind != BASE], day)
    as_of = AsOf(
        last.number, previous.digest if previous else "", lists.next_revision(connection, on_list, day), last.digest,
        newest_revision=True, register_as_of=first.act, hidden=inputs_as_of(last).hidden, merges_as_of=run.act.seq,
        earlier_guests=inputs_as_of(last).guests or {}, shows_dead=inputs_as_of(last).shows_dead,
    )  # fmt: skip
    changed = remerged or reports.keys() != before.keys() or another_basis
    if not (run.changed or changed or _changed_by_decisions(connection, last, ordered, as_of)):
        return
    base = _base(publications, first)
    before_it = run.states.get(base.day) if base else None
    inputs = load_inputs(
        connection, on_list, day, ordered, base, as_of,
        states=None if before_it is None else dict(before_it),
    )  # fmt: skip
    result = compute_from_checkpoint(connection, inputs)
    run.used[day] = set(reports)
    differences = _differences(connection, last, result)
    if differences is None and not run.changed:
        return
    run.changed = True
    if run.mode == ONLY_BASE:
        run.states[day] = result.states
        return
    if differences is not None:
        publication = store_publication(
            run.act, ComputedList(inputs, result), as_of, base=base, corrects=last, reports=sorted(reports)
        )
        run.revisions.append(Revision(publication, last, differences, result.lines))


def _rates(publications: Sequence[Publication], day: date, missed: date) -> bool:
    """Return whether the list of a day rates a report that belongs into the list of another day.

    A game is rated once; a list that rates all events of its year has it too if it starts from the same list.
    """
    if day == missed:
        return True
    start = {p.day: p.base for p in reversed(publications) if p.kind == PUBLISHED}
    by_season = system_of(publications[0].list).rates_again
    days = {p.id: p.day for p in publications}
    return by_season and day > missed and days.get(start[day] or 0) == days.get(start[missed] or 0)


def _changed_by_decisions(
    connection: Connection, last: Publication, reports: Sequence[Filed], as_of: AsOf
) -> bool:
    """Return whether decisions taken since a list was published change it.

    It is computed again from the lists that it was computed from. With the revisions of today an unrelated decision
    would change it, if an event began before a revision was published (reading 3).
    """
    if last_decision_act(connection) <= last.act:
        return False
    then = inputs_as_of(last)
    as_it_was = replace(
        as_of, newest_revision=then.newest_revision, before_publication=then.before_publication
    )
    publications = lists.all_publications(connection, last.list)
    base = next((p for p in publications if p.id == last.base), None)
    inputs = load_inputs(connection, last.list, last.day, reports, base, as_it_was)
    return _differences(connection, last, compute_from_checkpoint(connection, inputs)) is not None


def _reports_today(
    connection: Connection,
    before: dict[int, Filed],
    publications: Sequence[Publication],
    on_list: ListName,
    day: date,
) -> dict[int, Filed]:
    """Return the reports of a list as they are on file today, without withdrawn ones, superseded ones replaced."""
    if on_list.is_own:
        base = procedure_of(on_list).start(publications, day).base
        return {filed.id: filed for filed in select_own_reports(connection, on_list, day, base)[0]}
    decided = decisions_in_force(connection)
    replacing = {filed.replaces: filed for filed in rows.filed(connection).values() if filed.replaces}
    reports: dict[int, Filed] = {}
    for filed in before.values():
        now = filed
        while now.status != ACCEPTED and now.id in replacing:
            now = replacing[now.id]
        if now.status == ACCEPTED and now.list == on_list and not unrated_by_decision(now, decided):
            reports[now.id] = now
    if not system_of(on_list).rates_again:
        elsewhere = rated_already(connection, [p.id for p in publications if p.day != day and p.kind != BASE])
        reports = {
            number: filed for number, filed in reports.items() if number in before or number not in elsewhere
        }
    return reports


def _base(publications: Sequence[Publication], first: Publication) -> Publication | None:
    """Return what a list starts from, in its newest revision."""
    original = next((p for p in publications if p.id == first.base), None)
    return newest([p for p in publications if original is not None and p.day == original.day])


def _differences(
    connection: Connection, last: Publication, result: ListResult
) -> tuple[RatingDifference, ...] | None:
    """Return the changed ratings player by player; None if no line and no state changes."""
    before, after = read_table(connection, last.id), result.table
    if before.equals(after):
        return None
    ratings = after.select("player", "rating").join(
        before.select("player", "rating"), on="player", how="full", suffix="_before", coalesce=True
    )
    changed = ratings.filter(pl.col("rating").ne_missing(pl.col("rating_before"))).sort("player")
    return tuple(
        RatingDifference(*row) for row in changed.select("player", "rating_before", "rating").iter_rows()
    )


def _corrected_bases(run: _Run, on_list: ListName) -> list[Revision]:
    """Store the starts of the next list that no list shows; nothing if a list was imported since, which is the start.

    At draughts the next list starts from the end of the last year. There the last list is stored too, because it says
    with what capitals the debutants of this year begin.
    """
    publications = lists.all_publications(run.act.connection, on_list)
    days = {max(run.states)}
    if system_of(on_list).rates_again and (ends := [*filter(closes_year, run.states)]):
        days.add(max(ends))
    bases = []
    for day in sorted(days):
        last = newest([p for p in publications if p.day == day])
        followed = newest([p for p in publications if p.day > day and p.kind == IMPORTED])
        if last is not None and followed is None:
            bases += _corrected_base(run, publications, last)
    return bases


def _corrected_base(run: _Run, publications: Sequence[Publication], last: Publication) -> list[Revision]:
    """Store the corrected states after a list, with the reports that no list up to it has rated."""
    connection, on_list, states = run.act.connection, last.list, run.states[last.day]
    if list_rows.states(connection, last.id) == states:
        return []
    result = base_result(states, on_list)
    differences = _differences(connection, last, result) or ()
    revision = lists.next_revision(connection, on_list, last.day)
    inputs = Inputs(
        on_list, last.day, last.day, last.number, revision, last.digest, last.digest, last.edition,
        states, own=own_of(connection, on_list, last.day, run.act.seq),
    )  # fmt: skip
    as_of = AsOf(last.number, last.digest, revision, last.digest, newest_revision=True)
    used = {number for day, numbers in run.used.items() if day <= last.day for number in numbers}
    used -= rated_already(connection, [p.id for p in publications if p.day <= last.day])
    if system_of(on_list).rates_again and not closes_year(last.day):
        used = run.used[last.day]
    base = store_publication(
        run.act,
        ComputedList(inputs, result),
        as_of,
        base=last,
        corrects=last,
        reports=sorted(used),
        kind=BASE,
    )
    return [Revision(base, last, differences)]
