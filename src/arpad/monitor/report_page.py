"""The administrator's page: whether the list can be trusted, in plots, figures and plain words; nothing is loaded.

``body`` is what stands between head and foot, for a site with a style of its own; ``page`` stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arpad.explain.charts import Bar, Dot, Line, bars, dots, lines
from arpad.explain.html_page import alone
from arpad.explain.words import Words
from arpad.monitor import conclusions
from arpad.monitor.calibration import Bin, Calibration
from arpad.monitor.conclusions import Conclusion
from arpad.monitor.integrity import Signal
from arpad.monitor.points import total
from arpad.monitor.pools import Islands
from arpad.monitor.report import Examined
from arpad.monitor.sentences import (
    chance,
    group_text,
    interval,
    list_text,
    measured,
    sentence,
    signal_text,
    span,
)
from arpad.monitor.statistics import Interval

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


def page(found: Examined, say: Words, *, public: bool = False) -> str:
    """The whole page; the public one keeps to drift and calibration, and names nobody."""
    return watched_page(say.text("monitor.report"), body(found, say, public=public), say)


def watched_page(title: str, inside: str, say: Words) -> str:
    """A page of the monitor, of a simulation or of a trial, alone."""
    return alone(title, inside, say, "rated.css", "monitor.css")


def body(found: Examined, say: Words, *, public: bool = False) -> str:
    """Everything below the title."""
    facts = say.text(
        "monitor.report-facts",
        list=list_text(str(found.on_list), say),
        first=found.lists[0].day,
        last=found.lists[-1].day,
        players=len(found.lists[-1].ratings),
        games=found.games,
    )
    sections = [f"<p class='where'>{escape(facts)}</p>", _short(found, say, public=public)]
    if not public:
        sections.append(_points(found, say))
    sections.append(_drift(found, say))
    if found.calibration is not None:
        sections.append(_calibration(found.calibration, say))
    if len(found.beside) > 1:
        sections.append(_beside(found, say))
    if found.islands is not None and not public:
        sections.append(_islands("islands", found.islands, conclusions.of_islands(found.islands), say))
    if found.communities is not None and not public:
        told = conclusions.of_communities(found.communities)
        sections.append(_islands("communities", found.communities, told, say))
    if found.signals is not None and not public:
        sections.append(_integrity(found, found.signals, say))
    if found.settling:
        sections.append(_settling(found, say))
    limits = "limits-text" if found.calibration is not None else "limits-draughts"
    sections.append(_section("limits", f"<p>{escape(say.text(f'monitor.{limits}'))}</p>", say))
    return "\n".join(sections)


def _section(key: str, inside: str, say: Words) -> str:
    return f"<section>\n<h2>{escape(say.text(f'monitor.{key}'))}</h2>\n{inside}\n</section>"


def _said(found: Sequence[Conclusion], say: Words) -> str:
    items = "\n".join(
        f"<li class='{'alarm' if one.alarm else 'quiet'}'>{escape(sentence(one, say))}</li>" for one in found
    )
    return f"<ul class='told'>\n{items}\n</ul>"


def listing(keys: Sequence[str], rows: Sequence[Sequence[str]], say: Words) -> str:
    """Words to the left, figures to the right; a wide table can be reached and moved by keyboard."""
    sides = [KINDS.get(key, "" if key in WORDS else " class='r'") for key in keys]
    head = "".join(
        f"<th scope='col'{side}>{escape(say.text(f'monitor.{key}'))}</th>"
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


def _folded(inside: str, say: Words) -> str:
    """Figures behind a plot, for whoever wants them."""
    return f"<details><summary>{escape(say.text('monitor.figures'))}</summary>\n{inside}\n</details>"


def _with_interval(say: Words, found: Interval, places: int) -> str:
    return f"{measured(say, found.value, places, signed=True)} ({_whole(interval(say, found, places))})"


def _whole(text: str) -> str:
    """On a narrow page a cell may take two lines, an interval does not."""
    return text.replace(" ", "\N{NO-BREAK SPACE}").replace("–", "–\N{WORD JOINER}")


def _heading(text: str) -> str:
    """A column's words as a heading of their own."""
    return f"<h3>{escape(text[:1].upper() + text[1:])}</h3>"


