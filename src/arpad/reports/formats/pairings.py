"""Turn single games into the rounds of a report: identify the players and place the games."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from arpad.model.errors import Unreadable
from arpad.model.names import as_written
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.report import Entrant, Report, Result, Round, places

MOST_CELLS = 4_000_000
"""Limit of players times rounds; a larger report is a mistake or an attack."""


NOBODY = frozenset({"bye", "riposo", "riposa"})
"""Names that mean "no opponent" in files of games."""

BYE_LETTERS = {"1": "U", "=": "H", "0": "Z", "+": "U", "D": "H", "-": "Z", " ": "Z"}
"""The letter of a bye, by the result in the file."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game, or a bye if there is no Black."""

    round: int
    white: int
    """Start number."""

    black: int
    results: str
    """White's letter, then Black's."""

    day: date | None = None
    line: int | None = None
    column: int | None = None


class EntrantIndex:
    """The players so far, found by start number, by id, else by name; new ones are added."""

    def __init__(self, entrants: Iterable[Entrant] = ()) -> None:
        self._entrants: list[Entrant] = []
        self._places: dict[int, int] = {}
        self._by_id: dict[str, int] = {}
        self._by_name: dict[str, list[int]] = {}
        self._next = 1
        for entrant in entrants:
            self.add(entrant)

    def entrants(self) -> tuple[Entrant, ...]:
        """Return all players, in the order in which they were added."""
        return tuple(self._entrants)

    def add(self, entrant: Entrant) -> int:
        """Add a player and return the start number; of two with the same number the first is found."""
        self._places.setdefault(entrant.number, len(self._entrants))
        self._entrants.append(entrant)
        if entrant.id:
            self._by_id.setdefault(entrant.id, entrant.number)
        if entrant.name:
            self._by_name.setdefault(as_written(entrant.name), []).append(entrant.number)
        return entrant.number

    def free_number(self) -> int:
        """Return the first free start number."""
        while self._next in self._places:
            self._next += 1
        return self._next

    def by_number(self, number: int) -> int | None:
        """Return the player with a start number, or None."""
        return number if number in self._places else None

    def find(self, name: str, player_id: str = "") -> int | None:
        """Return the player with the id; without an id, the only player of that name."""
        if player_id and player_id in self._by_id:
            return self._by_id[player_id]
        same = self._by_name.get(as_written(name), []) if name else []
        if player_id:
            same = [number for number in same if not self._entrants[self._places[number]].id]
        return same[0] if len(same) == 1 else None

    def namesakes(self, name: str) -> int:
        """Return how many players have a name."""
        return len(self._by_name.get(as_written(name), ()))

    def complete(self, number: int, mention: Entrant) -> Entrant:
        """Add missing facts of a player from another mention; return the entrant as before."""
        entrant = self._entrants[self._places[number]]
        self._entrants[self._places[number]] = replace(
            entrant,
            name=entrant.name or mention.name,
            rating=entrant.rating if entrant.rating is not None else mention.rating,
            title=entrant.title or mention.title,
            federation=entrant.federation or mention.federation,
            id=entrant.id or mention.id,
        )
        if mention.id and not entrant.id:
            self._by_id.setdefault(mention.id, number)
        return entrant


def into_free_rounds(rounds: list[int], pairs: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Put each game whose round is 0 into the next round in which both players are free; yield the indexes of these.

    The games of a player keep their order in the file. A number of 0 is no player.
    """
    players = [[number for number in pair if number] for pair in pairs]
    occupied = {
        (number, player)
        for number, opponents in zip(rounds, players, strict=True)
        for player in opponents
        if number
    }
    following: dict[int, int] = {}
    for index, opponents in enumerate(players):
        if rounds[index]:
            continue
        number = max(following.get(player, 1) for player in opponents)
        while any((number, player) in occupied for player in opponents):
            number += 1
        rounds[index] = number
        occupied.update((number, player) for player in opponents)
        following.update((player, number + 1) for player in opponents)
        yield index


def rounds_of(pairings: Sequence[Pairing], entrants: Sequence[Entrant], notes: Notes) -> tuple[Round, ...]:
    """Return the rounds; of two games of a player in one round the first counts, and a finding names the other."""
    count = max((pairing.round for pairing in pairings), default=0)
    refuse_too_many(len(entrants), count)
    index_of = places(tuple(entrants))
    rounds = [_RoundInTheMaking(len(entrants)) for _ in range(count)]
    for pairing in pairings:
        cells = rounds[pairing.round - 1]
        seats = [index_of[number] for number in (pairing.white, pairing.black) if number]
        twice = [entrants[seat].number for seat in seats if seat in cells.taken]
        if twice or pairing.white == pairing.black:
            notes.add(
                Severity.ERROR, "paired-twice", pairing.line, pairing.column,
                player=(twice or [pairing.white])[0], round=pairing.round,
                number=(twice or [pairing.white])[0], in_round=pairing.round,
            )  # fmt: skip
            continue
        cells.put(pairing, seats)
    return tuple(cells.done() for cells in rounds)


def refuse_too_many(players: int, rounds: int) -> None:
    """Raise if the report is larger than any tournament."""
    if players * rounds > MOST_CELLS:
        raise Unreadable("report-too-large", players=players, rounds=rounds)


def shown_game(
    report: Report, number: int, index: int, writable: Collection[str], notes: Notes
) -> tuple[int, str] | None:
    """Return the opponent's place and the letters of both, if the row of this player shows the game.

    That is White's row, and without colours the first one. Both cells must agree and their letters be ``writable``,
    or the game is lost with a finding.
    """
    cells, own = report.rounds[number - 1], report.entrants[index].number
    opponent, colour, result = cells.opponents[index], cells.colours[index], cells.results[index]
    other = report.places.get(opponent)
    mirrored = other is not None and other != index and cells.opponents[other] == own
    if other is None or not mirrored or result + cells.results[other] not in writable:
        text = f"{opponent} {colour} {result}"
        notes.add(
            Severity.WARNING, "lost-cell", player=own, round=number, number=own, in_round=number, text=text
        )
        return None
    colours = colour + cells.colours[other]
    if colours == "bw" or (colours != "wb" and other < index):
        return None
    if colours != "wb":
        notes.add(Severity.WARNING, "lost-colours", player=own, round=number, number=own, in_round=number)
    return other, result + cells.results[other]


class _RoundInTheMaking:
    def __init__(self, players: int) -> None:
        self.opponents = [0] * players
        self.colours = [" "] * players
        self.results = [str(Result.NONE)] * players
        self.taken: set[int] = set()
        self.days: list[date] = []

    def put(self, pairing: Pairing, seats: list[int]) -> None:
        numbers = (pairing.black, pairing.white)
        for seat, opponent, colour, result in zip(seats, numbers, "wb", pairing.results, strict=False):
            self.opponents[seat] = opponent
            self.colours[seat] = colour if opponent else "-"
            self.results[seat] = result
            self.taken.add(seat)
        if pairing.day is not None:
            self.days.append(pairing.day)

    def done(self) -> Round:
        day = min(self.days, default=None)
        return Round(tuple(self.opponents), "".join(self.colours), "".join(self.results), day)
