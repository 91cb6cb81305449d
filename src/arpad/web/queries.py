"""A player on the published lists, and how the changes came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.lists.canonical import listed_player
from arpad.lists.explanation import ExplainedChange
from arpad.model.rules import ListName
from arpad.office.explain import eventful_lists, explain_change, with_decisions
from arpad.store import lists
from arpad.store.lists import Publication
from arpad.web.published_lists import shown_publications

TOLD = 3
"""Changes of a player that are told on one page."""


# --------------------------------------------------------------------------------------------------- one player


@dataclass(frozen=True, slots=True)
class Point:
    """A player on one list in force."""

    publication: Publication
    rating: int | None
    games: int
    k: int | None
    inactive: bool
    change: ExplainedChange | None = None


def history(connection: Connection, player: int) -> dict[ListName, list[Point]]:
    """A player's lists by name and day, each in its newest revision."""
    newest: dict[tuple[ListName, date], Publication] = {}
    for publication in shown_publications(connection):
        key = (publication.list, publication.day)
        if key not in newest or newest[key].revision < publication.revision:
            newest[key] = publication
    ids = {publication.id: key for key, publication in newest.items()}
    rows = lists.player_rows(connection, player)
    stood = {ids[number]: (row.rating, row.line) for number, row in rows.items() if number in ids}
    found: dict[ListName, list[Point]] = {}
    for key, (rating, line) in sorted(stood.items(), key=lambda item: item[0]):
        name, publication = key[0], newest[key]
        if line:
            row = listed_player(line)
            point = Point(publication, rating, row.games, row.k, row.inactive)
        elif rating is None:  # somebody who is on his way to a rating
            point = Point(publication, None, 0, None, inactive=False)
        else:  # computed, but not published (13)
            continue
        found.setdefault(name, []).append(point)
    return {name: found[name] for name in ListName if name in found}


def told(
    connection: Connection, player: int, points: Sequence[Point], page: int, size: int = TOLD
) -> tuple[list[Point], int, int]:
    """A page of the lists on which something happened to a player, the latest first, with how it came about.

    Also the number of the page and of all pages: twenty years of tournaments cost no more than one.
    """
    eventful = eventful_lists(connection, player, [point.publication for point in points])
    some = [point for point in reversed(points) if point.publication.id in eventful]
    pages = max(1, -(-len(some) // size))
    page = min(max(1, page), pages)
    changes = [
        (point, explain_change(connection, point.publication, player))
        for point in some[(page - 1) * size : page * size]
    ]
    shown = [
        replace(point, change=with_decisions(connection, point.publication, change))
        for point, change in changes
        if change
    ]
    return shown, page, pages


def since(points: Sequence[Point]) -> date | None:
    """The list from which on the present rating stands."""
    begun: date | None = None
    for point in reversed(points):
        if point.rating != points[-1].rating:
            break
        begun = point.publication.day
    return begun
