"""A time control as periods that can be counted, and the code of TRF record 222 and of PGN (``40/6000+30:900+30``).

Nothing raises: a control that cannot be read has no periods and names its ``problem``; what a rule supplied is listed
in ``assumed``. Free text is read by ``time_control_text``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

GAME_LENGTH = 60
"""The moves for which regulations count the time (1.1)."""

LONGEST = 24 * 3600
MOST_MOVES = 300
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class ControlPeriod:
    """So many moves, or all the rest, in so many seconds, and the seconds added with each move."""

    moves: int | None
    seconds: int
    increment: int = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control, or the reason why the text gives none."""

    text: str
    periods: tuple[ControlPeriod, ...] = ()
    """White's where the times differ; empty where the text could not be read."""

    black: tuple[ControlPeriod, ...] = ()
    """Black's periods where they differ from White's."""

    increment_from: int = 1
    """The first move that earns the increment."""

    delay: bool = False
    """The seconds per move are a delay, not an increment; they are counted alike."""

    problem: str = ""
    """``time-control-empty``, ``-unknown-word``, ``-not-understood`` or ``-out-of-range``."""

    word: str = ""
    """The word or sign that was not understood."""

    assumed: tuple[str, ...] = ()
    """What a rule supplied: ``hours``, ``minutes``, ``seconds``, ``increment``, ``moves-missing``, ``rest-missing``."""

    @property
    def readable(self) -> bool:
        """Whether there are periods to count."""
        return bool(self.periods)

    @property
    def first_control(self) -> int | None:
        """The moves of the first control; None where the first period is the whole game."""
        return self.periods[0].moves if self.periods else None

    def minutes(self, moves: int = GAME_LENGTH) -> Fraction | None:
        """Minutes a player has for so many moves; of unequal times the shorter."""
        if not self.periods:
            return None
        sides = (self.periods, self.black) if self.black else (self.periods,)
        return Fraction(min(_seconds_for(side, moves, self.increment_from) for side in sides), 60)


def _seconds_for(periods: Sequence[ControlPeriod], moves: int, increment_from: int) -> int:
    """Time added up to a move: a period that begins after it gives nothing."""
    total = made = 0
    for place, period in enumerate(periods):
        if made >= moves:
            break
        last = place == len(periods) - 1
        until = moves if last else min(moves, made + (period.moves or 0))
        earning = max(0, until - max(made, increment_from - 1))
        total += period.seconds + period.increment * earning
        made = until
    return total


def checked(control: TimeControl) -> TimeControl:
    """The control with what is odd about its periods, or refused where no game could be played under it."""
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
    """``40/6000+30:900+30``: moves/seconds+increment, periods separated by colons."""
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
