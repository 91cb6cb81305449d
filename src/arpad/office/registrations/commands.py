"""The table of deadlines on the command line: a row for each deadline of each tournament."""

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.registrations import acts
from arpad.office.reports.tables import REGISTERED


def _show(found: acts.Deadlines, words: Words) -> None:
    """Print the deadlines, and the tournaments whose registration is not in force."""
    if not found.events:
        console().print(words.text("deadline.none"))
        return
    columns = [
        (words.text(f"deadline.{name}"), "left") for name in ("tournament", "what", "day", "article", "state")
    ]
    rows = [
        [
            f"{event.event} {event.name}" if at == 0 else "",
            words.text(f"deadline-kind.{item.what}"),
            words.day(item.day),
            item.article,
            words.text(f"deadline-state.{item.state}", day=item.done or item.day),
        ]
        for event in found.events
        for at, item in enumerate(event.deadlines)
    ]
    rows += [
        [f"{it.event} {it.name}", "", words.day(it.first_day), "", words.text(f"registration.{it.state}")]
        for it in found.events
        if it.state != REGISTERED
    ]
    console().print(table(columns, rows))


COMMANDS = {"tournament deadlines": command_of(acts.deadlines, _show)}
