"""Stages or groups of one event, filed as one report (2009 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.office.reports import Submitted, file_report, on_file, refuse_unless, submit
from arpad.reports.event_facts import EventFacts
from arpad.reports.stages import MAX_STAGES, holds_stages, pack_stages, read_filed
from arpad.store import reports as rows
from arpad.store.reports import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED


def submit_together(
    office: Office,
    stages: Sequence[tuple[str, bytes]],
    *,
    facts: EventFacts | None = None,
    event: int | None = None,
    replaces: int | None = None,
    reason: str = "",
) -> Submitted:
    """File the files of stages or groups of one event as one report; the bytes of each are kept."""
    data, file = _packed(stages)
    return submit(office, data, file, facts=facts, event=event, replaces=replaces, reason=reason)


def join_stages(office: Office, numbers: Sequence[int], reason: str) -> Submitted:
    """File reports on file as stages of one event: one report, which replaces them all.

    It takes over what is known of the stage that ended last, and is accepted like any other report.
    """
    with record_act(office, "join-stages", reason, reason_needed=True) as doing:
        connection = doing.connection
        found = [on_file(connection, number) for number in dict.fromkeys(numbers)]
        for one in found:
            refuse_unless(one, RECEIVED, ACCEPTED, RETURNED)
        data, file = _packed([(one.file, rows.data(connection, one.id)) for one in found])
        for one in found:
            rows.add_status(connection, one.id, SUPERSEDED, doing.seq)
        before = rows.by_digest(connection, sha256(data).hexdigest())  # joined once, and withdrawn since
        last = max(found, key=lambda one: (str(one.last_day or ""), one.id))
        replaces = last.id if before is None else before
        sent = file_report(doing, read_filed(data, file), data, file, replaces=replaces)
        doing.record(stages=[one.id for one in found])
    return sent


def _packed(stages: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
    """Return the archive of some stages, and its name."""
    if not 1 < len(stages) <= MAX_STAGES:
        raise BadInput("stages-count", given=len(stages), most=MAX_STAGES)
    if any(holds_stages(data) for _, data in stages):
        raise BadInput("stages-joined-already")
    return pack_stages(stages), f"{stages[0][0]}+{len(stages) - 1}.zip"
