"""Random draughts years: the office's chained lists against a plain computation of our own, written from the tables.

Two disciplines, two years with lists through the year, late reports, halved events, newcomers, players of the other
discipline, foreigners, and categories that the commission gives in the middle of a year.
"""

import random
import re
import tomllib
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from arpad.model.draughts import Category, DraughtsState
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests.builders.decisions import decide
from tests.builders.draughts_entries import enrol
from tests.builders.draughts_lists import played
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import change_player, import_list, verify
from tests.builders.verbs import publish as office_publish
from tests.paths import CASES

ITALIANA, INTERNAZIONALE = "italiana", "internazionale"
CATEGORIES = ["provinciale", "regionale", "nazionale", "candidato-maestro", "maestro"]
PROMOTIONS = {
    ITALIANA: [1000, 2000, 3000, 3900],
    INTERNAZIONALE: [1700, 2500, 3300, 3800],
}  # tables 12 and 11
NEWCOMER = {ITALIANA: 300, INTERNAZIONALE: 500}
THRESHOLDS = {ITALIANA: [3000, 3900], INTERNAZIONALE: [2000, 3000]}  # table 17
S = {ITALIANA: [150, 100, 50], INTERNAZIONALE: [240, 160, 80]}
Q = {ITALIANA: 10, INTERNAZIONALE: 15}  # 2021
DEBUT = {
    ITALIANA: dict(zip(CATEGORIES, (300, 300, 1000, 1500, 2000), strict=True)),  # table 21
    INTERNAZIONALE: dict(zip(CATEGORIES, (500, 500, 1000, 1700, 2500), strict=True)),  # table 20
}
PLAYERS, FOREIGN = 12, (11, 12)


def printed_table_19() -> list[tuple[int, int]]:
    """The differences from which on each P.A.- holds, as printed."""
    text = tomllib.loads((CASES / "printed_tables.toml").read_text("utf-8"))
    rows = re.findall(r"(\d+)-\d* ([\d.]+) ([\d.]+)", _find(text, "19"))
    return sorted((int(start), round(100 * Fraction(plus))) for start, plus, _ in rows)


def _find(table: dict[str, object], name: str) -> str:
    for key, value in table.items():
        if key == name and isinstance(value, str):
            return value
        if isinstance(value, dict) and (found := _find(value, name)):
            return found
    return ""


TABLE_19 = printed_table_19()


def expected(own: int, other: int) -> int:
    """Hundredths of points."""
    plus = [value for start, value in TABLE_19 if start <= abs(own - other)][-1]
    return plus if own >= other else 200 - plus


