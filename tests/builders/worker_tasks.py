"""Tasks and values that tests send to other processes; the processes import only this module, which loads fast."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from arpad.model.errors import Unreadable
from arpad.model.rules import Edition, ListName
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import CHESS_EDITIONS, in_force


def standard_edition_on(day: date) -> Edition[ChessRules]:
    return in_force(CHESS_EDITIONS, ListName.STANDARD, day)


@dataclass(frozen=True, slots=True)
class DeadlyEditions:
    """Editions whose reading kills so many processes, but never one of them; each leaves a mark in a folder."""

    marks: Path
    survivor: int
    times: int

    def __call__(self, day: date) -> Edition[ChessRules]:
        if os.getpid() != self.survivor and len(list(self.marks.iterdir())) < self.times:
            (self.marks / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return standard_edition_on(day)


def ten_times_unless_two(_: object, number: int) -> int:
    if number == 2:
        raise Unreadable("games-value", path="x", column="white", row=number, value="?")
    return number * 10
