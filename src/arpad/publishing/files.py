"""All files of a published list, each written to a stream from the table of the list alone.

Equal lists give equal bytes. The digest is that of the canonical text; the other files are for convenience.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from io import BytesIO
from itertools import chain
from typing import BinaryIO

import polars as pl

from arpad.explain.words import LANGUAGES, MINUS, load_words
from arpad.lists.published_table import ListTable
from arpad.model.errors import BadInput
from arpad.model.rules import Finding
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.signed_notes import Note
from arpad.publishing import list_pdf as rating_list
from arpad.publishing.fide_list import fide_columns, write_columns
from arpad.publishing.tables import csv_heading, csv_lines, write_xlsx
from arpad.system.text_columns import write_lines

KINDS = ("canonical", "txt", "xml", "csv", "xlsx", "pdf", "sections", "checkpoint")
"""The kinds of files; ``sections`` are the lists cut from it, as CSV."""

LONG = 200_000
"""Rows from which on a list gets no workbook unless requested: two would take six seconds, and minutes to open."""


_LINE_END = "\r\n"


@dataclass(frozen=True, slots=True)
class ListFile:
    """One file: its name, and how it is written."""

    name: str
    write: Callable[[BinaryIO], tuple[Finding, ...]]
    """Writes the bytes and returns findings about what the layout could not hold."""


def usual_kinds(rows: int, requested: Sequence[str] | None = None) -> Sequence[str]:
    """Return the requested kinds, or else all that make sense for a list of ``rows`` rows."""
    if requested is not None:
        return requested
    return KINDS if rows < LONG else tuple(kind for kind in KINDS if kind != "xlsx")


def list_files(
    table: ListTable,
    kinds: Sequence[str] = KINDS,
    *,
    languages: Sequence[str] = LANGUAGES,
    publisher: str = "",
    checkpoint: Note | None = None,
    text: bytes | None = None,
    source: ListSource | None = None,
) -> Iterator[ListFile]:
    """Yield the files of these kinds, the canonical text first.

    ``text`` is that text and ``source`` what other files are written from, if they are known.

    ``checkpoint`` is that of the ledger right behind the publication: the PDF prints it, and it is a file of its own.
    The other files stay as their readers know them. FIDE's layouts have no column for a draughts category, so a
    draughts list has none of them.
    """
    source = source or ListSource(table)
    makers: dict[str, Callable[[], Iterator[ListFile]]] = {
        "canonical": lambda: _canonical(table, text),
        "txt": lambda: _fide(source, "txt", "single"),
        "xml": lambda: _fide(source, "xml", "xml"),
        "csv": lambda: _csv(source),
        "xlsx": lambda: _xlsx(table, languages),
        "pdf": lambda: _pdf(table, languages, publisher, checkpoint),
        "sections": lambda: _sections(source),
        "checkpoint": lambda: _checkpoint(table, checkpoint),
    }
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput("list-kind", given=kind, accepted=", ".join(KINDS))
    return chain.from_iterable(makers[kind]() for kind in KINDS if kind in kinds)


@dataclass(frozen=True)
class ListSource:
    """A list, and what several of its files are written from."""

    table: ListTable

    def prepare(self, kinds: Sequence[str]) -> None:
        """Compute what the files of these kinds need."""
        if self.table.system.has_titles and not {"txt", "xml"}.isdisjoint(kinds):
            self.fide  # noqa: B018
        if not {"csv", "sections"}.isdisjoint(kinds):
            self.csv  # noqa: B018

    @cached_property
    def fide(self) -> tuple[pl.DataFrame, tuple[Finding, ...]]:
        """The rows of FIDE's layouts, and findings about who is left out of them."""
        return fide_columns(self.table)

    @cached_property
    def csv(self) -> bytes:
        """The players' CSV lines."""
        return csv_lines(self.table)

    @cached_property
    def lines(self) -> pl.DataFrame:
        """The same lines as a column: no text in them has a line end."""
        return pl.read_lines(BytesIO(self.csv)).rechunk()  # sections are gathered from one piece faster

    @cached_property
    def heading(self) -> bytes:
        """The first line of a CSV."""
        return csv_heading(self.table).encode()


def _put(data: bytes, stream: BinaryIO) -> tuple[Finding, ...]:
    stream.write(data)
    return ()


def _canonical(table: ListTable, text: bytes | None) -> Iterator[ListFile]:
    def write(stream: BinaryIO) -> tuple[Finding, ...]:
        return _put(table.text if text is None else text, stream)

    yield ListFile(f"{table.name}.canonical.txt", write)


def _fide(source: ListSource, suffix: str, layout: str) -> Iterator[ListFile]:
    def write(stream: BinaryIO) -> tuple[Finding, ...]:
        rows, left_out = source.fide
        return (*left_out, *write_columns(rows, stream, layout, source.table.day))

    if source.table.system.has_titles:  # FIDE's layouts are for chess
        yield ListFile(f"{source.table.name}.{suffix}", write)


def _csv(source: ListSource) -> Iterator[ListFile]:
    def write(stream: BinaryIO) -> tuple[Finding, ...]:
        stream.write(source.heading)
        return _put(source.csv, stream)

    yield ListFile(f"{source.table.name}.csv", write)


def _sections(source: ListSource) -> Iterator[ListFile]:
    def write(stream: BinaryIO, rows: pl.Series) -> tuple[Finding, ...]:
        stream.write(source.heading)
        write_lines(source.lines[source.table.order.gather(rows)], [pl.all()], stream, end=_LINE_END)
        return ()

    table = source.table
    # in draughts all players have a capital
    unrated = {"titled-unrated", "delisted"} if table.system.rates_again else set()
    parts = {key: table.cuts[key] for key in table.sections if key not in {"all", *unrated}}
    for code, rows in table.federations.items():
        in_name = "".join(letter if letter.isalnum() else "-" for letter in code)
        parts[f"federation-{in_name}"] = rows
    for part, rows in parts.items():
        yield ListFile(f"{table.name}-{part}.csv", partial(write, rows=rows))


def _xlsx(table: ListTable, languages: Sequence[str]) -> Iterator[ListFile]:
    def write(stream: BinaryIO, language: str) -> tuple[Finding, ...]:
        words = load_words(language)
        sheets = tuple(rating_list.worksheets(table, words))
        out = BytesIO()  # a workbook is not written from its first byte to its last
        write_xlsx(sheets, out, rating_list.title(table, words))
        return _put(out.getvalue(), stream)

    for language in languages:
        yield ListFile(f"{table.name}.{language}.xlsx", partial(write, language=language))


def _checkpoint(table: ListTable, checkpoint: Note | None) -> Iterator[ListFile]:
    if checkpoint is not None:
        yield ListFile(f"{table.name}.checkpoint", lambda stream: _put(checkpoint.written().encode(), stream))


def _pdf(
    table: ListTable, languages: Sequence[str], publisher: str, checkpoint: Note | None
) -> Iterator[ListFile]:
    signed = None if checkpoint is None else parse_checkpoint(checkpoint)

    def write(stream: BinaryIO, language: str) -> tuple[Finding, ...]:
        digest = table.whole_digest or table.digest
        return _put(
            rating_list.pdf_list(table, load_words(language, MINUS), digest, publisher, signed), stream
        )

    for language in languages:
        yield ListFile(f"{table.name}.{language}.pdf", partial(write, language=language))
