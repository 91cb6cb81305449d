"""An office in which random acts happen, for tests that compare two ways to the same list."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.drafts.procedures import next_list_day
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import all_publications
from arpad.office.lists.tables import PUBLISHED
from arpad.office.privacy.acts import hide_player, show_player
from arpad.reports.report import MIRROR, Entrant, Header, Report, Round
from tests.builders.decisions import decide as office_decide
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept as office_accept
from tests.builders.verbs import add_identifier, change_settings, reports_on_file, return_, unmerge
from tests.builders.verbs import change_player as office_change_player
from tests.builders.verbs import merge as office_merge
from tests.builders.verbs import publish as office_publish
from tests.builders.verbs import reinstate as office_reinstate
from tests.builders.verbs import revise as office_revise
from tests.builders.verbs import revoke as office_revoke
from tests.builders.verbs import take_back as office_take_back
from tests.builders.verbs import withdraw as office_withdraw

RAPID = ListName.RAPID
CONTROLS = {STANDARD: "90 min + 30 sec", RAPID: "15 min + 10 sec"}
SIZE = 14
"""Players on the first list; four more play without a rating, and newcomers come."""


def random_office(desk: Desk, random: Random, *, start: date) -> RandomActs:
    """Return an office with a standard and a rapid list."""
    rows = [
        listed(
            number, random.randint(1300, 2300) if number <= SIZE else None, born=random.randint(1950, 2012)
        )
        for number in range(1, SIZE + 5)
    ]
    desk.list(start, *rows)
    desk.list(start, *(row for row in rows if random.random() < 0.6), on_list=RAPID)
    return RandomActs(desk, random, start)


@dataclass(slots=True)
class RandomActs:
    """Acts of officers and arbiters, drawn at random; an act that the office refuses does nothing."""

    desk: Desk
    random: Random
    opened: date
    """The day of the last list."""

    sent: int = 0
    merges: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)

    def act(self) -> str:
        """Do one act; return its name."""
        names = [*_WEIGHTS]
        (name,) = self.random.choices(names, [_WEIGHTS[name] for name in names])
        with suppress(BadInput):
            getattr(self, name)()
        return name

    def next_day(self, on_list: ListName) -> date:
        """Return the day of the next list."""
        with self.desk.office.store.reading() as connection:
            last = newest(all_publications(connection, on_list))
            return next_list_day(connection, on_list, last, self.desk.clock.day)

    def _report(self) -> Report:
        random = self.random
        self.sent += 1
        on_list = random.choice((STANDARD, STANDARD, RAPID))
        players = random.sample(range(1, SIZE + 8), random.choice((2, 4, 4, 6)))
        first = self.opened + timedelta(days=random.randint(-20, 20))
        rounds = (
            _round_robin(random, len(players)) if random.random() < 0.6 else _few_rounds(random, len(players))
        )
        entrants = tuple(
            Entrant(place, f"Player {number}", None, id=str(9000 + number) if random.random() < 0.95 else "",
                    federation="ITA")
            for place, number in enumerate(players, start=1)
        )  # fmt: skip
        header = Header(
            name=f"Event {self.sent}", city="Bellariva", federation="ITA", chief_arbiter="IA Rossi", first_day=first,
            last_day=first + timedelta(days=random.randint(0, 4)), time_control=CONTROLS[on_list],
        )  # fmt: skip
        return Report(header, entrants, rounds)

    def _some_report(self, *statuses: str) -> int:
        reports = [it.id for it in reports_on_file(self.desk.office) if it.status in statuses]
        if not reports:
            raise BadInput("no-report", report=0)
        return self.random.choice(reports)

    def _player(self) -> int:
        return self.random.randint(1, SIZE + 4)

    # ------------------------------------------------------------------------------------------------ reports

    def send(self) -> None:
        self.desk.send(self._report())

    def send_and_accept(self) -> None:
        self._accept(self.desk.send(self._report()).report)

    def accept(self) -> None:
        self._accept(self._some_report("received"))

    def _accept(self, report: int) -> None:
        """Accept a report, in spite of its errors if there are any."""
        try:
            office_accept(self.desk.office, report)
        except BadInput as error:
            codes = str(error.facts.get("codes", "")).split(", ")
            office_accept(self.desk.office, report, reason="as sent", overrule=codes)

    def replace(self) -> None:
        self.desk.send(self._report(), replaces=self._some_report("received", "accepted"))

    def withdraw(self) -> None:
        office_withdraw(self.desk.office, self._some_report("received", "accepted"), reason="wrong")

    def send_back(self) -> None:
        return_(self.desk.office, self._some_report("received"), reason="incomplete")

    def reinstate(self) -> None:
        office_reinstate(
            self.desk.office, self._some_report("withdrawn", "superseded"), reason="right after all"
        )

    # ---------------------------------------------------------------------------------------------- decisions

    def decide(self) -> None:
        random, office = self.random, self.desk.office
        on_list = random.choice((STANDARD, RAPID))
        kind = random.choice(("not-rated", "official", "k", "leave-out", "suspended", "list", "result"))
        if kind in ("k", "leave-out"):
            more = {"k": 40, "on_list": on_list} if kind == "k" else {}
            number = office_decide(
                office,
                kind,
                player=self._player(),
                day=self.next_day(on_list),
                reason="so decided",
                **more,  # type: ignore[arg-type]
            )
        elif kind == "suspended":
            number = office_decide(office, kind, federation="ITA", day=self.opened, reason="so decided")
            if random.random() < 0.9:
                office_revoke(office, number, reason="too hard")
        else:
            report = self._some_report("received", "accepted")
            if kind == "list":
                number = office_decide(
                    office, "fact", report=report, facts={"list": str(on_list)}, reason="so decided"
                )
            elif kind == "result":
                number = office_decide(
                    office, kind, report=report, number=1, round=1, result="=", reason="so decided"
                )
            else:
                number = office_decide(office, kind, report=report, reason="so decided")
        self.decisions.append(number)

    def revoke(self) -> None:
        if self.decisions:
            office_revoke(self.desk.office, self.random.choice(self.decisions), reason="otherwise")

    # ----------------------------------------------------------------------------------------------- register

    def change_player(self) -> None:
        changes = self.random.choice(
            (
                {"name": f"Other {self.random.randint(1, 99)}"},
                {"born": "2008"},
                {"title": "FM"},
                {"federation": "FRA"},
            )
        )
        office_change_player(
            self.desk.office, self._player(), since=self.opened, reason="letter", set_=changes
        )

    def number(self) -> None:
        add_identifier(self.desk.office, self._player(), "fsi", str(self.random.randint(1, 99999)))

    def hide(self) -> None:
        act = hide_player if self.random.random() < 0.5 else show_player
        act(self.desk.office, self._player(), reason="asked")

    def merge(self) -> None:
        if self.merges and self.random.random() < 0.5:
            unmerge(self.desk.office, self.merges.pop(), reason="two people")
        else:
            done = office_merge(
                self.desk.office, self._player(), self._player(), reason="one person", confirmed=True
            )
            self.merges.append(done.merge)

    def settings(self) -> None:
        change_settings(self.desk.office, set_={"owned_standard": self.random.choice(("all", "home"))})

    # -------------------------------------------------------------------------------------------------- lists

    def publish(self) -> None:
        on_list = self.random.choice((STANDARD, STANDARD, RAPID))
        day = self.next_day(on_list)
        if self.desk.clock.day < day - timedelta(days=2):
            self.desk.on(day - timedelta(days=2))
        office_publish(self.desk.office, on_list, day)
        if on_list == STANDARD:
            self.opened = day

    def revise(self) -> None:
        mode = self.random.choice(("lists", "base"))
        office_revise(self.desk.office, self.random.choice((STANDARD, RAPID)), reason="correction", mode=mode)

    def take_back(self) -> None:
        on_list = self.random.choice((STANDARD, RAPID))
        with self.desk.office.store.reading() as connection:
            last = newest(all_publications(connection, on_list))
        if last is not None and last.kind == PUBLISHED:
            office_take_back(self.desk.office, on_list, last.day, reason="too early")


_WEIGHTS: dict[str, float] = {
    "send": 3, "send_and_accept": 5, "accept": 4, "replace": 1, "withdraw": 2, "send_back": 0.5, "reinstate": 1,
    "decide": 3, "revoke": 1, "change_player": 1.5, "number": 0.5, "hide": 1, "merge": 0.7, "settings": 0.3,
    "publish": 1.2, "revise": 0.8, "take_back": 0.3,
}  # fmt: skip

Rounds = tuple[Round, ...]


def _rounds(random: Random, pairings: list[list[tuple[int, int]]], size: int) -> Rounds:
    rounds = []
    for pairs in pairings:
        opponents, colours, results = [0] * size, ["-"] * size, [" "] * size
        for first, second in pairs:
            result = random.choice("1=0")
            opponents[first], opponents[second] = second + 1, first + 1
            colours[first], colours[second] = "w", "b"
            results[first], results[second] = result, MIRROR[result]
        rounds.append(Round(tuple(opponents), "".join(colours), "".join(results)))
    return tuple(rounds)


def _round_robin(random: Random, size: int) -> Rounds:
    """Return the rounds in which everybody meets everybody."""
    places = list(range(size))
    pairings = []
    for _ in range(size - 1):
        pairings.append([(places[at], places[-1 - at]) for at in range(size // 2)])
        places = [places[0], places[-1], *places[1:-1]]
    return _rounds(random, pairings, size)


def _few_rounds(random: Random, size: int) -> Rounds:
    """Return fewer rounds than a round robin has."""
    return _round_robin(random, size)[: max(1, size // 2)]
