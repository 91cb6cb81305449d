"""The list of a rating system in the form in which an office stores lists: a row for each player."""

from __future__ import annotations

from typing import Any

from arpad.lists.canonical import canonical_head
from arpad.lists.chain import Chain
from arpad.lists.inputs import Inputs
from arpad.lists.published import EMPTY_STATE, StoredPlayer
from arpad.lists.result import ListResult
from arpad.lists.system_list import compute_system_list
from arpad.regulations.systems import system_of


def compute_own_list(inputs: Inputs, chain: Chain[Any] | None = None) -> ListResult:
    """Compute the list of a rating system; its text and its digest are those of its canonical form."""
    of_system = inputs.events_of_system()
    result = compute_system_list(of_system, chain)
    lines = result.text.decode().split("\n")
    above = canonical_head(result.published, 0).count("\n")
    line_of = {int(line.partition("\t")[0]): line for line in lines[above:-1]}
    figures = {row.player: row.figure for row in result.published.rows}
    rows = tuple(
        StoredPlayer(player, figures.get(player), result.states.get(player, EMPTY_STATE), line_of.get(player))
        for player in sorted({*result.states, *line_of})
    )
    before = of_system.before
    movements = [
        (row.player, before[row.player], row.figure)
        for row in result.published.rows
        if row.change and row.player in before
    ]
    movements.sort(key=lambda moved: (-abs(moved[2] - moved[1]), moved[0]))
    return ListResult(
        "".join(f"{line}\n" for line in lines[:above]), system_of(inputs.on_list), rows, tuple(movements),
        tuple(sorted(figures.keys() - before.keys())) if of_system.previous else (), of_system=result,
    )  # fmt: skip
