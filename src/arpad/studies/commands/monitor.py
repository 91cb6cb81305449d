"""``arpad monitor``: one question a command, one page for all of them, and the pages of the site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import EditionOption, Json, Lang, console, list_named, print_json, words_for
from arpad.cli.office.options import Author, signed
from arpad.cli.typer_groups import Commands
from arpad.model.rules import LISTS
from arpad.studies.commands.history_source import (
    Db,
    HistoryQuestion,
    Source,
    WatchedList,
    capitals,
    in_draughts,
    need_extra,
    office_of,
    watch,
)
from arpad.studies.commands.output import (
    document,
    figures,
    measured,
    points_document,
    print_found,
    tell,
    title,
)
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.studies.calibration import Bin, Calibration
    from arpad.studies.conclusions import Conclusion
    from arpad.studies.drift import Drift, Settling
    from arpad.studies.points import PeriodPoints
    from arpad.studies.pools import Pools


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
    need_extra()
    from arpad.studies.points import accounts, total

    words = words_for(lang)
    if in_draughts(list_, source):
        from arpad.studies.draughts_points import capital_accounts

        ledger = capital_accounts(capitals(source, list_)[1])
    else:
        ledger = accounts(watch(source, edition, list_, words).run)
    if json:
        print_json(
            "arpad.monitor-points/1",
            {"list": list_, "periods": [points_document(period) for period in ledger]},
        )
        return
    summary = [
        (words.text(f"cause.{cause}"), words.number(points, signed=True), str(cases))
        for cause, points, cases in total(ledger).booked()
    ]
    rows = [
        (
            words.day(period.day),
            str(period.players_after),
            words.number(period.change, signed=period.change != 0),
            words.number(period.unexplained),
        )
        for period in ledger
    ]
    tables = [
        figures("cause points-made cases", summary, words),
        figures("day players change unexplained", rows, words),
    ]
    conclusions = _of_points(ledger)
    tell(title("points", list_, words), tables, conclusions, words)


def _of_points(ledger: Sequence[PeriodPoints]) -> Sequence[Conclusion]:
    """Return the conclusions about points."""
    from arpad.studies.conclusions import of_points

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
    from arpad.studies.conclusions import of_drift
    from arpad.studies.drift import drift as drift_of
    from arpad.studies.drift import settling
    from arpad.studies.points import accounts, lifts

    words = words_for(lang)
    if in_draughts(list_, source):
        from arpad.studies.draughts_points import capital_accounts, capital_lists

        people, capital_run = capitals(source, list_)
        result, ledger = drift_of(capital_lists(capital_run), people), capital_accounts(capital_run)
        settle = []
    else:
        watched = watch(source, edition, list_, words)
        result = drift_of(watched.lists, watched.history.people, lifts(watched.run))
        ledger = accounts(watched.run)
        settle = [settling(k) for k in (10, 15, 20, 30, 40)]
    if json:
        body = {
            "list": list_,
            "lists": result.lists,
            "cohort": result.cohort,
            "groups": result.groups,
            "settling": settle,
        }
        print_found("arpad.monitor-drift/1", body, of_drift(result, ledger), words)
        return
    tables = _drift_tables(result, settle, words)
    tell(title("drift", list_, words), tables, of_drift(result, ledger), words)


def _drift_tables(result: Drift, settle: Sequence[Settling], words: Words) -> list[Any]:
    from arpad.studies.conclusions import chance, group_text

    rows = [
        (
            words.day(row.day),
            str(row.players),
            measured(words, row.average, 1),
            measured(words, row.deviation, 1),
            str(row.entered),
            str(row.left),
        )
        for row in result.lists
    ]
    groups = [
        (
            words.text(f"population.{row.by}"),
            group_text(row.by, row.group, words),
            str(row.players),
            measured(words, row.first),
            measured(words, row.last),
            measured(words, row.change.value, 1, signed=True),
            chance(words, row.adjusted),
        )
        for row in result.groups
    ]
    ks = [(str(row.k), str(row.games), measured(words, row.noise, 1)) for row in settle]
    return [
        figures("day players average deviation entered left", rows, words),
        *([figures("cut group: players first last change adjusted", groups, words)] if groups else []),
        *([figures("k games noise", ks, words)] if ks else []),
    ]


def calibration(question: HistoryQuestion) -> None:
    """Compare expected and achieved scores by difference, level, age and colour, and the table with baselines.

    Example: arpad monitor calibration --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.studies.baselines import forecasts
    from arpad.studies.calibration import calibration as calibration_of
    from arpad.studies.conclusions import of_calibration

    words, watched = words_for(question.lang), question.watched()
    result = calibration_of(
        watched.games, watched.history.people, forecasts(watched.games, watched.history.people)
    )
    if question.json:
        bins = [
            {**_bin_figures(bin_), "misjudged": bin_.misjudged, "points": round(bin_.points, 1)}
            for bin_ in result.bins
        ]
        body = {"list": question.list_, "games": result.games, "bins": bins, "scores": result.scores}
        print_found("arpad.monitor-calibration/1", body, of_calibration(result), words)
        return
    tables = _calibration_tables(result, words)
    tell(title("calibration", question.list_, words), tables, of_calibration(result), words)