def walked(capital: int, hundredths: Fraction, on_list: str) -> int:
    """Walk from threshold to threshold, each part with its own S; round the end half up, not below 100 (art. 6)."""
    at, rest = Fraction(capital), hundredths / 100
    while rest:
        up = rest > 0
        band = sum(at >= t if up else at > t for t in THRESHOLDS[on_list])
        s = S[on_list][band]
        limits = THRESHOLDS[on_list][band : band + 1] if up else THRESHOLDS[on_list][max(0, band - 1) : band]
        end = at + s * rest
        if limits and ((end > limits[0]) if up else (end < limits[0])):
            rest -= (limits[0] - at) / s
            at = Fraction(limits[0])
        else:
            at, rest = end, Fraction(0)
    return max(100, (2 * at + 1).__floor__() // 2)


def reached(capital: int, on_list: str) -> int:
    return sum(capital >= threshold for threshold in PROMOTIONS[on_list])


@dataclass
class Gara:
    """An event: who met whom with what points, or without playing."""

    report: int
    on_list: str
    first: date
    last: date
    players: list[int]
    games: list[tuple[int, int, str]]
    """First player, second player, the first one's result: 1 = 0, or + for a game that was not played."""

    weight: int = 100


@dataclass
class Place:
    """Where a player stands."""

    capital: int | None
    category: int
    last: date | None
    malus: int = 0
    idle: int = 0
    """Years without an event since the entry, of who never played a game."""


@dataclass
class Plain:
    """The computation, with what was known at each moment."""

    clock: int = 0
    events: dict[int, Gara] = field(default_factory=dict)
    bases: dict[str, dict[int, Place]] = field(default_factory=dict)
    out: list[tuple[int, str, date, dict[int, Place]]] = field(default_factory=list)
    """Moment, list, day, and everybody on it."""

    awards: list[tuple[int, str, int, date, int]] = field(default_factory=list)
    """Moment, list, player, day, category."""

    first_rated: dict[int, int] = field(default_factory=dict)
    """Report → the moment when a list with it came out."""

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def held(self, on_list: str, player: int, day: date, moment: int) -> int | None:
        """The category on the list in force on a day, and what was given by then, as known at a moment."""
        there = [
            (d, places) for m, name, d, places in self.out if name == on_list and d <= day and m < moment
        ]
        if not there:
            return None
        place = max(there, key=lambda entry: entry[0])[1].get(player)
        if place is None:
            return None
        given = [
            c
            for m, name, p, d, c in self.awards
            if (name, p) == (on_list, player) and d <= day and m < moment
        ]
        return max([place.category, *given])

    def awarded(self, on_list: str, player: int, day: date) -> int:
        return max(
            [c for _, name, p, d, c in self.awards if (name, p) == (on_list, player) and d <= day], default=0
        )

    def publish(self, on_list: str, day: date) -> dict[int, Place]:
        moment = self.tick()
        other = INTERNAZIONALE if on_list == ITALIANA else ITALIANA
        places = {
            p: Place(x.capital, x.category, x.last, x.malus, x.idle) for p, x in self.bases[on_list].items()
        }
        mine = [e for e in self.events.values() if e.on_list == on_list and e.last.year == day.year]
        for gara in sorted((e for e in mine if e.last <= day), key=lambda e: (e.last, e.first, e.report)):
            for player in gara.players:
                if player not in places:
                    known = self.first_rated.get(gara.report, moment)
                    held = self.held(other, player, gara.first, known)
                    start = NEWCOMER[on_list] if held is None else DEBUT[on_list][CATEGORIES[held]]
                    places[player] = Place(start, reached(start, on_list), None)
                place = places[player]
                if place.capital is None:
                    place.capital = NEWCOMER[on_list]
            self.rate(gara, places, on_list)
            self.first_rated.setdefault(gara.report, moment)
        for player, place in places.items():
            place.category = max(place.category, self.awarded(on_list, player, day))
        if (day.month, day.day) == (12, 31):
            for player, place in places.items():
                self.end_year(player, place, day.year)
            self.bases[on_list] = places
        self.out.append((moment, on_list, day, places))
        return places

    def rate(self, gara: Gara, places: dict[int, Place], on_list: str) -> None:
        before = {player: places[player].capital or 0 for player in gara.players}
        difference: dict[int, int] = {}
        for one, two, result in gara.games:
            if result == "+":
                continue
            points = {"1": 200, "=": 100, "0": 0}[result]
            for player, opponent, scored in ((one, two, points), (two, one, 200 - points)):
                gained = scored - expected(before[player], before[opponent])
                difference[player] = difference.get(player, 0) + gained
        for player, total in difference.items():
            place = places[player]
            place.category = max(place.category, self.awarded(on_list, player, gara.first))
            place.capital = walked(before[player], Fraction(total * gara.weight, 100), on_list)
            if gara.first >= date(2021, 1, 1):
                place.capital += Q[on_list]
            elif place.last is None or place.last.year != gara.last.year:
                place.capital += 10
            place.category = max(place.category, reached(place.capital, on_list))
            place.last = gara.last

    def end_year(self, player: int, place: Place, year: int) -> None:
        if place.capital is None or (place.last is not None and place.last.year == year):
            return
        place.idle += 1
        idle = year - place.last.year if place.last is not None else place.idle
        if player in FOREIGN and idle >= 2:
            place.capital = None
            return
        taken = max(0, min(50, 450 - place.malus, place.capital - 100))
        place.capital -= taken
        place.malus += taken


@dataclass
class World:
    """The same acts in the office and in the plain computation."""

    desk: Desk
    plain: Plain
    dice: random.Random

    def begin(self, year: int) -> None:
        enrol(self.desk, PLAYERS)
        for player in range(1, PLAYERS + 1):
            change_player(
                self.desk.office, player, since=date(2000, 1, 1), reason="made",
                set_={"federation": "FRA" if player in FOREIGN else "ITA"},
            )  # fmt: skip
        for on_list in (ITALIANA, INTERNAZIONALE):
            some = self.dice.sample(range(1, PLAYERS + 1), 8)
            places, standings = {}, []
            for player in sorted(some):
                capital = self.dice.choice([120, 900, 1690, 2490, 2960, 3280, 3790, 3890, 4100])
                category = max(reached(capital, on_list), self.dice.choice([0, 0, 1, 2]))
                malus = self.dice.choice([0, 0, 430])
                last = date(year - 1, self.dice.randint(1, 12), 1)
                places[player] = Place(capital, category, last, malus)
                standings.append(
                    DraughtsState(
                        f"Player {player}", capital, Category(CATEGORIES[category]), str(9000 + player),
                        foreign=player in FOREIGN, last_event=last, malus=malus,
                    )
                )  # fmt: skip
            self.plain.bases[on_list] = places
            self.plain.out.append((self.plain.tick(), on_list, date(year - 1, 12, 31), places))
            path = self.desk.folder / f"{on_list}.csv"
            path.write_bytes(capitals.write(standings))
            import_list(self.desk.office, path, ListName(on_list), date(year - 1, 12, 31))

    def play(self, day: date, number: int) -> None:
        dice = self.dice
        on_list = dice.choice([ITALIANA, INTERNAZIONALE])
        players = sorted(dice.sample(range(1, PLAYERS + 1), dice.choice([2, 4, 6])))
        order, rounds = players[:], dice.randint(1, len(players) - 1)
        games: list[tuple[int, int, str]] = []
        cells: dict[int, list[str]] = {player: [] for player in players}
        for _ in range(rounds):
            for place in range(len(order) // 2):
                one, two = order[place], order[-1 - place]
                result = dice.choice("11==00+")
                games.append((one, two, result))
                mirror = {"1": "0", "0": "1", "=": "=", "+": "-"}[result]
                cells[one].append(f"{two}w{result}")
                cells[two].append(f"{one}b{mirror}")
            order = [order[0], order[-1], *order[1:-1]]
        table = "\n".join(f"{player} 0 | {' '.join(cells[player])}" for player in players)
        first = day - timedelta(days=dice.randint(0, 2))
        report = played(self.desk, f"Gara {number}", table, first, ListName(on_list), last=day)
        weight = dice.choice([100, 100, 50])
        if weight != 100:
            decide(self.desk.office, "weight", report=report, weight=weight, reason="made")
        self.plain.events[report] = Gara(report, on_list, first, day, players, games, weight)

    def award(self, day: date) -> None:
        on_list, player = self.dice.choice([ITALIANA, INTERNAZIONALE]), self.dice.randint(1, PLAYERS)
        category, since = self.dice.randint(1, 4), day - timedelta(days=self.dice.choice([0, 0, 60]))
        decide(
            self.desk.office, "category", player=player, on_list=ListName(on_list), day=since,
            category=CATEGORIES[category], reason="made",
        )  # fmt: skip
        self.plain.awards.append((self.plain.tick(), on_list, player, since, category))

    def publish(self, on_list: str, day: date) -> None:
        found = self.plain.publish(on_list, day)
        office_publish(self.desk.office, ListName(on_list), day)
        with self.desk.office.store.reading() as connection:
            newest = lists.all_publications(connection, ListName(on_list))[-1]
            states = {p: to_capital(s) for p, s in list_rows.states(connection, newest.id).items()}
        office = {p: (s.capital, s.category, s.malus, s.last_event) for p, s in states.items()}
        plain = {p: (x.capital, CATEGORIES[x.category], x.malus, x.last) for p, x in found.items()}
        assert office == plain, (on_list, day)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2, 3, 4, 5))]
)
def test_the_office_agrees_with_a_plain_computation(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)  # noqa: S311  a seed for each year, the same every time
    year = dice.choice([2018, 2020])
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock(date(year, 1, 1)))
    world = World(desk, Plain(), dice)
    world.begin(year)
    number = 0
    for now in (year, year + 1):
        late: list[date] = []
        for month in (3, 6, 9, 12):
            until = date(now, month, {3: 31, 6: 30, 9: 30, 12: 31}[month])
            begin = until - timedelta(days=85)
            days = sorted(begin + timedelta(days=dice.randint(0, 80)) for _ in range(dice.randint(1, 4)))
            held_back = [day for day in days if month != 12 and dice.random() < 0.25]
            for day in [*late, *(day for day in days if day not in held_back)]:
                number += 1
                world.play(max(day, date(now, 1, 5)), number)
                if dice.random() < 0.3:
                    world.award(max(day, date(now, 1, 5)))
            late = held_back
            desk.on(until)
            for on_list in dice.sample([ITALIANA, INTERNAZIONALE], 2):
                if month == 12 or dice.random() < 0.8:
                    world.publish(on_list, until)
    assert verify(desk.office).intact
