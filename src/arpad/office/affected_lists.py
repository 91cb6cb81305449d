"""Lists that are out and that something published since would change."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from arpad.model.rules import ListName
from arpad.office.editions import chess_rules
from arpad.office.load_inputs import standard_beside
from arpad.office.office import Office
from arpad.office.publish import making_of
from arpad.store import lists
from arpad.store.lists import PUBLISHED, Publication


def affected(office: Office) -> tuple[Publication, ...]:
    """Return the lists that were made with a standard list which has another revision by now."""
    with office.store.reading() as connection:
        return affected_lists(connection)


def affected_lists(connection: Connection) -> tuple[Publication, ...]:
    """Return the rapid and blitz lists, in their newest revisions, that another standard list would change."""
    standard = lists.all_publications(connection, ListName.STANDARD)
    found = []
    for on_list in (ListName.RAPID, ListName.BLITZ):
        newest = {p.day: p for p in lists.all_publications(connection, on_list) if p.kind == PUBLISHED}
        found += [p for _, p in sorted(newest.items()) if standard_changed(connection, p, standard)]
    return tuple(found)


def standard_changed(
    connection: Connection, publication: Publication, standard: Sequence[Publication]
) -> bool:
    """Return whether the standard list that a rapid or blitz list was adjusted by is another one today."""
    if publication.list not in (ListName.RAPID, ListName.BLITZ):
        return False
    before = making_of(publication).lists_before
    then = [p for p in standard if before is None or p.id < before]
    rules = chess_rules(connection, publication.list, publication.day)
    return standard_beside(rules, publication.day, then) != standard_beside(rules, publication.day, standard)
