"""A player on the published lists, and how the changes of the rating came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.lists.explanation import ExplainedChange
from arpad.model.rules import ListName
from arpad.office.explain import eventful_lists, explain_change, with_decisions
from arpad.store.list_history import LISTED
from arpad.store.list_history import player_history as player_rows
from arpad.store.lists import Publication
from arpad.web.published_lists import shown_publications
from arpad.web.requests import paginate

CHANGES_PER_PAGE = 3


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A player on one list."""

    publication: Publication
    rating: int | None
    games: int
    k: int | None
    inactive: bool
    change: ExplainedChange | None = None


def player_history(connection: Connection, player: int) -> dict[ListName, list[HistoryEntry]]:
    """Return a player's entries by name of the list and in the order of days, each list in its newest revision."""
    newest: dict[tuple[ListName, date], Publication] = {}
    for publication in shown_publications(connection):
        key = (publication.list, publication.day)
        if key not in newest or newest[key].revision < publication.revision:
            newest[key] = publication
    rows = player_rows(connection, player)
    history: dict[ListName, list[HistoryEntry]] = {name: [] for name in ListName}
    for (name, _), publication in sorted(newest.items(), key=lambda item: item[0]):
        row = rows.get(publication.id)
        if row is None:
            continue
        if row.shown == LISTED:
            entry = HistoryEntry(publication, row.rating, row.games, row.k, bool(row.inactive))
        elif row.rating is None:  # has games, but too few for a rating
            entry = HistoryEntry(publication, None, 0, None, inactive=False)
        else:  # computed, but not published (13)
            continue
        history[name].append(entry)
    return {name: entries for name, entries in history.items() if entries}


def explained_changes(
    connection: Connection,
    player: int,
    entries: Sequence[HistoryEntry],
    page: int,
    size: int = CHANGES_PER_PAGE,
) -> tuple[list[HistoryEntry], int, int]:
    """Return a page of the entries with a change, the latest first, each explained; its number; the number of pages.

    Only the entries of the page are explained, so that twenty years of tournaments cost no more than one.
    """
    eventful = eventful_lists(connection, player, [entry.publication for entry in entries])
    with_change = [entry for entry in reversed(entries) if entry.publication.id in eventful]
    on_page, page, pages = paginate(with_change, page, size)
    changes = [(entry, explain_change(connection, entry.publication, player)) for entry in on_page]
    explained = [
        replace(entry, change=with_decisions(connection, entry.publication, change))
        for entry, change in changes
        if change
    ]
    return explained, page, pages


def rating_since(entries: Sequence[HistoryEntry]) -> date | None:
    """Return the day of the first list of the newest run of lists with the present rating."""
    since: date | None = None
    for entry in reversed(entries):
        if entry.rating != entries[-1].rating:
            break
        since = entry.publication.day
    return since
