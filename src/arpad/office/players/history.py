"""A player on the published lists, and how the changes of the rating came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.lists.explanation import ExplainedChange, ExplainedChessEvent, ExplainedDraughtsEvent
from arpad.model.disciplines import discipline_of
from arpad.model.rules import ListName
from arpad.office.lists.history_rows import LISTED
from arpad.office.lists.history_rows import player_history as player_rows
from arpad.office.lists.published import shown_publications
from arpad.office.lists.rows import Publication
from arpad.office.players.explain import eventful_lists, explain_change, with_context
from arpad.store.between_acts import kept
from arpad.store.page_numbers import page_of

PERIODS_PER_PAGE = 3


class HistoryEntry(NamedTuple):
    """A player on one list; a tuple, since twenty years have hundreds of them."""

    publication: Publication
    rating: int | None
    games: int
    k: int | None
    inactive: bool
    corrected: bool = False
    """Whether an earlier revision of the list had another rating."""

    earlier: int | None = None
    """The rating of the earlier revision, if it was corrected."""

    changed: bool = False
    """Whether the player's state differs from that on the list before."""


@dataclass(frozen=True, slots=True)
class Period:
    """The change that one list brought a player; at draughts, that of the last list of a season."""

    entry: HistoryEntry
    change: ExplainedChange | None
    """None if the list rated nothing of the player's: the state changed for another reason."""

    published: tuple[tuple[HistoryEntry, int | None], ...] = ()
    """Earlier lists of the season, whose events are the first of these, with the capital on each."""

    @property
    def before(self) -> int | None:
        """The rating before the list."""
        return self.change.before if self.change else self.entry.rating

    @property
    def after(self) -> int | None:
        """The rating after the list."""
        return self.change.after if self.change else self.entry.rating

    @property
    def pooled(self) -> tuple[ExplainedChessEvent, ...]:
        """The events of earlier lists that a first rating looks at, the latest first."""
        return self.change.pooled[::-1] if self.change else ()

    @property
    def events(self) -> tuple[ExplainedChessEvent | ExplainedDraughtsEvent, ...]:
        """The events, the latest first."""
        events = self.change.events if self.change else ()
        return tuple(sorted(events, key=lambda event: event.last_day or date.min, reverse=True))


def player_history(connection: Connection, player: int) -> dict[ListName, list[HistoryEntry]]:
    """Return a player's entries by name of the list and in the order of days, each list in its newest revision."""
    rows = player_rows(connection, player)
    history: dict[ListName, list[HistoryEntry]] = {name: [] for name in ListName}
    for newest, corrected in kept(connection, "newest revisions", lambda: _newest_revisions(connection)):
        row = rows.get(newest.id)
        if row is None:
            continue
        changed = bool(row.changed)
        if row.shown == LISTED:
            entry = HistoryEntry(newest, row.rating, row.games, row.k, bool(row.inactive), changed=changed)
        elif row.rating is None:  # has games, but too few for a rating
            entry = HistoryEntry(newest, None, 0, None, inactive=False, changed=changed)
        else:  # computed, but not published (13)
            continue
        if corrected is not None:
            earlier = rows.get(corrected.id)
            rating = earlier.rating if earlier and earlier.shown == LISTED else None
            entry = entry._replace(corrected=rating != entry.rating, earlier=rating)
        history[newest.list].append(entry)
    return {name: entries for name, entries in history.items() if entries}


def _newest_revisions(connection: Connection) -> list[tuple[Publication, Publication | None]]:
    """Return each list in its newest revision and in the one before, if there is one, by name and day."""
    revisions: dict[tuple[ListName, date], list[Publication]] = {}
    for publication in shown_publications(connection):
        revisions.setdefault((publication.list, publication.day), []).append(publication)
    ordered = (
        sorted(published, key=lambda publication: publication.revision)
        for _, published in sorted(revisions.items(), key=lambda item: item[0])
    )
    return [(published[-1], published[-2] if published[1:] else None) for published in ordered]


def explained_periods(
    connection: Connection,
    player: int,
    entries: Sequence[HistoryEntry],
    page: int,
    size: int = PERIODS_PER_PAGE,
) -> tuple[list[Period], int, int]:
    """Return a page of the lists that changed something, the latest first, each explained; its number; the pages.

    Only the lists of the page are explained, so that twenty years of tournaments cost no more than one.
    """
    known = {entry.publication.id for entry in entries if entry.changed}
    eventful = eventful_lists(connection, player, [entry.publication for entry in entries], known)
    changed = [entry for entry in reversed(entries) if entry.publication.id in eventful]
    seasons = _seasons(changed)
    page, pages = page_of(page, len(seasons), size)
    on_page = seasons[(page - 1) * size : page * size]
    return [period for season in on_page for period in _periods(connection, player, season)], page, pages


def _seasons(entries: Sequence[HistoryEntry]) -> list[list[HistoryEntry]]:
    """Return the entries of each season together; of a list that is no season's, each alone."""
    if not entries or not discipline_of(entries[0].publication.list).by_season:
        return [[entry] for entry in entries]
    return [list(season) for _, season in groupby(entries, key=lambda entry: entry.publication.day.year)]


def _periods(connection: Connection, player: int, entries: Sequence[HistoryEntry]) -> list[Period]:
    """Return the periods of one season, the latest first.

    Each list of a season computes it from its beginning. A list whose events all reappear with a later one, with the
    same results, is named there and not told again.
    """
    periods: list[Period] = []
    for entry in entries:
        change = explain_change(connection, entry.publication, player)
        if change is not None:
            change = with_context(connection, entry.publication, player, change)
        later = periods[-1] if periods else None
        if later and _begins_alike(change, later.change):
            published = (*later.published, (entry, change.after if change else entry.rating))
            periods[-1] = replace(later, published=published)
        else:
            periods.append(Period(entry, change))
    return periods


def _begins_alike(earlier: ExplainedChange | None, later: ExplainedChange | None) -> bool:
    """Return whether the events of a list are the first of those of a later list, and nothing else happened."""
    if earlier is None or later is None or earlier.steps or earlier.before != later.before:
        return False
    return earlier.events == later.events[: len(earlier.events)]


def rating_since(entries: Sequence[HistoryEntry]) -> date | None:
    """Return the day of the first list of the newest run of lists with the present rating."""
    since: date | None = None
    for entry in reversed(entries):
        if entry.rating != entries[-1].rating:
            break
        since = entry.publication.day
    return since
