"""``arpad monitor``: one question a command: points, drift, calibration, islands, integrity."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from arpad.cli.common import EditionOption, Json, Lang, print_json, words_for
from arpad.cli.history_source import (
    PACKAGES,
    HistoryQuestion,
    Source,
    WatchedList,
    capitals,
    in_draughts,
    need_extra,
    watch,
)
from arpad.cli.monitor.output import document, figures, measured, points_document, print_found, tell, title

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.monitor.calibration import Bin, Calibration
    from arpad.monitor.conclusions import Conclusion
    from arpad.monitor.drift import Drift, Settling
    from arpad.monitor.points import PeriodPoints
    from arpad.monitor.pools import Pools


def points(
    source: Source,
    edition: EditionOption = None,
    list_: WatchedList = "standard",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Account for points: the change of the pool in each period, by its causes (10.2).

    Example: arpad monitor points --simulated 7 --edition fide-2017
    """
    from arpad.monitor.points import accounts, total

    words = words_for(lang)
    if in_draughts(list_, source):
        from arpad.monitor.draughts_points import capital_accounts

        ledger = capital_accounts(capitals(source, list_)[1])
    else:
        ledger = accounts(watch(source, edition, list_, words).run)
    if json:
        print_json(
            "arpad.monitor-points/1", {"list": list_, "periods": [points_document(one) for one in ledger]}
        )
        return
    summary = [
        (words.text(f"cause.{cause}"), words.number(points, signed=True), str(cases))
        for cause, points, cases in total(ledger).booked()
    ]
    rows = [
        (
            words.day(one.day),
            str(one.players_after),
            words.number(one.change, signed=one.change != 0),
            words.number(one.unexplained),
        )
        for one in ledger
    ]
    tables = [
        figures("cause points-made cases", summary, words),
        figures("day players change unexplained", rows, words),
    ]
    conclusions = _of_points(ledger)
    tell(title("points", list_, words), tables, conclusions, words)


def _of_points(ledger: Sequence[PeriodPoints]) -> Sequence[Conclusion]:
    """Return the conclusions about points, unless the packages that their module needs are missing."""
    if any(find_spec(package) is None for package in PACKAGES):
        return ()
    from arpad.monitor.conclusions import of_points

    return of_points(ledger)


