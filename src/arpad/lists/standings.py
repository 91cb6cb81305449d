"""A player on a list: the state, and the published line."""

from __future__ import annotations

from typing import NamedTuple

EMPTY_STATE = "{}"


class StandingRow(NamedTuple):
    """One player in one revision: the state, and the line if the player is published."""

    player: int
    rating: int | None
    state: str
    line: str | None
