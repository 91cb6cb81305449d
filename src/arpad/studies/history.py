"""The data of the monitor: people, their state at the start, and the tournaments since."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from arpad.lists.period import Event, RegisterFacts
from arpad.model.chess import PlayerState
from arpad.model.exact import HalfPoints
from arpad.model.rules import Edition, ListName
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.report import MIRROR, Entrant, Header, Report, Round

SETTLED_GAMES = 60
"""Taken for granted of a player of whom only the rating is known."""

TIME_CONTROL = "90 min/40 moves + 30 min + 30 sec per move from move one"


@dataclass(frozen=True, slots=True)
class HistoryPlayer:
    """A player as the register has them."""

    id: int
    name: str = ""
    federation: str = ""
    born: int | None = None
    sex: str = ""
    """``m``, ``w`` or nothing."""

    title: str = ""


class PlayedGame(NamedTuple):
    """One game of a tournament."""

    round: int
    """Counted from one."""

    white: int
    black: int
    result: str
    """White's letter, as in a report: ``1``, ``=``, ``0``, ``+``, ``-``."""

    day: date | None = None
    white_rating: int | None = None
    """As in a file of games, if the lists cannot be computed again."""

    black_rating: int | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: its days, its people, its games."""

    id: str
    first_day: date
    last_day: date
    boards: tuple[PlayedGame, ...]
    name: str = ""
    city: str = ""
    federation: str = ""

    @property
    def players(self) -> tuple[int, ...]:
        """Return all players, in order of their numbers."""
        return tuple(sorted({player for board in self.boards for player in (board.white, board.black)}))


@dataclass(frozen=True, slots=True)
class Closing:
    """A list as its office closed it: which reports it took, and what the officers knew and decided."""

    day: date
    events: tuple[Event, ...]
    """With the facts of each event; a long event rated in parts comes as its parts."""

    known: RegisterFacts
    """K by decision, births, affiliations, standard ratings."""

    acts: Mapping[int, PlayerState | None] = field(default_factory=dict)
    """States set by an officer between the previous list and this one; None: removed."""


@dataclass(frozen=True, slots=True)
class History:
    """Everything needed to compute the lists of some years again."""

    opened: date
    """The day of the list of the start."""

    start: Mapping[int, PlayerState]
    people: Mapping[int, HistoryPlayer]
    tournaments: tuple[Tournament, ...]
    on_list: ListName = ListName.STANDARD
    ends: date | None = None
    """The last list; by default the one that takes the last tournament."""

    closings: tuple[Closing, ...] = ()
    """An office's own calendar; without it the edition's months and deadlines say which list takes what."""

    earlier: tuple[Tournament, ...] = ()
    """Former versions of reports, for the screen that compares them."""


def on_first_list(player: int, rating: int, opened: date) -> PlayerState:
    """Return the state of a player on the list with which a history begins."""
    return PlayerState(player, rating, SETTLED_GAMES, rating, entered=opened, last_list=opened)


class HistoryGame(NamedTuple):
    """A rated game with its expectation and K on both sides."""

    event: str
    day: date
    round: int
    white: int
    black: int
    score: HalfPoints
    """White's."""

    white_rating: int
    black_rating: int
    white_expected: int
    """In hundredths, after the rule for large gaps."""

    black_expected: int
    white_k: int = 0
    """K as applied; 0 if the side does not count or K is unknown."""

    black_k: int = 0

    def points(self, player: int) -> HalfPoints:
        """Return the half-points of one of the two."""
        return self.score if player == self.white else 2 - self.score

    def expected(self, player: int) -> int:
        """Return the hundredths that one of the two was expected to score."""
        return self.white_expected if player == self.white else self.black_expected

    def k(self, player: int) -> int:
        """Return the K with which the game counted for one of the two."""
        return self.white_k if player == self.white else self.black_k


@dataclass(frozen=True, slots=True)
class HistoryList:
    """One published list: the ratings, and the active players."""

    day: date
    ratings: Mapping[int, int]
    active: frozenset[int] = field(default_factory=frozenset)


def event_of(
    tournament: Tournament, edition: Edition[ChessRules], people: Mapping[int, HistoryPlayer]
) -> Event:
    """Return a tournament as the period takes it: a report under the edition of its first day."""
    players = tournament.players
    places = {player: index for index, player in enumerate(players)}
    rounds = tuple(_round(boards, places) for boards in _rounds(tournament.boards))
    entrants = tuple(
        Entrant(index + 1, _person(people, player).name, id=str(player)) for player, index in places.items()
    )
    header = Header(
        name=tournament.name or tournament.id,
        city=tournament.city,
        federation=tournament.federation,
        first_day=tournament.first_day,
        last_day=tournament.last_day,
        time_control=TIME_CONTROL,
    )
    return Event(tournament.id, Report(header, entrants, rounds), players, edition)


def tournament_of(event: Event) -> Tournament:
    """Return an event of a period as a tournament; the games are those with both sides, as White has them."""
    boards = []
    for number, cells in event.report.numbered_rounds():
        for index, (opponent, colour, result) in enumerate(
            zip(cells.opponents, cells.colours, cells.results, strict=True)
        ):
            other = event.report.places.get(opponent)
            first = colour == "w" or (colour != "b" and other is not None and index < other)
            if other is not None and other != index and first and result in MIRROR:
                boards.append(
                    PlayedGame(number, event.players[index], event.players[other], result, cells.day)
                )
    header = event.report.header
    return Tournament(
        event.id, event.first_day, event.last_day, tuple(boards), header.name, header.city, header.federation
    )


def _person(people: Mapping[int, HistoryPlayer], player: int) -> HistoryPlayer:
    return people.get(player) or HistoryPlayer(player)


def _rounds(boards: Iterable[PlayedGame]) -> Iterator[list[PlayedGame]]:
    """Return the games round by round; a second game of a player in one round goes into a round behind it."""
    boards_by_round: dict[tuple[int, int], list[PlayedGame]] = {}
    played: dict[tuple[int, int], int] = {}
    for board in boards:
        seats = ((board.round, board.white), (board.round, board.black))
        turn = max(played.get(seat, 0) for seat in seats)
        boards_by_round.setdefault((board.round, turn), []).append(board)
        played |= dict.fromkeys(seats, turn + 1)
    return (boards_by_round[number] for number in sorted(boards_by_round))


def _round(boards: Iterable[PlayedGame], places: Mapping[int, int]) -> Round:
    opponents, colours, results = [0] * len(places), ["-"] * len(places), ["Z"] * len(places)
    day = None
    for board in boards:
        white, black = places[board.white], places[board.black]
        opponents[white], opponents[black] = black + 1, white + 1
        colours[white], colours[black] = "w", "b"
        results[white], results[black] = board.result, MIRROR[board.result]
        day = board.day or day
    return Round(tuple(opponents), "".join(colours), "".join(results), day)
