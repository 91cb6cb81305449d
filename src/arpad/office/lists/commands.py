"""``arpad office lists``: the published lists as a table of 80 columns."""

import sys

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.lists.acts import ListRevisions, list_revisions

DIGITS = 12
"""Digits of a digest in a table; the JSON has all of them."""


def show_lists(found: ListRevisions, words: Words) -> None:
    """Print the lists, the newest first."""
    if not found.lists:
        sys.stdout.write(words.text("office.no-lists") + "\n")
        return
    names = ("list", "day", "number", "revision", "edition", "published", "digest")
    sides = dict.fromkeys(("number", "revision"), "right") | dict.fromkeys(("day", "published"), "fixed")
    columns = [(words.text(f"column.{name}"), sides.get(name, "left")) for name in names]
    newest_first = sorted(found.lists, key=lambda it: (it.date, it.published, it.list), reverse=True)
    rows = [
        (
            str(it.list), str(it.date), str(it.number), str(it.revision), it.edition, str(it.published),
            it.digest[:DIGITS],
        )
        for it in newest_first
    ]  # fmt: skip
    console().print(table(columns, rows))


COMMANDS = {"lists": command_of(list_revisions, show_lists)}
