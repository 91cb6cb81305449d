"""Merging two numbers of one player and undoing it: which published lists are concerned, and why."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, func, insert, select

from arpad.lists.published import DRAUGHTS
from arpad.lists.standings import NO_STATE
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.office import Office, record_act
from arpad.office.publish import making_of
from arpad.office.register import known_player
from arpad.store import ledger, lists
from arpad.store import reports as rows
from arpad.store.bulk import next_id
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.merges import merge_targets
from arpad.store.reports import ACCEPTED
from arpad.store.schema import entrants, merges, rated_reports, standings, unmerges
from arpad.store.schema import ledger as acts


@dataclass(frozen=True, slots=True)
class ToRevise:
    """The published lists of one kind that merges concern, and that no revision has made again since."""

    list: ListName
    first: date
    """The day of the first of them: all later ones follow from it."""

    lists: int
    """How many there are."""


def merge(office: Office, kept: int, dropped: int, reason: str) -> int:
    """Enter that two numbers are one player; the first number stays. Return the number of the merge."""
    with record_act(office, "merge", reason, reason_needed=True) as doing:
        already = merge_targets(doing.connection)
        for player in (kept, dropped):
            known_player(doing.connection, player)
            if player in already:
                raise BadInput("merged-already", player=player, kept=already[player])
        if kept == dropped:
            raise BadInput("merge-itself", player=kept)
        _refuse_same_event(doing.connection, kept, dropped, already)
        number = next_id(doing.connection, merges)
        row = {"id": number, "kept": kept, "dropped": dropped, "act": doing.seq}
        doing.connection.execute(insert(merges), row)
        doing.record(merge=number, kept=kept, dropped=dropped, revise=_documents(doing.connection, doing.seq))
    return number


def unmerge(office: Office, number: int, reason: str) -> None:
    """Undo a merge: they were two players after all."""
    with record_act(office, "unmerge", reason, reason_needed=True) as doing:
        found = doing.connection.execute(select(merges).where(merges.c.id == number)).mappings().first()
        undone = doing.connection.execute(select(unmerges.c.merge).where(unmerges.c.merge == number)).scalar()
        if found is None or undone is not None:
            raise BadInput("no-merge", merge=number)
        doing.connection.execute(insert(unmerges), {"merge": number, "act": doing.seq})
        doing.record(
            merge=number,
            kept=found["kept"],
            dropped=found["dropped"],
            revise=_documents(doing.connection, doing.seq),
        )


def standing_merges(connection: Connection, kept: int) -> dict[int, int]:
    """Return the merges into a player that stand: number of the merge → number that was dropped."""
    query = select(merges.c.id, merges.c.dropped).where(
        merges.c.kept == kept, merges.c.id.not_in(select(unmerges.c.merge))
    )
    return {row.id: row.dropped for row in connection.execute(query.order_by(merges.c.id))}


def lists_to_revise(office: Office) -> tuple[ToRevise, ...]:
    """Return the published lists in which a merge, or its undoing, makes two players one or one player two.

    A list counts as long as nobody has revised its kind since the last merge or unmerge.
    """
    with office.store.reading() as connection:
        return concerned_lists(connection)


def concerned_lists(connection: Connection, act: int | None = None) -> tuple[ToRevise, ...]:
    """Return what ``lists_to_revise`` does; ``act`` is a merge or unmerge that the ledger does not have yet."""
    latest = act or max(
        connection.execute(select(func.max(table.c.act))).scalar() or 0 for table in (merges, unmerges)
    )
    found: list[ToRevise] = []
    for on_list in ListName:
        if not latest or _last_revised(connection, on_list) > latest:
            continue
        newest: dict[date, Publication] = {}
        for publication in lists.all_publications(connection, on_list):
            if publication.kind == PUBLISHED:
                newest[publication.day] = publication
        days = sorted(newest)
        first = next((day for day in days if merged_otherwise(connection, newest[day])), None)
        if first is not None:
            found.append(ToRevise(on_list, first, sum(day >= first for day in days)))
    return tuple(found)


def merged_otherwise(connection: Connection, publication: Publication) -> bool:
    """Whether two numbers of this list are one player today and were two when it was made, or the other way round.

    A list that has one of the two numbers only says the right things under that number, and stays.
    """
    then = merge_targets(connection, making_of(publication).merges_known_at)
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
    """Return all numbers of the player whom a number stands for."""
    player = merged.get(number, number)
    return {player, *(other for other, kept in merged.items() if kept == player)}


def _on_list(connection: Connection, publication: Publication, numbers: AbstractSet[int]) -> bool:
    """Whether one of these numbers plays in a list's reports, stands on it or before it, or has a standard rating."""
    played = select(entrants.c.report).join(rated_reports, rated_reports.c.report == entrants.c.report)
    played = played.where(rated_reports.c.publication == publication.id, entrants.c.player.in_(numbers))
    stood = select(standings.c.player).where(standings.c.player.in_(numbers), standings.c.state != NO_STATE)
    here = stood.where(standings.c.publication.in_([publication.id, publication.base or 0]))
    wanted = [played, here]
    if publication.list not in {ListName.STANDARD, *DRAUGHTS}:
        standard = lists.all_publications(connection, ListName.STANDARD)
        beside = [p.id for p in standard if p.day <= publication.day]
        wanted.append(stood.where(standings.c.publication.in_(beside)))
    return any(connection.execute(query.limit(1)).first() for query in wanted)


def _last_revised(connection: Connection, on_list: ListName) -> int:
    """Return the number of the last act that revised lists of a kind and was not taken back, or 0."""
    gone = {p.act for p in lists.ever_published(connection) if p.taken_back is not None}
    query = select(acts.c.seq).where(acts.c.verb == "revise").order_by(acts.c.seq.desc())
    for number in connection.execute(query).scalars().all():
        if number not in gone and ledger.act(connection, number).facts.get("list") == str(on_list):
            return int(number)
    return 0


def _documents(connection: Connection, act: int) -> list[dict[str, str | int]]:
    """Return what the ledger says of the lists to revise."""
    return [
        {"list": str(it.list), "first": str(it.first), "lists": it.lists}
        for it in concerned_lists(connection, act)
    ]


def _refuse_same_event(connection: Connection, kept: int, dropped: int, merged: Mapping[int, int]) -> None:
    """Refuse two numbers that are entered in the same accepted report: nobody plays in an event twice."""
    first, second = (
        set(
            connection.execute(
                select(entrants.c.report).where(entrants.c.player.in_(_numbers_of(player, merged)))
            ).scalars()
        )
        for player in (kept, dropped)
    )
    for report, filed in sorted(rows.filed(connection, sorted(first & second)).items()):
        if filed.status == ACCEPTED:
            raise BadInput("merge-same-event", kept=kept, dropped=dropped, report=report)
