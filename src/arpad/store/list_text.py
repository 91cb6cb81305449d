"""The canonical text of a list: the head, and the players' lines, as they are stored."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection

from arpad.lists.canonical import canonical_head, parse_head
from arpad.lists.published_table import ListTable, read_lines
from arpad.store.hidden_players import hidden
from arpad.store.lists import Publication, lines


def canonical_text(connection: Connection, publication: Publication) -> bytes:
    """Return the canonical text as it is stored."""
    return (publication.head + "\n".join([*lines(connection, publication.id).values(), ""])).encode()


def public_parts(connection: Connection, publication: Publication) -> tuple[str, list[str]]:
    """Return the public head and lines: without the players who asked not to be shown.

    If the list has no such player, they are those of the canonical text.
    """
    listed = list(lines(connection, publication.id).values())
    hidden_numbers = {str(player) for player in hidden(connection)}
    shown = (
        [line for line in listed if line.split("\t", 1)[0] not in hidden_numbers]
        if hidden_numbers
        else listed
    )
    if len(shown) == len(listed):
        return publication.head, listed
    whole = parse_head(publication.head)
    public = replace(whole, left_off=len(listed) - len(shown), whole_digest=publication.digest)
    return canonical_head(public, len(shown)), shown


def public_text(connection: Connection, publication: Publication) -> bytes:
    """Return the public text of a list."""
    head, lines = public_parts(connection, publication)
    return (head + "\n".join([*lines, ""])).encode()


def public_list(connection: Connection, publication: Publication) -> ListTable:
    """Return the public form of a list, built from its rows."""
    return read_lines(*public_parts(connection, publication))
