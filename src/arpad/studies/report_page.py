"""The administrator's page: whether the list can be trusted, in plots, figures and sentences; nothing is loaded.

``body`` is the part between head and foot, for a site with its own style; ``page`` is a complete page.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arpad.explain.charts import Bar, IntervalDot, Series, bars, dots, lines
from arpad.explain.templates import standalone_page
from arpad.explain.words import Words
from arpad.studies import conclusions
from arpad.studies.calibration import Bin, Calibration
from arpad.studies.conclusions import (
    Conclusion,
    chance,
    group_text,
    interval,
    list_text,
    measured,
    sentence,
    signal_text,
    span,
)
from arpad.studies.points import total
from arpad.studies.pools import Pools
from arpad.studies.report import MonitorReport
from arpad.studies.signals import Signal
from arpad.studies.statistics import Interval

CUTS = ("difference", "level", "age")
SIGNALS_SHOWN = 100
WORDS = frozenset(
    {"cut", "group", "forecast", "federation", "why", "band", "cause", "day", "list", "player", "figure", "k"}
)
"""Columns of words; all others are figures."""

KINDS = {
    "why": " class='why'",
    "day": " class='nowrap'",
    "band": " class='nowrap'",
    "group": " class='nowrap'",
}


def page(report: MonitorReport, words: Words, *, public: bool = False) -> str:
    """Return the whole page; the public one has only drift and calibration, without names."""
    return watched_page(words.text("monitor.report"), body(report, words, public=public), words)


def watched_page(title: str, inside: str, words: Words) -> str:
    """Return a page of the monitor, of a simulation or of a trial, alone."""
    return standalone_page(title, inside, words, "rated.css", "monitor.css")


def body(report: MonitorReport, words: Words, *, public: bool = False) -> str:
    """Return everything below the title."""
    facts = words.text(
        "monitor.report-facts",
        list=list_text(str(report.on_list), words),
        first=report.lists[0].day,
        last=report.lists[-1].day,
        players=len(report.lists[-1].ratings),
        games=report.games,
    )
    where = f"<p class='where'>{escape(facts)}</p>"
    if public:
        inside = "\n".join([_short(report, words, public=True), *_chapters(report, words, public=True)])
        summary = f"<summary>{escape(words.text('monitor.details'))}</summary>"
        return f"{where}\n{_verdict(report, words)}\n<details>{summary}\n{inside}\n</details>"
    return "\n".join([where, _short(report, words, public=False), *_chapters(report, words, public=False)])


def _verdict(report: MonitorReport, words: Words) -> str:
    """Return in plain words whether the list can be relied on: one sentence, and one for each question."""
    chapters = {"drift": conclusions.of_drift(report.drift, report.ledger)}
    if report.calibration is not None:
        chapters["calibration"] = conclusions.of_calibration(report.calibration)
    unknown = report.drift.cohort is None
    alarms = {key: any(conclusion.alarm for conclusion in chapter) for key, chapter in chapters.items()}
    kinds = {key: "look" if alarm else "good" for key, alarm in alarms.items()}
    if unknown:
        kinds["drift"] = "unknown"
    whole = "look" if any(alarms.values()) else "unknown" if unknown else "good"
    items = "".join(
        f"<li class='{kind}'>{escape(words.text(f'monitor.plain-{key}-{kind}'))}</li>"
        for key, kind in kinds.items()
    )
    sentence_ = escape(words.text(f"monitor.verdict-{whole}"))
    return f"<p class='verdict'>{sentence_}</p>\n<ul class='lights'>{items}</ul>"


def _chapters(report: MonitorReport, words: Words, *, public: bool) -> list[str]:
    """Return the chapters with their plots and figures; the public ones name nobody."""
    sections = [] if public else [_points(report, words)]
    sections.append(_drift(report, words))
    if report.calibration is not None:
        sections.append(_calibration(report.calibration, words))
    if len(report.beside) > 1:
        sections.append(_beside(report, words))
    if report.islands is not None and not public:
        sections.append(_islands("islands", report.islands, conclusions.of_islands(report.islands), words))
    if report.communities is not None and not public:
        pool_conclusions = conclusions.of_communities(report.communities)
        sections.append(_islands("communities", report.communities, pool_conclusions, words))
    if report.signals is not None and not public:
        sections.append(_integrity(report, report.signals, words))
    if report.settling:
        sections.append(_settling(report, words))
    limits = "limits-text" if report.calibration is not None else "limits-draughts"
    sections.append(_section("limits", f"<p>{escape(words.text(f'monitor.{limits}'))}</p>", words))
    return sections


def _section(key: str, inside: str, words: Words) -> str:
    return f"<section>\n<h2>{escape(words.text(f'monitor.{key}'))}</h2>\n{inside}\n</section>"


def _conclusion_list(conclusions_: Sequence[Conclusion], words: Words) -> str:
    items = "\n".join(
        f"<li class='{'alarm' if conclusion.alarm else 'quiet'}'>{escape(sentence(conclusion, words))}</li>"
        for conclusion in conclusions_
    )
    return f"<ul class='told'>\n{items}\n</ul>"


def listing(keys: Sequence[str], rows: Sequence[Sequence[str]], words: Words) -> str:
    """Return a table with words to the left, figures to the right; a wide table can be moved by keyboard."""
    sides = [KINDS.get(key, "" if key in WORDS else " class='r'") for key in keys]
    head = "".join(
        f"<th scope='col'{side}>{escape(words.text(f'monitor.{key}'))}</th>"
        for key, side in zip(keys, sides, strict=True)
    )
    lined = "\n".join(
        "<tr>"
        + "".join(f"<td{side}>{escape(cell)}</td>" for cell, side in zip(row, sides, strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f"<div class='wide' tabindex='0'><table>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{lined}\n</tbody>\n</table></div>"
    )


def _folded(inside: str, words: Words) -> str:
    """Return the figures behind a plot, folded."""
    return f"<details><summary>{escape(words.text('monitor.figures'))}</summary>\n{inside}\n</details>"


def _with_interval(words: Words, interval_: Interval, places: int) -> str:
    return f"{measured(words, interval_.value, places, signed=True)} ({_whole(interval(words, interval_, places))})"


def _whole(text: str) -> str:
    """Return an interval that is not broken into two lines on a narrow page."""
    return text.replace(" ", "\N{NO-BREAK SPACE}").replace("–", "–\N{WORD JOINER}")


def _heading(text: str) -> str:
    """Return a column's words as a heading of their own."""
    return f"<h3>{escape(text[:1].upper() + text[1:])}</h3>"


