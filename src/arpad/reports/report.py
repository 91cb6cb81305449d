"""A tournament report as values: what the arbiter sends, whatever file it came in.

The round cells are kept as columns, one ``Round`` each, because a report of a thousand players has tens of
thousands of them; a ``Game`` is made on demand. Results keep the letters of the TRF, which name every case that
rating regulations tell apart. Reports are changed with ``dataclasses.replace``; the writer of the format compares
what stands with what was read, and writes anew only the lines concerned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction

from arpad.model.people import Birth
from arpad.model.rules import Finding


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


def results_agree(one: str, other: str) -> bool:
    """Return whether the results of two opponents fit: one mirrors the other, or both lost by forfeit."""
    return MIRROR.get(one) == other or one == other == Result.FORFEIT_LOSS


HALF_POINTS: Mapping[str, int] = dict(
    zip("1=0+-WDLHFUZ ", (2, 1, 0, 2, 0, 2, 1, 0, 1, 2, 2, 0, 0), strict=True)
)


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

    def confirms(self, index: int, opponent: int, result: str) -> bool:
        """Return whether the cell at an index names the opponent and fits the opponent's result."""
        return self.opponents[index] == opponent and results_agree(result, self.results[index])


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
    nick: str = ""
    strength: str = ""
    """The strength factor, as written."""

    match_points: Fraction | None = None
    game_points: Fraction | None = None
    rank: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class NationalEntry:
    """What a federation's own list says of an entrant: rating, class, region, number."""

    body: str
    """The federation whose list it is."""

    entrant: Entrant
    """``title`` is the national class, ``federation`` the region or the club."""


@dataclass(frozen=True, slots=True)
class Record:
    """Any other line that a reader understands: byes asked for, forfeited matches, accelerations."""

    tag: str
    fields: Mapping[str, str] = field(default_factory=dict)
    """By the names of the column table; blank ones are left out."""

    numbers: tuple[int, ...] = ()
    """The start numbers (of players or teams) that end the line; 0 for a place left empty."""

    line: int | None = None


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

    days_to_come: tuple[date | None, ...] = ()
    """The days of rounds that have no cells yet; those of the others stand in ``Round.day``."""

    points: Mapping[str, Fraction] = field(default_factory=dict)
    """What a result is worth where the report says so; see ``worth`` for the keys."""

    match_points: Mapping[str, Fraction] = field(default_factory=dict)
    """Team events: ``TW``, ``TD``, ``TL``."""

    first_colour: str = ""
    """``w`` or ``b``: what the first of the seeding got in round one."""

    starting_rank: str = ""
    """Which ratings the seeding follows, as coded in the report."""

    pairing_program: str = ""
    tie_breaks: str = ""
    standings_order: str = ""
    board_colours: str = ""


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

    places: Mapping[int, int] = field(default_factory=dict, compare=False)
    """Start number → place among the entrants; always made from them, whatever is given."""

    national: tuple[NationalEntry, ...] = ()
    records: tuple[Record, ...] = ()
    encoding: str = "utf-8"
    """As Python names it, with ``-sig`` where the file begins with the mark of UTF-8."""

    first_round: int = 1
    """The number of the first of the rounds; a part of an event keeps the numbers that its rounds have in the whole."""

    def __post_init__(self) -> None:
        """Keep ``places`` true after a ``replace``."""
        object.__setattr__(self, "places", places(self.entrants))

    def numbered_rounds(self) -> Iterator[tuple[int, Round]]:
        """Yield each round with its number."""
        return enumerate(self.rounds, start=self.first_round)

    @property
    def round_numbers(self) -> range:
        """The numbers of the rounds."""
        return range(self.first_round, self.first_round + len(self.rounds))

    def round(self, number: int) -> Round:
        """Return the round of that number."""
        return self.rounds[number - self.first_round]

    def games(self, place: int) -> Iterator[Game]:
        """The cells of the entrant at a place, round by round, byes included."""
        own = self.entrants[place].number
        for number, cells in self.numbered_rounds():
            opponent, colour, result = cells.opponents[place], cells.colours[place], cells.results[place]
            if opponent or result != Result.NONE:
                yield Game(number, own, opponent, colour, result)


def places(entrants: tuple[Entrant, ...]) -> Mapping[int, int]:
    """Start number → place; where a number stands twice, the first keeps it (a check says so)."""
    found: dict[int, int] = {}
    for place, entrant in enumerate(entrants):
        found.setdefault(entrant.number, place)
    return found


STANDARD_POINTS: Mapping[str, Fraction] = {
    code: Fraction(halves, 2)
    for code, halves in {
        "WW": 2, "BW": 2, "WD": 1, "BD": 1, "WL": 0, "BL": 0,
        "FW": 2, "FL": 0, "ZPB": 0, "HPB": 1, "FPB": 2, "PAB": 2,
    }.items()
}  # fmt: skip
"""What each case is worth unless the report says otherwise: wins, draws and losses with White and Black, forfeits,
and the zero-point, half-point, full-point and pairing-allocated byes."""

_CASES: Mapping[str, str] = {
    "1": "W", "=": "D", "0": "L", "W": "W", "D": "D", "L": "L",
    "+": "FW", "-": "FL", "H": "HPB", "F": "FPB", "U": "PAB", "Z": "ZPB", " ": "ZPB",
}  # fmt: skip


def worth(points: Mapping[str, Fraction], result: str, colour: str = "w") -> Fraction:
    """The points a result brings under a report's own point system; a letter that is no result brings none."""
    case = _CASES.get(result, "ZPB")
    if len(case) == 1:
        case = ("B" if colour == "b" else "W") + case
    if case == "PAB" and case not in points:
        case = "WW"
    return points.get(case, STANDARD_POINTS[case])
