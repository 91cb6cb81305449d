"""The administrator's page: whether the list can be trusted, in plots, figures and sentences; nothing is loaded.

``body`` is the part between head and foot, for a site with its own style; ``page`` is a complete page.
"""

import re
from collections.abc import Sequence
from html import escape

from arpad.explain.charts import Bar, IntervalDot, Series, bars, dots, lines
from arpad.explain.templates import standalone_page
from arpad.explain.words import Words
from arpad.studies import conclusions
from arpad.studies.calibration import Bin, Calibration
from arpad.studies.conclusions import Conclusion, list_text, measured, sentence
from arpad.studies.figures import (
    LEFT,
    Figures,
    averages,
    band,
    beside,
    bins,
    causes,
    changes,
    forecasts,
    groups,
    noise,
    reasons,
    shifts,
)
from arpad.studies.points import total
from arpad.studies.pools import Pools
from arpad.studies.report import MonitorReport

CUTS = ("difference", "level", "age")
SIGNALS_SHOWN = 100
_INTERVAL = re.compile(r"\([^()]+\)|^[^()]+ – [^()]+$")

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
        list=list_text(report.on_list, words),
        first=report.lists[0].day,
        last=report.lists[-1].day,
        players=len(report.lists[-1].ratings),
        games=report.played,
    )
    where = f"<p class='where'>{escape(facts)}</p>"
    if public:
        inside = "\n".join([_short(report, words, public=True), *_chapters(report, words, public=True)])
        summary = f"<summary>{escape(words.text('monitor.details'))}</summary>"
        return f"{where}\n{_verdict(report, words)}\n<details>{summary}\n{inside}\n</details>"
    return "\n".join([where, _short(report, words, public=False), *_chapters(report, words, public=False)])


def _verdict(report: MonitorReport, words: Words) -> str:
    """Return in plain words whether the list can be relied on: one sentence, and one for each question."""
    unknown = report.drift.cohort is None
    alarms = {
        key: any(conclusion.alarm for conclusion in chapter)
        for key, chapter in _conclusions(report, public=True).items()
    }
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


def _conclusions(report: MonitorReport, *, public: bool) -> dict[str, list[Conclusion]]:
    """Return the conclusions of the chapters whose alarms are summed up at the top."""
    chapters = {} if public else {"points": conclusions.of_points(report.ledger)[-1:]}
    chapters["drift"] = conclusions.of_drift(report.drift, report.ledger)
    if not report.capitals:
        chapters["calibration"] = conclusions.of_calibration(report.calibration)
    if not public and not report.capitals:
        chapters["islands"] = conclusions.of_islands(report.islands)
        chapters["integrity"] = conclusions.of_integrity(report.signals)
    return chapters


def _chapters(report: MonitorReport, words: Words, *, public: bool) -> list[str]:
    """Return the chapters with their plots and figures; the public ones name nobody."""
    sections = [] if public else [_points(report, words)]
    sections.append(_drift(report, words))
    if not report.capitals:
        sections.append(_calibration(report.calibration, words))
    if len(report.beside) > 1:
        sections.append(_beside(report, words))
    if not report.capitals and not public:
        sections.append(_islands("islands", report.islands, conclusions.of_islands(report.islands), words))
        pool_conclusions = conclusions.of_communities(report.communities)
        sections.append(_islands("communities", report.communities, pool_conclusions, words))
        sections.append(_integrity(report, words))
    if report.settling:
        sections.append(_section("settling", listing(noise(report.settling, words), words), words))
    limits = "limits-draughts" if report.capitals else "limits-text"
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


def listing(figures: Figures, words: Words) -> str:
    """Return a table with words to the left, figures to the right; a wide table can be moved by keyboard."""
    sides = [KINDS.get(key, "" if key in LEFT else " class='r'") for key in figures.keys]
    head = "".join(
        f"<th scope='col'{side}>{escape(words.text(f'monitor.{key}'))}</th>"
        for key, side in zip(figures.keys, sides, strict=True)
    )
    lined = "\n".join(
        "<tr>"
        + "".join(f"<td{side}>{escape(_unbroken(cell))}</td>" for cell, side in zip(row, sides, strict=True))
        + "</tr>"
        for row in figures.rows
    )
    return (
        f"<div class='wide' tabindex='0'><table>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{lined}\n</tbody>\n</table></div>"
    )