def _key(say: Words) -> str:
    """How a plot of intervals is read."""
    return f"<p class='key'>{escape(say.text('monitor.key'))}</p>"


def _short(found: Examined, say: Words, *, public: bool) -> str:
    """The alarms of every chapter, or one quiet sentence of each."""
    chapters = [conclusions.of_drift(found.drift, found.ledger)]
    if found.calibration is not None:
        chapters.append(conclusions.of_calibration(found.calibration))
    if not public:
        chapters.insert(0, conclusions.of_points(found.ledger)[-1:])
        if found.islands is not None:
            chapters.append(conclusions.of_islands(found.islands))
        if found.signals is not None:
            chapters.append(conclusions.of_integrity(found.signals))
    told: list[Conclusion] = []
    for chapter in chapters:
        alarms = [one for one in chapter if one.alarm]
        told += alarms or chapter[:1]
    return _section("conclusions", _said(told, say), say)


def _points(found: Examined, say: Words) -> str:
    shown = [
        (say.text(f"cause.{cause}"), points, cases) for cause, points, cases in total(found.ledger).booked()
    ]
    plot = bars(
        say.text("monitor.points"),
        [Bar(cause, float(points), say.number(points, signed=True)) for cause, points, _ in shown],
    )
    summary = [(cause, say.number(points, signed=True), str(cases)) for cause, points, cases in shown]
    rows = [
        (
            say.day(one.day),
            str(one.players_after),
            measured(say, one.change, signed=True),
            say.number(one.unexplained),
        )
        for one in found.ledger
    ]
    tables = listing(("cause", "points-made", "cases"), summary, say) + listing(
        ("day", "players", "change", "unexplained"), rows, say
    )
    told = _said(conclusions.of_points(found.ledger), say)
    return _section("points", told + plot + _folded(tables, say), say)


def _drift(found: Examined, say: Words) -> str:
    figures = found.drift.lists
    series = [
        Line(say.text("monitor.average"), [one.average for one in figures]),
        *(Line(f"{part} %", [one.percentiles[part] for one in figures], "soft") for part in (25, 75)),
    ]
    plot = lines(
        say.text("monitor.drift"),
        [say.day(one.day) for one in figures],
        series,
        lambda value: measured(say, value),
    )
    over_time = [
        (
            say.day(one.day),
            str(one.players),
            measured(say, one.average, 1),
            measured(say, one.deviation, 1),
            str(one.entered),
            str(one.entered_points),
            str(one.left),
            str(one.left_points),
        )
        for one in figures
    ]
    keys = ("day", "players", "average", "deviation", "entered", "brought", "left", "carried")
    parts = [_said(conclusions.of_drift(found.drift, found.ledger), say), plot]
    parts.append(_folded(listing(keys, over_time, say), say))
    rows = [
        (
            say.text(f"group.{one.by}"),
            group_text(one.by, one.group, say),
            str(one.players),
            measured(say, one.first),
            measured(say, one.last),
            _with_interval(say, one.change, 1),
            chance(say, one.adjusted),
        )
        for one in found.drift.groups
    ]
    if rows:
        parts.append(listing(("cut", "group", "players", "first", "last", "change", "adjusted"), rows, say))
    return _section("drift", "\n".join(parts), say)


