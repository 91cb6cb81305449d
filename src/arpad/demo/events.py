"""An event of the demo as a value, and its report as an arbiter would write it, with the ratings then in force."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from arpad.demo.people import HOME, DemoPerson
from arpad.model.rules import ListName
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.formats.crosstable import ParsedCell
from arpad.reports.report import HALF_POINTS, MIRROR, Entrant, Header, Report, Round, Team

KINDS = {
    "swiss": "Individual: Swiss-System",
    "round-robin": "Individual: Round-Robin",
    "match": "Individual: Match",
    "league": "Team: Round-Robin",
}
CONTROLS = {
    ListName.STANDARD: "90 min/40 moves + 30 min + 30 sec per move from move one",
    ListName.RAPID: "15 min + 10 sec per move",
    ListName.BLITZ: "3 min + 2 sec per move",
}
SUFFIXES = {"trf16": "trf", "crosstable": "csv", "pdn": "pdn"}


@dataclass(frozen=True, slots=True)
class DemoEvent:
    """A tournament that was played; players are known by their keys."""

    key: str
    on_list: ListName
    name: str
    city: str
    kind: str
    days: tuple[date, ...]
    """The day of each round."""

    players: tuple[int, ...]
    rounds: tuple[Mapping[int, ParsedCell], ...]
    teams: tuple[tuple[str, tuple[int, ...]], ...] = ()
    arbiter: str = ""
    format: str = "trf16"
    facts: EventFacts = field(default_factory=EventFacts)

    @property
    def first_day(self) -> date:
        """Return the day that decides edition and ratings."""
        return self.days[0]

    @property
    def last_day(self) -> date:
        """Return the day that decides the list."""
        return self.days[-1]

    @property
    def draughts(self) -> bool:
        """Return whether it is draughts."""
        return self.on_list not in CONTROLS

    @property
    def file(self) -> str:
        """Return the name of the report's file."""
        return f"{self.key}.{SUFFIXES[self.format]}"


def report(event: DemoEvent, people: Mapping[int, DemoPerson], ratings: Mapping[int, int]) -> Report:
    """Return the report; an entrant without an entry in the ratings is unrated. The highest rating is number one."""
    seeded = sorted(event.players, key=lambda key: (-ratings.get(key, 0), people[key].name))
    numbers = {key: number for number, key in enumerate(seeded, start=1)} | {0: 0}
    points = {key: sum(HALF_POINTS[cells[key].result] for cells in event.rounds) for key in seeded}
    standing = sorted(seeded, key=lambda key: (-points[key], numbers[key]))
    rank = {key: position for position, key in enumerate(standing, start=1)}
    entrants = tuple(
        replace(
            _entrant(event, people[key], ratings.get(key)),
            number=numbers[key],
            half_points=points[key],
            rank=rank[key],
        )
        for key in seeded
    )
    return Report(
        _header(event, sum(key in ratings for key in seeded)),
        entrants,
        tuple(
            _round(cells, seeded, numbers, day) for cells, day in zip(event.rounds, event.days, strict=True)
        ),
        tuple(Team(name, tuple(numbers[key] for key in members)) for name, members in event.teams),
    )


def report_file(event: DemoEvent, people: Mapping[int, DemoPerson], ratings: Mapping[int, int]) -> bytes:
    """Return the bytes an arbiter sends."""
    data, _ = write_report(report(event, people, ratings), event.format)
    return data


def _header(event: DemoEvent, rated: int) -> Header:
    return Header(
        name=event.name,
        city=event.city,
        federation=HOME,
        first_day=event.first_day,
        last_day=event.last_day,
        players=len(event.players),
        rated_players=None if event.draughts else rated,
        teams=len(event.teams) or None,
        rounds=len(event.rounds),
        kind=KINDS[event.kind],
        chief_arbiter=event.arbiter,
        time_control=CONTROLS.get(event.on_list, ""),
    )


def _entrant(event: DemoEvent, person: DemoPerson, rating: int | None) -> Entrant:
    number = person.fid if event.draughts else person.number
    title = "" if event.draughts else person.title or person.women_title
    sex = "w" if person.sex == "F" else "m"
    return Entrant(
        0, person.name, rating, sex, title, person.federation, str(number) if number else "", person.born
    )


def _round(
    cells: Mapping[int, ParsedCell], seeded: Sequence[int], numbers: Mapping[int, int], day: date
) -> Round:
    row = [cells[key] for key in seeded]
    return Round(
        tuple(numbers[cell.opponent] for cell in row),
        "".join(cell.colour for cell in row),
        "".join(cell.result for cell in row),
        day,
    )


# ---------------------------------------------------------------------------------------- slips and corrections


def reversed_game(event: DemoEvent, number: int) -> DemoEvent:
    """Return the event with one decided game of a round turned round, as when a result slip was read wrongly."""
    cells = event.rounds[number - 1]
    winner = next(key for key in sorted(cells) if cells[key].result == "1")
    loser = cells[winner].opponent
    turned = {**cells, winner: cells[winner]._replace(result="0"), loser: cells[loser]._replace(result="1")}
    return _with_round(event, number, turned)


def one_sided(event: DemoEvent, number: int) -> DemoEvent:
    """Return the event with one result written on one side only: a report that must be sent back."""
    cells = event.rounds[number - 1]
    key = next(key for key in sorted(cells) if cells[key].result == "1")
    wrong = cells[key]._replace(result=MIRROR["1"])
    return _with_round(event, number, {**cells, key: wrong})


def _with_round(event: DemoEvent, number: int, cells: Mapping[int, ParsedCell]) -> DemoEvent:
    rounds = (*event.rounds[: number - 1], cells, *event.rounds[number:])
    return replace(event, rounds=rounds)
