"""Reference lists: add another body's list beside the register, look players up in it, and remove old months."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import polars as pl
from sqlalchemy import Connection

from arpad.lists.reference import SOURCE, list_texts, read_reference
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.fide import rows as blocks
from arpad.office.fide.name_rows import WordCollector, replace_words, search_reference
from arpad.office.fide.rows import Reference, newest_reference, read_players
from arpad.office.office import Office, record_act
from arpad.office.register.number_rows import Progress
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.layouts import Columns
from arpad.store.bulk import wide_cache
from arpad.system.atomic_files import file_digest

__all__ = ["AddedReference", "Reference", "ReferenceRecord"]

FEWER = 0.9
"""A list with less than this share of the rows of the one before is likely to be cut: it is added only on demand."""


@dataclass(frozen=True, slots=True)
class AddedReference:
    """A reference list that was added."""

    reference: Reference
    before: Reference | None
    """The one before it, if there is one."""

    again: bool = False
    """The same file was added before; nothing was done."""


@dataclass(frozen=True, slots=True)
class ReferenceRecord:
    """A player of a reference list, with the list."""

    reference: Reference
    player: ListRow


def add_reference(
    office: Office,
    path: Path,
    day: date,
    *,
    on_list: ListName | None = None,
    columns: Columns | None = None,
    fewer: bool = False,
    progress: Progress | None = None,
    reason: str = "",
) -> AddedReference:
    """Add FIDE's list of a day as a reference: text or XML, plain or compressed.

    ``on_list`` says whose ratings they are, if the file has only those of one list. ``fewer`` accepts a list with far
    fewer players than the one before, which may be cut.
    """
    digest = file_digest(path)
    words, counted = WordCollector(), 0

    def each(chunk: pl.DataFrame) -> None:
        nonlocal counted
        words.add(chunk)
        counted += chunk.height
        if progress is not None:
            progress(counted)

    file = read_reference(path, day, on_list=on_list, columns=columns, each=each)
    with record_act(office, "add-reference", reason) as act:
        kept = blocks.references(act.connection)
        same = [it for it in kept if it.day == day and {*it.lists} & {*file.lists}]
        if same and same[0].sha256 == digest:
            return AddedReference(same[0], None, again=True)
        if same:
            raise BadInput("reference-there", day=day, file=same[0].file)
        before = max(
            (it for it in kept if it.day < day and it.lists == file.lists), key=_by_day, default=None
        )
        if before is not None and file.table.height < FEWER * before.rows and not fewer:
            raise BadInput("reference-fewer", rows=file.table.height, before=before.rows, day=before.day)
        with wide_cache(act.connection):
            reference = blocks.add_reference(
                act.connection, file.table, source=SOURCE, day=day, lists=file.lists, file=path.name,
                sha256_of_file=digest, act=act.seq,
            )  # fmt: skip
            if reference == blocks.newest_reference(act.connection):
                replace_words(act.connection, reference.id, words)
        act.record(
            reference=reference.id, source=SOURCE, day=str(day), lists=list_texts(file.lists), file=path.name,
            sha256=digest, rows=reference.rows, digest=reference.digest,
        )  # fmt: skip
    return AddedReference(reference, before)


def _by_day(reference: Reference) -> tuple[date, int]:
    return reference.day, reference.id


def kept_references(office: Office) -> tuple[Reference, ...]:
    """Return the reference lists that are kept, by day."""
    with office.store.reading() as connection:
        return blocks.references(connection)


def reference_history(office: Office, number: int) -> list[ReferenceRecord]:
    """Return what each reference list that is kept says about a number, the newest first."""
    with office.store.reading() as connection:
        return records_of(connection, number)


def records_of(connection: Connection, number: int) -> list[ReferenceRecord]:
    """Return what each reference list says about a number, the newest first."""
    return [
        ReferenceRecord(reference, player)
        for reference in sorted(blocks.references(connection), key=_by_day, reverse=True)
        for player in blocks.read_players(connection, reference.id, [number]).values()
    ]


def find_in_reference(office: Office, text: str, limit: int = 20) -> list[ListRow]:
    """Return players of the newest reference list by number or by name."""
    with office.store.reading() as connection:
        if text.strip().isdigit() and len(text.strip()) <= _DIGITS:
            return list(blocks.reference_players(connection, [int(text)]).values())
        return search_reference(connection, text, limit)


def known_at_fide(office: Office, number: int) -> ListRow:
    """Return a player of the newest reference list; refuse an unknown number."""
    with office.store.reading() as connection:
        return listed_at_fide(connection, number)


def listed_at_fide(connection: Connection, number: int) -> ListRow:
    """Return a player of the newest reference list; refuse an unknown number."""
    if blocks.newest_reference(connection) is None:
        raise BadInput("reference-none")
    players = blocks.reference_players(connection, [number])
    if number not in players:
        raise BadInput("reference-number", number=number)
    return players[number]


_DIGITS = 15
"""Digits of a number in a list, at most."""


def reference_record(connection: Connection, number: str) -> ReferenceRecord | None:
    """Return what the newest reference list says about a FIDE ID."""
    newest = newest_reference(connection)
    if newest is None or not number.isdigit():
        return None
    player = read_players(connection, newest.id, [int(number)]).get(int(number))
    return ReferenceRecord(newest, player) if player else None
