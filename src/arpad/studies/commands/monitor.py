"""``arpad monitor``: one question a command, one page for all of them, and the pages of the site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli import progress
from arpad.cli.common import EditionOption, Json, Lang, console, list_named, print_json, words_for
from arpad.cli.office.options import Author, signed
from arpad.cli.typer_groups import Commands
from arpad.model.rules import LISTS
from arpad.studies.commands import questions
from arpad.studies.commands.history_source import Db, Source, WatchedList, need_extra, office_of, watch
from arpad.studies.commands.output import document, figures, measured, print_found, tell
from arpad.system.atomic_files import write_file


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
    questions.points,
    questions.drift,
    questions.calibration,
    questions.islands,
    questions.integrity,
    report,
    lists,
    keep,
):
    app.add(command, command.__name__)
