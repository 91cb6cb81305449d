"""The live list of draughts is the draft, line by line, after any sequence of acts."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arpad.lists.live_table import listed_lines
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import all_publications
from arpad.office.lists.tables import PUBLISHED
from arpad.office.live.acts import update_live
from arpad.office.live.rows import ACCEPTED, RECEIVED
from arpad.reports.event_facts import EventFacts
from tests.builders.decisions import decide as office_decide
from tests.builders.draughts_lists import INTERNAZIONALE, ITALIANA, begin, standing
from tests.builders.offices import Clock, Desk
from tests.builders.random_acts import SIZE, RandomActs
from tests.builders.verbs import draft as office_draft
from tests.builders.verbs import publish as office_publish
from tests.builders.verbs import revise as office_revise
from tests.builders.verbs import take_back as office_take_back
from tests.office.live.examples import live_lines
from tests.office.live.test_acts import with_everybody

LISTS = (ITALIANA, ITALIANA, INTERNAZIONALE)


class DraughtsActs(RandomActs):
    """The same acts on the lists of draughts."""

    def _list(self) -> ListName:
        return self.random.choice(LISTS)

    def send(self) -> int:  # type: ignore[override]
        facts = EventFacts(list=self._list(), weight=self.random.choice((None, 50)))
        report = self._report()
        day = max(self.opened, report.header.first_day or self.opened)
        days = replace(report.header, first_day=day, last_day=day)
        if self.desk.clock.day < day:
            self.desk.on(day)
        return self.desk.send(replace(report, header=days), facts=facts).report

    def send_and_accept(self) -> None:
        self._accept(self.send())

    def replace(self) -> None:
        before = self._some_report("received", "accepted")
        self.desk.send(self._report(), replaces=before, facts=EventFacts(list=self._list()))

    def decide(self) -> None:
        office, kind = self.desk.office, self.random.choice(("not-rated", "weight", "category", "capital"))
        about: dict[str, Any] = {"player": self._player(), "on_list": self._list()}
        if kind in ("not-rated", "weight"):
            about = {"report": self._some_report("received", "accepted")}
        more: dict[str, dict[str, Any]] = {
            "not-rated": {},
            "weight": {"weight": self.random.randint(1, 100)},
            "category": {"category": self.random.choice("RNM"), "day": self.opened},
            "capital": {"capital": self.random.randint(1000, 5000)},
        }
        self.decisions.append(office_decide(office, kind, reason="so decided", **about, **more[kind]))

    def settings(self) -> None:
        pass

    def publish(self) -> None:
        on_list = self._list()
        day = self.next_day(on_list)
        self.desk.on(max(day, self.desk.clock.day))
        office_publish(self.desk.office, on_list, day)
        self.opened = max(self.opened, day + timedelta(days=1))

    def revise(self) -> None:
        office_revise(self.desk.office, self._list(), reason="correction")

    def take_back(self) -> None:
        on_list = self._list()
        with self.desk.office.store.reading() as connection:
            last = newest(all_publications(connection, on_list))
        if last is not None and last.kind == PUBLISHED:
            office_take_back(self.desk.office, on_list, last.day, reason="too early")


def check(acts: DraughtsActs) -> int:
    """Compare both layers of both lists with computations of everybody; return how many lines were compared."""
    office, compared = acts.desk.office, 0
    for on_list in (ITALIANA, INTERNAZIONALE):
        state = update_live(office, on_list)
        try:
            draft = listed_lines(office_draft(office, on_list, acts.next_day(on_list)).result.table)
        except BadInput:
            assert state is None
            continue
        with office.store.reading() as connection:
            accepted, received = (live_lines(connection, on_list, layer) for layer in (ACCEPTED, RECEIVED))
            whole = with_everybody(connection, on_list, acts.desk.clock.day)
        assert accepted is not None
        assert accepted.equals(draft), (accepted, draft)
        assert received is not None
        assert received.equals(whole), (received, whole)
        compared += len(draft)
    return compared


def run(folder: Path, seed: int, steps: int) -> None:
    random = Random(seed)  # noqa: S311  a test
    desk = Desk.made(str(folder / f"{seed}.db"), folder, Clock())
    try:
        for on_list in (ITALIANA, INTERNAZIONALE):
            players = range(1, SIZE + 1) if on_list == ITALIANA else range(1, SIZE, 2)
            begin(
                desk, *(standing(number, random.randint(1500, 5200)) for number in players), on_list=on_list
            )
        acts = DraughtsActs(desk, random, date(2018, 1, 1))
        compared = check(acts)
        for _ in range(steps):
            for _ in range(random.randint(1, 3)):
                acts.act()
            compared += check(acts)
        assert compared > steps * SIZE
    finally:
        desk.office.close()


def test_live_is_the_draft(tmp_path: Path) -> None:
    run(tmp_path, 0, steps=4)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(1, 21))
def test_live_is_the_draft_in_long_sequences(tmp_path: Path, seed: int) -> None:
    run(tmp_path, seed, steps=30)
