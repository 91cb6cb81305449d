"""The last draft of each list, so that publishing adopts it if its inputs are still the same."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, delete, insert, select, update

from arpad.lists.packed_files import PackedPart
from arpad.lists.sealed_blocks import SealedBlock
from arpad.model.rules import ListName
from arpad.office.drafts.tables import draft_blocks, draft_inputs, drafts
from arpad.store.bulk import add_rows, fetch_rows


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """A draft as it is stored."""

    list: ListName
    day: date
    ledger: str
    """The seal of the last act that it has seen."""

    inputs_digest: str
    version: str
    """The version of Arpad that computed it."""

    head: str
    digest: str
    blocks: tuple[SealedBlock, ...]
    inputs: tuple[PackedPart, ...]
    """The files of its inputs, without the reports, which are on file."""


def store_draft(
    connection: Connection,
    on_list: ListName,
    day: date,
    texts: Mapping[str, str],
    inputs: tuple[PackedPart, ...],
    blocks: Iterable[SealedBlock],
    digest: Callable[[], str],
) -> None:
    """Store a draft instead of the last one of its list and day; its blocks and its digest may still be made."""
    delete_drafts(connection, on_list)
    key = {"list": str(on_list), "day": str(day)}
    parts = [(*key.values(), *part) for part in inputs]
    add_rows(connection, draft_inputs, (*key, *PackedPart._fields), parts)
    for block in blocks:
        add_rows(connection, draft_blocks, (*key, *SealedBlock._fields), [(*key.values(), *block)])
    connection.execute(insert(drafts), {**key, **texts, "digest": digest()})


def has_draft(
    connection: Connection,
    on_list: ListName,
    day: date,
    texts: Mapping[str, str],
    digest: Callable[[], str],
    inputs: tuple[PackedPart, ...],
) -> bool:
    """Return whether a draft with these texts, digest and inputs is stored, with bytes that nobody altered.

    The digest of the list is asked for only if the texts are the same.
    """
    this = {"list": str(on_list), "day": str(day), **texts}
    row = connection.execute(select(drafts.c.digest).filter_by(**this)).first()
    if row is None or row.digest != digest():
        return False
    stored = read_draft(connection, on_list, day)
    return stored is not None and bool(stored.blocks) and stored.inputs == inputs


def renew_draft(connection: Connection, on_list: ListName, day: date, seal: str) -> None:
    """Note that the stored draft of a list and day is right after a later act too."""
    this = (drafts.c.list == str(on_list)) & (drafts.c.day == str(day))
    connection.execute(update(drafts).where(this).values(ledger=seal))


def read_draft(connection: Connection, on_list: ListName, day: date) -> StoredDraft | None:
    """Return the stored draft of a list; None if there is none, or if its bytes were altered."""
    row = connection.execute(_DRAFT, {"of": str(on_list), "on": str(day)}).mappings().first()
    if row is None:
        return None
    blocks, inputs = _blocks(connection, str(on_list), str(day)), _inputs(connection, str(on_list), str(day))
    if not (all(block.is_intact() for block in blocks) and all(part.is_intact() for part in inputs)):
        return None
    return StoredDraft(**{**row, "list": on_list, "day": day, "blocks": blocks, "inputs": inputs})


def _blocks(connection: Connection, on_list: str, day: str) -> tuple[SealedBlock, ...]:
    stored = fetch_rows(connection, _BLOCKS, {"of": on_list, "on": day})
    return tuple(SealedBlock(number, bytes(data), bytes(seals), seal) for number, data, seals, seal in stored)


def _inputs(connection: Connection, on_list: str, day: str) -> tuple[PackedPart, ...]:
    stored = fetch_rows(connection, _INPUTS, {"of": on_list, "on": day})
    return tuple(PackedPart(number, bytes(data), digest) for number, data, digest in stored)


def _this(table: Table) -> ColumnElement[bool]:
    """Return the condition that a row is of the draft of a list and day, which are parameters."""
    return and_(table.c.list == bindparam("of"), table.c.day == bindparam("on"))


_DRAFT = select(drafts).where(_this(drafts))
_BLOCKS = (
    select(*(draft_blocks.c[name] for name in SealedBlock._fields))
    .where(_this(draft_blocks))
    .order_by(draft_blocks.c.block)
)
_INPUTS = (
    select(*(draft_inputs.c[name] for name in PackedPart._fields))
    .where(_this(draft_inputs))
    .order_by(draft_inputs.c.part)
)


def stored_drafts(connection: Connection) -> list[StoredDraft]:
    """Return all stored drafts with their blocks as they are, altered or not."""
    query = select(drafts).order_by(drafts.c.list, drafts.c.day)
    stored = []
    for row in connection.execute(query).mappings():
        key = (row["list"], row["day"])
        parts = {"blocks": _blocks(connection, *key), "inputs": _inputs(connection, *key)}
        stored.append(StoredDraft(**{**row, "day": day_or_first(row["day"]), **parts}))
    return stored


def day_or_first(text: str) -> date:
    """Return the day of a stored list; the first of all days for a text that is none, since there is no list then."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def delete_drafts(connection: Connection, on_list: ListName | None = None) -> None:
    """Delete the drafts of a list, or of all lists."""
    for table in (draft_blocks, draft_inputs, drafts):
        statement = delete(table)
        connection.execute(statement if on_list is None else statement.where(table.c.list == str(on_list)))