def _key(words: Words) -> str:
    """Return how a plot of intervals is read."""
    return f"<p class='key'>{escape(words.text('monitor.key'))}</p>"


def _short(report: MonitorReport, words: Words, *, public: bool) -> str:
    """Return the alarms of every chapter, or one quiet sentence of each."""
    chapters = [conclusions.of_drift(report.drift, report.ledger)]
    if report.calibration is not None:
        chapters.append(conclusions.of_calibration(report.calibration))
    if not public:
        chapters.insert(0, conclusions.of_points(report.ledger)[-1:])
        if report.islands is not None:
            chapters.append(conclusions.of_islands(report.islands))
        if report.signals is not None:
            chapters.append(conclusions.of_integrity(report.signals))
    shown: list[Conclusion] = []
    for chapter in chapters:
        alarms = [conclusion for conclusion in chapter if conclusion.alarm]
        shown += alarms or chapter[:1]
    return _section("conclusions", _conclusion_list(shown, words), words)


def _points(report: MonitorReport, words: Words) -> str:
    shown = [
        (words.text(f"cause.{cause}"), points, cases)
        for cause, points, cases in total(report.ledger).booked()
    ]
    plot = bars(
        words.text("monitor.points"),
        [Bar(cause, float(points), words.number(points, signed=True)) for cause, points, _ in shown],
    )
    summary = [(cause, words.number(points, signed=True), str(cases)) for cause, points, cases in shown]
    rows = [
        (
            words.day(account.day),
            str(account.players_after),
            measured(words, account.change, signed=True),
            words.number(account.unexplained),
        )
        for account in report.ledger
    ]
    tables = listing(("cause", "points-made", "cases"), summary, words) + listing(
        ("day", "players", "change", "unexplained"), rows, words
    )
    sentences = _conclusion_list(conclusions.of_points(report.ledger), words)
    return _section("points", sentences + plot + _folded(tables, words), words)


def _drift(report: MonitorReport, words: Words) -> str:
    figures = report.drift.lists
    series = [
        Series(words.text("monitor.average"), [row.average for row in figures]),
        *(Series(f"{part} %", [row.percentiles[part] for row in figures], "soft") for part in (25, 75)),
    ]
    plot = lines(
        words.text("monitor.drift"),
        [words.day(row.day) for row in figures],
        series,
        lambda value: measured(words, value),
    )
    over_time = [
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
        for row in figures
    ]
    keys = ("day", "players", "average", "deviation", "entered", "brought", "left", "carried")
    parts = [_conclusion_list(conclusions.of_drift(report.drift, report.ledger), words), plot]
    parts.append(_folded(listing(keys, over_time, words), words))
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
        for row in report.drift.groups
    ]
    if rows:
        parts.append(listing(("cut", "group", "players", "first", "last", "change", "adjusted"), rows, words))
    return _section("drift", "\n".join(parts), words)


