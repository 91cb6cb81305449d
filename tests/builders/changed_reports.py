"""Reports of the made world with a few letters changed: most stay regular, and contradict themselves."""

from __future__ import annotations

from functools import cache
from runpy import run_path

from hypothesis import strategies as st

from tests.paths import BENCHMARKS

REPORTS = 12
_LETTERS = "0123456789 wb-=+01HUZWDL/.öÇx"


@cache
def made_files() -> tuple[bytes, ...]:
    """Return some reports of a small made world: team events, byes, forfeits and unrated players are among them."""
    world = run_path(str(BENCHMARKS / "world.py"), run_name="world")
    people = world["world"](300, 1)
    return tuple(world["report"](people, index, 1)[0].encode() for index in range(REPORTS))


@st.composite
def changed_files(draw: st.DrawFn) -> bytes:
    """Return a report with up to three letters replaced, or two lines swapped."""
    lines = draw(st.sampled_from(made_files())).decode().split("\r\n")
    for _ in range(draw(st.integers(0, 3))):
        row = draw(st.integers(0, len(lines) - 1))
        line = lines[row]
        if line and draw(st.booleans()):
            column = draw(st.integers(0, len(line) - 1))
            lines[row] = line[:column] + draw(st.sampled_from(_LETTERS)) + line[column + 1 :]
        elif line.startswith("001"):  # another player's name, birth, points or rank
            other = draw(st.sampled_from([it for it in lines if it.startswith("001")]))
            first, last = draw(st.sampled_from([(14, 47), (57, 68), (69, 79), (80, 84), (85, 89), (91, 101)]))
            lines[row] = line[:first] + other[first:last] + line[last:]
    return "\r\n".join(lines).encode()
