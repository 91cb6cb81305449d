"""The page of all commands for the documentation site, made from the program itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from typer.main import get_command

from arpad.cli.program import build
from arpad.cli.typer_groups import Group, examples, paragraphs
from arpad.explain.words import load_words

OPENING = """\
# The commands

Results go to stdout, diagnostics to stderr. `--json` gives one document, whose `schema` names its form.
Exit status: 0 fine; 1 the findings hold an error; 2 wrong usage or unreadable input; 130 interrupted; 143 ended.
If Arpad itself is at fault it says so; with `ARPAD_TRACE=1` it shows where.

`arpad --install-completion` teaches the shell to complete commands and options with the Tab key.

Every command takes `--json` and `--lang it|en|fr`, before or after its name; every command below `arpad office`
takes `--db`, the office as a path (SQLite) or a URL, and `--now`, the time as 2018-02-01T10:00:00Z; every command
that writes an act takes `--author` and `--reason`; every table takes `--csv FILE`. What a command needs comes first
in its line of use, what it may have is in brackets. Unless a command says otherwise, these mean:
"""

SAID_ABOVE = (
    "- `--json`: One JSON document on stdout.",
    "- `--lang it",
    "- `--db URL`: The office: a path",
    "- `--now TIME`: The time of the act,",
    "- `--author AUTHOR`: The author of the act;",
    "- `--reason REASON`: ",
    "- `--csv FILE`: Write the table as CSV into this file.",
)
"""How the lines of the options begin that the opening describes."""

OFTEN = 3
"""What is said of a parameter in so many commands is said once, in the opening; another meaning, in its command."""


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, groups before what they hold."""

    def below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        for verbs in command.sections().values() if isinstance(command, Group) else ():
            for verb in verbs:
                yield from below(f"{name} {verb}", command.commands[verb])

    yield from below("arpad", get_command(build()))


def page() -> str:
    """Return the whole page."""
    named = [(name, command) for name, command in commands() if name != "arpad"]
    lines = often_said(line for _, command in named for line in map(_line, command.params))
    return "\n".join([OPENING, *lines, "", *(_section(name, command, lines) for name, command in named)])


def often_said(lines: Iterable[str]) -> list[str]:
    """Return the lines that many commands or addresses have, one for each parameter, in the order of names."""
    often: dict[str, str] = {}
    for line, times in Counter(line for line in lines if not line.startswith(SAID_ABOVE)).most_common():
        if times >= OFTEN:
            often.setdefault(line.partition(":")[0], line)
    return sorted(often.values())


def _section(name: str, command: Any, often: Collection[str]) -> str:
    level = "##" if name.count(" ") == 1 else "###"
    lines = [f"{level} {name}", ""]
    lines += [f"{load_words('en').help(part)}\n" for part in paragraphs(command.help)]
    sections = command.sections() if isinstance(command, Group) else {}
    if not sections:
        use = " ".join([name, *_uses(command)])
        lines += ["```console", *(f"$ {example}" for example in examples(command.help)), use, "```", ""]
    if len(sections) > 1:
        lines += [
            f"- {title}: {', '.join(f'`{verb}`' for verb in verbs)}" for title, verbs in sections.items()
        ]
        lines.append("")
    own = [
        line for line in map(_line, command.params) if line not in often and not line.startswith(SAID_ABOVE)
    ]
    return "\n".join([*lines, *own, ""] if own else lines)


def _uses(command: Any) -> Iterator[str]:
    """Yield the parameters as a line of use has them: what is needed, then the rest in brackets."""
    for parameter in sorted(command.params, key=lambda each: not each.required):
        if parameter.required:
            yield _written(parameter)
        elif not _line(parameter).startswith(SAID_ABOVE):
            yield f"[{_written(parameter).partition(' ')[0]}]"


def _written(parameter: Any) -> str:
    """Return a parameter as one types it, with the word for its value."""
    flag = getattr(parameter, "is_flag", False)
    value = str(parameter.metavar or ("" if flag else parameter.name.strip("_").upper()))
    if parameter.param_type_name == "argument":
        return value.strip("[]")
    return f"{parameter.opts[0]} {value}".strip()


def _line(parameter: Any) -> str:
    """Return what is said about a parameter."""
    notes = ["may be repeated"] if getattr(parameter, "multiple", False) else []
    if parameter.default not in (None, "", False, (), []) and not parameter.required:
        notes.append(f"default: {parameter.default}")
    explained = load_words("en").help(parameter.help or "")
    return f"- `{_written(parameter)}`: {explained}" + (f" *{', '.join(notes)}*" if notes else "")
