"""The answers of the monitor, each as figures for programs, and as tables and conclusions for people."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from arpad.explain.words import Words
from arpad.model.exact import decimal_text
from arpad.studies import conclusions as concluded
from arpad.studies import figures
from arpad.studies.calibration import ListCalibration
from arpad.studies.conclusions import Conclusion, signal_text
from arpad.studies.figures import Figures
from arpad.studies.points import PeriodPoints
from arpad.studies.report import MonitorReport


@dataclass(frozen=True, slots=True)
class MonitorAnswer:
    """The answer to a question about a list."""

    body: Mapping[str, Any]
    tables: Sequence[Figures]
    conclusions: Sequence[Conclusion]


def points(report: MonitorReport, words: Words) -> MonitorAnswer:
    """Return the account of each period."""
    ledger = report.ledger
    tables = [figures.causes(ledger, words), figures.changes(ledger, words)]
    return MonitorAnswer(
        {"periods": [_account(period) for period in ledger]}, tables, concluded.of_points(ledger)
    )


def _account(period: PeriodPoints) -> dict[str, Any]:
    """Return the account of one period; ``unexplained`` must be the integer 0."""
    unexplained = period.unexplained
    names = ("players_before", "players_after", "before", "after", "change")
    return {
        "day": period.day.isoformat(),
        "edition": period.edition,
        **{name: getattr(period, name) for name in names},
        "causes": {cause: decimal_text(points) for cause, points in period.causes.items()},
        "counts": dict(period.counts),
        "outside": period.outside,
        "unexplained": int(unexplained) if unexplained.denominator == 1 else decimal_text(unexplained),
    }


def drift(report: MonitorReport, words: Words) -> MonitorAnswer:
    """Return the lists over time, the cohort, the groups, and how fast ratings settle."""
    result = report.drift
    body = {
        "lists": result.lists,
        "cohort": result.cohort,
        "groups": result.groups,
        "settling": report.settling,
    }
    tables = [
        figures.averages(result, words), figures.groups(result, words), figures.noise(report.settling, words)
    ]  # fmt: skip
    return MonitorAnswer(body, tables, concluded.of_drift(result, report.ledger))


def calibration(report: MonitorReport, words: Words) -> MonitorAnswer:
    """Return each bin, and the scores of the table and its alternatives."""
    result = report.calibration
    bins = [
        {**_values(it, without="error"), "misjudged": it.misjudged, "points": round(it.points, 1)}
        for it in result.bins
    ]
    cuts = dict.fromkeys(it.cut for it in result.bins)
    tables = [*(figures.bins(result, cut, words) for cut in cuts), figures.forecasts(result, words)]
    body = {"games": result.games, "bins": bins, "scores": result.scores}
    return MonitorAnswer(body, tables, concluded.of_calibration(result))


def _values(record: Any, without: str = "") -> dict[str, Any]:
    """Return the fields of a record by name, except one."""
    return {it.name: getattr(record, it.name) for it in fields(record) if it.name != without}


def islands(report: MonitorReport, words: Words) -> MonitorAnswer:
    """Return the federations and the groups that the games show, as pools."""
    federations, groups = report.islands, report.communities
    body = {
        "crossing": federations.crossing, "pools": federations.pools, "between": federations.between,
        "communities": groups.pools,
    }  # fmt: skip
    tables = [figures.shifts(pools, words) for pools in (federations, groups) if len(pools.pools) > 1]
    return MonitorAnswer(
        body, tables, [*concluded.of_islands(federations), *concluded.of_communities(groups)]
    )


def integrity(report: MonitorReport, words: Words) -> MonitorAnswer:
    """Return the signals, each with its reason."""
    people, titles = report.people, report.titles
    signals = [{**_values(it), "text": signal_text(it, people, words, titles)} for it in report.signals]
    tables = [figures.reasons(report.signals, people, titles, words)]
    return MonitorAnswer({"signals": signals}, tables, concluded.of_integrity(report.signals))


ANSWERS: Mapping[str, Callable[[MonitorReport, Words], MonitorAnswer]] = {
    "points": points, "drift": drift, "calibration": calibration, "islands": islands, "integrity": integrity,
}  # fmt: skip


def lists(compared: Sequence[ListCalibration], words: Words) -> MonitorAnswer:
    """Return the calibration of each list of an office beside the others."""
    rows = [{**_values(row), "differs": row.differs} for row in compared]
    return MonitorAnswer({"lists": rows}, [figures.beside(compared, words)], concluded.of_lists(compared))
