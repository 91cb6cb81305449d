"""Random offices in which a report is withdrawn, replaced or comes late, against offices that had it right at once.

The officer corrects the list of the report, and then only the lists of which the office says that they are to be
revised. Every list, and the lists that follow, must be as in an office that never made the mistake.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.tables import PUBLISHED
from arpad.office.register.number_rows import merge_targets
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import Clock, Desk, listed
from tests.builders.verbs import (
    accept,
    import_list,
    lists_to_revise,
    merge,
    publications,
    register_player,
    revise,
    verify,
    withdraw,
)
from tests.builders.verbs import publish as office_publish

CHESS = (ListName.STANDARD, ListName.RAPID, ListName.BLITZ)
DRAUGHTS = (ListName.ITALIANA, ListName.INTERNAZIONALE)
CONTROLS = {ListName.STANDARD: "90+30", ListName.RAPID: "15+10", ListName.BLITZ: "5+0"}
PLAYERS = range(1, 11)
TWIN = 11
"""The second number of player 10."""

WITHDRAWN, REPLACED, LATE, DECIDED, MERGED = KINDS = ("withdrawn", "replaced", "late", "decided", "merged")
OTHERWISE = {"1": "0", "0": "1", "=": "1", "+": "+"}
COLUMNS = ("player", "listed", "rating", "games", "k", "inactive", "category")


@dataclass
class Gara:
    """An event of the plan."""

    number: int
    on_list: ListName
    first: date
    table: str
    report: int = 0

    def send(self, desk: Desk, table: str = "", replaces: int | None = None) -> int:
        facts = EventFacts(list=self.on_list if self.on_list in DRAUGHTS else None)
        if self.on_list in CHESS:
            facts = EventFacts(registered=date(2024, 1, 1), licensed_arbiters=True)
        control = CONTROLS.get(self.on_list, "")
        made = event(f"Event {self.number}", table or self.table, self.first, self.first + timedelta(1))
        header = replace(made.header, time_control=control)
        desk.on(max(desk.clock.day, self.first + timedelta(1)))
        sent = desk.send(replace(made, header=header), facts=facts, replaces=replaces)
        assert sent.list == self.on_list
        return accept(
            desk.office, sent.report, overrule=("reported-too-late",), reason="from the archive"
        ).report


@dataclass
class Plan:
    """An office of some periods: its lists at the start, and the events between the days of the lists."""

    lists: tuple[ListName, ...]
    start: date
    days: list[date]
    ratings: dict[ListName, dict[int, int]]
    periods: list[list[Gara]] = field(default_factory=list)

    def begin(self, desk: Desk) -> None:
        desk.on(self.start)
        scheme = "fide" if self.lists is CHESS else "fid"
        for number in (*PLAYERS, TWIN):
            register_player(
                desk.office, f"Player {number}", federation="ITA", identifiers={scheme: str(9000 + number)}
            )
        for on_list, ratings in self.ratings.items():
            if self.lists is CHESS:
                desk.list(self.start, *(listed(*item) for item in ratings.items()), on_list=on_list)
                continue
            path = desk.folder / f"{on_list}.csv"
            path.write_bytes(capitals.write([standing(on_list, *item) for item in ratings.items()]))
            import_list(desk.office, path, on_list, self.start)

    def publish(self, desk: Desk, period: int) -> None:
        for on_list in self.lists:
            desk.on(self.days[period])
            office_publish(desk.office, on_list, self.days[period])


PROMOTIONS = {ListName.ITALIANA: (1000, 2000, 3000, 3900), ListName.INTERNAZIONALE: (1700, 2500, 3300, 3800)}
"""Tables 12 and 11: the capitals from which on a player has the next category."""


def standing(on_list: ListName, number: int, capital: int) -> DraughtsState:
    category = list(Category)[sum(capital >= bound for bound in PROMOTIONS[on_list])]
    return DraughtsState(
        f"Player {number}", capital, category, str(9000 + number), last_event=date(2019, 5, 1)
    )


def chess_plan(seed: int) -> Plan:
    """Five months; some players have a standard rating only, some none."""
    choose = random.Random(seed)  # noqa: S311  no secret
    start, days = date(2025, 1, 1), [date(2025, month, 1) for month in range(2, 7)]
    ratings = {
        ListName.STANDARD: {number: choose.randrange(1500, 2300) for number in range(1, 9)},
        ListName.RAPID: {number: choose.randrange(1500, 2300) for number in choose.sample(range(1, 9), 4)},
        ListName.BLITZ: {number: choose.randrange(1500, 2300) for number in choose.sample(range(1, 9), 4)},
    }
    return with_events(Plan(CHESS, start, days, ratings), choose, 6, 3)


def draughts_plan(seed: int) -> Plan:
    """Two years with six lists of each discipline; most players are on one list, close to the next category."""
    choose = random.Random(seed)  # noqa: S311  no secret
    start = date(2020, 1, 1)
    days = [date(year, *end) for year in (2020, 2021) for end in ((3, 31), (6, 30), (12, 31))]
    ratings = {
        on_list: {
            number: choose.choice(PROMOTIONS[on_list][1:]) - choose.randrange(1, 100)
            for number in choose.sample(range(1, 9), 4)
        }
        for on_list in DRAUGHTS
    }
    return with_events(Plan(DRAUGHTS, start, days, ratings), choose, 4, 4)


def with_events(plan: Plan, choose: random.Random, size: int, most: int) -> Plan:
    numbers: Iterator[int] = iter(range(1, 1000))
    begins = [plan.start, *plan.days]
    for begin, end in zip(begins, plan.days, strict=False):
        span = (end - begin).days - 12
        garas = [
            Gara(
                next(numbers), choose.choice(plan.lists),
                begin + timedelta(5 + choose.randrange(span)), played(choose, choose.sample(PLAYERS, size)),
            )
            for _ in range(choose.randint(2, most))
        ]  # fmt: skip
        plan.periods.append(garas)
    return plan


def played(choose: random.Random, players: Sequence[int]) -> str:
    """Return the rounds of an even number of players, everybody against everybody, with random results."""
    rows: dict[int, list[str]] = {player: [] for player in players}
    ring = list(players)
    for number in range(len(ring) - 1):
        for white, black in ((ring[i], ring[-1 - i]) for i in range(len(ring) // 2)):
            result = choose.choice("110==0+" if number else "10=")
            rows[white].append(f"{black}w{result}")
            rows[black].append(f"{white}b{ {'1': '0', '0': '1', '=': '=', '+': '-'}[result] }")
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return "\n".join(f"{player} 0 | {' '.join(cells)}" for player, cells in sorted(rows.items()))


def all_lists(desk: Desk) -> dict[tuple[ListName, date], list[tuple[object, ...]]]:
    """Return the lines of every list, in its newest revision."""
    with desk.office.store.reading() as connection:
        newest = {(p.list, p.day): p for p in publications(desk.office) if p.kind == PUBLISHED}
        tables = {key: read_table(connection, p.id) for key, p in newest.items()}
    names = [name for name in COLUMNS if name in next(iter(tables.values())).columns]
    kept = pl.col("player").replace({TWIN: 10})
    return {
        key: sorted(table.filter("listed").select(names).with_columns(kept).rows())
        for key, table in tables.items()
    }


@dataclass
class Mistake:
    """What is wrong about an event until it is corrected after a period."""

    kind: str
    gara: Gara
    after: int
    table: str = ""
    """How the event is reported at first."""


def mistakes(plan: Plan, seed: int) -> list[Mistake]:
    """Return two mistakes about two events."""
    choose = random.Random(f"mistakes {seed}")  # noqa: S311  no secret
    made: list[Mistake] = []
    for _ in range(2):
        kind, after = choose.choice(KINDS), choose.randrange(2, len(plan.days) - 1)
        garas = [gara for garas in plan.periods[:after] for gara in garas]
        gara = choose.choice([gara for gara in garas if all(it.gara is not gara for it in made)])
        table = (
            played(choose, choose.sample(PLAYERS, len(gara.table.splitlines())))
            if kind == REPLACED
            else gara.table
        )
        if kind == MERGED:
            table = re.sub(r"\b10(?=[ wb])", str(TWIN), table)
        if kind == DECIDED:
            table = swapped(table)
        made.append(Mistake(kind, gara, after, table))
    return sorted(made, key=lambda mistake: mistake.after)


def swapped(table: str) -> str:
    """Return a table in which the first game ended otherwise."""
    rows = [line.split() for line in table.splitlines()]
    first = rows[0]
    other = next(row for row in rows if row[3].startswith(f"{first[0]}") and row[3][:-2] == first[0])
    before = first[3][-1]
    first[3], other[3] = (row[3][:-1] + new for row, new in ((first, OTHERWISE[before]), (other, before)))
    if before == "=":
        other[3] = other[3][:-1] + "0"
    return "\n".join(" ".join(row) for row in rows)


def corrected(desk: Desk, plan: Plan, seed: int) -> None:
    """Run a plan in which two reports are wrong for one or more lists, are corrected, and time goes on."""
    wrong = {mistake.gara.number: mistake for mistake in mistakes(plan, seed)}
    plan.begin(desk)
    for period, garas in enumerate(plan.periods):
        for gara in sorted(garas, key=lambda gara: gara.first):
            mistake = wrong.get(gara.number)
            if mistake is None or mistake.kind != LATE:
                gara.report = gara.send(desk, mistake.table if mistake else "")
        plan.publish(desk, period)
        for mistake in wrong.values():
            if mistake.after == period:
                desk.on(plan.days[period] + timedelta(1))
                correct(desk, mistake)
    gone = {mistake.gara.number for mistake in wrong.values() if mistake.kind == WITHDRAWN}
    plan.periods = [[gara for gara in garas if gara.number not in gone] for garas in plan.periods]


def correct(desk: Desk, mistake: Mistake) -> None:
    gara, add = mistake.gara, []
    if mistake.kind == WITHDRAWN:
        withdraw(desk.office, gara.report, reason="never played")
    elif mistake.kind == REPLACED:
        gara.send(desk, replaces=gara.report)
    elif mistake.kind == LATE:
        add = [gara.send(desk)]
    elif mistake.kind == DECIDED:
        first = gara.table.splitlines()[0].split()
        decide(
            desk.office, "result", report=gara.report, number=int(first[0]), round=1, result=first[3][-1],
            reason="the scoresheet",
        )  # fmt: skip
    elif mistake.table != gara.table and TWIN not in merged_into(desk):
        merge(desk.office, 10, TWIN, reason="one person", confirmed=True)
    revise_all(desk, gara.on_list, add)


def merged_into(desk: Desk) -> Mapping[int, int]:
    with desk.office.store.reading() as connection:
        return merge_targets(connection)


def revise_all(desk: Desk, first: ListName, add: Sequence[int]) -> None:
    """Revise a list, and then what the office says."""
    to_revise = list(revise(desk.office, first, reason="correction", add=add).to_revise)
    for _ in range(6):
        if not to_revise:
            break
        to_revise = list(revise(desk.office, to_revise[0].list, reason="correction").to_revise)
    assert lists_to_revise(desk.office) == ()


def right_at_once(desk: Desk, plan: Plan) -> None:
    plan.begin(desk)
    for period, garas in enumerate(plan.periods):
        for gara in sorted(garas, key=lambda gara: gara.first):
            gara.send(desk)
        plan.publish(desk, period)


USUAL = {chess_plan: (2,), draughts_plan: (5,)}
"""Seeds with which a correction of one list changes another; they run each time."""

SEEDS = [
    pytest.param(make, seed, marks=[pytest.mark.deep] * (seed not in usual), id=f"{make.__name__}-{seed}")
    for make, usual in USUAL.items()
    for seed in range(40)
]


@pytest.mark.parametrize(("make", "seed"), SEEDS)
def test_a_correction_reaches_every_list(tmp_path: Path, make: Callable[[int], Plan], seed: int) -> None:
    plan = make(seed)
    desks = []
    for name in ("corrected", "right"):
        folder = tmp_path / name
        folder.mkdir()
        desks.append(Desk.made(str(folder / "office.db"), folder, Clock(date(2018, 1, 1))))
    corrected(desks[0], plan, seed)
    right_at_once(desks[1], plan)

    found, wanted = map(all_lists, desks)

    assert found.keys() == wanted.keys()
    for key, rows in wanted.items():
        assert found[key] == rows, key
    assert verify(desks[0].office, recompute=True).intact
    for desk in desks:
        desk.office.close()