def _calibration_tables(result: Calibration, words: Words) -> list[Any]:
    from arpad.studies.conclusions import chance, span
    from arpad.studies.report_page import band

    rows = [
        (
            words.text(f"monitor.cut-{row.cut}"),
            band(row),
            str(row.games),
            measured(words, row.expected, 3),
            measured(words, row.achieved.value, 3),
            span(words, row.achieved, 3),
            chance(words, row.adjusted) + (" *" if row.misjudged else ""),
        )
        for row in result.bins
    ]
    scores = [
        (
            words.text(f"forecast.{row.name}"),
            measured(words, row.log_loss, 4),
            measured(words, row.brier, 4),
            "–" if row.name == "table" else measured(words, row.against_table.value, 4, signed=True),
        )
        for row in result.scores
    ]
    return [
        figures("cut band games expected achieved interval adjusted", rows, words),
        figures("forecast log-loss brier against", scores, words),
    ]


def _bin_figures(bin_: Bin) -> dict[str, Any]:
    names = ("cut", "low", "high", "games", "expected", "achieved", "draws", "p", "adjusted")
    return {name: getattr(bin_, name) for name in names}


def islands(question: HistoryQuestion) -> None:
    """Find pools that hardly meet, and the rating shift between them from crossing games.

    Example: arpad monitor islands --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.studies.conclusions import of_communities, of_islands
    from arpad.studies.pools import communities
    from arpad.studies.pools import federation_pools as islands_of

    words, watched = words_for(question.lang), question.watched()
    by_federation = islands_of(watched.games, watched.history.people)
    groups = communities(watched.games, watched.history.people)
    conclusions = [*of_islands(by_federation), *of_communities(groups)]
    if question.json:
        body = {
            "list": question.list_, "crossing": by_federation.crossing, "pools": by_federation.pools,
            "between": by_federation.between, "communities": groups.pools,
        }  # fmt: skip
        print_found("arpad.monitor-islands/1", body, conclusions, words)
        return
    columns = "federation players games crossing shift interval adjusted"
    tables = [
        figures(columns, _pool_rows(pools, words), words)
        for pools in (by_federation, groups)
        if len(pools.pools) > 1
    ]
    tell(title("islands", question.list_, words), tables, conclusions, words)


def _pool_rows(islands: Pools, words: Words) -> list[tuple[str, ...]]:
    from arpad.studies.conclusions import chance, interval

    return [
        (
            pool.federation,
            str(pool.players),
            str(pool.games),
            str(pool.crossing),
            "–" if pool.shift is None else measured(words, pool.shift.value, signed=True),
            "–" if pool.shift is None else interval(words, pool.shift),
            chance(words, None if pool.shift is None else pool.adjusted) + (" *" if pool.shifted else ""),
        )
        for pool in islands.pools
    ]


def integrity(question: HistoryQuestion) -> None:
    """List what a rating officer should look at: signals with reasons and figures, no verdicts.

    Example: arpad monitor integrity --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.studies.conclusions import chance, of_integrity, signal_text
    from arpad.studies.integrity import integrity as integrity_of

    words, watched = words_for(question.lang), question.watched()
    signals = integrity_of(watched.history, watched.games, watched.lists)
    people = watched.history.people
    titles = {item.id: item.name for item in watched.history.tournaments}
    if question.json:
        documents = [{**document(item), "text": signal_text(item, people, words, titles)} for item in signals]
        print_found(
            "arpad.monitor-integrity/1",
            {"list": question.list_, "signals": documents},
            of_integrity(signals),
            words,
        )
        return
    rows = [
        (
            words.text(f"screen-name.{item.screen}"),
            signal_text(item, people, words, titles),
            chance(words, item.p),
        )
        for item in signals
    ]
    tables = [figures("screen why: adjusted", rows, words)] if rows else []
    tell(title("integrity", question.list_, words), tables, of_integrity(signals), words)


