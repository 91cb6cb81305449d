"""Small worlds drawn at random: lists, standings, pending events, reports good and bad, around each new edition."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any

from arpad.lists.period import Event, RegisterFacts
from arpad.model.chess import Performance, PlayerState
from arpad.model.people import Birth
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import CHESS_EDITIONS, chess_edition, in_force
from arpad.regulations.fide.entry_rating import swiss_performance
from arpad.regulations.fide.rules import ChessRules, add_months
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import MIRROR, Entrant, Header, Report, Round
from tests.builders.periods import lists

STANDARD_DAYS = tuple(
    date(year, month, 1)
    for year, month in (
        (2009, 9), (2011, 7), (2012, 7), (2012, 8), (2013, 8), (2014, 7), (2014, 8), (2016, 3), (2017, 7), (2017, 8),
        (2018, 5), (2020, 11), (2021, 3), (2022, 1), (2022, 2), (2022, 10), (2022, 11), (2024, 1), (2024, 3),
        (2024, 4), (2024, 12), (2025, 1), (2025, 10), (2025, 11), (2026, 2),
    )
)  # fmt: skip
RATINGS = (
    1000, 1005, 1190, 1210, 1395, 1405, 1600, 1795, 1810, 2000, 2195, 2290, 2310, 2390, 2401, 2590, 2605, 2655, 2800
)  # fmt: skip
GAPS = (2000, 2001, 2002, 2049, 2050, 2051, 2249, 2250, 2251, 2599, 2600, 2601, 2602, 2649, 2650, 2651)
"""Four and six hundred apart, and one more or less."""

RESULTS = "11110000====+-WDLHFUZ X"
CONTROLS = ("90 min + 30 sec", "60+0", "40/90:30+30", "", "15+10", "3+2", "45+30", "white 6 min, black 5 min")
TAKEN_OUT = ("1:1:fair-play", "2:3:force-majeure", "1:2:unequal-times", "9:9:fair-play")


@dataclass(frozen=True, slots=True)
class World:
    """What a period is closed with."""

    on_list: ListName
    day: date
    opened: date
    standings: Mapping[int, PlayerState]
    events: tuple[Event, ...]
    published: Mapping[date, Mapping[int, int]]
    edition: Edition[ChessRules]
    known: RegisterFacts

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """For ``close``, of either path."""
        ratings = lists(self.published)
        given = (self.on_list, self.day, self.opened, self.standings, self.events, ratings, self.edition)
        return given, {"register": self.known}


def world(seed: int) -> World:
    """A world of a few players and events."""
    rnd = chance(seed)
    on_list = rnd.choice((ListName.STANDARD, ListName.STANDARD, ListName.RAPID, ListName.BLITZ))
    first = 0 if on_list == ListName.STANDARD else 2
    day = rnd.choice((rnd.choice(STANDARD_DAYS[first:]), rnd.choice(STANDARD_DAYS[-3:])))
    edition = in_force(CHESS_EDITIONS, on_list, day)
    if date(2012, 7, 1) <= day < date(2013, 7, 1) and rnd.random() < 0.5:
        edition = chess_edition("fsi-2012")
    opened = add_months(day, -1 if len(edition.on(on_list).list_months.value) == 12 else -2)
    players = range(1, rnd.randint(4, 12))
    levels = rnd.choice((RATINGS, RATINGS[:6], RATINGS[-9:], GAPS))
    published = _lists(rnd, players, opened, levels)
    events = tuple(_event(rnd, number, players, day, on_list) for number in range(rnd.randint(1, 5)))
    standings = {player: _standing(rnd, player, published[opened].get(player), opened) for player in players}
    absent = [player for player in players if standings[player].rating is None and rnd.random() < 0.3]
    for player in absent:
        del standings[player]
    known = replace(_known(rnd, players, day, opened), guests=_guests(rnd, players, events))
    return World(on_list, day, opened, standings, events, published, edition, known)


def chance(seed: int) -> Random:
    """Chance that can be repeated."""
    return Random(seed)  # noqa: S311  made-up data


def _lists(rnd: Random, players: range, opened: date, levels: tuple[int, ...]) -> dict[date, dict[int, int]]:
    days = [add_months(opened, -back) for back in (6, 2, 0)]
    level = {player: rnd.choice(levels) if rnd.random() < 0.75 else 0 for player in players}
    found: dict[date, dict[int, int]] = {}
    for day in days:
        for player in players:
            if level[player]:
                level[player] += rnd.choice((0, 0, -7, 3, 12))
            if rnd.random() < 0.12:
                level[player] = 0 if level[player] else rnd.choice(levels)
        found[day] = {player: rating for player, rating in level.items() if rating}
    return found


def _standing(rnd: Random, player: int, rating: int | None, opened: date) -> PlayerState:
    last = rnd.choice(
        (None, opened, add_months(opened, -11), add_months(opened, -12), add_months(opened, -30))
    )
    peak = rnd.choice((0, rating or 0, (rating or 0) + 30, 2300, 2410))
    if rating is None:
        tranches = tuple(_tranche(rnd, opened) for _ in range(rnd.choice((0, 0, 1, 2, 3))))
        delisted, inactive = rnd.random() < 0.3, rnd.random() < 0.1
        return PlayerState(
            player, peak=peak, last_list=last, tranches=tranches, delisted=delisted, inactive=inactive
        )
    return PlayerState(
        player,
        rating,
        games=rnd.choice((0, 5, 28, 29, 30, 31, 200)),
        peak=peak,
        k=rnd.choice((None, None, None, 10, 15, 20, 30, 40)),
        entered=rnd.choice((None, opened, add_months(opened, -2))),
        entry=rnd.choice((None, rating, rating - 40, rating + 90)),
        last_list=last,
        inactive=rnd.random() < 0.3,
    )


def _tranche(rnd: Random, opened: date) -> Performance:
    last_day = add_months(opened, -rnd.choice((0, 1, 5, 23, 24, 25, 26, 40))) + timedelta(rnd.randint(-3, 20))
    games = rnd.randint(3, 8)
    ratings = [rnd.choice(rnd.choice((RATINGS, RATINGS[:6]))) for _ in range(games)]
    performance = swiss_performance(f"Old {games}", ratings, rnd.randint(0, 2 * games), last_day=last_day)
    try:
        edition = in_force(CHESS_EDITIONS, ListName.STANDARD, last_day).id
    except Exception:  # noqa: BLE001  before the first edition
        edition = "before"
    if rnd.random() < 0.1:
        edition = rnd.choice(("fsi-2012", "fide-2009-notice"))
    return replace(performance, edition=edition, team_championship=rnd.random() < 0.1)


def _known(rnd: Random, players: range, day: date, opened: date) -> RegisterFacts:
    eighteen = (add_months(opened, -18 * 12), date(day.year - 18, 12, 31), day.year - 18, day.year - 19, None)
    born: dict[int, Birth] = {player: rnd.choice(eighteen) for player in players if rnd.random() < 0.6}
    standard = {player: rnd.choice(RATINGS) for player in players if rnd.random() < 0.5}
    then = lists(
        {add_months(opened, -1): {player: rating - 15 for player, rating in standard.items()}, day: standard}
    )
    return RegisterFacts(
        born,
        affiliated=frozenset(player for player in players if rnd.random() < 0.1),
        dead=frozenset(players[::23]) if rnd.random() < 0.5 else frozenset(),
        k={player: rnd.choice((0, 15, 33)) for player in players if rnd.random() < 0.08},
        standard=standard,
        standard_then=then if rnd.random() < 0.3 else None,
    )


def _guests(rnd: Random, players: range, events: tuple[Event, ...]) -> dict[date, dict[int, int | None]]:
    """In every third world some players are guests, with or without a rating of the reference list."""
    if rnd.random() < 0.66:
        return {}
    return {
        event.first_day: {player: rnd.choice((None, *RATINGS)) for player in players if rnd.random() < 0.3}
        for event in events
    }


# ------------------------------------------------------------------------------------------------- events


def _event(rnd: Random, number: int, players: range, day: date, on_list: ListName) -> Event:
    begins = (
        in_force(CHESS_EDITIONS, on_list, day).starts(on_list) if day < date(2012, 9, 1) else date(2012, 7, 1)
    )
    first_day = max(begins, day - timedelta(rnd.choice((3, 10, 28, 33, 45, 70, 100))))
    last_day = first_day + timedelta(rnd.randint(0, 9))
    entrants = rnd.sample(list(players), rnd.randint(2, len(players)))
    kind = rnd.choice(("swiss", "swiss", "round-robin", "double", "wild"))
    if kind in {"round-robin", "double"}:
        entrants = entrants[: rnd.choice((3, 4, 5, 6))]
    rounds = (
        _round_robin(rnd, len(entrants), kind)
        if kind in {"round-robin", "double"}
        else _swiss(rnd, len(entrants))
    )
    if kind == "wild":
        rounds = [_spoilt(rnd, cells) for cells in rounds]
    numbers = list(range(1, len(entrants) + 1))
    if kind == "wild" and rnd.random() < 0.2:
        numbers[-1] = rnd.choice((1, 777))
    columns = tuple(
        Round(tuple(opponent for opponent, _ in cells), " " * len(cells), "".join(it for _, it in cells))
        for cells in rounds
    )
    header = Header(
        name=f"Event {number % 3}", first_day=first_day, last_day=last_day, time_control=rnd.choice(CONTROLS)
    )
    report = Report(header, tuple(Entrant(it, f"Player {it}") for it in numbers), columns)
    edition = in_force(CHESS_EDITIONS, on_list, first_day)
    if edition.id == "fide-2012" and rnd.random() < 0.3:
        edition = chess_edition("fsi-2012")
    facts = EventFacts(
        team_championship=rnd.choice((None, None, True)),
        match_games=rnd.choice((None, 2)),
        match_waived=rnd.choice((None, True)),
        fast_approved=rnd.choice((None, True)),
        taken_out=tuple(game for game in TAKEN_OUT if rnd.random() < 0.05),
    )
    return Event(f"{rnd.choice('ab')}{number}", report, tuple(entrants), edition, facts)


Cells = list[tuple[int, str]]


def _swiss(rnd: Random, size: int) -> list[Cells]:
    rounds = []
    for _ in range(rnd.randint(1, rnd.choice((7, 7, 25)))):
        order = rnd.sample(range(size), size)
        cells: Cells = [(0, rnd.choice("HFUZ "))] * size
        for one, other in zip(order[::2], order[1::2], strict=False):
            _play(cells, one, other, rnd.choice("10=10=10=+-WDL"))
        rounds.append(cells)
    return rounds


def _round_robin(rnd: Random, size: int, kind: str) -> list[Cells]:
    """By the circle method, all games played; now and then one is not."""
    rounds = []
    seats = [*range(size), *([-1] if size % 2 else [])]
    weak = rnd.choice((-1, size - 1))
    for _ in range(2 if kind == "double" else 1):
        for _ in range(len(seats) - 1):
            cells: Cells = [(0, "U")] * size
            for one, other in zip(seats, reversed(seats), strict=True):
                if one != -1 and other != -1 and one < other:
                    result = "1" if other == weak else "0" if one == weak else rnd.choice("10=")
                    _play(cells, one, other, "+" if rnd.random() < 0.02 else result)
            rounds.append(cells)
            seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def _play(cells: Cells, one: int, other: int, result: str) -> None:
    cells[one], cells[other] = (other + 1, result), (one + 1, MIRROR[result])


def _spoilt(rnd: Random, cells: Cells) -> Cells:
    """Cells as a careless hand leaves them."""
    return [
        (rnd.choice((0, opponent, 1, 2, 99)), rnd.choice(RESULTS))
        if rnd.random() < 0.15
        else (opponent, result)
        for opponent, result in cells
    ]
