"""Merge two numbers of one player, undo it, and find the published lists that this concerns."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput
from arpad.model.people import Person, birth_year
from arpad.model.rules import ListName
from arpad.office.duplicates import agreement
from arpad.office.inputs_as_of import inputs_as_of
from arpad.office.office import Office, record_act
from arpad.office.register import known_player
from arpad.reports.entrant_match import DOUBTFUL_FROM
from arpad.store import ledger, list_rows, lists
from arpad.store import reports as rows
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.merges import active_merge, add_merge, add_unmerge, last_merge_act, merge_targets
from arpad.store.reports import ACCEPTED


@dataclass(frozen=True, slots=True)
class ToRevise:
    """The published lists of one kind that were made from something else and were not revised since."""

    list: ListName
    first: date
    """The day of the first of them: all later ones follow from it."""

    lists: int
    """How many there are."""

    cause: str
    """``merges``: two players are one, or one is two; ``basis``: another list that they were made from has changed."""

    def document(self) -> dict[str, str | int]:
        """Return it as it is shown to programs."""
        return {"list": str(self.list), "first": str(self.first), "lists": self.lists, "cause": self.cause}


MERGES, BASIS = "merges", "basis"


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


def concerned_lists(connection: Connection, act: int | None = None) -> tuple[ToRevise, ...]:
    """Return the published lists in which a merge, or its undoing, makes two players one or one player two.

    A list counts until its kind is revised after the last merge or unmerge. ``act`` is one that the ledger does not
    have yet.
    """
    latest = act or last_merge_act(connection)
    concerned: list[ToRevise] = []
    for on_list in ListName:
        if not latest or last_revised(connection, on_list) > latest:
            continue
        newest: dict[date, Publication] = {}
        for publication in lists.all_publications(connection, on_list):
            if publication.kind == PUBLISHED:
                newest[publication.day] = publication
        days = sorted(newest)
        first = next((day for day in days if merges_differ(connection, newest[day])), None)
        if first is not None:
            concerned.append(ToRevise(on_list, first, sum(day >= first for day in days), MERGES))
    return tuple(concerned)


def merges_differ(connection: Connection, publication: Publication) -> bool:
    """Return whether two numbers of a list are one player today and were two when it was made, or the reverse.

    A list with only one of the two numbers is right under that number, and stays.
    """
    then = merge_targets(connection, inputs_as_of(publication).merges_as_of)
    now = merge_targets(connection)
    if then == now:
        return False
    for number in {*then, *now}:
        before, today = _numbers_of(number, then), _numbers_of(number, now)
        others = before ^ today
        if (
            others
            and _on_list(connection, publication, {number})
            and _on_list(connection, publication, others)
        ):
            return True
    return False


def _numbers_of(number: int, merged: Mapping[int, int]) -> set[int]:
    """Return all numbers of the player with a number."""
    player = merged.get(number, number)
    return {player, *(other for other, kept in merged.items() if kept == player)}


def _on_list(connection: Connection, publication: Publication, numbers: AbstractSet[int]) -> bool:
    """Return whether one of these numbers plays in a list's reports, or is on it, its base or a list it takes from."""
    publications = {publication.id, publication.base or 0}
    for name in discipline_of(publication.list).lists_entering(publication.list):
        entering = lists.all_publications(connection, name)
        publications |= {p.id for p in entering if p.day <= publication.day}
    plays = bool(lists.rated_reports_of(connection, publication.id, numbers))
    return plays or any(list_rows.states(connection, number, numbers) for number in publications)


def last_revised(connection: Connection, on_list: ListName) -> int:
    """Return the act of the last revision of a list that was not taken back, or 0."""
    taken_back = {p.act for p in lists.ever_published(connection) if p.taken_back is not None}
    revisions = ledger.acts_of(connection, "revise")
    return max(
        (act.seq for act in revisions if act.seq not in taken_back and act.facts.get("list") == str(on_list)),
        default=0,
    )


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
        {report for number in _numbers_of(player, targets) for report in rows.reports_of(connection, number)}
        for player in (kept, dropped)
    )
    for report, filed in sorted(rows.filed(connection, sorted(first & second)).items()):
        if filed.status == ACCEPTED:
            raise BadInput("merge-same-event", kept=kept, dropped=dropped, report=report)