def _unbroken(cell: str) -> str:
    """Return a cell whose interval is not broken into two lines on a narrow page."""
    return _INTERVAL.sub(
        lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}").replace("–", "–\N{WORD JOINER}"), cell
    )


def _folded(inside: str, words: Words) -> str:
    """Return the figures behind a plot, folded."""
    return f"<details><summary>{escape(words.text('monitor.figures'))}</summary>\n{inside}\n</details>"


def _heading(text: str) -> str:
    """Return a column's words as a heading of their own."""
    return f"<h3>{escape(text[:1].upper() + text[1:])}</h3>"


def _key(words: Words) -> str:
    """Return how a plot of intervals is read."""
    return f"<p class='key'>{escape(words.text('monitor.key'))}</p>"


def _short(report: MonitorReport, words: Words, *, public: bool) -> str:
    """Return the alarms of every chapter, or one quiet sentence of each."""
    shown: list[Conclusion] = []
    for chapter in _conclusions(report, public=public).values():
        shown += [conclusion for conclusion in chapter if conclusion.alarm] or chapter[:1]
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
    tables = listing(causes(report.ledger, words), words) + listing(changes(report.ledger, words), words)
    sentences = _conclusion_list(conclusions.of_points(report.ledger), words)
    return _section("points", sentences + plot + _folded(tables, words), words)


def _drift(report: MonitorReport, words: Words) -> str:
    lists = report.drift.lists
    series = [
        Series(words.text("monitor.average"), [row.average for row in lists]),
        *(Series(f"{part} %", [row.percentiles[part] for row in lists], "soft") for part in (25, 75)),
    ]
    plot = lines(
        words.text("monitor.drift"),
        [words.day(row.day) for row in lists],
        series,
        lambda value: measured(words, value),
    )
    parts = [_conclusion_list(conclusions.of_drift(report.drift, report.ledger), words), plot]
    parts.append(_folded(listing(averages(report.drift, words), words), words))
    if report.drift.groups:
        parts.append(listing(groups(report.drift, words), words))
    return _section("drift", "\n".join(parts), words)


def _calibration(calibration: Calibration, words: Words) -> str:
    parts = [_conclusion_list(conclusions.of_calibration(calibration), words)]
    for cut in CUTS:
        comparisons = [item for item in calibration.bins if item.cut == cut]
        if comparisons:
            figures = bins(calibration, cut, words)
            plot = dots(
                figures.title, [_dot(item) for item in comparisons], lambda value: measured(words, value, 2)
            )
            parts.append(
                _heading(figures.title) + plot + _key(words) + _folded(listing(figures, words), words)
            )
    colours = bins(calibration, "colour", words)
    if colours.rows:
        parts.append(_heading(colours.title) + listing(colours, words))
    if calibration.scores:
        table = listing(forecasts(calibration, words), words)
        parts.append(_heading(words.text("monitor.yardsticks")) + table)
    return _section("calibration", "\n".join(parts), words)


def _beside(report: MonitorReport, words: Words) -> str:
    sentences = _conclusion_list(conclusions.of_lists(report.beside), words)
    return _section("beside", sentences + listing(beside(report.beside, words), words), words)


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
    return _section(
        key,
        _conclusion_list(pool_conclusions, words)
        + plot
        + (listing(shifts(pools, words), words) if len(pools.pools) > 1 else ""),
        words,
    )


def _integrity(report: MonitorReport, words: Words) -> str:
    table = listing(reasons(report.signals[:SIGNALS_SHOWN], report.people, report.titles, words), words)
    sentences = _conclusion_list(conclusions.of_integrity(report.signals), words)
    return _section("integrity", sentences + (table if report.signals else ""), words)
