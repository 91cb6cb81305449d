"""``arpad monitor``: one question a command, one page for all of them, and the pages of the site."""

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import (
    Json,
    Lang,
    console,
    list_named,
    print_json,
    watched,
    words_for,
)
from arpad.cli.office.options import Author, signed
from arpad.cli.typer_groups import Commands
from arpad.model.rules import LISTS
from arpad.studies.commands.history_source import (
    Db,
    GamesQuestion,
    ListQuestion,
    need_extra,
    office_of,
)
from arpad.studies.commands.output import print_answer
from arpad.system.atomic_files import write_file


def points(question: ListQuestion) -> None:
    """Account for points: the change of the pool in each period, by its causes (10.2).

    Example: arpad monitor points --simulated 7 --edition fide-2017
    """
    _answer("points", question)


def drift(question: ListQuestion) -> None:
    """Measure drift and inflation: lists over time, a fixed cohort, groups (10.3).

    Example: arpad monitor drift --simulated 7 --edition fide-2017
    """
    _answer("drift", question)


def calibration(question: GamesQuestion) -> None:
    """Compare expected and achieved scores by difference, level, age and colour, and the table with baselines.

    Example: arpad monitor calibration --simulated 7 --edition fide-2017
    """
    _answer("calibration", question)


def islands(question: GamesQuestion) -> None:
    """Find pools that hardly meet, and the rating shift between them from crossing games.

    Example: arpad monitor islands --simulated 7 --edition fide-2017
    """
    _answer("islands", question)


def integrity(question: GamesQuestion) -> None:
    """List what a rating officer should look at: signals with reasons and figures, no verdicts.

    Example: arpad monitor integrity --simulated 7 --edition fide-2017
    """
    _answer("integrity", question)


def _answer(name: str, question: ListQuestion | GamesQuestion) -> None:
    need_extra()
    from arpad.studies.answers import ANSWERS

    words = words_for(question.lang)
    answer = ANSWERS[name](question.report(), words)
    print_answer(name, answer, words, json=question.json, on_list=question.list_)


def report(
    question: ListQuestion,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the HTML page is written.")],
    *,
    public: Annotated[
        bool, typer.Option("--public", help="Drift and calibration only: no names, no signals.")
    ] = False,
) -> None:
    """Write every answer on one HTML page: plots, figures and conclusions.

    Example: arpad monitor report --simulated 7 --edition fide-2017 --out page.html
    """
    need_extra()
    from arpad.studies.report_page import page

    words = words_for(question.lang)
    if question.office is not None and question.edition is None:
        from arpad.studies.office_history import examined

        with office_of(question.office) as office:
            result = examined(office, list_named(question.list_))
    else:
        result = question.report()
    write_file(out, page(result, words, public=public).encode())
    if question.json:
        print_json("arpad.monitor-report/1", {"list": question.list_, "page": str(out)})
    else:
        console().print(words.text("monitor.written", path=str(out)))


def lists(db: Db = None, *, json: Json = False, lang: Lang = None) -> None:
    """Compare the calibration of an office's chess lists, each with the others.

    Example: arpad monitor lists --db office.db
    """
    need_extra()
    from arpad.studies import answers
    from arpad.studies.calibration import calibration_by_list
    from arpad.studies.office_history import games_of

    words = words_for(lang)
    with office_of(db) as office:
        compared = calibration_by_list({str(name): games for name, games in games_of(office).items()})
    print_answer("lists", answers.lists(compared, words), words, json=json)


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
