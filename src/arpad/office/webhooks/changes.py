"""The changes of an office for programs: reports received, accepted and rated, lists published and corrected.

They are read from the ledger, so that nothing is written twice: an act is one change or several, in a fixed order. A
change names tournaments and lists, never players, and contains no reason, since people write names into reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.model.cursors import HIGHEST, Cursor
from arpad.office.lists.rows import Publication, ever_published
from arpad.office.lists.tables import BASE
from arpad.office.reports import rows as report_rows
from arpad.office.reports.rated_rows import newly_rated
from arpad.office.reports.tables import ACCEPTED
from arpad.office.reports.tournament_names import public_names
from arpad.store import ledger
from arpad.store.ledger import Act

CHANGES_PER_PAGE = 200
_ACTS_AT_ONCE = 200


class ChangeKind(StrEnum):
    """The kinds of changes."""

    REPORT_RECEIVED = "report-received"
    REPORT_RETURNED = "report-returned"
    REPORT_ACCEPTED = "report-accepted"
    REPORT_RATED = "report-rated"
    REPORT_WITHDRAWN = "report-withdrawn"
    LIST_PUBLISHED = "list-published"
    LIST_CORRECTED = "list-corrected"
    LIST_TAKEN_BACK = "list-taken-back"


PRIVATE = frozenset({ChangeKind.REPORT_RECEIVED, ChangeKind.REPORT_RETURNED})
"""Kinds that only the sender of the report and the office may see."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the office: a report accepted, a list published; no player is named."""

    id: str
    """A cursor: the number of its act, and its number within the act."""

    kind: ChangeKind
    at: str
    """The time of the act in UTC."""

    list: str
    tournament: int | None = None
    """The number of the report."""

    name: str | None = None
    """The name of the tournament, while everybody may see it."""

    publication: str | None = None
    corrects: str | None = None
    """The name of the list that a correction replaces."""

    address: str | None = None
    """The path of the page that shows it; None if there is no such page."""


class _Found(NamedTuple):
    """A change with its cursor, and who may see it."""

    cursor: Cursor
    change: Change
    public: bool = True
    sender: str = ""
    """The login that sent the report."""


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """A page of changes, and the cursor of the next page."""

    changes: tuple[Change, ...]
    next: Cursor
    more: bool


def last_cursor(connection: Connection) -> Cursor:
    """Return the cursor after all changes so far."""
    return Cursor(ledger.next_seq(connection) - 1, HIGHEST)


def changes_after(
    connection: Connection,
    since: Cursor,
    *,
    most: int = CHANGES_PER_PAGE,
    everything: bool = False,
    sender: str = "",
) -> ChangesPage:
    """Return the changes after a cursor, in order: all, or the public ones and those of a sender's reports."""
    chosen: list[Change] = []
    last = since
    for found in _changes(connection, since):
        if everything or found.public or (sender and found.sender == sender):
            if len(chosen) == most:
                return ChangesPage(tuple(chosen), last, more=True)
            chosen.append(found.change)
            last = found.cursor
    return ChangesPage(tuple(chosen), last, more=False)


# ------------------------------------------------------------------------------------------------ from the ledger


def _changes(connection: Connection, since: Cursor) -> Iterator[_Found]:
    """Yield all changes after a cursor."""
    after = since.item - 1
    while acts := ledger.next_acts(connection, after, _VERBS, _ACTS_AT_ONCE):
        yield from (found for found in _changes_of(connection, acts) if found.cursor > since)
        after = acts[-1].seq


@dataclass(frozen=True, slots=True)
class _Part:
    """A change of an act, before the rows that it names are read."""

    act: Act
    kind: ChangeKind
    report: int | None = None
    publication: int | None = None
    rated_by: Publication | None = None
    """The list that rated the report."""


