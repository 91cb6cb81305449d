"""Compare two of FIDE's lists, kept as references, with the changes calculated from the accepted reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from sqlalchemy import Connection

from arpad.lists.period import Event
from arpad.lists.reconciled import DatedList, Reconciliation
from arpad.lists.reconciliation import reconcile
from arpad.lists.reconciliation_inputs import fide_entry
from arpad.lists.reference import LISTS
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import ListName
from arpad.office.drafts.load_events import load_events
from arpad.office.fide.rows import Reference, read_federation, references
from arpad.office.lists import rows as lists
from arpad.office.office import Office
from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.rows import numbers_in_scheme
from arpad.office.reports import rows
from arpad.office.reports.rows import decisions_in_force, with_kept_players
from arpad.office.reports.tables import ACCEPTED
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.rules import add_months
from arpad.store.settings import read_setting

EARLIER_MONTHS = 12
"""Reports of so many months before the period are compared too: FIDE may rate them late."""


def reconcile_office(office: Office, on_list: ListName, day: date | None = None) -> Reconciliation:
    """Compare the newest reference list, or that of a day, with the one before and the accepted reports between them.

    The office rates by its own editions; what FIDE should have published follows FIDE's.
    """
    if on_list not in LISTS:
        raise BadInput("value-unknown", option="list", value=str(on_list), accepted=", ".join(LISTS))
    with office.store.reading() as connection:
        after, before, earlier = _lists(connection, on_list, day)
        events = list(_events(connection, on_list, before.day, after.day))
        federation = read_setting(connection, "federation")
        playing = {player for event in events for player in event.players if player > 0}
        dated = {
            reference.id: _dated(connection, reference, on_list, federation, playing)
            for reference in (*earlier, before, after)
        }
        return reconcile(
            on_list, dated[before.id], dated[after.id], events,
            earlier=[dated[reference.id] for reference in earlier], federation=federation,
        )  # fmt: skip


def _lists(
    connection: Connection, on_list: ListName, day: date | None
) -> tuple[Reference, Reference, list[Reference]]:
    """Return the reference list of a day, the one before it, and those before that."""
    kept = [it for it in references(connection) if on_list in it.lists]
    if day is not None and not any(it.day == day for it in kept):
        raise BadInput("reference-unknown", day=day)
    until = [it for it in kept if day is None or it.day <= day]
    if len(until) < 2:  # noqa: PLR2004  one before and one after
        raise BadInput("reconcile-two-lists", list=str(on_list), kept=len(until))
    *earlier, before, after = until
    return after, before, earlier[-2:]


def _events(connection: Connection, on_list: ListName, opened: date, day: date) -> Iterator[Event]:
    """Yield the accepted reports of some months as events whose players have FIDE IDs.

    A player without a FIDE ID has the negative number of the register.
    """
    since = add_months(opened, -EARLIER_MONTHS)
    filed = [
        report
        for report in rows.filed(connection).values()
        if report.status == ACCEPTED
        and report.list is on_list
        and report.last_day is not None
        and since <= report.last_day <= day
    ]
    merged = merge_targets(connection)
    decisions = with_kept_players(decisions_in_force(connection), merged)
    publications = lists.all_publications(connection, on_list)
    inputs = load_events(connection, filed, decisions, merged, on_list, publications, CHESS_EDITIONS)
    fide = _fide_numbers(connection, merged)
    for item in inputs:
        report = item.report()
        try:
            edition = in_force(CHESS_EDITIONS, on_list, item.first_day)
        except NoEdition:
            continue
        players = tuple(fide.get(player, -player) for player in item.players)
        yield Event(f"{item.report_number} {report.header.name}", report, players, edition, item.facts)


def _fide_numbers(connection: Connection, merged: Mapping[int, int]) -> dict[int, int]:
    """Return the FIDE ID of each player; a merged player brings theirs, if the kept one has none."""
    numbers = numbers_in_scheme(connection, "fide")
    for dropped, kept in merged.items():
        if dropped in numbers:
            numbers.setdefault(kept, numbers[dropped])
    return numbers


def _dated(
    connection: Connection, reference: Reference, on_list: ListName, federation: str, playing: set[int]
) -> DatedList:
    players = read_federation(connection, reference.id, federation, playing)
    return DatedList(
        reference.day, {player.id: fide_entry(player, on_list, combined=True) for player in players}
    )
