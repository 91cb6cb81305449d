"""Parts of all commands: common options, the language, tables and JSON on stdout, progress and sentences on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeAlias, TypeVar

import typer

from arpad.cli import settings_file
from arpad.cli.grids import WIDE, Derivation, Grid
from arpad.explain.words import HYPHEN, LANGUAGES, MINUS, Words, load_words, on_one_line
from arpad.model.errors import ArpadError
from arpad.model.rules import CHESS_LISTS, LISTS, ListName, Step
from arpad.model.typed_values import check_among

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from arpad.proofs.signed_notes import PublicKey


Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Lang: TypeAlias = Annotated[
    str | None, typer.Option("--lang", metavar="|".join(LANGUAGES), help="Language; default: the locale.")
]
EditionOption: TypeAlias = Annotated[
    str | None, typer.Option("--edition", help="Edition by name (see `arpad editions`), or a TOML file.")
]
DateOption: TypeAlias = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The edition in force on that day.")
]
ListOption: TypeAlias = Annotated[
    str, typer.Option("--list", metavar="standard|rapid|blitz", help="The rating list.")
]


def words_for(language: str | None) -> Words:
    """Return the words of a language, else of the one given before the verb, else of the locale."""
    if language is not None and language not in LANGUAGES:
        accepted = ", ".join(LANGUAGES)
        fail(
            load_words(usual_language()).text(
                "usage.bad-choice", option="--lang", value=language, accepted=accepted
            )
        )
    return load_words(language or _default_language.get() or usual_language(), _minus.get())


_minus: ContextVar[str] = ContextVar("minus", default=HYPHEN)
"""How a negative number begins: as on pages, except in what programs read."""

_default_language: ContextVar[str | None] = ContextVar("default_language", default=None)


def set_default_language(language: str | None) -> None:
    """Remember ``--lang`` given before the command as its default."""
    if language is not None:
        _default_language.set(words_for(language).language)


_help_language: ContextVar[str] = ContextVar("help_language", default="en")


def begin_command_line(arguments: Sequence[str]) -> str:
    """Forget the language of the command line before; return that of this one, for its help and its errors."""
    _default_language.set(None)
    options = {argument.partition("=")[0] for argument in arguments}
    _minus.set(MINUS if options.isdisjoint(("--json", "--csv")) else HYPHEN)
    language = language_of_arguments(arguments)
    _help_language.set(language)
    return language


def help_words() -> Words:
    """Return the words in which this command line prints help."""
    return load_words(_help_language.get())


def chess_list(name: str) -> ListName:
    """Return one of the three chess lists by name."""
    return list_named(name, among=CHESS_LISTS)


def list_named(name: str, option: str = "list", *, among: Sequence[ListName] = LISTS) -> ListName:
    """Return one of the five lists, or of those in ``among``, by name."""
    check_among(name, option, among)
    return ListName(name)


LANGUAGE_VARIABLE = "ARPAD_LANG"


def usual_language() -> str:
    """Return the language of a command line without ``--lang``: the variable's, the settings', else the locale's."""
    for language in (os.environ.get(LANGUAGE_VARIABLE), settings_file.read().get("lang")):
        if language in LANGUAGES:
            return language
    return locale_language()


