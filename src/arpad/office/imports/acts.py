"""Import a list of another publisher: the office starts from it."""

from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import canonical_head
from arpad.lists.published import PublishedList
from arpad.lists.table import lines_bytes, standings_bytes
from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth
from arpad.model.rules import ListName
from arpad.office.imports.common_lists import (
    ColumnRead,
    columns_read,
    import_chess_rows,
    import_draughts_rows,
)
from arpad.office.imports.own_lists import import_own_rows
from arpad.office.imports.rows import facts_added, newcomers_of
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.history_rows import add_list
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import IMPORTED
from arpad.office.office import ActContext, Office, record_act
from arpad.office.register.number_rows import ImportedRows, Progress
from arpad.office.register.rows import load_people
from arpad.office.register.table_rows import add_register_parts
from arpad.proofs.lines import line_hashes, lines_seal
from arpad.regulations.systems import system_of
from arpad.reports.formats.lists.layouts import Columns, Reading
from arpad.store.bulk import wide_cache
from arpad.store.settings import read_setting
from arpad.system.atomic_files import file_digest

_RATED = {"player": pl.Int64, "name": pl.String, "rating": pl.Int32}


@dataclass(frozen=True)
class ImportPreview:
    """The effects of an import as tables of players; each has ``player`` and ``name``."""

    before: Publication | None
    new: pl.DataFrame
    """Players who are new to the register."""

    changed: pl.DataFrame
    """Facts that the register gets from the list: ``field``, ``before``, ``after``."""

    leaving: pl.DataFrame
    """Players with a ``rating`` on the list before, who have none on this one."""

    replaced: pl.DataFrame
    """Players whose rating is replaced: ``before``, ``after``."""

    @property
    def own(self) -> bool:
        """Whether the ratings that are replaced are the office's own."""
        return self.before is not None and self.before.kind != IMPORTED


def preview_of(act: ActContext, table: pl.DataFrame, before: Publication | None, day: date) -> ImportPreview:
    """Return what the import of a list did, before its act is over."""
    rated = (
        table.filter("listed").select("player", "name", pl.col("rating").alias("after")).drop_nulls("after")
    )
    held = _rated(act, before)
    both = held.join(rated.select("player", "after"), on="player", how="left", maintain_order="left")
    leaving = both.filter(pl.col("after").is_null()).drop("after")
    other = pl.col("after").is_not_null() & (pl.col("after") != pl.col("rating"))
    replaced = both.filter(other).select("player", "name", pl.col("rating").alias("before"), "after")
    return ImportPreview(before, newcomers_of(act.connection, act.seq), _changed(act, day), leaving, replaced)


def _rated(act: ActContext, publication: Publication | None) -> pl.DataFrame:
    """Return the rated players of the list before, the best first."""
    if publication is None:
        return pl.DataFrame(schema=_RATED)
    columns = ("player", "listed", "name", "rating")
    table = read_table(act.connection, publication.id, columns).drop_nulls("rating")
    return table.sort("rating", "player", descending=[True, False]).select(list(_RATED))


def _changed(act: ActContext, day: date) -> pl.DataFrame:
    facts = facts_added(act.connection, act.seq)
    people = load_people(act.connection, facts["player"].unique(), on=day, as_of_act=act.seq - 1)
    values = [
        from_birth(people[player].born) if field == "born" else str(getattr(people[player], field) or "")
        for player, field in facts.select("player", "field").iter_rows()
    ]
    names = [people[player].name for player in facts["player"]]
    return facts.select(
        "player",
        pl.Series("name", names, pl.String),
        "field",
        pl.Series("before", values, pl.String),
        "after",
    )


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import."""

    publication: int
    rows: int
    newcomers: int
    changed: int
    """Players about whom the list has something new."""

    again: bool = False
    """The same file was imported before; nothing was done."""

    undated: int = 0
    """Draughts: players without a known last event."""

    no_federations: tuple[str, ...] = ()
    """The codes in the column of federations that are no federations' and were left out."""

    other_month: str = ""
    """The month that the file names, as 2014-09, if it is not that of the list's day."""

    preview: ImportPreview | None = None
    """The changes of register and list; None if nothing was done."""

    columns: tuple[ColumnRead, ...] = ()


def import_list(
    office: Office,
    path: Path,
    on_list: ListName,
    day: date,
    *,
    progress: Progress | None = None,
    reason: str = "",
    last_event: date | None = None,
    columns: Columns | None = None,
    follows: str | None = None,
) -> Imported:
    """Import a list: FIDE's text or XML, a CSV, or a canonical text; for draughts a CSV of capitals (7.23b).

    ``last_event`` states when the players of a draughts list last played, if the list does not. ``columns`` are those
    of a chess list without a header that names them. ``follows`` is the list before it that a preview named, empty for
    none: if another one was published meanwhile, the import is refused. An office that is rehearsing only says what it
    would do.
    """
    with record_act(office, "import-list", reason) as act:
        imported = _import(act, path, on_list, day, progress, last_event, columns)
        seen = imported.preview
        before = seen.before.name if seen is not None and seen.before is not None else ""
        if seen is not None and follows is not None and follows != before:
            raise BadInput("import-follows", list=str(on_list), seen=follows, before=before)
        return imported


