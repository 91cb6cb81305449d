"""Published lists that another revision of the standard list would change."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from arpad.model.disciplines import CHESS, discipline_of
from arpad.model.rules import ListName
from arpad.office.editions import chess_rules
from arpad.office.inputs_as_of import inputs_as_of
from arpad.office.load_inputs import standard_for_adjustment
from arpad.office.office import Office
from arpad.store import lists
from arpad.store.lists import PUBLISHED, Publication


def affected(office: Office) -> tuple[Publication, ...]:
    """Return the lists that were adjusted by a standard list which has another revision today."""
    with office.store.reading() as connection:
        return affected_lists(connection)


def affected_lists(connection: Connection) -> tuple[Publication, ...]:
    """Return the rapid and blitz lists, in their newest revisions, that another standard list would change."""
    standard = lists.all_publications(connection, ListName.STANDARD)
    changed = []
    for on_list in CHESS.lists:
        newest = {p.day: p for p in lists.all_publications(connection, on_list) if p.kind == PUBLISHED}
        changed += [p for _, p in sorted(newest.items()) if standard_changed(connection, p, standard)]
    return tuple(changed)


def standard_changed(
    connection: Connection, publication: Publication, standard: Sequence[Publication]
) -> bool:
    """Return whether the standard list that a rapid or blitz list was adjusted by is another one today."""
    if discipline_of(publication.list).stand_in_for(publication.list) is None:
        return False
    as_of, day = inputs_as_of(publication), publication.day
    rules = chess_rules(connection, publication.list, day)
    then = standard_for_adjustment(rules, day, [p for p in standard if as_of.sees(p)])
    return then != standard_for_adjustment(rules, day, standard)
