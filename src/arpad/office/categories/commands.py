"""``arpad office category``: the changes with a list in words."""

import sys

from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.categories.acts import CategoryChanges, changes_of_list


def show_changes(found: CategoryChanges, words: Words) -> None:
    """Print who reaches or loses a category."""
    lines = [
        words.labelled(f"{it.player} {it.name}", f"{words.category_change(it)} ({it.article})")
        for it in found.changes
    ]
    sys.stdout.write("\n".join(lines or [words.text("national.none")]) + "\n")


COMMANDS = {"category list": command_of(changes_of_list, show_changes)}
