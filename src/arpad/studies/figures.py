"""Tables of figures, which a terminal and a page show alike."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from arpad.explain.words import Words
from arpad.studies.calibration import Bin, Calibration, ListCalibration
from arpad.studies.conclusions import chance, group_text, interval, list_text, measured, signal_text, span
from arpad.studies.drift import Drift, Settling
from arpad.studies.history import HistoryPlayer
from arpad.studies.points import PeriodPoints, total
from arpad.studies.pools import Pools
from arpad.studies.signals import Signal
from arpad.studies.statistics import Interval

LEFT = frozenset("cut group forecast federation why band cause day list player figure k seed screen".split())
"""Columns of words; all others are figures."""


class Figures(NamedTuple):
    """A table: the keys of its columns, their cells, and what it is about if there are several."""

    keys: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""


def causes(ledger: Sequence[PeriodPoints], words: Words) -> Figures:
    """Return the points that each rule made."""
    rows = [
        (words.text(f"cause.{cause}"), words.number(points, signed=True), str(cases))
        for cause, points, cases in total(ledger).booked()
    ]
    return Figures(("cause", "points-made", "cases"), rows)


def changes(ledger: Sequence[PeriodPoints], words: Words) -> Figures:
    """Return the change of the sum of points from list to list."""
    rows = [
        (
            words.day(account.day),
            str(account.players_after),
            words.number(account.change, signed=account.change != 0),
            words.number(account.unexplained),
        )
        for account in ledger
    ]
    return Figures(("day", "players", "change", "unexplained"), rows)


def averages(drift: Drift, words: Words) -> Figures:
    """Return the average of each list, who entered it and who left it, with their points."""
    rows = [
        (
            words.day(row.day),
            str(row.players),
            measured(words, row.average, 1),
            measured(words, row.deviation, 1),
            str(row.entered),
            str(row.entered_points),
            str(row.left),
            str(row.left_points),
        )
        for row in drift.lists
    ]
    return Figures(("day", "players", "average", "deviation", "entered", "brought", "left", "carried"), rows)


def groups(drift: Drift, words: Words) -> Figures:
    """Return the change of each group."""
    rows = [
        (
            words.text(f"population.{row.by}"),
            group_text(row.by, row.group, words),
            str(row.players),
            measured(words, row.first),
            measured(words, row.last),
            _with_interval(words, row.change, 1),
            chance(words, row.adjusted),
        )
        for row in drift.groups
    ]
    return Figures(("cut", "group", "players", "first", "last", "change", "adjusted"), rows)


def noise(settling: Iterable[Settling], words: Words) -> Figures:
    """Return the games after which a rating has settled, and its noise, for each K."""
    rows = [(str(group.k), str(group.games), measured(words, group.noise, 1)) for group in settling]
    return Figures(("k", "games", "noise"), rows)


def bins(calibration: Calibration, cut: str, words: Words) -> Figures:
    """Return expected and achieved scores of a cut; one into colours has no ranges."""
    rows = [
        (
            band(row),
            str(row.games),
            measured(words, row.expected, 3),
            measured(words, row.achieved.value, 3),
            span(words, row.achieved, 3),
            measured(words, row.points, 0, signed=True),
            _adjusted(words, row.adjusted, marked=row.misjudged),
        )
        for row in calibration.bins
        if row.cut == cut
    ]
    keys = ("band", "games", "expected", "achieved", "interval", "points-off", "adjusted")
    skipped = 0 if any(row[0] for row in rows) else 1
    return Figures(keys[skipped:], [row[skipped:] for row in rows], words.text(f"monitor.cut-{cut}"))


def band(comparison: Bin) -> str:
    """Return the range of a comparison."""
    if comparison.low is None:
        return ""
    if comparison.cut == "level" and comparison.low == 0 and comparison.high is not None:
        return f"<{comparison.high + 1}"
    return f"{comparison.low}+" if comparison.high is None else f"{comparison.low}–{comparison.high}"


def forecasts(calibration: Calibration, words: Words) -> Figures:
    """Return how well the table and each alternative forecast."""
    rows = [
        (
            words.text(f"forecast.{row.name}"),
            measured(words, row.log_loss, 4),
            measured(words, row.brier, 4),
            "–" if row.name == "table" else _with_interval(words, row.against_table, 4),
        )
        for row in calibration.scores
    ]
    return Figures(("forecast", "log-loss", "brier", "against"), rows)


def beside(compared: Iterable[ListCalibration], words: Words) -> Figures:
    """Return the calibration of each list, and against the others."""
    rows = [
        (
            list_text(row.list, words),
            str(row.games),
            measured(words, row.favourite.expected, 3),
            measured(words, row.favourite.achieved.value, 3),
            span(words, row.favourite.achieved, 3),
            measured(words, row.white.achieved.value, 3),
            measured(words, row.log_loss, 4),
            "–" if row.against_others is None else measured(words, row.against_others.value, 3, signed=True),
            _adjusted(words, row.adjusted, marked=row.differs),
        )
        for row in compared
    ]
    keys = "list games expected achieved interval white log-loss against-others adjusted"
    return Figures(keys.split(), rows)


def shifts(pools: Pools, words: Words) -> Figures:
    """Return the shift of each pool against the others."""
    rows = [
        (
            pool.federation,
            str(pool.players),
            str(pool.games),
            str(pool.crossing),
            "–" if pool.shift is None else _with_interval(words, pool.shift, 0),
            _adjusted(words, None if pool.shift is None else pool.adjusted, marked=pool.shifted),
        )
        for pool in pools.pools
    ]
    return Figures(("federation", "players", "games", "crossing", "shift", "adjusted"), rows)


def reasons(
    signals: Iterable[Signal], people: Mapping[int, HistoryPlayer], titles: Mapping[str, str], words: Words
) -> Figures:
    """Return each signal with its screen and its reason."""
    rows = [
        (
            words.text(f"screen-name.{signal.screen}"),
            signal_text(signal, people, words, titles),
            chance(words, signal.p),
        )
        for signal in signals
    ]
    return Figures(("screen", "why", "adjusted"), rows)


def _adjusted(words: Words, p: float | None, *, marked: bool) -> str:
    """Return a chance, marked if it is too small to be one."""
    return chance(words, p) + (" *" if marked else "")


def _with_interval(words: Words, change: Interval, places: int) -> str:
    return f"{measured(words, change.value, places, signed=True)} ({interval(words, change, places)})"