def locale_language() -> str:
    """Return the language of the locale if it is one of ours, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            language = value.lower().partition(".")[0].partition("_")[0]
            return language if language in LANGUAGES else "en"
    return "en"


def language_of_arguments(arguments: Sequence[str]) -> str:
    """Return the language for errors about arguments that cannot be parsed: that of the last ``--lang``."""
    language = usual_language()
    for index, argument in enumerate(arguments):
        values = (
            arguments[index + 1 : index + 2] if argument == "--lang" else [argument.removeprefix("--lang=")]
        )
        if argument.startswith("--lang") and values and values[0] in LANGUAGES:
            language = values[0]
    return language


def fail(sentence: str) -> NoReturn:
    """Print one sentence on stderr and exit with status 2."""
    sys.stderr.write(f"arpad: {on_one_line(sentence)}\n")
    sys.exit(2)


@contextmanager
def naming_file(file: Path | str, *, with_places: bool = False) -> Iterator[None]:
    """Name this file in every error raised inside; with places, what an error names is a place in it, no option."""
    try:
        yield
    except ArpadError as error:
        error.facts.setdefault("file", str(file))
        error.facts.setdefault("in_file", with_places)
        raise


def read_keys(given: Iterable[str]) -> list[PublicKey]:
    """Return public keys, each written as it is or in a file with one key a line."""
    from arpad.proofs.signed_notes import parse_public_key

    lines: list[str] = []
    for text in given:
        if "+" in text:
            lines.append(text)
            continue
        with naming_file(text):
            lines += Path(text).read_text("utf-8", "replace").splitlines()
    return [parse_public_key(line) for line in lines if line.strip()]


def with_file(sentence: str, file: str) -> str:
    """Return a sentence that begins with the file it is about, unless it names the file."""
    return sentence if not file or Path(file).name in sentence else f"{file}: {sentence}"


def print_json(schema: str, document: Any) -> None:
    """Print one JSON document, a mapping or a dataclass, with its schema first."""
    fields = document if isinstance(document, Mapping) else vars(document)
    text = json.dumps({"schema": schema, **fields}, ensure_ascii=False, indent=2, default=vars)
    sys.stdout.write(text + "\n")


@dataclass(frozen=True)
class Screen:
    """The terminal; in a pipe, plain text that is never cut at the width of a screen."""

    wide: int

    def print(self, *objects: RenderableType, **options: Any) -> None:
        """Print; in a pipe a sentence is one line, however long, and needs no package for colours and tables."""
        if sys.stdout.isatty():
            text = None
        elif len(objects) == 1 and isinstance(objects[0], Grid | Derivation):
            text = objects[0].plain(self.wide)
        else:
            text = _sentence(objects, **options)
        if text is None:
            self._console.print(*objects, **options)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()  # before anything is written to stderr, and so that a full disk is noticed here

    @property
    def width(self) -> int:
        """Return how many characters a line has."""
        return get_terminal_size().columns if sys.stdout.isatty() else self.wide

    def fits(self, item: RenderableType, widest: int) -> bool:
        """Return whether a table of at most ``widest`` letters is no wider than a line."""
        options = self._console.options.update(width=widest)
        return self._console.measure(item, options=options).maximum <= self.width

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console
        from rich.text import Text

        class Plain(Console):
            def on_broken_pipe(self) -> None:
                """Raise, so that ``main`` ends quietly when the reader of the pipe is gone."""
                raise BrokenPipeError

            def print(self, *objects: Any, **options: Any) -> None:
                if not sys.stdout.isatty() and all(isinstance(item, str | Text) for item in objects):
                    options["soft_wrap"] = True
                super().print(*objects, **options)

        return Plain(
            width=None if sys.stdout.isatty() else self.wide,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=False,
        )


def _sentence(objects: Sequence[RenderableType], sep: str = " ", end: str = "\n", **_: Any) -> str | None:
    """Return texts as one sentence; None if one of them is more than a text."""
    texts = [item for item in objects if isinstance(item, str)]
    return sep.join(texts) + end if len(texts) == len(objects) else None


def console(wide: int = WIDE) -> Screen:
    """Return the terminal, with the width of a line in a pipe."""
    return Screen(wide)


def table(columns: Iterable[tuple[str, str]], rows: Iterable[Sequence[str]], *, title: str = "") -> Grid:
    """Return a small table; each column is its heading and ``left``, ``fixed`` or ``right``."""
    return Grid(tuple(columns), tuple(map(tuple, rows)), title)


def print_games(names: Sequence[str], rows: Iterable[Sequence[str]], words: Words) -> None:
    """Print a table of games whose first column is the round and whose last is a note.

    The notes are below the table, once each with their rounds: they leave room for the names of opponents.
    """
    columns = [(words.text(f"column.{name}"), "left" if name == "opponent" else "right") for name in names]
    notes: dict[str, list[str]] = {}
    figures = []
    for row in rows:
        figures.append(row[:-1])
        if row[-1]:
            notes.setdefault(row[-1], []).append(row[0])
    out = console()
    out.print(table(columns[:-1], figures))
    for note, rounds in notes.items():
        heading = words.text("column.rounds" if len(rounds) > 1 else "column.round")
        out.print(f"  {heading} {', '.join(rounds)}{words.form.colon} {note}")


def derivation(steps: Iterable[Step], words: Words) -> Derivation:
    """Return the steps as a list: the article, then the sentence."""
    return Derivation(tuple(words.steps(steps)))


T = TypeVar("T")

_FEW = 2
"""Up to this many items no bar is shown."""

Update: TypeAlias = Callable[..., None]
"""Takes how much is done and, if it was not known before, how much there is in all."""


@contextmanager
def progress_bar(title: str, total: int | None = None) -> Iterator[Update | None]:
    """Show a progress bar; yield a function that updates it, or None if stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, of=total: progress.update(task, completed=done, total=of)


def watched(title: str) -> Callable[[Iterable[T]], Iterator[T]]:
    """Return a function that yields items and counts them on a progress bar."""

    def counted(items: Iterable[T]) -> Iterator[T]:
        if isinstance(items, Sized) and len(items) <= _FEW:
            yield from items
            return
        with progress_bar(title, len(items) if isinstance(items, Sized) else None) as update:
            for done, item in enumerate(items, start=1):
                yield item
                if update is not None:
                    update(done)

    return counted
