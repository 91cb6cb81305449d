"""A tournament report as values, independent of its file format.

The cells of a round are columns (``Round``), because a report of a thousand players has tens of thousands of cells; a
``Game`` is created on demand. Results use the letters of the TRF, which distinguish every case that rating regulations
distinguish. Change a report with ``dataclasses.replace``: the writer compares it with the lines that were read and
rewrites only those that changed. The *place* of an entrant is the index among the entrants, everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

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
"""The result in the opponent's cell; ``results_agree`` also allows that both lost by forfeit."""


def results_agree(result: str, opposite: str) -> bool:
    """Return whether the results of two opponents fit: one mirrors the other, or both lost by forfeit."""
    return MIRROR.get(result) == opposite or result == opposite == Result.FORFEIT_LOSS


HALF_POINTS: Mapping[str, int] = dict(
    zip("1=0+-WDLHFUZ ", (2, 1, 0, 2, 0, 2, 1, 0, 1, 2, 2, 0, 0), strict=True)
)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant as described by the report."""

    number: int
    """The start number, by which the round cells name the player."""

    name: str
    rating: int | None = None
    """None if the report has none (blank, 0, 0000)."""

    sex: str = ""
    """``m``, ``w`` or empty."""

    title: str = ""
    federation: str = ""
    id: str = ""
    """The FIDE ID as written, or another body's."""

    born: Birth = None
    half_points: int | None = None
    """The points the report claims."""

    rank: int | None = None
    k: int | None = None
    line: int | None = None
    """Line of the file, counted from one."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round as columns: item i of each belongs to the entrant at place i."""

    opponents: tuple[int, ...]
    """Start numbers; 0 for none."""

    colours: str
    """``w``, ``b``, ``-`` or a blank for each entrant."""

    results: str
    """One letter of ``Result`` for each entrant; any other letter is as in the file."""

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
    """An entrant on the list of a federation: rating, class, region, number."""

    body: str
    """The federation whose list it is."""

    entrant: Entrant
    """``title`` is the national class, ``federation`` the region or the club."""


@dataclass(frozen=True, slots=True)
class Record:
    """Any other line that a reader understands: requested byes, forfeited matches, accelerations."""

    tag: str
    fields: Mapping[str, str] = field(default_factory=dict)
    """By the names of the column table; blank ones are left out."""

    numbers: tuple[int, ...] = ()
    """The start numbers (of players or teams) at the end of the line; 0 for a blank one."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The facts about the tournament in the report."""

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
    """The days of rounds without cells; those of the others are in ``Round.day``."""

    points: Mapping[str, Fraction] = field(default_factory=dict)
    """The points of results, if the report has them; see ``worth`` for the keys."""

    match_points: Mapping[str, Fraction] = field(default_factory=dict)
    """Team events: ``TW``, ``TD``, ``TL``."""

    first_colour: str = ""
    """``w`` or ``b``: the colour of the first seed in round one."""

    starting_rank: str = ""
    """Which ratings the seeding follows, as coded in the report."""

    pairing_program: str = ""
    tie_breaks: str = ""
    standings_order: str = ""
    board_colours: str = ""


# ---------------------------------------------------------------------------------------- where values are in the file


Cell = tuple[int, str, str]
"""Opponent, colour and result."""


class Spot(NamedTuple):
    """A place in a file, counted from one; of a workbook also its cell, ``Games!C7``."""

    line: int
    column: int | None = None
    cell: str = ""