def _calibration(calibration: Calibration, words: Words) -> str:
    parts = [_conclusion_list(conclusions.of_calibration(calibration), words)]
    for cut in CUTS:
        bins = [item for item in calibration.bins if item.cut == cut]
        if bins:
            name = words.text(f"monitor.cut-{cut}")
            plot = dots(name, [_dot(item) for item in bins], lambda value: measured(words, value, 2))
            parts.append(_heading(name) + plot + _key(words) + _folded(_bins(bins, words), words))
    if colour := [item for item in calibration.bins if item.cut == "colour"]:
        parts.append(_heading(words.text("monitor.cut-colour")) + _bins(colour, words))
    rows = [
        (
            words.text(f"forecast.{item.name}"),
            measured(words, item.log_loss, 4),
            measured(words, item.brier, 4),
            "–" if item.name == "table" else _with_interval(words, item.against_table, 4),
        )
        for item in calibration.scores
    ]
    if rows:
        table = listing(("forecast", "log-loss", "brier", "against"), rows, words)
        parts.append(_heading(words.text("monitor.yardsticks")) + table)
    return _section("calibration", "\n".join(parts), words)


def _beside(report: MonitorReport, words: Words) -> str:
    rows = [
        (
            list_text(row.list, words),
            str(row.games),
            measured(words, row.favourite.expected, 3),
            measured(words, row.favourite.achieved.value, 3),
            _whole(span(words, row.favourite.achieved, 3)),
            measured(words, row.white.achieved.value, 3),
            measured(words, row.log_loss, 4),
            chance(words, row.adjusted),
        )
        for row in report.beside
    ]
    keys = ("list", "games", "expected", "achieved", "interval", "white", "log-loss", "adjusted")
    sentences = _conclusion_list(conclusions.of_lists(report.beside), words)
    return _section("beside", sentences + listing(keys, rows, words), words)


def _bins(bins: Sequence[Bin], words: Words) -> str:
    rows = [
        (
            band(item),
            str(item.games),
            measured(words, item.expected, 3),
            measured(words, item.achieved.value, 3),
            _whole(span(words, item.achieved, 3)),
            measured(words, item.points, 0, signed=True),
            chance(words, item.adjusted),
        )
        for item in bins
    ]
    keys = ("band", "games", "expected", "achieved", "interval", "points-off", "adjusted")
    skipped = 0 if any(band(item) for item in bins) else 1  # a cut into one needs no name for it
    return listing(keys[skipped:], [row[skipped:] for row in rows], words)


def band(comparison: Bin) -> str:
    """Return the range of a comparison."""
    if comparison.low is None:
        return ""
    if comparison.cut == "level" and comparison.low == 0 and comparison.high is not None:
        return f"<{comparison.high + 1}"
    return f"{comparison.low}+" if comparison.high is None else f"{comparison.low}–{comparison.high}"


def _dot(comparison: Bin) -> IntervalDot:
    label = (
        band(comparison)
        if comparison.high is None or band(comparison).startswith("<")
        else f"{comparison.low}"
    )
    return IntervalDot(
        label,
        comparison.achieved.value,
        comparison.achieved.low,
        comparison.achieved.high,
        comparison.expected,
        comparison.misjudged,
    )


def _islands(key: str, pools: Pools, pool_conclusions: Sequence[Conclusion], words: Words) -> str:
    shifted = [(pool, pool.shift) for pool in pools.pools if pool.shift is not None]
    plot = (
        dots(
            words.text("monitor.shift"),
            [
                IntervalDot(pool.federation, shift.value, shift.low, shift.high, 0.0, pool.shifted)
                for pool, shift in shifted
            ],
            lambda value: measured(words, value, signed=True),
        )
        if len(shifted) > 1
        else ""
    )
    rows = [
        (
            pool.federation,
            str(pool.players),
            str(pool.games),
            str(pool.crossing),
            "–" if pool.shift is None else _with_interval(words, pool.shift, 0),
            chance(words, None if pool.shift is None else pool.adjusted),
        )
        for pool in pools.pools
    ]
    keys = ("federation", "players", "games", "crossing", "shift", "adjusted")
    return _section(
        key,
        _conclusion_list(pool_conclusions, words)
        + plot
        + (listing(keys, rows, words) if len(rows) > 1 else ""),
        words,
    )


def _integrity(report: MonitorReport, signals: Sequence[Signal], words: Words) -> str:
    rows = [
        (signal_text(signal, report.people, words, report.titles), chance(words, signal.p))
        for signal in signals[:SIGNALS_SHOWN]
    ]
    sentences = _conclusion_list(conclusions.of_integrity(signals), words)
    return _section(
        "integrity", sentences + (listing(("why", "adjusted"), rows, words) if rows else ""), words
    )


def _settling(report: MonitorReport, words: Words) -> str:
    rows = [(str(group.k), str(group.games), measured(words, group.noise, 1)) for group in report.settling]
    return _section("settling", listing(("k", "games", "noise"), rows, words), words)
