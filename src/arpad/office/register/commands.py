"""What the commands of the register print if it is more than a sentence or a table."""

import sys
from dataclasses import asdict

from arpad.cli.declared import command_of, print_table
from arpad.explain.words import Words
from arpad.office.register.acts import FoundPlayers, import_register, search_players
from arpad.office.register.imports import ImportedRegister


def _print_found(found: FoundPlayers, words: Words) -> None:
    """Print the players, or that there are none, with those who have similar names."""
    if not found.players:
        key = "office.nobody-called-similar" if found.similar else "office.nobody-called"
        sys.stdout.write(f"{words.text(key, asked=found.asked)}\n")
    if shown := found.players or found.similar:
        print_table(search_players, list(shown), words)


def _print_imported(imported: ImportedRegister, words: Words) -> None:
    """Print how many players came, and the rows that an officer must decide about."""
    facts = {"rows": imported.rows, "newcomers": imported.newcomers, "changed": imported.changed}
    lines = [words.text("office.imported", **facts)]
    for doubt in imported.doubts:
        kind = "another-number" if doubt.held else "doubt" if doubt.candidates else "twice"
        lines.append(words.text(f"register.{kind}", **asdict(doubt)))
    sys.stdout.write("\n".join(lines) + "\n")


COMMANDS = {
    "search": command_of(search_players, _print_found),
    "import-register": command_of(import_register, _print_imported),
}
