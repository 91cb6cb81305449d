"""A time control in the reader's words: "90 minutes for 40 moves + 30 minutes + 30 seconds per move"."""

from arpad.explain.words import Words
from arpad.reports.time_control import ControlPeriod, TimeControl, read_time_control

_MINUTE = 60


def time_control_text(text: str, words: Words) -> str:
    """Return a time control of a report in words; as it was written if reading it needed a guess."""
    control = read_time_control(text)
    increments = {period.increment for period in control.periods}
    if control.assumed or control.black or control.delay or len(increments) != 1:
        return text
    return " + ".join([*(_period(period, words) for period in control.periods), *_increment(control, words)])


def _period(period: ControlPeriod, words: Words) -> str:
    minutes, seconds = divmod(period.seconds, _MINUTE)
    parts = [words.text("time-control.minutes", minutes=minutes)] if minutes else []
    if seconds:
        parts.append(words.text("time-control.seconds", seconds=seconds))
    time = " ".join(parts)
    return time if period.moves is None else words.text("time-control.moves", time=time, moves=period.moves)


def _increment(control: TimeControl, words: Words) -> list[str]:
    seconds = control.periods[0].increment
    if not seconds:
        return []
    if control.increment_from > 1:
        return [words.text("time-control.increment-from", seconds=seconds, move=control.increment_from)]
    return [words.text("time-control.increment", seconds=seconds)]
