"""A time control as periods that can be counted, and the code of TRF record 222 and of PGN (``40/6000+30:900+30``).

Nothing raises: a control that cannot be read has no periods and names its ``problem``; what a rule supplied is listed
in ``assumed``. Free text is read by ``time_control_text``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

GAME_LENGTH = 60
"""The moves for which regulations count the time (1.1)."""

LONGEST = 24 * 3600
MOST_MOVES = 300
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class ControlPeriod:
    """A number of moves (None: the rest of the game), its seconds, and the increment per move in seconds."""

    moves: int | None
    seconds: int
    increment: int = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control, or the reason why the text could not be read."""

    text: str
    periods: tuple[ControlPeriod, ...] = ()
    """The periods, White's if the times differ; empty if the text could not be read."""

    black: tuple[ControlPeriod, ...] = ()
    """Black's periods if they differ from White's."""

    increment_from: int = 1
    """The first move that earns the increment."""

    delay: bool = False
    """The seconds per move are a delay, not an increment; both count the same."""

    problem: str = ""
    """``time-control-empty``, ``-unknown-word``, ``-not-understood`` or ``-out-of-range``."""

    word: str = ""
    """The word or sign that was not understood."""

    assumed: tuple[str, ...] = ()
    """What a rule supplied: ``hours``, ``minutes``, ``seconds``, ``increment``, ``moves-missing``, ``rest-missing``."""

    @property
    def readable(self) -> bool:
        """Return whether the text could be read."""
        return bool(self.periods)

    @property
    def first_control(self) -> int | None:
        """Return the moves of the first control; None if the first period is the whole game."""
        return self.periods[0].moves if self.periods else None

    def minutes(self, moves: int = GAME_LENGTH) -> Fraction | None:
        """Return the minutes for a number of moves; of unequal times the shorter."""
        return _minutes_for(self.periods, self.black, self.increment_from, moves) if self.periods else None


@lru_cache(maxsize=1024)
def _minutes_for(
    periods: tuple[ControlPeriod, ...], black: tuple[ControlPeriod, ...], increment_from: int, moves: int
) -> Fraction:
    """Return the minutes of the shorter time; kept, since many events have the same time control."""
    sides = (periods, black) if black else (periods,)
    return Fraction(min(_seconds_for(side, moves, increment_from) for side in sides), 60)


def _seconds_for(periods: Sequence[ControlPeriod], moves: int, increment_from: int) -> int:
    """Return the time up to a move; periods that begin later do not count."""
    total = moves_made = 0
    for index, period in enumerate(periods):
        if moves_made >= moves:
            break
        last = index == len(periods) - 1
        until = moves if last else min(moves, moves_made + (period.moves or 0))
        earning = max(0, until - max(moves_made, increment_from - 1))
        total += period.seconds + period.increment * earning
        moves_made = until
    return total


def checked(control: TimeControl) -> TimeControl:
    """Return the control with what is missing in ``assumed``, or with a problem if it cannot be played."""
    for period in (*control.periods, *control.black):
        moves = 1 if period.moves is None else period.moves
        if max(period.seconds, period.increment) > LONGEST or not 1 <= moves <= MOST_MOVES:
            return TimeControl(control.text, problem="time-control-out-of-range")
    if not control.minutes(GAME_LENGTH):
        return TimeControl(control.text, problem="time-control-out-of-range")
    assumed = list(control.assumed)
    if any(period.moves is None for period in control.periods[:-1]):
        assumed.append("moves-missing")
    if control.periods[-1].moves is not None:
        assumed.append("rest-missing")
    return replace(control, assumed=tuple(dict.fromkeys(assumed)))


_CODE = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,4}))?")


def parse_code(code: str) -> TimeControl:
    """Read ``40/6000+30:900+30``: moves/seconds+increment, periods separated by colons."""
    text = code.strip()
    if text in ("", "-", "?"):
        return TimeControl(code, problem="time-control-empty")
    if len(text) > LONGEST_TEXT:
        return TimeControl(code, problem="time-control-not-understood")
    periods: list[ControlPeriod] = []
    for part in re.split(r"\s*:\s*", text):
        match = _CODE.fullmatch(part)
        if match is None:
            return TimeControl(code, problem="time-control-not-understood", word=part)
        moves, seconds, increment = match.groups()
        periods.append(ControlPeriod(int(moves) if moves else None, int(seconds), int(increment or 0)))
    return checked(TimeControl(code, tuple(periods)))