def drift(
    source: Source,
    edition: EditionOption = None,
    list_: WatchedList = "standard",
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Measure drift and inflation: lists over time, a fixed cohort, groups (10.3).

    Example: arpad monitor drift --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.monitor.conclusions import of_drift
    from arpad.monitor.drift import drift as drift_of
    from arpad.monitor.drift import settling
    from arpad.monitor.points import accounts, lifts

    words = words_for(lang)
    if in_draughts(list_, source):
        from arpad.monitor.draughts_points import capital_accounts, capital_lists

        people, capital_run = capitals(source, list_)
        found, ledger = drift_of(capital_lists(capital_run), people), capital_accounts(capital_run)
        settle = []
    else:
        watched = watch(source, edition, list_, words)
        found = drift_of(watched.lists, watched.history.people, lifts(watched.run))
        ledger = accounts(watched.run)
        settle = [settling(k) for k in (10, 15, 20, 30, 40)]
    if json:
        body = {
            "list": list_,
            "lists": found.lists,
            "cohort": found.cohort,
            "groups": found.groups,
            "settling": settle,
        }
        print_found("arpad.monitor-drift/1", body, of_drift(found, ledger), words)
        return
    tables = _drift_tables(found, settle, words)
    tell(title("drift", list_, words), tables, of_drift(found, ledger), words)


def _drift_tables(found: Drift, settle: Sequence[Settling], words: Words) -> list[Any]:
    from arpad.monitor.sentences import chance, group_text

    rows = [
        (
            words.day(one.day),
            str(one.players),
            measured(words, one.average, 1),
            measured(words, one.deviation, 1),
            str(one.entered),
            str(one.left),
        )
        for one in found.lists
    ]
    groups = [
        (
            words.text(f"group.{one.by}"),
            group_text(one.by, one.group, words),
            str(one.players),
            measured(words, one.first),
            measured(words, one.last),
            measured(words, one.change.value, 1, signed=True),
            chance(words, one.adjusted),
        )
        for one in found.groups
    ]
    ks = [(str(one.k), str(one.games), measured(words, one.noise, 1)) for one in settle]
    return [
        figures("day players average deviation entered left", rows, words),
        *([figures("cut group: players first last change adjusted", groups, words)] if groups else []),
        *([figures("k games noise", ks, words)] if ks else []),
    ]


def calibration(asked: HistoryQuestion) -> None:
    """Compare expected and achieved scores by difference, level, age and colour, and the table with baselines.

    Example: arpad monitor calibration --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.monitor.baselines import forecasts
    from arpad.monitor.calibration import calibration as calibration_of
    from arpad.monitor.conclusions import of_calibration

    words, watched = words_for(asked.lang), asked.watched()
    found = calibration_of(watched.games, watched.history.people, forecasts(watched.games))
    if asked.json:
        bins = [
            {**_bin_figures(one), "misjudged": one.misjudged, "points": round(one.points, 1)}
            for one in found.bins
        ]
        body = {"list": asked.list_, "games": found.games, "bins": bins, "scores": found.scores}
        print_found("arpad.monitor-calibration/1", body, of_calibration(found), words)
        return
    tables = _calibration_tables(found, words)
    tell(title("calibration", asked.list_, words), tables, of_calibration(found), words)


def _calibration_tables(found: Calibration, words: Words) -> list[Any]:
    from arpad.monitor.report_page import band
    from arpad.monitor.sentences import chance, span

    rows = [
        (
            words.text(f"monitor.cut-{one.cut}"),
            band(one),
            str(one.games),
            measured(words, one.expected, 3),
            measured(words, one.achieved.value, 3),
            span(words, one.achieved, 3),
            chance(words, one.adjusted) + (" *" if one.misjudged else ""),
        )
        for one in found.bins
    ]
    scores = [
        (
            words.text(f"forecast.{one.name}"),
            measured(words, one.log_loss, 4),
            measured(words, one.brier, 4),
            "–" if one.name == "table" else measured(words, one.against_table.value, 4, signed=True),
        )
        for one in found.scores
    ]
    return [
        figures("cut band games expected achieved interval adjusted", rows, words),
        figures("forecast log-loss brier against", scores, words),
    ]


def _bin_figures(one: Bin) -> dict[str, Any]:
    names = ("cut", "low", "high", "games", "expected", "achieved", "draws", "p", "adjusted")
    return {name: getattr(one, name) for name in names}


def islands(asked: HistoryQuestion) -> None:
    """Find pools that hardly meet, and the rating shift between them from crossing games.

    Example: arpad monitor islands --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.monitor.conclusions import of_communities, of_islands
    from arpad.monitor.pools import communities
    from arpad.monitor.pools import federation_pools as islands_of

    words, watched = words_for(asked.lang), asked.watched()
    found = islands_of(watched.games, watched.history.people)
    groups = communities(watched.games, watched.history.people)
    told = [*of_islands(found), *of_communities(groups)]
    if asked.json:
        body = {
            "list": asked.list_, "crossing": found.crossing, "pools": found.pools, "between": found.between,
            "communities": groups.pools,
        }  # fmt: skip
        print_found("arpad.monitor-islands/1", body, told, words)
        return
    columns = "federation players games crossing shift interval adjusted"
    tables = [
        figures(columns, _pool_rows(one, words), words) for one in (found, groups) if len(one.pools) > 1
    ]
    tell(title("islands", asked.list_, words), tables, told, words)


def _pool_rows(found: Pools, words: Words) -> list[tuple[str, ...]]:
    from arpad.monitor.sentences import chance, interval

    return [
        (
            one.federation,
            str(one.players),
            str(one.games),
            str(one.crossing),
            "–" if one.shift is None else measured(words, one.shift.value, signed=True),
            "–" if one.shift is None else interval(words, one.shift),
            chance(words, None if one.shift is None else one.adjusted) + (" *" if one.shifted else ""),
        )
        for one in found.pools
    ]


def integrity(asked: HistoryQuestion) -> None:
    """List what a rating officer should look at: signals with reasons and figures, no verdicts.

    Example: arpad monitor integrity --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.monitor.conclusions import of_integrity
    from arpad.monitor.integrity import integrity as integrity_of
    from arpad.monitor.sentences import chance, signal_text

    words, watched = words_for(asked.lang), asked.watched()
    found = integrity_of(watched.history, watched.games, watched.lists)
    people = watched.history.people
    titles = {one.id: one.name for one in watched.history.tournaments}
    if asked.json:
        signals = [{**document(one), "text": signal_text(one, people, words, titles)} for one in found]
        print_found(
            "arpad.monitor-integrity/1", {"list": asked.list_, "signals": signals}, of_integrity(found), words
        )
        return
    rows = [
        (
            words.text(f"screen-name.{one.screen}"),
            signal_text(one, people, words, titles),
            chance(words, one.p),
        )
        for one in found
    ]
    tables = [figures("screen why: adjusted", rows, words)] if rows else []
    tell(title("integrity", asked.list_, words), tables, of_integrity(found), words)