def report(
    source: Source,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the HTML page is written.")],
    edition: EditionOption = None,
    list_: WatchedList = "standard",
    *,
    public: Annotated[
        bool, typer.Option("--public", help="Drift and calibration only: no names, no signals.")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Write every answer on one HTML page: plots, figures and conclusions.

    Example: arpad monitor report --simulated 7 --edition fide-2017 --out page.html
    """
    need_extra()
    from arpad.studies.report import build_report
    from arpad.studies.report_page import page

    words = words_for(lang)
    if source.office is not None and edition is None:
        from arpad.studies.office_history import examined

        with office_of(source.office) as office:
            result = examined(office, list_named(list_))
    else:
        watched = watch(source, edition, list_, words)
        result = build_report(watched.history, watched.run)
    write_file(out, page(result, words, public=public).encode())
    if json:
        print_json("arpad.monitor-report/1", {"list": list_, "page": str(out)})
    else:
        console().print(words.text("monitor.written", path=str(out)))


def lists(db: Db = None, *, json: Json = False, lang: Lang = None) -> None:
    """Compare the calibration of an office's chess lists, each with the others.

    Example: arpad monitor lists --db office.db
    """
    need_extra()
    from arpad.studies.calibration import calibration_by_list
    from arpad.studies.conclusions import chance, list_text, of_lists, span
    from arpad.studies.office_history import games_of

    words = words_for(lang)
    with office_of(db) as office:
        compared = calibration_by_list({str(name): games for name, games in games_of(office).items()})
    if json:
        rows = [{**document(row), "differs": row.differs} for row in compared]
        print_found("arpad.monitor-lists/1", {"lists": rows}, of_lists(compared), words)
        return
    shown = [
        (
            list_text(row.list, words),
            str(row.games),
            measured(words, row.favourite.expected, 3),
            measured(words, row.favourite.achieved.value, 3),
            span(words, row.favourite.achieved, 3),
            measured(words, row.white.achieved.value, 3),
            measured(words, row.log_loss, 4),
            "–" if row.against_others is None else measured(words, row.against_others.value, 3, signed=True),
            chance(words, row.adjusted) + (" *" if row.differs else ""),
        )
        for row in compared
    ]
    keys = "list games expected achieved interval white log-loss against-others adjusted"
    tell(words.text("monitor.title-lists"), [figures(keys, shown, words)], of_lists(compared), words)


def keep(
    db: Db = None,
    list_: Annotated[
        str,
        typer.Option(
            "--list",
            metavar="all|standard|rapid|blitz|italiana|internazionale",
            help="The list to examine; default: all.",
        ),
    ] = "all",
    author: Author = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Examine the office's lists and store the pages for its site. Run it after each list.

    Example: arpad monitor keep --db office.db
    """
    need_extra()
    from arpad.studies import kept_pages

    words = words_for(lang)
    with office_of(db, signed(author)) as office:
        with office.store.reading() as connection:
            published = [name for name in LISTS if kept_pages.newest(connection, name) is not None]
        lists = published if list_ == "all" else [list_named(list_)]
        for name in progress.watched(words.text("monitor.replaying"))(lists):
            kept_pages.examine_and_store(office, name)
            if not json:
                console().print(words.text("watch.kept", list=words.text(f"site.list-{name}")))
    if json:
        print_json("arpad.monitor-keep/1", {"kept": [str(name) for name in lists]})
    elif not lists:
        console().print(words.text("office.no-lists"))


app = Commands()
for command in (
    points,
    drift,
    calibration,
    islands,
    integrity,
    report,
    lists,
    keep,
):
    app.add(command, command.__name__)
