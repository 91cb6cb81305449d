"""A tournament report as values: what the arbiter sends, whatever file it came in.

The round cells are kept as columns, one ``Round`` each, because a report of a thousand players has tens of thousands
of them; a ``Game`` is made on demand. Results keep the letters of the TRF, which name every case that rating regulations tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from arpad.model import Birth, Finding


class Result(StrEnum):
    """One player's result in one round."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    UNPLAYED_WIN = "W"
    UNPLAYED_DRAW = "D"
    UNPLAYED_LOSS = "L"
    HALF_BYE = "H"
    FULL_BYE = "F"
    PAIRING_BYE = "U"
    ZERO_BYE = "Z"
    NONE = " "


PLAYED = frozenset("1=0")
"""Both sides made a move: the game counts (5.1)."""

UNPLAYED_GAMES = frozenset("+-WDL")
"""There was an opponent, but no game that counts."""

BYES = frozenset("HFUZ")
MIRROR: Mapping[str, str] = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+", "W": "L", "D": "D", "L": "W"}
"""What the opponent's cell must hold (both may have lost by forfeit: ``-`` against ``-``)."""

HALF_POINTS: Mapping[str, int] = dict(zip("1=0+-WDLHFUZ ", (2, 1, 0, 2, 0, 2, 1, 0, 1, 2, 2, 0, 0), strict=True))


@dataclass(frozen=True, slots=True)
class Entrant:
    """One participant, as the report gives him."""

    number: int
    """The start number: how the round cells name him."""

    name: str
    rating: int | None = None
    """None where the report gives none (blank, 0, 0000)."""

    sex: str = ""
    """``m``, ``w`` or nothing."""

    title: str = ""
    federation: str = ""
    id: str = ""
    """The FIDE number as written, or another body's."""

    born: Birth = None
    half_points: int | None = None
    """The points the report claims."""

    rank: int | None = None
    k: int | None = None
    line: int | None = None
    """Where he stands in the file, counted from one."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round as columns: place i of each belongs to the i-th entrant."""

    opponents: tuple[int, ...]
    """Start numbers; 0 for none."""

    colours: str
    """``w``, ``b``, ``-`` or a blank for each entrant."""

    results: str
    """One letter of ``Result`` for each entrant; any other letter is what the file held."""

    day: date | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One player's side of one pairing."""

    round: int
    """Counted from one."""

    number: int
    opponent: int
    colour: str
    result: str


@dataclass(frozen=True, slots=True)
class Team:
    """A team and the start numbers of its players."""

    name: str
    members: tuple[int, ...]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """What the report says of the tournament itself."""

    name: str = ""
    city: str = ""
    federation: str = ""
    first_day: date | None = None
    last_day: date | None = None
    players: int | None = None
    rated_players: int | None = None
    teams: int | None = None
    rounds: int | None = None
    kind: str = ""
    """The type of tournament in the file's own words."""

    coded_kind: str = ""
    chief_arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    """In the file's own words."""

    coded_time_control: str = ""
    """In seconds, ``40/6000+30:900+30``."""


@dataclass(frozen=True, slots=True)
class Report:
    """One tournament report."""

    header: Header
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...]
    teams: tuple[Team, ...] = ()
    format: str = ""
    """The format it was read from: ``trf16``, ``trf26``, ``crosstable`` …"""

    source: tuple[str, ...] = ()
    """The lines of the file with their line ends, for places and for writing back what was not understood."""

    findings: tuple[Finding, ...] = ()
    """What reading had to say: an encoding guessed, a date not understood."""

    places: Mapping[int, int] = field(default_factory=dict)
    """Start number → place among the entrants."""

    def games(self, place: int) -> Iterator[Game]:
        """The cells of the entrant at a place, round by round, byes included."""
        number = self.entrants[place].number
        for index, cells in enumerate(self.rounds, start=1):
            opponent, colour, result = cells.opponents[place], cells.colours[place], cells.results[place]
            if opponent or result != Result.NONE:
                yield Game(index, number, opponent, colour, result)


def places(entrants: tuple[Entrant, ...]) -> Mapping[int, int]:
    """Start number → place; where a number stands twice, the first keeps it (a check says so)."""
    found: dict[int, int] = {}
    for place, entrant in enumerate(entrants):
        found.setdefault(entrant.number, place)
    return found