def _changes_of(connection: Connection, acts: Sequence[Act]) -> Iterator[_Found]:
    """Yield the changes of some acts, with one query for each table."""
    publications = {p.id: p for p in ever_published(connection)}
    parts = [(act, part) for act in acts for part in enumerate(_parts(connection, act, publications))]
    numbers = {part.report for _, (_, part) in parts if part.report is not None}
    filed = report_rows.filed(connection, numbers)
    accepted = report_rows.first_accepted(connection, numbers)
    names = public_names(connection, [report for report in filed.values() if report.status == ACCEPTED])
    senders = {
        act.seq: act.author
        for act in ledger.some_acts(connection, [report.act for report in filed.values()]).values()
    }
    for act, (number, part) in parts:
        cursor = Cursor(act.seq, number)
        if part.publication is not None:
            yield _list_change(cursor, part, publications)
        elif part.report in filed:
            report = filed[part.report]
            was_accepted = accepted.get(report.id, HIGHEST) <= act.seq
            name = names.get(report.id)
            address = f"/tournaments/{report.id}" if name is not None else None
            on_list, rated_by = (
                (part.rated_by.list, part.rated_by.name) if part.rated_by else (report.list, None)
            )
            change = Change(
                str(cursor),
                part.kind,
                act.at,
                str(on_list),
                report.id,
                name,
                publication=rated_by,
                address=address,
            )
            yield _Found(cursor, change, part.kind not in PRIVATE and was_accepted, senders[report.act])


def _list_change(cursor: Cursor, part: _Part, publications: Mapping[int, Publication]) -> _Found:
    publication = publications[part.publication or 0]
    corrected = publications.get(publication.corrects or 0)
    change = Change(
        str(cursor), part.kind, part.act.at, str(publication.list), publication=publication.name,
        corrects=corrected.name if corrected else None, address=f"/lists/{publication.name}",
    )  # fmt: skip
    return _Found(cursor, change)


def _parts(connection: Connection, act: Act, publications: Mapping[int, Publication]) -> Iterator[_Part]:
    """Yield the changes of an act; the same ones at any later time."""
    facts = act.facts
    if (kind := _REPORT_VERBS.get(act.verb)) is not None:
        yield _Part(act, kind, report=facts["report"])
        for replaced in ("superseded", "withdrawn"):
            if replaced in facts:
                yield _Part(act, ChangeKind.REPORT_WITHDRAWN, report=facts[replaced])
    elif act.verb == "reinstate":
        again = facts["status"] == ACCEPTED
        kind = ChangeKind.REPORT_ACCEPTED if again else ChangeKind.REPORT_RECEIVED
        yield _Part(act, kind, report=facts["report"])
    else:
        for number in _publications_of(act.verb, facts):
            if number not in publications or publications[number].kind == BASE:
                continue
            yield _Part(act, _LIST_VERBS[act.verb], publication=number)
            if act.verb in ("publish", "revise"):
                for report in newly_rated(connection, number):
                    yield _Part(act, ChangeKind.REPORT_RATED, report=report, rated_by=publications[number])


def _publications_of(verb: str, facts: Mapping[str, Any]) -> list[int]:
    """Return the publications that an act names."""
    several = {"revise": "revisions", "take-back": "publications"}.get(verb)
    if several is None:
        return [facts["publication"]]
    return [item["publication"] for item in facts[several]]


_REPORT_VERBS = {
    "submit": ChangeKind.REPORT_RECEIVED,
    "join-stages": ChangeKind.REPORT_RECEIVED,
    "accept": ChangeKind.REPORT_ACCEPTED,
    "return": ChangeKind.REPORT_RETURNED,
    "withdraw": ChangeKind.REPORT_WITHDRAWN,
}
_LIST_VERBS = {
    "import-list": ChangeKind.LIST_PUBLISHED,
    "publish": ChangeKind.LIST_PUBLISHED,
    "revise": ChangeKind.LIST_CORRECTED,
    "take-back": ChangeKind.LIST_TAKEN_BACK,
}
_VERBS = (*_REPORT_VERBS, "reinstate", *_LIST_VERBS)