class FileMap:
    """Where each value of a report is in its file; of a format that keeps nothing, no place and no edit.

    The findings of the checks take their place from it, and the proposed corrections their edits.
    """

    delimiter = ""
    """The character that ends a value besides a blank: the delimiter of cells, the quotation mark of tags."""

    def player(self, entrant: Entrant, field: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of a field of an entrant."""
        return Spot(entrant.line) if entrant.line else None

    def game(self, entrant: Entrant, round_number: int, field: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the ``opponent``, ``colour`` or ``result`` of an entrant in a round."""
        return Spot(entrant.line) if entrant.line else None

    def header(self, *tags: str) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the first fact about the event that one of the tags of a TRF names."""
        return None

    def round_day(self, round_number: int) -> Spot | None:  # noqa: ARG002  nothing is known
        """Return the place of the day of a round."""
        return None

    def write_player(self, entrant: Entrant, field: str) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write a field of an entrant as it is given."""
        return []

    def write_game(self, entrant: Entrant, round_number: int, old: Cell, new: Cell) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write the cell of an entrant in a round."""
        return []

    def write_header(self, tag: str, value: int | str | date) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write a fact about the event."""
        return []

    def write_result(self, line: int) -> list[TextEdit]:  # noqa: ARG002  nothing is known
        """Return the edits that write the result of the game on a line as the file itself shows it elsewhere."""
        return []


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A piece of one line replaced by another; line and column are counted from one, in characters.

    In a workbook the piece is a cell: ``cell`` names it with its sheet, line and column are those of the grid.
    """

    line: int
    column: int
    old: str
    new: str
    cell: str = ""

    @property
    def end(self) -> int:
        """The column after the last one replaced; one more for an insertion, so that two of them overlap."""
        return self.column + max(len(self.old), 1)

    def overlaps(self, other: TextEdit) -> bool:
        """Return whether two edits change the same characters."""
        if self.cell or other.cell:
            return self.cell == other.cell
        return self.line == other.line and self.column < other.end and other.column < self.end


# --------------------------------------------------------------------------------------------------------- the report


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
    """The lines of the file with their line ends, for positions and for writing unknown lines back."""

    findings: tuple[Finding, ...] = ()
    """Findings of the reader: a guessed encoding, an unreadable date."""

    places: Mapping[int, int] = field(default_factory=dict, compare=False)
    """Start number → place among the entrants; always computed from the entrants."""

    national: tuple[NationalEntry, ...] = ()
    records: tuple[Record, ...] = ()
    encoding: str = "utf-8"
    """Python's name of the encoding, with ``-sig`` if the file begins with a byte order mark."""

    first_round: int = 1
    """The number of the first round; a part of an event keeps the numbers of its rounds."""

    file_map: FileMap = field(default=FileMap(), compare=False, repr=False)
    """The place of each value in the file."""

    def __post_init__(self) -> None:
        """Compute ``places``, also after a ``replace``."""
        object.__setattr__(self, "places", places(self.entrants))

    def numbered_rounds(self) -> Iterator[tuple[int, Round]]:
        """Yield each round with its number."""
        return enumerate(self.rounds, start=self.first_round)

    @property
    def size(self) -> int:
        """Return the number of entrants."""
        return len(self.entrants)

    def column(self, field: str) -> Sequence[Any]:
        """Return a field of all entrants, in their order."""
        return [getattr(entrant, field) for entrant in self.entrants]

    @property
    def round_numbers(self) -> range:
        """Return the numbers of the rounds."""
        return range(self.first_round, self.first_round + len(self.rounds))

    @property
    def round_days(self) -> Sequence[date | None]:
        """Return the day of each round."""
        return [cells.day for cells in self.rounds]

    @property
    def paired_rounds(self) -> list[int]:
        """Return the numbers of the rounds in which somebody names an opponent."""
        return [number for number, cells in self.numbered_rounds() if any(cells.opponents)]

    @property
    def rounds_with_pairs(self) -> int:
        """Return the number of rounds in which two entrants are paired."""
        return sum([next(self.pairs(cells), None) is not None for cells in self.rounds])

    @property
    def most_pairs(self) -> int:
        """Return how many different pairs there are at most: a round has no more than entrants."""
        return self.size * self.rounds_with_pairs

    @property
    def all_paired(self) -> bool:
        """Return whether every entrant names an opponent in some round."""
        rows = [any(row) for row in zip(*(cells.opponents for cells in self.rounds), strict=True)]
        return len(rows) == self.size and all(rows)

    def pairs(self, cells: Round) -> Iterator[tuple[int, int]]:
        """Yield the pairs of places of a round, the lower first, once for each side that reports the pairing."""
        index_of, results = self.places.get, cells.results
        for index, opponent in enumerate(cells.opponents):
            opponent_index = index_of(opponent) if opponent else None
            if opponent_index is not None and opponent_index != index and results[index] not in BYES:
                yield (index, opponent_index) if index < opponent_index else (opponent_index, index)

    def round(self, number: int) -> Round:
        """Return the round of that number."""
        return self.rounds[number - self.first_round]

    def games(self, place: int) -> Iterator[Game]:
        """Yield the cells of the entrant at a place, round by round, byes included."""
        own = self.entrants[place].number
        for number, cells in self.numbered_rounds():
            opponent, colour, result = cells.opponents[place], cells.colours[place], cells.results[place]
            if opponent or result != Result.NONE:
                yield Game(number, own, opponent, colour, result)


def places(entrants: tuple[Entrant, ...]) -> Mapping[int, int]:
    """Return start number → place; of a repeated number the first entrant counts (a check reports it)."""
    places_by_number: dict[int, int] = {}
    for place, entrant in enumerate(entrants):
        places_by_number.setdefault(entrant.number, place)
    return places_by_number


STANDARD_POINTS: Mapping[str, Fraction] = {
    code: Fraction(halves, 2)
    for code, halves in {
        "WW": 2, "BW": 2, "WD": 1, "BD": 1, "WL": 0, "BL": 0,
        "FW": 2, "FL": 0, "ZPB": 0, "HPB": 1, "FPB": 2, "PAB": 2,
    }.items()
}  # fmt: skip
"""Points of each case unless the report gives others: wins, draws and losses with White and Black, forfeits,
and the zero-point, half-point, full-point and pairing-allocated byes."""

_CASES: Mapping[str, str] = {
    "1": "W", "=": "D", "0": "L", "W": "W", "D": "D", "L": "L",
    "+": "FW", "-": "FL", "H": "HPB", "F": "FPB", "U": "PAB", "Z": "ZPB", " ": "ZPB",
}  # fmt: skip


def worth(points: Mapping[str, Fraction], result: str, colour: str = "w") -> Fraction:
    """Return the points of a result under the point system of a report; 0 for an unknown letter."""
    case = _CASES.get(result, "ZPB")
    if len(case) == 1:
        case = ("B" if colour == "b" else "W") + case
    if case == "PAB" and case not in points:
        case = "WW"
    return points.get(case, STANDARD_POINTS[case])
