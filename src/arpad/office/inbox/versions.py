"""Versions of a report: which report on file another one replaces, and what it takes over.

A report replaces another if its sender says so, if it has the same bytes as a returned or withdrawn report but other
facts, or if it has the games of such a report. Senders who see only their own reports can replace only those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy import Connection

from arpad.model.canonical_json import load
from arpad.model.names import spelled
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import decisions_in_force
from arpad.office.reports.entrant_rows import NEW, decisions_about
from arpad.office.reports.rows import Filed
from arpad.office.reports.stated_facts import decided_document
from arpad.office.reports.tables import RETURNED, WITHDRAWN
from arpad.reports.event_facts import EventFacts, facts_document, facts_from, with_stated
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import ledger

PUT_ASIDE = (RETURNED, WITHDRAWN)
"""The statuses after which a report can be submitted again."""


def inherited_facts(connection: Connection, before: Filed, sender_facts: EventFacts) -> EventFacts:
    """Return the facts of a report that replaces another: the sender's, and those the office knew of the first.

    It arrived when the first version did, the event was registered when it was, and officers' decisions still apply.
    """
    earlier = facts_from(load(before.facts))
    decided = decided_document(decisions_in_force(connection), before.id)
    stated = {name: value for name, value in decided.items() if value is not None}
    facts = facts_from(with_stated(facts_document(sender_facts), stated))
    return replace(
        facts,
        received=facts.received or earlier.received or before.received,
        registered=facts.registered or earlier.registered,
    )


def players_taken_over(
    connection: Connection, before: Filed, report: Report, uncertain: Collection[int]
) -> dict[int, int]:
    """Return who the entrants are whom the replaced report has under the same start number and name.

    What an officer decided about it holds, and who the ``uncertain`` ones were when it was accepted.
    """
    decided = decisions_about(connection, [before.id]).get(before.id, {})
    accepted = rows.players_of(connection, before.id)
    if not decided and not accepted:
        return {}
    earlier = read_filed(rows.data(connection, before.id), before.file)
    players = {number: decision.player or NEW for number, decision in decided.items()}
    for entrant, player in zip(earlier.entrants, accepted, strict=False):
        if entrant.number in decided or entrant.number in uncertain:
            players[entrant.number] = player
    names = {entrant.number: spelled(entrant.name) for entrant in earlier.entrants}
    return {
        entrant.number: players[entrant.number]
        for entrant in report.entrants
        if entrant.number in players and names[entrant.number] == spelled(entrant.name)
    }


def is_new_version(connection: Connection, before: Filed, sender_facts: EventFacts, own_author: str) -> bool:
    """Return whether a report with the same bytes is filed again: the first was put aside, and the facts differ.

    ``own_author`` is a sender who can replace only their own reports; empty if any report can be replaced.
    """
    if before.status not in PUT_ASIDE or not _may_replace(connection, before, own_author):
        return False
    earlier, now = load(before.facts), facts_document(sender_facts)
    return any(earlier.get(name) != value for name, value in now.items())


def earlier_version(connection: Connection, overlapping: Iterable[Filed], own_author: str) -> Filed | None:
    """Return the latest report with the same games that was put aside, if any; ``own_author`` as above."""
    put_aside = [
        report
        for report in overlapping
        if report.status in PUT_ASIDE and _may_replace(connection, report, own_author)
    ]
    return max(put_aside, key=lambda report: report.id, default=None)


def _may_replace(connection: Connection, report: Filed, own_author: str) -> bool:
    return not own_author or ledger.act(connection, report.act).author == own_author
