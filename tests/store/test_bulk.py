"""Rows are found by few values as by many; SQLite's log after an act with many rows."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, bindparam, select, text

from arpad.office.lists.tables import player_reports
from arpad.store.bulk import FEW, rows_with, wide_cache
from arpad.store.database import Store, open_store
from tests.builders.verbs import open_office

FROM_REPORT = select(player_reports.c.report, player_reports.c.player).where(
    player_reports.c.report >= bindparam("least")
)


@pytest.mark.parametrize("asked", [0, 1, FEW, FEW + 1, 200])
def test_rows_with_few_and_with_many_values(demo_folder: Path, asked: int) -> None:
    players = list(range(1, asked + 1))
    with closing(open_office(str(demo_folder / "office.db"))) as office, office.store.reading() as connection:
        every = [tuple(row) for row in connection.execute(FROM_REPORT, {"least": 3})]
        found = list(rows_with(connection, FROM_REPORT, player_reports.c.player, players, least=3))
    assert sorted(found) == sorted((report, player) for report, player in every if player in players)
    assert found or asked < FEW


PAGES = 2000


@pytest.fixture
def large_act(tmp_path: Path) -> Store:
    """A store after a transaction of 2,000 pages, whose commit leaves them in the log."""
    store = open_store(str(tmp_path / "large.db"), create=True)
    with store.writing() as connection:
        connection.execute(text("CREATE TABLE pages (page BLOB)"))
    with store.writing() as connection, wide_cache(connection):
        _add_pages(connection, PAGES)
    assert _moved_pages(store) < PAGES
    return store


def _add_pages(connection: Connection, pages: int) -> None:
    connection.execute(text("INSERT INTO pages VALUES (zeroblob(4000))"), [{}] * pages)


def _moved_pages(store: Store) -> int:
    """The pages in the file itself, without the log."""
    return Path(store.address).stat().st_size // 4096


def test_the_log_of_a_large_act_is_moved_by_the_next_commit(large_act: Store) -> None:
    with large_act.writing() as connection:
        _add_pages(connection, 1)
    assert _moved_pages(large_act) > PAGES
    large_act.engine.dispose()


def test_the_log_of_large_acts_is_moved_once_it_is_long_enough(large_act: Store) -> None:
    with large_act.writing() as connection, wide_cache(connection, log_pages=2 * PAGES):
        _add_pages(connection, 1)
    assert _moved_pages(large_act) < PAGES
    with large_act.writing() as connection, wide_cache(connection, log_pages=2 * PAGES):
        _add_pages(connection, PAGES)
    assert _moved_pages(large_act) > 2 * PAGES
    large_act.engine.dispose()


def test_the_log_of_a_large_act_is_moved_at_once_if_asked(large_act: Store) -> None:
    large_act.move_log()
    assert _moved_pages(large_act) > PAGES
    large_act.engine.dispose()
