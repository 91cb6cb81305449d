"""Answers about what an office has published: players, lists, tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arpad.web.api.responses import FindingOut


@dataclass
class PlayerOut:
    """A player of the register; of the birth only the year."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    born: int | None
    identifiers: dict[str, str]
    deceased: bool = False


@dataclass
class FoundOut:
    """Players that were found."""

    players: Sequence[PlayerOut]


@dataclass
class StandingOut:
    """A player on one list."""

    list: str
    day: str
    revision: int
    rating: int | None
    games: int
    k: int | None
    inactive: bool


@dataclass
class PlayerFileOut:
    """A player and where he stands on each list."""

    player: PlayerOut
    standings: Sequence[StandingOut]


@dataclass
class HistoryOut:
    """A player on every list, each in its newest revision."""

    player: int
    history: Sequence[StandingOut]


@dataclass
class ListOut:
    """One revision of one published list."""

    name: str
    list: str
    day: str
    revision: int
    edition: str
    digest: str
    players: int
    in_force: bool
    corrects: str | None


@dataclass
class ListsOut:
    """A page of the published lists, by name, day and revision."""

    page: int
    pages: int
    lists: Sequence[ListOut]


@dataclass
class RowOut:
    """One row of a ranking; somebody who asked not to be shown has no id and no name."""

    rank: int
    id: int | None
    name: str
    federation: str
    title: str
    category: str
    rating: int | None
    games: int
    k: int | None
    born: int | None
    inactive: bool


@dataclass
class RankingOut:
    """A page of a list."""

    list: ListOut
    cut: str
    page: int
    pages: int
    total: int
    rows: Sequence[RowOut]


@dataclass
class TournamentOut:
    """An accepted tournament."""

    id: int
    name: str
    federation: str
    list: str
    first_day: str | None
    last_day: str | None
    rated_with: Sequence[str]


@dataclass
class TournamentsOut:
    """A page of tournaments, the latest first."""

    page: int
    pages: int
    tournaments: Sequence[TournamentOut]


@dataclass
class PlayedOut:
    """One round of one player: the opponent's start number, the colour, the result as the report has it."""

    round: int
    opponent: int | None
    colour: str
    result: str


@dataclass
class EntrantOut:
    """One player of a tournament; somebody who asked not to be shown has no id and no name.

    ``rating`` is the one with which the tournament was rated, ``change`` its share of the period before rounding.
    """

    number: int
    id: int | None
    name: str
    title: str
    federation: str
    rating: int | None
    score: str | None
    expected: str | None
    change: str | None
    games: Sequence[PlayedOut]


@dataclass
class TournamentFileOut:
    """A tournament: who played whom, what it was worth to everyone, what the checks said."""

    tournament: TournamentOut
    city: str
    time_control: str
    rounds: int
    players: Sequence[EntrantOut]
    findings: Sequence[FindingOut]
