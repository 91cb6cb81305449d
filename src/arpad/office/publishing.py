"""Publishing: the rows are committed first, then the files are made from them, now or at any later time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection

from arpad.list_files import KINDS, list_files
from arpad.model import ListName
from arpad.office.bundle import write_bundle
from arpad.office.closing import Closed, computed
from arpad.office.desk import Acting, Office, acting, setting
from arpad.office.gathering import Making, gather
from arpad.office.inputs import Inputs, files, inputs_digest
from arpad.office.lists import published_list
from arpad.office.periods import drafted
from arpad.store import lists
from arpad.store import reports as rows
from arpad.store.lists import BASE, PUBLISHED, Publication
from arpad.store.rankings import add_rankings
from arpad.store.values import dump, load
from arpad.whole import prepare_folder, whole_file


def publish(
    office: Office,
    on_list: ListName,
    day: date,
    out: Path | None = None,
    *,
    kinds: Sequence[str] = KINDS,
    reason: str = "",
) -> Publication:
    """Publish a list; where it is out already, its files are written once more and nothing else is done."""
    if out is not None:
        prepare_folder(out)
    with acting(office, "publish", reason) as doing:
        found = [
            p for p in lists.all_publications(doing.connection, on_list) if p.day == day and p.kind != BASE
        ]
        if found:
            publication = found[-1]
        else:
            made = drafted(doing.connection, on_list, day)
            making = Making(made.inputs.number, made.inputs.previous)
            publication = keep(
                doing, made.inputs, made.closed, making,
                base=made.base, corrects=None, taken=[filed.id for filed in made.taken],
            )  # fmt: skip
            doing.record(
                list=str(on_list), day=str(day), number=publication.number, revision=1,
                publication=publication.id, digest=publication.digest,
                standings=publication.standings_digest, inputs=publication.inputs_digest,
            )  # fmt: skip
    if out is not None:
        emit(office, publication, out, kinds)
    return publication


def keep(
    doing: Acting,
    inputs: Inputs,
    closed: Closed,
    making: Making,
    *,
    base: Publication | None,
    corrects: Publication | None,
    taken: Iterable[int],
    kind: str = PUBLISHED,
) -> Publication:
    """Enter a list: everybody's row, the reports it rates, and its own row."""
    connection = doing.connection
    number = lists.next_publication(connection)
    how = {
        "previous": making.previous, "revises": making.revises, "newest_revision": making.newest_revision,
        "register_at": making.register_at if making.register_at is not None else doing.seq,
        "decided_at": doing.seq, "lists_before": number,
    }  # fmt: skip
    publication = Publication(
        number, inputs.on_list, inputs.day, inputs.revision, inputs.number, kind, inputs.edition, closed.head,
        closed.digest, closed.standings_digest, inputs_digest(files(inputs)), dump(how), doing.today,
        base.id if base else None, corrects.id if corrects else None, doing.seq,
    )  # fmt: skip
    lists.add_standings(connection, number, closed.rows())
    lists.add_rated(connection, number, taken)
    lists.add_publication(connection, publication)
    if kind != BASE:
        add_rankings(connection, number, inputs.day.year)
    return publication


def inputs_of(connection: Connection, publication: Publication) -> Inputs:
    """What a list was made from, gathered again from the rows as they were known then."""
    by_id = {p.id: p for p in lists.all_publications(connection)}
    base = by_id[publication.base] if publication.base is not None else None
    taken = rows.filed(connection, lists.rated_in(connection, publication.id)).values()
    return gather(connection, publication.list, publication.day, taken, base, making_of(publication))


def making_of(publication: Publication) -> Making:
    """How a list was gathered."""
    return Making(publication.number, revision=publication.revision, **load(publication.making))


# ------------------------------------------------------------------------------------------------------ files


def emit(
    office: Office, publication: Publication, out: Path, kinds: Sequence[str] = KINDS, *, bundle: bool = True
) -> list[Path]:
    """Write the files of a list from its rows: each whole or not at all."""
    with office.store.reading() as connection:
        published = published_list(connection, publication)
        publisher = setting(connection, "name")
        packed = b""
        if bundle and publication.kind == PUBLISHED:
            inputs = inputs_of(connection, publication)
            packed = write_bundle(inputs, computed(inputs))
    prepare_folder(out)
    made = list_files(published, kinds, publisher=publisher)
    written = [_write(out / file.name, file.write) for file in made]
    if packed:
        written.append(_write(out / f"{publication.name}.bundle.zip", lambda stream: stream.write(packed)))
    return written


def _write(path: Path, write: Callable[[BinaryIO], Any]) -> Path:
    with whole_file(path) as stream:
        write(stream)
    return path


def publications(office: Office, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Every list that is out, by day and revision."""
    with office.store.reading() as connection:
        return lists.all_publications(connection, on_list)