def _import(
    act: ActContext,
    path: Path,
    on_list: ListName,
    day: date,
    progress: Progress | None,
    last_event: date | None,
    columns: Columns | None,
) -> Imported:
    if last_event is not None and not system_of(on_list).has_categories:
        raise BadInput("last-event-draughts-only", list=str(on_list))
    if columns is not None and system_of(on_list).rates_again:
        raise BadInput("columns-chess-only", list=str(on_list))
    digest = file_digest(path)
    earlier = _same_import(act.connection, on_list, day, digest)
    if earlier is not None:
        return Imported(earlier.id, 0, 0, 0, again=True)
    before = newest(lists.all_publications(act.connection, on_list))
    report_progress = progress or (lambda _: None)
    with wide_cache(act.connection):
        if on_list.is_own:
            rows = import_own_rows(act, path, on_list, day, report_progress)
        elif system_of(on_list).rates_again:
            rows = import_draughts_rows(act, path, on_list, day, report_progress, last_event)
        else:
            reading = Reading(columns, day.year, every_player=True)
            rows = import_chess_rows(act, path, on_list, day, report_progress, reading)
    if not rows.rows:
        raise BadInput("list-without-players")
    publication, seal = _add_publication(act, rows, on_list, day, digest)
    stated = {"last_event": str(last_event)} if last_event is not None else {}
    act.record(
        list=str(on_list), day=str(day), revision=publication.revision, digest=publication.digest, file=path.name,
        sha256=digest, publication=publication.id, rows=rows.rows, newcomers=rows.newcomers, lines=seal, **stated,
    )  # fmt: skip
    act.afterwards = partial(add_register_parts, added=rows.added)
    preview = preview_of(act, rows.table, before, day)
    month, read = rows.month, rows.read
    return Imported(
        publication.id, rows.rows, rows.newcomers, rows.changed, undated=rows.undated,
        no_federations=rows.no_federations, other_month="" if month in (None, day.replace(day=1)) else f"{month:%Y-%m}",
        preview=preview,
        columns=() if read is None else columns_read(read, day, read_setting(act.connection, "federation")),
    )  # fmt: skip


def _same_import(connection: Connection, on_list: ListName, day: date, digest: str) -> Publication | None:
    """Return the earlier import of the same file, if there is one; refuse if that day, or a later one, has a list."""
    for publication in lists.all_publications(connection, on_list):
        same_file = publication.kind == IMPORTED and publication.inputs_digest == digest
        if publication.day == day and same_file:
            return publication
        if publication.day >= day:
            raise BadInput(
                "list-there", list=str(on_list), day=publication.day, revision=publication.revision
            )
    return None


def _add_publication(
    act: ActContext, imported: ImportedRows, on_list: ListName, day: date, digest: str
) -> tuple[Publication, dict[str, Any]]:
    """Add the list; return it with the seal of its lines."""
    connection, table = act.connection, imported.table
    before = [p for p in lists.all_publications(connection, on_list) if p.day < day]
    empty = PublishedList(
        on_list, day, max((p.number for p in before), default=0) + 1, imported.edition,
        lists.next_revision(connection, on_list, day),
        previous=before[-1].digest if before else "", columns=imported.columns,
    )  # fmt: skip
    head, text = canonical_head(empty, table.filter("listed").height), lines_bytes(table)
    publication = Publication(
        id=lists.next_publication(connection),
        list=on_list,
        day=day,
        revision=empty.revision,
        number=empty.number,
        kind=IMPORTED,
        edition=imported.edition,
        head=head,
        digest=sha256(head.encode() + text).hexdigest(),
        standings_digest=sha256(standings_bytes(table)).hexdigest(),
        inputs_digest=digest,
        making="{}",
        published=act.today,
        base=None,
        corrects=None,
        act=act.seq,
    )
    add_list(connection, publication, table)
    return publication, lines_seal(line_hashes(text))


def import_document(imported: Imported, *, kept: bool) -> dict[str, Any]:
    """Return what an import did, or would do if it was not ``kept``."""
    seen = imported.preview
    document: dict[str, Any] = {
        "rows": imported.rows, "newcomers": imported.newcomers, "changed": imported.changed,
        "again": imported.again, "undated": imported.undated,
        "no_federations": list(imported.no_federations), "other_month": imported.other_month or None,
        "imported": kept and not imported.again,
        "columns": [asdict(column) for column in imported.columns],
    }  # fmt: skip
    if seen is not None:
        document |= {
            "before": seen.before.name if seen.before else None, "own": seen.own,
            "new": seen.new.to_dicts(), "changes": seen.changed.to_dicts(), "leaving": seen.leaving.to_dicts(),
            "replaced": seen.replaced.to_dicts(),
        }  # fmt: skip
    return document
