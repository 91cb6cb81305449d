"""The administrator's page: whether the list can be trusted, in plots, figures and plain words; nothing is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from importlib.resources import files

from arpad.explain import Words
from arpad.monitor import conclusions
from arpad.monitor.calibration import Bin
from arpad.monitor.conclusions import Conclusion, number
from arpad.monitor.figures import Interval
from arpad.monitor.points import CAUSES
from arpad.monitor.together import Examined
from arpad.monitor.wording import sentence, signal_text
from arpad.papers.plots import Bar, Dot, Line, bars, dots, lines

CUTS = ("difference", "level", "age")
SIGNALS_SHOWN = 100


def page(found: Examined, say: Words, *, public: bool = False) -> str:
    """The whole page; the public one keeps to drift and calibration, and names nobody."""
    papers = files("arpad") / "papers"
    style = "".join((papers / name).read_text(encoding="utf-8") for name in ("rated.css", "monitor.css"))
    title = escape(say.text("monitor.report"))
    facts = say.text(
        "monitor.report-facts",
        list=str(found.history.on_list),
        first=found.lists[0].day,
        last=found.lists[-1].day,
        players=len(found.lists[-1].ratings),
        games=found.games,
    )
    sections = [_short(found, say, public=public), _drift(found, say), _calibration(found, say)]
    if not public:
        sections[1:1] = [_points(found, say)]
        sections += [_islands(found, say), _integrity(found, say)]
    limits = f"<p>{escape(say.text('monitor.limits-text'))}</p>"
    sections += [_settling(found, say), _section("limits", limits, say)]
    body = "\n".join([f"<h1>{title}</h1>\n<p class='where'>{escape(facts)}</p>", *sections])
    return (
        f"<!doctype html>\n<html lang='{say.language}'>\n<head>\n<meta charset='utf-8'>\n"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'>\n<title>{title}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(key: str, body: str, say: Words) -> str:
    return f"<section>\n<h2>{escape(say.text(f'monitor.{key}'))}</h2>\n{body}\n</section>"


def _said(found: Sequence[Conclusion], say: Words) -> str:
    items = "\n".join(
        f"<li{' class=alarm' if one.alarm else ''}>{escape(sentence(one, say))}</li>" for one in found
    )
    return f"<ul class='lead'>\n{items}\n</ul>"


def _table(keys: Sequence[str], rows: Sequence[Sequence[str]], say: Words) -> str:
    head = "".join(f"<th scope='col'>{escape(say.text(f'monitor.{key}'))}</th>" for key in keys)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<div class='wide'><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"


def _n(say: Words, value: float, places: int = 0, *, signed: bool = False) -> str:
    return say.number(number(value, places), signed=signed, places=places)


def _with_interval(say: Words, found: Interval, places: int) -> str:
    value, low, high = (_n(say, one, places, signed=True) for one in (found.value, found.low, found.high))
    return f"{value} ({low} – {high})"


def _short(found: Examined, say: Words, *, public: bool) -> str:
    """The alarms of every chapter, or one quiet sentence of each."""
    chapters = [
        conclusions.of_drift(found.drift, found.ledger),
        conclusions.of_calibration(found.calibration),
    ]
    if not public:
        chapters = [
            conclusions.of_points(found.ledger)[-1:],
            *chapters,
            conclusions.of_islands(found.islands),
            conclusions.of_integrity(found.signals),
        ]
    told: list[Conclusion] = []
    for chapter in chapters:
        alarms = [one for one in chapter if one.alarm]
        told += alarms or chapter[:1]
    return _section("conclusions", _said(told, say), say)


def _points(found: Examined, say: Words) -> str:
    totals = [
        (
            cause,
            sum((one.causes[cause] for one in found.ledger), Fraction(0)),
            sum(one.counts[cause] for one in found.ledger),
        )
        for cause in CAUSES
    ]
    shown = [item for item in totals if item[2]]
    plot = bars(
        say.text("monitor.points"),
        [
            Bar(say.text(f"cause.{cause}"), float(points), say.number(points, signed=True))
            for cause, points, _ in shown
        ],
    )
    rows = [
        (str(one.day), str(one.players_after), f"{one.change:+}", say.number(one.unexplained))
        for one in found.ledger
    ]
    told = _said(conclusions.of_points(found.ledger), say)
    return _section(
        "points", told + plot + _table(("day", "players", "change", "unexplained"), rows, say), say
    )


def _drift(found: Examined, say: Words) -> str:
    figures = found.drift.lists
    labels = [str(one.day) for one in figures]
    series = [
        Line(say.text("monitor.average"), [one.average for one in figures]),
        *(Line(f"{part} %", [one.percentiles[part] for one in figures], "soft") for part in (25, 75)),
    ]
    plot = lines(say.text("monitor.drift"), labels, series, lambda value: _n(say, value))
    rows = [
        (
            say.text(f"group.{one.by}"),
            one.group,
            str(one.players),
            _n(say, one.first),
            _n(say, one.last),
            _with_interval(say, one.change, 1),
            _n(say, one.adjusted, 4),
        )
        for one in found.drift.groups
    ]
    told = _said(conclusions.of_drift(found.drift, found.ledger), say)
    keys = ("cut", "group", "players", "first", "last", "change", "adjusted")
    return _section("drift", told + plot + _table(keys, rows, say), say)


def _calibration(found: Examined, say: Words) -> str:
    parts = [_said(conclusions.of_calibration(found.calibration), say)]
    for cut in CUTS:
        mine = [one for one in found.calibration.bins if one.cut == cut]
        if mine:
            name = say.text(f"monitor.cut-{cut}")
            parts.append(
                f"<h3>{escape(name)}</h3>"
                + dots(name, [_dot(one) for one in mine], lambda value: _n(say, value, 2))
            )
    rows = [
        (
            say.text(f"forecast.{one.name}"),
            _n(say, one.log_loss, 4),
            _n(say, one.brier, 4),
            _with_interval(say, one.against_table, 4),
        )
        for one in found.calibration.scores
    ]
    parts.append(_table(("forecast", "log-loss", "brier", "against"), rows, say))
    return _section("calibration", "\n".join(parts), say)


def _dot(one: Bin) -> Dot:
    label = f"{one.low}" + ("+" if one.high is None else "")
    return Dot(label, one.achieved.value, one.achieved.low, one.achieved.high, one.expected, one.misjudged)


def _islands(found: Examined, say: Words) -> str:
    pools = found.islands.pools
    known = [(one, one.shift) for one in pools if one.shift is not None]
    plot = (
        dots(
            say.text("monitor.shift"),
            [
                Dot(one.federation, shift.value, shift.low, shift.high, 0.0, one.shifted)
                for one, shift in known
            ],
            lambda value: _n(say, value, signed=True),
        )
        if known
        else ""
    )
    rows = [
        (
            one.federation,
            str(one.players),
            str(one.games),
            str(one.crossing),
            "–" if one.shift is None else _n(say, one.shift.value, signed=True),
            _n(say, one.adjusted, 4),
        )
        for one in pools
    ]
    keys = ("federation", "players", "games", "crossing", "shift", "adjusted")
    return _section(
        "islands", _said(conclusions.of_islands(found.islands), say) + plot + _table(keys, rows, say), say
    )


def _integrity(found: Examined, say: Words) -> str:
    people = found.history.people
    rows = [
        (signal_text(one, people, say), "–" if one.p is None else _n(say, one.p, 4))
        for one in found.signals[:SIGNALS_SHOWN]
    ]
    told = _said(conclusions.of_integrity(found.signals), say)
    return _section("integrity", told + (_table(("why", "adjusted"), rows, say) if rows else ""), say)


def _settling(found: Examined, say: Words) -> str:
    rows = [(str(one.k), str(one.games), _n(say, one.noise, 1)) for one in found.settling]
    return _section("settling", _table(("k", "games", "noise"), rows, say), say)
