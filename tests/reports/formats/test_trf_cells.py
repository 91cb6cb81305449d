"""Rounds cut at once: nothing, or exactly what reading them one by one gives, with nothing to remark."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.reports.formats.findings import Notes
from arpad.reports.formats.trf import _Places, _read_all, _read_each
from arpad.reports.formats.trf_columns import CELL_STEP, FIRST_CELL
from arpad.reports.formats.trf_players import Block, player_block
from tests.builders.trf import player
from tests.thinning import examples

GAMES = (
    "   2 w 1", "0000 - H", "     - Z", "9999 b -", "  12 w L", "        ", "0007   D", "2    w =", "   0 - F",
)  # fmt: skip
ODD = (
    "   2 W 1", "   2 w x", "   2 w U", "0000 - +", "   2 w  ", "   2-w 1", " 2 1 w 1", "ab   w 1", "   ² w 1",
    "   2\x1fw 1", "   2 é 1", "    2 w 1",
)  # fmt: skip


def block_of(*rows: tuple[str, ...]) -> tuple[Block, int]:
    lines = [player(number, *cells) for number, cells in enumerate(rows, start=1)]
    block = player_block(range(1, len(rows) + 1), lines)
    return block, (block.width - FIRST_CELL + 1) // CELL_STEP


def agrees(block: Block, count: int) -> bool:
    """Whether the rounds are cut at once; if so, they are the reader's, who has nothing to remark."""
    found, notes = _read_all(block, count), Notes()
    read = _read_each(count, _Places(block, range(1, len(block.lines) + 1), notes))
    assert found is None or (found == read and not notes.all())
    return found is not None


def test_regular_cells_are_read_together() -> None:
    for row in (GAMES, GAMES[::-1]):
        assert agrees(*block_of(row, GAMES))


@pytest.mark.parametrize("cell", ODD)
def test_irregular_cells_are_read_round_by_round(cell: str) -> None:
    assert not agrees(*block_of((GAMES[0], cell), GAMES[:2]))


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(GAMES) | st.sampled_from(GAMES + ODD), min_size=1, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_whatever_the_cells_hold_both_ways_agree(rows: list[list[str]]) -> None:
    agrees(*block_of(*map(tuple, rows)))
