"""How ``arpad office webhook changes`` prints the changes."""

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.webhooks.acts import Changes, list_changes


def _show(found: Changes, words: Words) -> None:
    columns = [(words.text(f"column.{name}"), "left") for name in ("at", "change", "kind", "list", "report")]
    rows = [
        (it.at, it.id, words.text(f"change-kind.{it.kind}"), it.publication or it.list, it.name or "")
        for it in found.changes
    ]
    console().print(table(columns, rows))


COMMANDS = {"webhook changes": command_of(list_changes, _show)}
