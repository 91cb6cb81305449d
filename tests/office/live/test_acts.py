"""The live list is the draft, line by line, after any sequence of acts."""

from datetime import date
from pathlib import Path
from random import Random

import polars as pl
import pytest
from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.live_table import listed_lines
from arpad.model.rules import ListName
from arpad.office.live.acts import update_live, whole_inputs
from arpad.office.live.layers import live_sources
from arpad.office.live.rows import ACCEPTED, RECEIVED, ChangesSince
from tests.builders.offices import STANDARD, Clock, Desk
from tests.builders.random_acts import RAPID, RandomActs, random_office
from tests.builders.verbs import draft as office_draft
from tests.office.live.examples import live_lines
from tests.thinning import one_in

EDITIONS = (date(2018, 1, 1), date(2025, 1, 1))
"""The first list: under an edition with a procedure for round robins, and under one without."""


def check(acts: RandomActs) -> None:
    """Compare both layers of both lists with computations of everybody."""
    office = acts.desk.office
    for on_list in (STANDARD, RAPID):
        update_live(office, on_list)
        draft = listed_lines(office_draft(office, on_list, acts.next_day(on_list)).result.table)
        with office.store.reading() as connection:
            accepted, received = (live_lines(connection, on_list, layer) for layer in (ACCEPTED, RECEIVED))
            whole = with_everybody(connection, on_list, acts.desk.clock.day)
        assert accepted is not None
        assert accepted.equals(draft), (accepted, draft)
        assert received is not None
        assert received.equals(whole), (received, whole)


def with_everybody(connection: Connection, on_list: ListName, today: date) -> pl.DataFrame:
    """Compute the received layer of everybody at once."""
    everybody = ChangesSince(everybody=True)
    sources, _ = live_sources(
        connection, on_list, today, received=True, before={}, basis=None, changes=everybody
    )
    return listed_lines(compute_list(whole_inputs(connection, sources)).table)


def run(folder: Path, seed: int, steps: int) -> None:
    random = Random(seed)  # noqa: S311  a test
    desk = Desk.made(str(folder / f"{seed}.db"), folder, Clock())
    try:
        acts = random_office(desk, random, start=EDITIONS[seed % 2])
        check(acts)
        for _ in range(steps):
            for _ in range(random.randint(1, 3)):
                acts.act()
            check(acts)
    finally:
        desk.office.close()


@pytest.mark.parametrize("seed", one_in(2, range(2)))
def test_live_is_the_draft(tmp_path: Path, seed: int) -> None:
    run(tmp_path, seed, steps=5)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 62))
def test_live_is_the_draft_in_long_sequences(tmp_path: Path, seed: int) -> None:
    run(tmp_path, seed, steps=40)
