"""The canonical text of a list in two parts: what stands above, and the players' lines, which the store keeps."""

from __future__ import annotations

from sqlalchemy import Connection, select

from arpad.canonical_list import canonical_head, with_rows, write_canonical
from arpad.published import PublishedList
from arpad.store.lists import Publication
from arpad.store.many import fetched
from arpad.store.schema import standings


def canonical_parts(published: PublishedList) -> tuple[str, list[str]]:
    """The head with its last line end, and the lines by player."""
    head = canonical_head(published, len(published.rows))
    return head, write_canonical(published).decode()[len(head) :].split("\n")[:-1]


def with_count(head: str, rows: int) -> str:
    """A head that announces so many rows."""
    return "\n".join(f"rows\t{rows}" if line.startswith("rows\t") else line for line in head.split("\n"))


def canonical_text(connection: Connection, publication: Publication) -> bytes:
    """The canonical text as the store keeps it."""
    return (publication.head + "\n".join([*listed_lines(connection, publication), ""])).encode()


def published_list(connection: Connection, publication: Publication) -> PublishedList:
    """A list made again from its rows."""
    return with_rows(publication.head, listed_lines(connection, publication))


def listed_lines(connection: Connection, publication: Publication) -> list[str]:
    """The players' lines as the store keeps them, by player."""
    query = select(standings.c.line).where(standings.c.publication == publication.id)
    query = query.where(standings.c.line.is_not(None)).order_by(standings.c.player)
    return [line for (line,) in fetched(connection, query)]
