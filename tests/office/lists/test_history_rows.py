"""One player on all lists: the history says the same as the blocks of every list."""

from contextlib import closing
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from sqlalchemy import text

from arpad.model.rules import ListName
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.history_rows import (
    HistoryRow,
    changed_ratings,
    changes_between,
    history_columns,
    player_history,
    row_of,
)
from arpad.office.lists.rows import ever_published
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import Office, open_office, take_back, verify

JAN, FEB, MAR, APR = (date(2018, month, 1) for month in range(1, 5))


def as_in_blocks(office: Office) -> dict[int, dict[int, HistoryRow]]:
    """Return every player on every list from the blocks; ``changed`` is left 0."""
    players: dict[int, dict[int, HistoryRow]] = {}
    with office.store.reading() as connection:
        for publication in ever_published(connection):
            table = history_columns(read_table(connection, publication.id)).with_columns(changed=pl.lit(0))
            for player, *row in table.select("player", *HistoryRow._fields).iter_rows():
                players.setdefault(player, {})[publication.id] = HistoryRow(*row)
    return players


def compare(office: Office) -> int:
    """Compare the history of every player with the blocks; return how many rows were compared."""
    stored = as_in_blocks(office)
    with office.store.reading() as connection:
        for player, rows in stored.items():
            history = player_history(connection, player)
            assert {number: row._replace(changed=0) for number, row in history.items()} == rows, player
    return sum(map(len, stored.values()))


def test_the_history_of_every_player_of_the_demo_is_that_of_the_blocks(demo_folder: Path) -> None:
    with closing(open_office(str(demo_folder / "office.db"))) as office:
        assert compare(office) > 5_000
        with office.store.reading() as connection:
            changes = connection.execute(text("SELECT changes FROM list_history")).scalars().all()
        lines = sum(block.count("\n") for block in changes)
        assert 0 < lines < sum(map(len, as_in_blocks(office).values())) // 2


def test_a_history_with_an_import_a_revision_and_a_list_taken_back(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900), listed(3, 1800))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    desk.list(MAR, listed(1, 2100), listed(3, 1800))
    desk.on(APR)
    desk.publish(APR)
    take_back(desk.office, STANDARD, APR, reason="too early")
    desk.publish(APR)
    assert compare(desk.office) > 0
    with desk.office.store.reading() as connection:
        rows = player_history(connection, 2)
        shown = {p.id: p for p in ever_published(connection) if p.id in rows}
    assert {p.day for p in shown.values()} == {JAN, FEB}


def test_what_changes_a_state_is_told_from_what_only_shows(desk: Desk) -> None:
    desk.list(JAN, *(listed(n, 1900) for n in range(1, 4)))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    with desk.office.store.reading() as connection:
        february = next(
            p.id for p in ever_published(connection) if p.day == FEB and p.list == ListName.STANDARD
        )
        changed = {player: player_history(connection, player)[february].changed for player in (1, 2, 3)}
    assert changed == {1: 1, 2: 1, 3: 0}


def test_a_player_on_no_list_has_no_history(out: Desk) -> None:
    with out.office.store.reading() as connection:
        assert player_history(connection, 999) == {}


def test_each_player_of_a_block_and_of_its_neighbours_has_a_line_of_their_own(desk: Desk) -> None:
    numbers = range(1, 131)
    desk.list(JAN, *(listed(number, 1900) for number in numbers))
    desk.list(FEB, *(listed(number, 2000 + number) for number in numbers))
    with desk.office.store.reading() as connection:
        february = max(p.id for p in ever_published(connection))
        rated = {number: player_history(connection, number)[february].rating for number in numbers}
        assert changed_ratings(connection, [february], [*numbers, 999]) == {
            number: {february: rating} for number, rating in rated.items()
        }
        assert [*changed_ratings(connection, [february], [999, 64, 6])] == [6, 64]
        blocks = connection.execute(text("SELECT block FROM list_history ORDER BY block")).scalars().all()
    assert set(rated.values()) == {2000 + number for number in numbers}
    assert blocks == [0, 1, 2]


def test_a_category_with_signs_of_a_line_is_read_back(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    with desk.office.store.reading() as connection:
        table = read_table(connection, max(p.id for p in ever_published(connection)))
        odd = table.with_columns(category=pl.lit("a\tb\n2\t\\"))
        (changes,) = changes_between(table, odd)["changes"]
    rows = {number: row_of(changes, number) for number in (1, 2, 3)}
    assert {number: row and row.category for number, row in rows.items()} == {
        1: "a\tb\n2\t\\", 2: "a\tb\n2\t\\", 3: None
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("\n64\t2\t2000", "\n64\t2\t2500"), "2, 64"),
        (("\n64\t2\t2000", "\n64\t2\t2000\t0"), "2, 64"),
        (("\n64\t", "\n1064\t"), "2, 1064; 2, 64"),
        (("\n64\t", "64\t"), "2, 64–127"),
        (("", "\n"), "2, 64–127"),
    ],
)
def test_a_changed_history_is_named_by_list_and_player(
    desk: Desk, change: tuple[str, str], named: str
) -> None:
    desk.list(JAN, *(listed(number, 1900) for number in range(1, 131)))
    desk.list(FEB, *(listed(number, 2000) for number in range(1, 131)))
    with desk.office.store.writing() as connection:
        before = connection.execute(text("SELECT changes FROM list_history WHERE block = 1")).scalar_one()
        after = before.replace(*change, 1)
        assert before != after
        connection.execute(text("UPDATE list_history SET changes = :after WHERE block = 1"), {"after": after})
    altered = [item for item in verify(desk.office).altered if item.facts.get("table") == "list_history"]
    assert "; ".join(str(item.facts["row"]) for item in altered) == named
