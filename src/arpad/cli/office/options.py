"""Options of the commands of ``arpad office``: the database, the author, the clock, and the form of the answer."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from arpad.cli.common import Json, Lang, fail, print_json, words_for
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.people import YEARS
from arpad.model.rules import ListName

if TYPE_CHECKING:
    from arpad.office.office import Office

Db: TypeAlias = Annotated[
    str | None,
    typer.Option("--db", envvar="ARPAD_DB", metavar="URL", help="The office: a path (SQLite) or a URL."),
]
Author: TypeAlias = Annotated[
    str | None,
    typer.Option("--author", envvar="ARPAD_AUTHOR", help="The author of the act; default: the user's name."),
]
Reason: TypeAlias = Annotated[str, typer.Option("--reason", help="The reason, for the ledger.")]
Now: TypeAlias = Annotated[
    str | None,
    typer.Option("--now", metavar="TIME", help="The time of the act, as 2018-02-01T10:00:00Z; default: now."),
]
ListArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="LIST", help="standard, rapid, blitz, italiana, internazionale.")
]
DayArgument: TypeAlias = Annotated[str, typer.Argument(metavar="DATE", help="The list's day, YYYY-MM-DD.")]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="The folder for the files; without it, none are written."),
]
Processes: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--processes", metavar="N", help="Processes that check reports; default: one for each core."
    ),
]
Player: TypeAlias = Annotated[int, typer.Argument(metavar="ID", help="The register's number.")]
Report: TypeAlias = Annotated[int, typer.Argument(metavar="REPORT", help="The report's number on file.")]


_FEATURES: list[str] = []
"""The feature of the command that runs."""


def use_feature(name: str) -> None:
    """Remember of which feature the command is that runs, so that an office that has it off refuses it."""
    _FEATURES[:] = [name] if name else []


@dataclass(frozen=True)
class ReadOptions:
    """The options of a command that reads an office."""

    db: Db = None
    json: Json = False
    lang: Lang = None

    @property
    def words(self) -> Words:
        """The words of the reader's language."""
        return words_for(self.lang)

    @property
    def database(self) -> str:
        """The database; refuse if none is named."""
        words = self.words  # an unknown language is refused before anything is done
        if not self.db:
            fail(words.text("usage.no-office"))
        return self.db

    def opened(self, *, author: str | None = None, now: str | None = None) -> closing[Office]:
        """Open the office; it is closed at the end of the ``with`` block."""
        from arpad.office.office import open_office

        office = open_office(self.database, now=clock(now), author=signed(author))
        for feature in _FEATURES:
            _refuse_switched_off(office, feature)
        warn_of_readers(self.database, self.words)
        return closing(office)

    def tell(self, sentence: str, schema: str, document: Mapping[str, Any]) -> None:
        """Print a sentence, or the same as JSON."""
        if self.json:
            print_json(schema, document)
        else:
            sys.stdout.write(sentence + "\n")


def _refuse_switched_off(office: Office, feature: str) -> None:
    from arpad.office.features import FEATURES
    from arpad.office.switches import refuse_off

    if FEATURES[feature].optional:
        with office.store.reading() as connection:
            refuse_off(connection, feature)


def warn_of_readers(database: str, words: Words) -> None:
    """Warn on stderr if others than the owner can read the database."""
    from arpad.store.database import readable_by_others

    if rights := readable_by_others(database):
        typer.echo(words.text("office.readable-by-others", place=database, rights=rights), err=True)


@dataclass(frozen=True)
class QueryOptions(ReadOptions):
    """The options of a declared query: also the time for which it is asked."""

    now: Now = None

    def acting(self) -> closing[Office]:
        """Open the office to read it at the given time; it is closed at the end of the ``with`` block."""
        return self.opened(now=self.now)


@dataclass(frozen=True)
class WriteOptions(ReadOptions):
    """The options of a command that changes an office."""

    author: Author = None
    now: Now = None

    def acting(self) -> closing[Office]:
        """Open the office for an act of the author; it is closed at the end of the ``with`` block."""
        return self.opened(author=self.author, now=self.now)

    def done(self, about: Mapping[str, Any]) -> None:
        """Print that it is done."""
        self.tell(self.words.text("office.done"), "arpad.office-done/1", about)


def signed(author: str | None) -> str:
    """Return the author of the act: as given, else the name of the user."""
    if author is not None:
        return author
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def clock(now: str | None) -> Callable[[], datetime]:
    """Return the clock: fixed at the given time, or the real one."""
    if now is None:
        return lambda: datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(now)
    except ValueError:
        raise BadInput("bad-form", option="now", value=now, accepted="2018-02-01T10:00:00Z") from None
    if moment.year not in YEARS:
        raise BadInput("bad-form", option="now", value=now, accepted="2018-02-01T10:00:00Z")
    fixed = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return lambda: fixed


def pairs(options: list[str], option: str) -> list[tuple[str, str]]:
    """Return the pairs of options written NAME=VALUE."""
    pairs = []
    for item in options:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise BadInput("bad-form", option=option, value=item, accepted="NAME=VALUE")
        pairs.append((name, value))
    return pairs


def list_text(on_list: ListName, words: Words, *, undecided: bool) -> str:
    """Return the list of a report, or that it is undecided."""
    return words.text("office.list-undecided") if undecided else str(on_list)


NAMED = 20
"""At most so many lines are printed of a long list of equal kind."""


def print_first(heading: str, lines: Sequence[str], words: Words) -> None:
    """Print the first lines under a heading, and how many more there are."""
    if not lines:
        return
    sys.stdout.write(f"{heading}{words.form.colon}\n")
    for line in lines[:NAMED]:
        sys.stdout.write(f"  {line}\n")
    if len(lines) > NAMED:
        sys.stdout.write(f"  {words.text('bulk.and-more', more=len(lines) - NAMED)}\n")
