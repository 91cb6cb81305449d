"""What the commands about who is who print if it is more than a sentence or a table."""

import sys

from arpad.cli.common import console, table
from arpad.cli.declared import command_of, print_table
from arpad.explain.words import Words
from arpad.office.corrections.affected_lists import revise_lines
from arpad.office.register.acts import Player
from arpad.office.who_is_who.acts import (
    Duplicates,
    Merged,
    NumberSchemes,
    duplicates,
    merge,
    number_schemes,
    unmerge,
)


def _print_duplicates(found: Duplicates, words: Words) -> None:
    names = ("player", "candidate", "score", "reasons")
    columns = [(words.text(f"column.{name}"), "right" if name == "score" else "left") for name in names]
    rows = [
        (
            _described(pair.keep),
            _described(pair.drop),
            str(pair.score),
            ", ".join(words.text(f"match-reason.{reason}") for reason in pair.reasons),
        )
        for pair in found.duplicates
    ]
    console().print(table(columns, rows) if rows else words.text("office.no-duplicates"))


def _described(player: Player) -> str:
    return f"{player.id} {player.name}, {player.federation} {player.born or ''}".rstrip(", ")


def _print_merged(done: Merged, words: Words) -> None:
    key = "office.merged" if done.merged else "office.unmerged"
    sentence = words.text(key, merge=done.merge, kept=done.kept, dropped=done.dropped)
    sys.stdout.write("\n".join([sentence, *revise_lines(done.revise, words)]) + "\n")


def _print_schemes(found: NumberSchemes, words: Words) -> None:
    if found.schemes:
        print_table(number_schemes, list(found.schemes), words)
    if found.sources:
        columns = [(words.text(f"column.{name}"), "left") for name in ("source", "scheme")]
        console().print(table(columns, [(f"{it.kind} {it.value}", it.scheme) for it in found.sources]))
    if not found.schemes and not found.sources:
        sys.stdout.write(f"{words.text('office.no-schemes')}\n")


COMMANDS = {
    "duplicate list": command_of(duplicates, _print_duplicates),
    "merge": command_of(merge, _print_merged),
    "unmerge": command_of(unmerge, _print_merged),
    "number schemes": command_of(number_schemes, _print_schemes),
}
