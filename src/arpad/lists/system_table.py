"""The list of a rating system in the form in which an office stores lists: a row for each player."""

from typing import Any

from arpad.lists.canonical import canonical_head, canonical_lines
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
    line_of = canonical_lines(result.published)
    figures = result.published.ratings
    rows = tuple(
        StoredPlayer(player, figures.get(player), result.states.get(player, EMPTY_STATE), line_of.get(player))
        for player in sorted({*result.states, *line_of})
    )
    before = of_system.before
    both = ((player, before[player], now) for player, now in figures.items() if player in before)
    movements = [moved for moved in both if moved[1] != moved[2]]
    movements.sort(key=lambda moved: (-abs(moved[2] - moved[1]), moved[0]))
    return ListResult(
        canonical_head(result.published, len(line_of)), system_of(inputs.on_list), rows, tuple(movements),
        tuple(sorted(figures.keys() - before.keys())) if of_system.previous else (), of_system=result,
    )  # fmt: skip
