"""The last draft of each list, so that publishing adopts it if its inputs are still the same."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Connection, delete, insert, select

from arpad.lists.sealed_blocks import SealedBlock
from arpad.model.rules import ListName
from arpad.model.values import dataclass
from arpad.store.bulk import add_rows, fetch_rows
from arpad.store.schema import draft_blocks, drafts


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """A draft as it is stored."""

    list: ListName
    day: date
    inputs_digest: str
    version: str
    """The version of Arpad that computed it."""

    head: str
    digest: str
    blocks: tuple[SealedBlock, ...]


def store_draft(connection: Connection, draft: StoredDraft) -> None:
    """Store a draft instead of the last one of its list and day."""
    delete_drafts(connection, draft.list)
    key = {"list": str(draft.list), "day": str(draft.day)}
    names = ("inputs_digest", "version", "head", "digest")
    connection.execute(insert(drafts), key | {name: getattr(draft, name) for name in names})
    rows = [(*key.values(), *block) for block in draft.blocks]
    add_rows(connection, draft_blocks, ("list", "day", *SealedBlock._fields), rows)


def read_draft(connection: Connection, on_list: ListName, day: date) -> StoredDraft | None:
    """Return the stored draft of a list; None if there is none, or if its bytes were altered."""
    this = (drafts.c.list == str(on_list)) & (drafts.c.day == str(day))
    row = connection.execute(select(drafts).where(this)).mappings().first()
    if row is None:
        return None
    blocks = _blocks(connection, str(on_list), str(day))
    if not all(block.is_intact() for block in blocks):
        return None
    return StoredDraft(**{**row, "list": on_list, "day": day, "blocks": blocks})


def _blocks(connection: Connection, on_list: str, day: str) -> tuple[SealedBlock, ...]:
    columns = (draft_blocks.c[name] for name in SealedBlock._fields)
    query = select(*columns).where(draft_blocks.c.list == on_list, draft_blocks.c.day == day)
    stored = fetch_rows(connection, query.order_by(draft_blocks.c.block))
    return tuple(SealedBlock(number, bytes(data), bytes(seals), seal) for number, data, seals, seal in stored)


def stored_drafts(connection: Connection) -> list[StoredDraft]:
    """Return all stored drafts with their blocks as they are, altered or not."""
    query = select(drafts).order_by(drafts.c.list, drafts.c.day)
    return [
        StoredDraft(
            **{**row, "day": day_or_first(row["day"]), "blocks": _blocks(connection, row["list"], row["day"])}
        )
        for row in connection.execute(query).mappings()
    ]


def orphaned_blocks(connection: Connection) -> list[str]:
    """Return the keys of blocks that belong to no draft."""
    query = select(draft_blocks.c.list, draft_blocks.c.day, draft_blocks.c.block).outerjoin(
        drafts, (drafts.c.list == draft_blocks.c.list) & (drafts.c.day == draft_blocks.c.day)
    )
    rows = connection.execute(query.where(drafts.c.list.is_(None)))
    return [f"{on_list}, {day}, {block}" for on_list, day, block in rows]


def day_or_first(text: str) -> date:
    """Return the day of a stored list; the first of all days for a text that is none, since there is no list then."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def delete_drafts(connection: Connection, on_list: ListName | None = None) -> None:
    """Delete the drafts of a list, or of all lists."""
    for table in (draft_blocks, drafts):
        statement = delete(table)
        connection.execute(statement if on_list is None else statement.where(table.c.list == str(on_list)))
