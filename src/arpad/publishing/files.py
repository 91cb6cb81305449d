"""All files of a published list, each written to a stream from the values of the list alone.

Equal lists give equal bytes. The digest is that of the canonical text; the other files are for convenience.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain
from typing import BinaryIO

from arpad.explain.words import LANGUAGES, load_words
from arpad.lists.canonical import digest, write_canonical
from arpad.lists.published import ListedPlayer, PublishedList, by_federation
from arpad.lists.published_rows import FideRows, fide_rows
from arpad.model.errors import BadInput
from arpad.model.rules import Finding
from arpad.publishing import list_pdf as rating_list
from arpad.publishing.tables import csv_heading, csv_lines, write_fide, write_xlsx

KINDS = ("canonical", "txt", "xml", "csv", "xlsx", "pdf", "sections")
"""The kinds of files; ``sections`` are the lists cut from it, as CSV."""

LONG = 100_000
"""Rows from which on a list gets no workbook unless requested: it would take a minute to write and to open."""


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
    published: PublishedList,
    kinds: Sequence[str] = KINDS,
    *,
    languages: Sequence[str] = LANGUAGES,
    publisher: str = "",
    text: bytes | None = None,
) -> Iterator[ListFile]:
    """Yield the files of these kinds, the canonical text first; ``text`` is the canonical text, if it is known.

    FIDE's layouts have no column for a draughts category, so a draughts list has none of them.
    """
    lines, rows = _Lines(published), _FideRows(published)
    makers: dict[str, Callable[[], Iterator[ListFile]]] = {
        "canonical": lambda: _canonical(published, text),
        "txt": lambda: _fide(rows, "txt", "single"),
        "xml": lambda: _fide(rows, "xml", "xml"),
        "csv": lambda: _csv(lines),
        "xlsx": lambda: _xlsx(published, languages),
        "pdf": lambda: _pdf(published, languages, publisher, text),
        "sections": lambda: _sections(lines),
    }
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput("list-kind", given=kind, accepted=", ".join(KINDS))
    return chain.from_iterable(makers[kind]() for kind in KINDS if kind in kinds)


def _canonical(published: PublishedList, text: bytes | None) -> Iterator[ListFile]:
    yield ListFile(
        f"{published.name}.canonical.txt", lambda stream: _put(text or write_canonical(published), stream)
    )


def _put(data: bytes, stream: BinaryIO) -> tuple[Finding, ...]:
    stream.write(data)
    return ()


@dataclass(frozen=True)
class _FideRows:
    """The rows of FIDE's layouts, computed once for both."""

    published: PublishedList

    @cached_property
    def rows(self) -> FideRows:
        return fide_rows(self.published)

    def write(self, stream: BinaryIO, layout: str) -> tuple[Finding, ...]:
        return write_fide(self.published, stream, layout, self.rows)


def _fide(rows: _FideRows, suffix: str, layout: str) -> Iterator[ListFile]:
    if rows.published.discipline.has_titles:  # FIDE's layouts are for chess
        yield ListFile(f"{rows.published.name}.{suffix}", partial(rows.write, layout=layout))


@dataclass(frozen=True)
class _Lines:
    """The CSV line of each player, written once for all lists that the player is in."""

    published: PublishedList

    @cached_property
    def heading(self) -> bytes:
        return csv_heading(self.published.schemes, discipline=self.published.discipline).encode()

    @cached_property
    def by_player(self) -> dict[int, str]:
        rows, discipline = self.published.rows, self.published.discipline
        lines = csv_lines(rows, self.published.schemes, discipline=discipline)
        return {row.player: line for row, line in zip(rows, lines, strict=True)}

    def write(self, rows: Iterable[ListedPlayer], stream: BinaryIO) -> tuple[Finding, ...]:
        """Write these players, in this order."""
        lines = self.by_player
        return _put(self.heading + "".join([lines[row.player] for row in rows]).encode(), stream)


def _csv(lines: _Lines) -> Iterator[ListFile]:
    published = lines.published
    yield ListFile(f"{published.name}.csv", lambda stream: lines.write(published.rows, stream))


def _sections(lines: _Lines) -> Iterator[ListFile]:
    published = lines.published
    # in draughts all players have a capital
    unrated = {"titled-unrated", "delisted"} if published.discipline.by_season else set()
    for key, cut in rating_list.SECTIONS.items():
        if key not in {"all", *unrated}:
            yield ListFile(f"{published.name}-{key}.csv", partial(_write_cut, lines, cut))
    for code, rows in by_federation(published).items():
        yield ListFile(f"{published.name}-federation-{_file_part(code)}.csv", partial(lines.write, rows))


def _write_cut(
    lines: _Lines, cut: Callable[[PublishedList], tuple[ListedPlayer, ...]], stream: BinaryIO
) -> tuple[Finding, ...]:
    return lines.write(cut(lines.published), stream)


def _file_part(code: str) -> str:
    """Return a federation's code as part of a file name."""
    return "".join(letter if letter.isalnum() else "-" for letter in code)


def _xlsx(published: PublishedList, languages: Sequence[str]) -> Iterator[ListFile]:
    def write(stream: BinaryIO, language: str) -> tuple[Finding, ...]:
        words = load_words(language)
        sheets = tuple(rating_list.worksheets(published, words, published.schemes))
        write_xlsx(sheets, stream, rating_list.title(published, words))
        return ()

    for language in languages:
        yield ListFile(f"{published.name}.{language}.xlsx", partial(write, language=language))


def _pdf(
    published: PublishedList, languages: Sequence[str], publisher: str, text: bytes | None
) -> Iterator[ListFile]:
    def write(stream: BinaryIO, language: str) -> tuple[Finding, ...]:
        shown = published.whole_digest or (sha256(text).hexdigest() if text else digest(published))
        return _put(rating_list.pdf_list(published, load_words(language), shown, publisher), stream)

    for language in languages:
        yield ListFile(f"{published.name}.{language}.pdf", partial(write, language=language))
