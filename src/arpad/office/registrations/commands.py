"""The deadlines of tournaments, and reports that were sent to FIDE."""

from __future__ import annotations

from typing import Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import Now, ReadOptions, Reason, Report, WriteOptions, day_of

# --------------------------------------------------------------------------------------------------- deadlines


def deadlines(
    look: ReadOptions,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also tournaments with nothing left to do.")
    ] = False,
    now: Now = None,
) -> None:
    """Show the registered tournaments with their deadlines, overdue ones first."""
    from arpad.office.registrations.deadlines import event_deadlines
    from arpad.office.registrations.rows import REGISTERED

    words = look.words
    with look.opened(now=now) as office:
        events = event_deadlines(office, everything=everything)
    if look.json:
        from arpad.office.registrations.documents import event_document

        print_json("arpad.office-deadlines/1", {"events": [event_document(event) for event in events]})
        return
    if not events:
        console().print(words.text("deadline.none"))
        return
    columns = [
        (words.text(f"deadline.{name}"), "left") for name in ("tournament", "what", "day", "article", "state")
    ]
    rows = [
        [
            f"{event.event} {event.name}" if at == 0 else "",
            words.text(f"deadline-kind.{item.deadline.kind}"),
            words.day(item.deadline.day),
            item.deadline.article,
            words.text(f"deadline-state.{item.state}", day=item.done or item.deadline.day),
        ]
        for event in events
        for at, item in enumerate(event.deadlines)
    ]
    rows += [
        [
            f"{event.event} {event.name}",
            "",
            words.day(event.first_day),
            "",
            words.text(f"registration.{event.state}"),
        ]
        for event in events
        if event.state != REGISTERED
    ]
    console().print(table(columns, rows))


def sent(
    desk: WriteOptions,
    report: Report,
    day: Annotated[
        str | None, typer.Option("--day", metavar="YYYY-MM-DD", help="The day; default: today.")
    ] = None,
    reason: Reason = "",
) -> None:
    """Record that an accepted report was sent to FIDE."""
    from arpad.office.registrations.deadlines import record_sent

    with desk.acting() as office:
        on = record_sent(office, report, day_of(day, "day"), reason=reason)
    desk.done({"report": report, "day": str(on)})
