"""Live lists and workers: every act asks for them, and killed workers leave them right in the end."""

import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from random import Random

import pytest

from arpad.lists.live_table import listed_lines
from arpad.model.rules import ListName
from arpad.office.live.acts import update_live
from arpad.office.live.rows import read_state
from arpad.store import jobs
from arpad.store.jobs import JobState
from arpad.worker.loop import work_once
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.random_acts import RAPID, random_office
from tests.builders.verbs import change_player, change_settings, ledger
from tests.builders.verbs import draft as office_draft
from tests.office.live.examples import live_lines

JAN = date(2018, 1, 1)


def live_jobs(desk: Desk) -> list[JobState]:
    with desk.office.store.reading() as connection:
        return [job.state for job in jobs.all_jobs(connection, ["live", "live-received"])]


@DEEP_ON_POSTGRESQL
def test_every_act_asks_for_the_live_lists_while_they_are_kept(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    assert live_jobs(desk) == []
    change_settings(desk.office, set_={"live_lists": "public"})
    assert live_jobs(desk) == [JobState.WAITING] * 2
    work_once(desk.office)
    assert live_jobs(desk) == [JobState.DONE] * 2
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    assert live_jobs(desk) == [JobState.WAITING] * 2
    work_once(desk.office)
    with desk.office.store.reading() as connection:
        lines = live_lines(connection, STANDARD)
        state = read_state(connection, STANDARD)
    assert lines is not None
    assert lines["rating"].to_list() == [2007, 1893]
    work_once(desk.office)
    with desk.office.store.reading() as connection:
        assert read_state(connection, STANDARD) == state


def test_a_computation_that_was_overtaken_is_thrown_away(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker stores a newer computation while this one computes."""
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    update_live(desk.office, STANDARD)
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    module = sys.modules["arpad.office.live.acts"]
    compute = module._computed
    overtaken: list[bool] = []

    def slow(*arguments: object) -> object:
        result = compute(*arguments)
        if not overtaken:
            overtaken.append(True)
            change_player(desk.office, 1, since=JAN, set_={"title": "FM"}, reason="letter")
            update_live(desk.office, STANDARD)
        return result

    monkeypatch.setattr(module, "_computed", slow)
    update_live(desk.office, STANDARD)
    with desk.office.store.reading() as connection:
        lines = live_lines(connection, STANDARD)
    assert lines is not None
    assert lines.equals(listed_lines(office_draft(desk.office, STANDARD, date(2018, 2, 1)).result.table))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
def test_two_workers_killed_at_random_leave_the_live_list_right(tmp_path: Path, seed: int) -> None:
    random = Random(seed)  # noqa: S311  a test
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    acts = random_office(desk, random, start=date(2018, 1, 1))
    change_settings(desk.office, set_={"live_lists": "public"})
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARPAD_")}
    command = [sys.executable, "-m", "arpad", "work"]

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, env={**environment, "ARPAD_DB": desk.place})

    workers = [start(), start()]
    try:
        for _ in range(60):
            acts.act()
            time.sleep(random.random())
            if random.random() < 0.5:
                victim = random.randrange(2)
                workers[victim].send_signal(signal.SIGKILL)
                workers[victim].wait()
                workers[victim] = start()
        last = ledger(desk.office)[-1].seq
        for on_list in (STANDARD, RAPID):
            _wait_for(desk, on_list, last)
            draft = listed_lines(office_draft(desk.office, on_list, acts.next_day(on_list)).result.table)
            with desk.office.store.reading() as connection:
                lines = live_lines(connection, on_list)
            assert lines is not None
            assert lines.equals(draft)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
        desk.office.close()


def _wait_for(desk: Desk, on_list: ListName, act: int) -> None:
    """Wait until the live list has seen an act; a job of a killed worker waits for the end of its lease."""
    while True:
        with desk.office.store.reading() as connection:
            state = read_state(connection, on_list)
        if state is not None and state.act >= act:
            return
        time.sleep(0.2)
