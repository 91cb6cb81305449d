"""The figures of a list, of some players or of all, are those of the states."""

import shutil
from contextlib import closing
from pathlib import Path

import polars as pl

from arpad.lists.table import Figures, state_text
from arpad.model.canonical_json import load
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists.block_rows import read_figures, read_players, read_table
from arpad.office.lists.history_rows import chess_figures, states
from arpad.office.lists.rows import all_publications
from tests.builders.verbs import open_office


def test_figures_are_those_of_the_states(demo_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(demo_folder, tmp_path / "demo")
    (place,) = (tmp_path / "demo").glob("*.db")
    desk = open_office(str(place), author="T. Officer")
    counted = False
    with desk.store.reading() as connection:
        for publication in all_publications(connection)[-8:]:
            stored = {
                player: load(state)
                for player, state in states(connection, publication.id, with_empty=True).items()
            }
            asked = [player for player in range(max(stored) + 3) if player % 3]
            figures = {player: row for player, *row in chess_figures(connection, publication, asked)}
            assert figures == {
                player: [
                    stored[player].get("rating"), stored[player].get("k"), stored[player].get("games", 0),
                    stored[player].get("peak", 0), bool(stored[player].get("tranches")),
                ]
                for player in asked if player in stored
            }  # fmt: skip
            counted |= any(row[-1] for row in figures.values())
            assert not list(chess_figures(connection, publication, []))
    desk.close()
    assert counted


def test_figures_and_shown_rows_are_columns_of_the_whole_rows(demo_folder: Path, tmp_path: Path) -> None:
    """Ask for nobody, one player, one who is not there, a few and many."""
    place = shutil.copy(demo_folder / "office.db", tmp_path)
    with (
        closing(open_office(str(place))) as office,
        office.store.reading() as connection,
    ):
        publication = all_publications(connection)[-1].id
        every = read_table(connection, publication)
        there = every["player"].to_list()
        for asked in ([], there[:1], [max(there) + 1], [0, *there[1:4]], [*there[3:60], 10**7]):
            whole = every.filter(pl.col("player").is_in(asked))
            assert read_players(connection, publication, asked).equals(whole)
            figures = read_figures(connection, publication, asked)
            assert figures == whole.select(Figures._fields).rows()
            assert [it.state_text() for it in figures] == whole.select(
                state_text(whole)
            ).to_series().to_list()
            ratings = whole.drop_nulls("rating").select("player", "rating").rows()
            assert list_rows.ratings(connection, publication, asked) == dict(ratings)
            shown = list_rows.shown_rows(connection, publication, asked)
            assert list(shown.values()) == whole.select(list_rows.SHOWN).rows()