def _calibration(found: Calibration, say: Words) -> str:
    parts = [_said(conclusions.of_calibration(found), say)]
    for cut in CUTS:
        mine = [one for one in found.bins if one.cut == cut]
        if mine:
            name = say.text(f"monitor.cut-{cut}")
            plot = dots(name, [_dot(one) for one in mine], lambda value: measured(say, value, 2))
            parts.append(_heading(name) + plot + _key(say) + _folded(_bins(mine, say), say))
    if colour := [one for one in found.bins if one.cut == "colour"]:
        parts.append(_heading(say.text("monitor.cut-colour")) + _bins(colour, say))
    rows = [
        (
            say.text(f"forecast.{one.name}"),
            measured(say, one.log_loss, 4),
            measured(say, one.brier, 4),
            "–" if one.name == "table" else _with_interval(say, one.against_table, 4),
        )
        for one in found.scores
    ]
    if rows:
        table = listing(("forecast", "log-loss", "brier", "against"), rows, say)
        parts.append(_heading(say.text("monitor.yardsticks")) + table)
    return _section("calibration", "\n".join(parts), say)


def _beside(found: Examined, say: Words) -> str:
    rows = [
        (
            list_text(one.list, say),
            str(one.games),
            measured(say, one.favourite.expected, 3),
            measured(say, one.favourite.achieved.value, 3),
            _whole(span(say, one.favourite.achieved, 3)),
            measured(say, one.white.achieved.value, 3),
            measured(say, one.log_loss, 4),
            chance(say, one.adjusted),
        )
        for one in found.beside
    ]
    keys = ("list", "games", "expected", "achieved", "interval", "white", "log-loss", "adjusted")
    told = _said(conclusions.of_lists(found.beside), say)
    return _section("beside", told + listing(keys, rows, say), say)


def _bins(found: Sequence[Bin], say: Words) -> str:
    rows = [
        (
            band(one),
            str(one.games),
            measured(say, one.expected, 3),
            measured(say, one.achieved.value, 3),
            _whole(span(say, one.achieved, 3)),
            measured(say, one.points, 0, signed=True),
            chance(say, one.adjusted),
        )
        for one in found
    ]
    keys = ("band", "games", "expected", "achieved", "interval", "points-off", "adjusted")
    skipped = 0 if any(band(one) for one in found) else 1  # a cut into one needs no name for it
    return listing(keys[skipped:], [row[skipped:] for row in rows], say)


def band(one: Bin) -> str:
    """From where to where a comparison goes."""
    if one.low is None:
        return ""
    if one.cut == "level" and one.low == 0 and one.high is not None:
        return f"<{one.high + 1}"
    return f"{one.low}+" if one.high is None else f"{one.low}–{one.high}"


def _dot(one: Bin) -> Dot:
    label = band(one) if one.high is None or band(one).startswith("<") else f"{one.low}"
    return Dot(label, one.achieved.value, one.achieved.low, one.achieved.high, one.expected, one.misjudged)


def _islands(key: str, found: Islands, told: Sequence[Conclusion], say: Words) -> str:
    known = [(one, one.shift) for one in found.pools if one.shift is not None]
    plot = (
        dots(
            say.text("monitor.shift"),
            [
                Dot(one.federation, shift.value, shift.low, shift.high, 0.0, one.shifted)
                for one, shift in known
            ],
            lambda value: measured(say, value, signed=True),
        )
        if len(known) > 1
        else ""
    )
    rows = [
        (
            one.federation,
            str(one.players),
            str(one.games),
            str(one.crossing),
            "–" if one.shift is None else _with_interval(say, one.shift, 0),
            chance(say, None if one.shift is None else one.adjusted),
        )
        for one in found.pools
    ]
    keys = ("federation", "players", "games", "crossing", "shift", "adjusted")
    return _section(key, _said(told, say) + plot + (listing(keys, rows, say) if len(rows) > 1 else ""), say)


def _integrity(found: Examined, signals: Sequence[Signal], say: Words) -> str:
    rows = [
        (signal_text(one, found.people, say, found.titles), chance(say, one.p))
        for one in signals[:SIGNALS_SHOWN]
    ]
    told = _said(conclusions.of_integrity(signals), say)
    return _section("integrity", told + (listing(("why", "adjusted"), rows, say) if rows else ""), say)


def _settling(found: Examined, say: Words) -> str:
    rows = [(str(one.k), str(one.games), measured(say, one.noise, 1)) for one in found.settling]
    return _section("settling", listing(("k", "games", "noise"), rows, say), say)
