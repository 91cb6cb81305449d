"""The figures of a list, of some players or of all, are those of the states."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arpad.model.canonical_json import load
from arpad.office import verbs
from arpad.store import list_rows
from arpad.store.list_rows import chess_figures, states
from arpad.store.lists import all_publications


@pytest.mark.parametrize("many", [1, 10**6])
def test_figures_are_those_of_the_states(
    demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    """Read the lists with few players and with all of them, then from memory."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    (place,) = (tmp_path / "demo").glob("*.db")
    desk = verbs.open_office(str(place), author="T. Officer")
    monkeypatch.setattr(list_rows, "MANY_PLAYERS", many)
    monkeypatch.setattr(list_rows, "_kept", {})
    counted = False
    with desk.store.reading() as connection:
        for publication in all_publications(connection)[-8:]:
            stored = {
                player: load(state)
                for player, state in states(connection, publication.id, with_empty=True).items()
            }
            asked = [player for player in range(max(stored) + 3) if player % 3]
            for _ in range(2):
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
    assert len(list_rows._kept) <= 4
