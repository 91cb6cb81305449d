"""The summary of a player's page: peak, rank, K, what is left to the next K or title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.explain.player_figures import Goal, next_goals
from arpad.model.errors import NoEdition
from arpad.model.people import Person
from arpad.model.rules import Edition, ListName
from arpad.office.editions.acts import title_editions
from arpad.office.lists.count_rows import RatingCounts, rating_counts
from arpad.office.lists.line_rows import chess_figures
from arpad.office.lists.rows import Publication
from arpad.office.players.history import HistoryEntry
from arpad.regulations.editions import in_force
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.fide.titles.rules import TitleRules


@dataclass(frozen=True, slots=True)
class Summary:
    """The head of the page about a player on one list."""

    peak: HistoryEntry | None
    latest: HistoryEntry
    rank: int | None
    """Among the active players of the newest list; None for an inactive player."""

    counts: RatingCounts | None
    goals: tuple[Goal, ...]


def player_summary(
    connection: Connection,
    person: Person,
    entries: Sequence[HistoryEntry],
    edition: Edition[ChessRules] | None,
    day: date,
) -> Summary:
    """Return the summary of a player from the entries of a list."""
    latest = entries[-1]
    peak = max(
        (entry for entry in entries if entry.rating), key=lambda entry: entry.rating or 0, default=None
    )
    on_list = latest.publication.list
    rules = edition.on(on_list) if edition else None
    counts = rank = None
    if latest.rating is not None:
        counts = rating_counts(connection, latest.publication)
        rank = None if latest.inactive else counts.rank(latest.rating)
    goals: list[Goal] = []
    if rules is not None and latest.rating is not None:
        games, highest = _games_and_peak(connection, latest.publication, person.id)
        titles = title_rules(connection, day) if on_list is ListName.STANDARD else None
        goals = next_goals(person, day, latest.rating, games, highest, latest.k, rules, titles)
    return Summary(peak, latest, rank, counts, tuple(goals))


def _games_and_peak(connection: Connection, publication: Publication, player: int) -> tuple[int, int]:
    """Return the rated games so far and the highest rating ever."""
    for _, _, _, games, peak, _ in chess_figures(connection, publication, [player]):
        return games, peak
    return 0, 0


def title_rules(connection: Connection, day: date) -> TitleRules | None:
    """Return the title regulations in force in this office on a day."""
    try:
        return in_force(title_editions(connection), ListName.STANDARD, day).on(ListName.STANDARD)
    except NoEdition:
        return None
