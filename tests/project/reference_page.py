"""docs/reference/commands.md, from the program itself: ``python -m tests.project.reference_page`` writes it anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from arpad.cli.program import build
from arpad.cli.typer_groups import Group
from arpad.explain.words import load_words
from tests.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "commands.md"

OPENING = """\
# The commands

Made from the program by `python -m tests.project.reference_page`; a test fails when this page is stale.

Results go to stdout, diagnostics to stderr. `--json` gives one document, whose `schema` names its form.
Exit status: 0 fine; 1 the findings hold an error; 2 wrong usage or unreadable input, said in one sentence.
`--lang it` or `--lang en` chooses the language, before the command or after it. A command that is interrupted ends
with 130, one that is asked to end with 143, and neither leaves anything half done. Where Arpad itself is at fault it
says so; with `ARPAD_TRACE=1` it shows where.

These options are the same everywhere, and not repeated below: `--json` and `--lang` of every command; `--db`, the
office as a path (SQLite) or a URL, and `--now`, the time as 2018-02-01T10:00:00Z, of commands below `arpad office`;
`--author` and `--reason`, who does it and why, of every command that writes an act; `--csv FILE`, of every table.

`arpad --install-completion` teaches bash, zsh or fish, whichever you are in, to complete commands and
options with the Tab key; `arpad --show-completion` prints what it would install.
"""

EVERYWHERE = (
    "- `--json`: One JSON document on stdout.",
    "- `--lang it",
    "- `--db URL`: The office: a path",
    "- `--now TIME`: The time of the act,",
    "- `--author AUTHOR`: The author of the act;",
    "- `--reason REASON`: Why it is done, for the ledger.",
    "- `--csv FILE`: Write the table as CSV into this file.",
)
"""How the lines of the options begin that the opening describes."""


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its full name, groups before what they hold."""

    def below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        for verbs in command.sections().values() if isinstance(command, Group) else ():
            for verb in verbs:
                yield from below(f"{name} {verb}", command.commands[verb])

    yield from below("arpad", get_command(build()))


def examples(command: Any) -> list[str]:
    """The command lines that a command's help gives as examples."""
    return re.findall(r"Example: (arpad .+)", command.help or "")


def page() -> str:
    """The whole page."""
    parts = [OPENING]
    for name, command in commands():
        if name == "arpad":
            continue
        parts.append(_section(name, command))
    return "\n".join(parts)


def _section(name: str, command: Any) -> str:
    level = "##" if name.count(" ") == 1 else "###"
    prose = re.sub(r"\s*Example: arpad .+", "", load_words("en").help(command.help or ""))
    lines = [
        f"{level} {name}",
        "",
        *(re.sub(r"\s+", " ", part) + "\n" for part in prose.split("\n\n") if part.strip()),
    ]
    lines += [line for example in examples(command) for line in ("```console", f"$ {example}", "```", "")]
    if len(sections := command.sections() if isinstance(command, Group) else {}) > 1:
        lines += [
            f"- {title}: {', '.join(f'`{verb}`' for verb in verbs)}" for title, verbs in sections.items()
        ]
        lines.append("")
    own = [
        line
        for line in map(_line, command.params)
        if not line.startswith(EVERYWHERE) or line.endswith("*required*")
    ]
    return "\n".join([*lines, *own, ""] if own else lines)


def _line(parameter: Any) -> str:
    metavar = parameter.metavar or (
        "" if getattr(parameter, "is_flag", False) else parameter.name.strip("_").upper()
    )
    written = (
        metavar.strip("[]")
        if parameter.param_type_name == "argument"
        else f"{parameter.opts[0]} {metavar}".strip()
    )
    notes = ["required"] if parameter.required else []
    notes += ["may be repeated"] if getattr(parameter, "multiple", False) else []
    if parameter.default not in (None, "", False, (), []) and not parameter.required:
        notes.append(f"default: {parameter.default}")
    explained = load_words("en").help(parameter.help or "")
    return f"- `{written}`: {explained}" + (f" *{', '.join(notes)}*" if notes else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
