"""Questions about a player: where he stands on any day, how it came about, what he still lacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.lists.canonical import listed_player
from arpad.lists.published import DRAUGHTS
from arpad.lists.standings import StandingRow
from arpad.model.chess import Standing
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital, to_standing
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.explanations import eventful_lists, story_in, with_decisions
from arpad.office.lists_in_force import list_in_force
from arpad.office.office import Office, today
from arpad.office.register import known_player
from arpad.store import lists
from arpad.store import reports as rows
from arpad.store.lists import BASE, Publication
from arpad.store.merges import merge_targets
from arpad.store.reports import Filed


@dataclass(frozen=True, slots=True)
class Appearance:
    """A player on one revision of one list."""

    publication: Publication
    rating: int | None
    shown: bool
    """Whether the published list has him; somebody left out is computed all the same."""

    games: int
    inactive: bool
    category: str = ""


@dataclass(frozen=True, slots=True)
class PlayerFile:
    """Everything the office has on a player."""

    person: Person
    merged_into: int | None
    appearances: tuple[Appearance, ...]
    """By list, day and revision."""

    reports: tuple[Filed, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A player on a list on a day: what is in force, and how it came about."""

    person: Person
    publication: Publication | None
    """The list in force; None before the first one."""

    rating: int | None
    since: Publication | None
    """The list with which it last changed; None where it was taken over and has not changed since."""

    story: Mapping[str, Any] | None
    pending: int
    """Unrated: how many of his events may still count."""


def player(office: Office, number: int) -> PlayerFile:
    """A player's file."""
    with office.store.reading() as connection:
        person = known_player(connection, number)
        kept = merge_targets(connection).get(number)
        published = {p.id: p for p in lists.all_publications(connection)}
        found = [
            _appearance(published[publication], row)
            for publication, row in lists.player_rows(connection, number).items()
            if publication in published
        ]
        played = rows.filed(connection, rows.reports_of(connection, number))
    found.sort(key=lambda a: (a.publication.list, a.publication.day, a.publication.revision))
    return PlayerFile(person, kept, tuple(found), tuple(played.values()))


def _appearance(publication: Publication, row: StandingRow) -> Appearance:
    games, shown = listed_player(row.line).games if row.line else 0, row.line is not None
    if publication.list in DRAUGHTS:
        category = to_capital(row.state).category
        return Appearance(publication, row.rating, shown, games, inactive=False, category=category)
    standing = to_standing(row.player, row.state)
    return Appearance(publication, row.rating, shown, games, standing.inactive)


def explain(office: Office, number: int, on_list: ListName, day: date | None = None) -> Explanation:
    """The rating in force on a day and how it came about; for an unrated player what is still missing."""
    with office.store.reading() as connection:
        person = known_player(connection, number)
        number = merge_targets(connection).get(number, number)
        found = lists.all_publications(connection, on_list)
        in_force = list_in_force(found, day or today(office, connection))
        if in_force is None:
            return Explanation(person, None, None, None, None, 0)
        rating, pending = _state(connection, in_force, number)
        since, story = _last_story(connection, found, in_force, number)
    return Explanation(person, in_force, rating, since, story, pending)


def ratings_in_force(office: Office, on_list: ListName, day: date) -> dict[int, int]:
    """Everybody's rating on the list in force on a day."""
    with office.store.reading() as connection:
        found = list_in_force(lists.all_publications(connection, on_list), day)
        return lists.ratings(connection, found.id) if found else {}


def _state(connection: Connection, publication: Publication, number: int) -> tuple[int | None, int]:
    state = lists.states(connection, publication.id, [number]).get(number)
    if state is None:
        return None, 0
    standing = Standing(number) if publication.list in DRAUGHTS else to_standing(number, state)
    return lists.ratings(connection, publication.id, [number]).get(number), len(standing.tranches)


def _last_story(
    connection: Connection, found: tuple[Publication, ...], in_force: Publication, number: int
) -> tuple[Publication | None, Mapping[str, Any] | None]:
    """The last list up to the one in force with which something happened to him."""
    latest: dict[date, Publication] = {}
    for publication in found:
        if publication.kind != BASE and publication.day < in_force.day:
            latest[publication.day] = publication
    candidates = (in_force, *(latest[day] for day in sorted(latest, reverse=True)))
    eventful = eventful_lists(connection, number, candidates)
    for publication in candidates:
        story = story_in(connection, publication, number) if publication.id in eventful else None
        if story is not None:
            return publication, with_decisions(connection, publication, story)
    return None, None


def report_file(office: Office, report: int) -> tuple[Filed, bytes, list[tuple[str, int]]]:
    """A report, its bytes as they came, and what became of it: each status with its act."""
    with office.store.reading() as connection:
        found = rows.filed(connection, [report]).get(report)
        if found is None:
            raise BadInput("no-report", report=report)
        return found, rows.data(connection, report), rows.history(connection, report)
