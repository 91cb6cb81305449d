"""What all commands share: the common options, the language, tables and JSON on stdout, one sentence on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeAlias

import typer

from arpad.explain.words import LANGUAGES, Words, load_words, on_one_line
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import CHESS_LISTS, ListName, Step

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Lang: TypeAlias = Annotated[
    str | None, typer.Option("--lang", metavar="it|en", help="Language; default: the locale.")
]
EditionOption: TypeAlias = Annotated[
    str | None, typer.Option("--edition", help="Edition by name (see `arpad editions`), or a TOML file.")
]
DateOption: TypeAlias = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The edition in force on that day.")
]
ClusterOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler, as HOST:PORT; or local, local:N."),
]
ListOption: TypeAlias = Annotated[
    str, typer.Option("--list", metavar="standard|rapid|blitz", help="The rating list.")
]


def words_for(language: str | None) -> Words:
    """The words of the language asked for, else of the one that was named before the verb, else of the locale."""
    if language is not None and language not in LANGUAGES:
        accepted = ", ".join(LANGUAGES)
        fail(
            load_words(locale_language()).text(
                "usage.bad-choice", option="--lang", value=language, accepted=accepted
            )
        )
    return load_words(language or _named_first.get() or locale_language())


_named_first: ContextVar[str | None] = ContextVar("named_first", default=None)


def set_default_language(language: str | None) -> None:
    """A language named before the verb, or between a verb and its own: a command that names none follows it."""
    if language is not None:
        _named_first.set(words_for(language).language)


def forget_language() -> None:
    """A new command line has named no language yet."""
    _named_first.set(None)


def chess_list(name: str) -> ListName:
    """One of the three chess lists."""
    return list_named(name, among=CHESS_LISTS)


def list_named(name: str, option: str = "list", *, among: Sequence[ListName] = tuple(ListName)) -> ListName:
    """One of the five lists, or of some of them."""
    if name not in among:
        raise BadInput("value-unknown", option=option, value=name, accepted=", ".join(among))
    return ListName(name)


def locale_language() -> str:
    """The language of the locale where it is one of ours, English otherwise."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            asked = value[:2].lower()
            return asked if asked in LANGUAGES else "en"
    return "en"


def language_of_arguments(arguments: Sequence[str]) -> str:
    """The language in which to complain about arguments that could not be understood: the last that is named."""
    named = locale_language()
    for index, argument in enumerate(arguments):
        given = (
            arguments[index + 1 : index + 2] if argument == "--lang" else [argument.removeprefix("--lang=")]
        )
        if argument.startswith("--lang") and given and given[0] in LANGUAGES:
            named = given[0]
    return named


def fail(sentence: str) -> NoReturn:
    """One sentence on stderr, status 2."""
    sys.stderr.write(f"arpad: {on_one_line(sentence)}\n")
    sys.exit(2)


@contextmanager
def naming_file(file: Path | str) -> Iterator[None]:
    """Whatever is found wrong in here is wrong with this file."""
    try:
        yield
    except ArpadError as error:
        error.facts.setdefault("file", str(file))
        raise


def with_file(sentence: str, file: str) -> str:
    """A sentence that names the file it is about."""
    return sentence if not file or Path(file).name in sentence else f"{file}: {sentence}"


def print_json(schema: str, document: Any) -> None:
    """Print one JSON document, a mapping or a dataclass, with its schema first."""
    fields = document if isinstance(document, Mapping) else vars(document)
    text = json.dumps({"schema": schema, **fields}, ensure_ascii=False, indent=2, default=vars)
    sys.stdout.write(text + "\n")


def console(wide: int = 160) -> Console:
    """The terminal; in a pipe plain text that is never cut at the width of a screen."""
    from rich.console import Console
    from rich.text import Text

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            """Who reads the pipe has gone: ``main`` knows what to do."""
            raise BrokenPipeError

        def print(self, *objects: Any, **how: Any) -> None:
            """In a pipe a sentence is one line, however long."""
            if not sys.stdout.isatty() and all(isinstance(one, str | Text) for one in objects):
                how["soft_wrap"] = True
            super().print(*objects, **how)

    return Plain(
        width=None if sys.stdout.isatty() else wide,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )


def table(
    columns: Iterable[tuple[str, str]], rows: Iterable[Sequence[str]], *, title: str = ""
) -> RenderableType:
    """A small table; each column is its heading and ``left`` or ``right``.

    On a narrow terminal columns stand closer, and figures stay whole: words make room for them.
    """
    from rich import box
    from rich.table import Table

    columns, rows = list(columns), list(rows)
    room = get_terminal_size().columns if sys.stdout.isatty() else _WIDE
    narrow = room < _NARROW
    needed = [
        max(
            (len(line) for cell in (heading, *(row[place] for row in rows)) for line in cell.splitlines()),
            default=0,
        )
        if side == "right"
        else _WORDS
        for place, (heading, side) in enumerate(columns)
    ]
    whole = narrow and sum(needed) + 2 * len(needed) <= room
    padding = (0, 1, 0, 0) if narrow else (0, 1)
    made = Table(
        title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, padding=padding
    )
    for heading, side in columns:
        right = side == "right"
        made.add_column(
            heading, justify="right" if right else "left", overflow="fold", no_wrap=whole and right
        )
    for row in rows:
        made.add_row(*row)
    return made


_WIDE, _NARROW = 160, 100
_WORDS = 12
"""What a column of words needs at least."""


def derivation(steps: Iterable[Step], words: Words) -> RenderableType:
    """Steps as a list: the article, then what it gives."""
    from rich.table import Table

    made = Table(box=None, show_header=False, pad_edge=False)
    made.add_column(justify="right", style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for article, sentence in words.steps(steps):
        made.add_row(article, sentence)
    return made
