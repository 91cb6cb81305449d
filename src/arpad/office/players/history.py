"""A player on the published lists, and how the changes of the rating came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection

from arpad.model.rules import ListName
from arpad.office.lists.history_rows import LISTED
from arpad.office.lists.history_rows import player_history as player_rows
from arpad.office.lists.published import shown_publications
from arpad.office.lists.rows import Publication
from arpad.regulations.systems import system_of
from arpad.store.bulk import kept
from arpad.store.settings import kept_lists

if TYPE_CHECKING:
    from arpad.lists.explanation import AnyExplainedEvent, ExplainedChange, ExplainedChessEvent


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
    def events(self) -> tuple[AnyExplainedEvent, ...]:
        """The events, the latest first."""
        events = self.change.events if self.change else ()
        return tuple(sorted(events, key=lambda event: event.last_day or date.min, reverse=True))


def player_history(connection: Connection, player: int) -> dict[ListName, list[HistoryEntry]]:
    """Return a player's entries by name of the list and in the order of days, each list in its newest revision."""
    rows = player_rows(connection, player)
    history: dict[ListName, list[HistoryEntry]] = {name: [] for name in kept_lists(connection)}
    for newest, corrected in kept(connection, "newest revisions", lambda: _newest_revisions(connection)):
        row = rows.get(newest.id)
        if row is None:
            continue
        changed, k = row.happened(newest.list), None if newest.list.is_own else row.k
        if row.shown == LISTED:
            entry = HistoryEntry(newest, row.rating, row.games, k, bool(row.inactive), changed=changed)
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


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A list that changed something for a player, or the lists of one season of draughts."""

    entries: tuple[HistoryEntry, ...]
    """The latest first."""

    before: int | None
    periods: tuple[Period, ...] = ()
    """How the change came about, if it was asked for."""

    @property
    def entry(self) -> HistoryEntry:
        """The latest of its lists."""
        return self.entries[0]

    @property
    def day(self) -> date:
        """The day of its latest list."""
        return self.entry.publication.day


def history_lines(connection: Connection, player: int, entries: Sequence[HistoryEntry]) -> list[HistoryLine]:
    """Return the lists that changed something, the latest first, none of them explained."""
    from arpad.office.players.explain import eventful_lists

    known = {entry.publication.id for entry in entries if entry.changed}
    eventful = eventful_lists(connection, player, [entry.publication for entry in entries], known)
    before: int | None = None
    changed: list[tuple[HistoryEntry, int | None]] = []
    for entry in entries:
        if entry.publication.id in eventful:
            changed.append((entry, before))
        before = entry.rating
    by_season = bool(entries) and system_of(entries[0].publication.list).has_categories
    seasons = groupby(reversed(changed), key=lambda it: it[0].publication.day.year if by_season else it[0])
    return [
        HistoryLine(tuple(entry for entry, _ in season), season[-1][1])
        for season in (list(group) for _, group in seasons)
    ]


def explained_line(connection: Connection, player: int, line: HistoryLine) -> HistoryLine:
    """Return a line with its periods: each costs some milliseconds, so a page explains only those it opens."""
    return replace(line, periods=tuple(_periods(connection, player, line.entries)))


def _periods(connection: Connection, player: int, entries: Sequence[HistoryEntry]) -> list[Period]:
    """Return the periods of one season, the latest first.

    Each list of a season computes it from its beginning. A list whose events all reappear with a later one, with the
    same results, is named there and not told again.
    """
    from arpad.office.players.explain import explain_change, with_context

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
