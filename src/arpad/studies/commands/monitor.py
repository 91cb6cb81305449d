"""``arpad monitor``: one question a command, one page for all of them, and the pages of the site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import EditionOption, Json, Lang, console, list_named, print_json, watched, words_for
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
    answer,
    document,
    points_document,
    print_found,
    tell,
    title,
)
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.studies.calibration import Bin


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
    from arpad.studies.conclusions import of_points
    from arpad.studies.figures import causes, changes
    from arpad.studies.points import accounts

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
    tables = [causes(ledger, words), changes(ledger, words)]
    tell(title("points", list_, words), tables, of_points(ledger), words)


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
    from arpad.studies.figures import averages, groups, noise
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
    names = ("lists", "cohort", "groups")
    body = {**{name: getattr(result, name) for name in names}, "settling": settle}
    tables = [averages(result, words), groups(result, words), noise(settle, words)]
    answer("drift", list_, body, tables, of_drift(result, ledger), words, json=json)


def calibration(question: HistoryQuestion) -> None:
    """Compare expected and achieved scores by difference, level, age and colour, and the table with baselines.

    Example: arpad monitor calibration --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.studies.baselines import forecasts as forecasts_of
    from arpad.studies.calibration import calibration as calibration_of
    from arpad.studies.conclusions import of_calibration
    from arpad.studies.figures import bins, forecasts

    words, watched = words_for(question.lang), question.watched()
    result = calibration_of(
        watched.games, watched.history.people, forecasts_of(watched.games, watched.history.people)
    )
    documents = [
        {**_bin_figures(bin_), "misjudged": bin_.misjudged, "points": round(bin_.points, 1)}
        for bin_ in result.bins
    ]
    body = {"games": result.games, "bins": documents, "scores": result.scores}
    cuts = dict.fromkeys(bin_.cut for bin_ in result.bins)
    tables = [*(bins(result, cut, words) for cut in cuts), forecasts(result, words)]
    answer("calibration", question.list_, body, tables, of_calibration(result), words, json=question.json)


def _bin_figures(bin_: Bin) -> dict[str, Any]:
    names = ("cut", "low", "high", "games", "expected", "achieved", "draws", "p", "adjusted")
    return {name: getattr(bin_, name) for name in names}


def islands(question: HistoryQuestion) -> None:
    """Find pools that hardly meet, and the rating shift between them from crossing games.

    Example: arpad monitor islands --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.studies.conclusions import of_communities, of_islands
    from arpad.studies.figures import shifts
    from arpad.studies.pools import communities
    from arpad.studies.pools import federation_pools as islands_of

    words, watched = words_for(question.lang), question.watched()
    by_federation = islands_of(watched.games, watched.history.people)
    communities_ = communities(watched.games, watched.history.people)
    conclusions = [*of_islands(by_federation), *of_communities(communities_)]
    body = {
        "crossing": by_federation.crossing, "pools": by_federation.pools, "between": by_federation.between,
        "communities": communities_.pools,
    }  # fmt: skip
    tables = [shifts(pools, words) for pools in (by_federation, communities_) if len(pools.pools) > 1]
    answer("islands", question.list_, body, tables, conclusions, words, json=question.json)


def integrity(question: HistoryQuestion) -> None:
    """List what a rating officer should look at: signals with reasons and figures, no verdicts.

    Example: arpad monitor integrity --simulated 7 --edition fide-2017
    """
    need_extra()
    from arpad.studies.conclusions import of_integrity, signal_text
    from arpad.studies.figures import reasons
    from arpad.studies.integrity import integrity as integrity_of

    words, watched = words_for(question.lang), question.watched()
    signals = integrity_of(watched.history, watched.games, watched.lists)
    people = watched.history.people
    titles = {item.id: item.name for item in watched.history.tournaments}
    documents = [{**document(item), "text": signal_text(item, people, words, titles)} for item in signals]
    tables = [reasons(signals, people, titles, words)]
    body = {"signals": documents}
    answer("integrity", question.list_, body, tables, of_integrity(signals), words, json=question.json)


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
    from arpad.studies.conclusions import of_lists
    from arpad.studies.figures import beside
    from arpad.studies.office_history import games_of

    words = words_for(lang)
    with office_of(db) as office:
        compared = calibration_by_list({str(name): games for name, games in games_of(office).items()})
    if json:
        rows = [{**document(row), "differs": row.differs} for row in compared]
        print_found("arpad.monitor-lists/1", {"lists": rows}, of_lists(compared), words)
        return
    tell(words.text("monitor.title-lists"), [beside(compared, words)], of_lists(compared), words)


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
        for name in watched(words.text("monitor.replaying"))(lists):
            kept_pages.examine_and_store(office, name)
            if not json:
                console().print(words.text("watch.kept", list=words.text(f"site.list-{name}")))
    if json:
        print_json("arpad.monitor-keep/1", {"kept": [str(name) for name in lists]})
    elif not lists:
        console().print(words.text("office.no-lists"))


app = Commands()
for command in (points, drift, calibration, islands, integrity, report, lists, keep):
    app.add(command, command.__name__)
