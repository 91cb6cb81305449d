"""Published lists that would be made from something else today: of another list, or of other players.

Every way in which one list enters another is in the inputs of the list: standard ratings for players without a rapid
or blitz one (RB 7.2.1), the standard list of the day of a one-off adjustment, the category on the list of the other
discipline of draughts (tables 20 to 22), and the ratings of guests on a reference list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.lists.inputs import Inputs
from arpad.model.rules import LISTS, ListName
from arpad.office.drafts.load_inputs import load_inputs, standard_for_adjustment
from arpad.office.editions.acts import chess_rules
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import AsOf, inputs_as_of, publication_in_force
from arpad.office.lists.ownership import ownership
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, PUBLISHED
from arpad.office.parts import references
from arpad.office.register.number_rows import last_merge_act, merge_targets, with_merged
from arpad.office.reports import rows
from arpad.office.reports.rows import Filed
from arpad.regulations.systems import system_of
from arpad.store import ledger
from arpad.store.bulk import cached_until_act
from arpad.store.settings import kept_lists


def affected_lists(connection: Connection, act: int | None = None) -> tuple[ToRevise, ...]:
    """Return the published lists that a merge or its undoing concerns, or whose basis has changed since.

    A list counts until its kind is revised after the change. ``act`` is one that the ledger does not have yet.
    """
    return (*concerned_lists(connection, act), *_with_another_basis(connection))


@cached_until_act
def _with_another_basis(connection: Connection) -> list[ToRevise]:
    affected: list[ToRevise] = []
    for on_list in LISTS:
        newest = {p.day: p for p in lists.all_publications(connection, on_list) if p.kind == PUBLISHED}
        considered = last_revised(connection, on_list) if newest else 0
        differs = partial(basis_changed, connection, considered=considered)
        affected += _from_first(on_list, BASIS, newest, differs)
    return affected


def _from_first(
    on_list: ListName,
    cause: str,
    lists_on: Mapping[date, Publication],
    differs: Callable[[Publication], bool],
) -> list[ToRevise]:
    """Return the lists from the first one on that would be made otherwise today; nothing if none would."""
    first = next((day for day in sorted(lists_on) if differs(lists_on[day])), None)
    return [] if first is None else [ToRevise(on_list, first, sum(day >= first for day in lists_on), cause)]


def basis_changed(connection: Connection, publication: Publication, considered: int = 0) -> bool:
    """Return whether a list took something from another list that has changed since (RB 7.2.1; table 21).

    Only what was published or imported since counts, and not up to the act ``considered``: a list that was made after
    a revision, for an event that began before it was out, has the ratings of that day on purpose (reading 3).
    """
    since = max(publication.act, considered)
    newer = [
        new
        for name in system_of(publication.list).lists_entering(publication.list)
        for new in lists.all_publications(connection, name)
        if new.act > since and new.kind != BASE and new.day <= publication.day
    ]
    reference = _has_newer_reference(connection, publication, since)
    if not newer and not reference:
        return False
    reports = [*rows.filed(connection, lists.rated_in(connection, publication.id)).values()]
    if not reference and not any(_counts(connection, publication, reports, new) for new in newer):
        return False
    then = inputs_as_of(publication)
    base = next((p for p in lists.ever_published(connection) if p.id == publication.base), None)
    entrants = rows.entrants_of(connection, [filed.id for filed in reports])
    merged = merge_targets(connection, then.merges_as_of)
    only = {merged.get(player, player) for players in entrants.values() for player in players}

    def taken(as_of: AsOf) -> tuple[Any, ...]:
        inputs = load_inputs(connection, publication.list, publication.day, reports, base, as_of, only=only)
        return (
            _standard_ratings(inputs),
            {player: rating for player, rating in inputs.standard.items() if rating},
            dict(inputs.capitals),
            {day: dict(it.ratings) for day, it in inputs.guests.items()} if reference else {},
        )

    again = replace(
        then, newest_revision=True, revises=publication.digest, before_publication=None, guests=None,
        not_owned=None, earlier_guests=then.guests or {},
    )  # fmt: skip
    now = taken(again)
    if now == taken(then):
        return False
    if reference:
        return True
    known = max((p.id for p in lists.ever_published(connection) if p.act <= since), default=0)
    return now != taken(replace(again, before_publication=known + 1))


def _counts(
    connection: Connection, publication: Publication, reports: Sequence[Filed], new: Publication
) -> bool:
    """Return whether a list is in force on a day of one of these events, or adjusts a list."""
    on_list, day = publication.list, publication.day
    shown = lists.all_publications(connection, new.list)
    if not system_of(on_list).rates_again:
        adjusting = standard_for_adjustment(chess_rules(connection, on_list, day), day, shown)
        if adjusting == new:
            return True
    for filed in reports:
        at = max(filed.first_day or day, new.day)
        in_force = publication_in_force(shown, at, newest_revision=True)
        if at <= (filed.last_day or day) and in_force == new:
            return True
    return False


def _has_newer_reference(connection: Connection, publication: Publication, since: int) -> bool:
    """Return whether a reference list came after an act that may have the ratings of guests of a list."""
    newer = any(it.act > since and it.day <= publication.day for it in references(connection))
    as_of = inputs_as_of(publication).register_as_of if newer else None
    return newer and ownership(connection, publication.list, as_of) is not None


def _standard_ratings(inputs: Inputs) -> Mapping[tuple[date, int], int]:
    """Return the standard ratings of entrants without a rating of the list, by the first day of the event."""
    ratings: dict[tuple[date, int], int] = {}
    for event in inputs.events:
        day = event.first_day
        standard = inputs.lists.get(inputs.standard_in_force.get(day, ""), {})
        if not standard or not inputs.edition_on(day).on(inputs.on_list).entry_takes_standard:
            continue
        own = inputs.lists.get(inputs.in_force.get(day, ""), {})
        for player in event.players:
            if own.get(player) is None and (rating := standard.get(player)) is not None:
                ratings[day, player] = rating
    return ratings


@dataclass(frozen=True, slots=True)
class ToRevise:
    """The published lists of one kind that were made from something else and were not revised since."""

    list: ListName
    first: date
    """The day of the first of them: all later ones follow from it."""

    lists: int
    cause: str
    """``merges``: two players are one, or one is two; ``basis``: another list that they were made from has changed."""

    def document(self) -> dict[str, str | int]:
        """Return it as it is shown to programs."""
        return {"list": str(self.list), "first": str(self.first), "lists": self.lists, "cause": self.cause}


MERGES, BASIS = "merges", "basis"


def revise_lines(concerned: Sequence[ToRevise], words: Words) -> list[str]:
    """Return a sentence for each list to revise, with the cause and the command."""
    return [
        words.text(f"office.revise-{it.cause}", list=str(it.list), day=it.first, lists=it.lists)
        for it in concerned
    ]


@cached_until_act
def concerned_lists(connection: Connection, act: int | None = None) -> tuple[ToRevise, ...]:
    """Return the published lists in which a merge, or its undoing, makes two players one or one player two.

    A list counts until its kind is revised after the last merge or unmerge. ``act`` is one that the ledger does not
    have yet.
    """
    latest = act or last_merge_act(connection)
    concerned: list[ToRevise] = []
    for on_list in kept_lists(connection):
        if not latest or last_revised(connection, on_list) > latest:
            continue
        newest = {p.day: p for p in lists.all_publications(connection, on_list) if p.kind == PUBLISHED}
        concerned += _from_first(on_list, MERGES, newest, partial(merges_differ, connection))
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
        before, today = (with_merged({merged.get(number, number)}, merged) for merged in (then, now))
        others = before ^ today
        if (
            others
            and _on_list(connection, publication, {number})
            and _on_list(connection, publication, others)
        ):
            return True
    return False


def _on_list(connection: Connection, publication: Publication, numbers: AbstractSet[int]) -> bool:
    """Return whether one of these numbers plays in a list's reports, or is on it, its base or a list it takes from."""
    publications = {publication.id, publication.base or 0}
    for name in system_of(publication.list).lists_entering(publication.list):
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
