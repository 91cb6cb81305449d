"""A report that takes the place of an earlier one: what it takes over, and how it is recognised.

A report replaces another where its sender says so, where its bytes are those of a report that was returned or withdrawn
and other facts come with them, or where it holds the games of such a report. For a sender who sees only what they sent
themselves, only their own reports are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection

from arpad.model.json_values import load
from arpad.office.stated_facts import decided_document
from arpad.reports.event_facts import EventFacts, facts_document, facts_from, with_stated
from arpad.store import ledger
from arpad.store import reports as rows
from arpad.store.reports import RETURNED, WITHDRAWN, Filed

PUT_ASIDE = (RETURNED, WITHDRAWN)
"""The statuses after which a report can be sent again."""


def taken_over(connection: Connection, before: Filed, given: EventFacts) -> EventFacts:
    """Return what is known of a report that replaces another: what its sender says, and what the office knew.

    It arrived when the first version did, the event was registered when it was, and what officers have decided holds.
    """
    earlier = facts_from(load(before.facts))
    decided = decided_document(rows.standing_decisions(connection), before.id)
    stated = {name: value for name, value in decided.items() if value is not None}
    facts = facts_from(with_stated(facts_document(given), stated))
    return replace(
        facts,
        received=facts.received or earlier.received or before.received,
        registered=facts.registered or earlier.registered,
    )


def sent_again(connection: Connection, before: Filed, given: EventFacts, only_of: str) -> bool:
    """Whether the same bytes are filed anew: put aside before, and now sent with other facts.

    ``only_of`` is a sender who can replace only what they sent themselves; without one, anything can be replaced.
    """
    if before.status not in PUT_ASIDE or _of_others(connection, before, only_of):
        return False
    was, now = load(before.facts), facts_document(given)
    return any(was.get(name) != value for name, value in now.items())


def earlier_version(connection: Connection, near: Iterable[Filed], only_of: str) -> Filed | None:
    """Return the last report with the same games that was put aside, if any; ``only_of`` as above."""
    aside = [one for one in near if one.status in PUT_ASIDE and not _of_others(connection, one, only_of)]
    return max(aside, key=lambda one: one.id, default=None)


def _of_others(connection: Connection, filed: Filed, only_of: str) -> bool:
    return bool(only_of) and ledger.act(connection, filed.act).author != only_of
