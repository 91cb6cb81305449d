"""``arpad whatif``: replay a history under other rules and compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import (
    DateOption,
    EditionOption,
    Json,
    Lang,
    ListOption,
    chess_list,
    console,
    print_json,
    table,
    words_for,
)
from arpad.cli.history_source import PageOption, Source, history_for, need_extra, office_editions
from arpad.cli.monitor.output import document
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.rating import arguments
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.monitor.history import HistoryPlayer
    from arpad.monitor.whatif import Comparison


def whatif(
    source: Source,
    edition: EditionOption = None,
    date_: DateOption = None,
    list_: ListOption = "standard",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="RULE=VALUE",
            help="A replaced rule, as floor=1400; repeat. The value none removes it.",
        ),
    ] = None,
    try_: Annotated[
        str | None, typer.Option("--try", metavar="EDITION", help="Another edition, by name or TOML file.")
    ] = None,
    page: PageOption = None,
    *,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Only the lists, many times faster: no forecasts, no account of points."
        ),
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Replay a history under other rules and compare: who moves, newcomers, points, forecasts, thresholds.

    Without an edition every one of them is taken as it came into force, and the change is made in each.

    Example: arpad whatif --simulated 7 --edition fide-2017 --set k_usual=10
    """
    need_extra()
    from arpad.monitor.report_page import watched_page
    from arpad.monitor.whatif import tried_editions
    from arpad.monitor.whatif import whatif as compare
    from arpad.monitor.whatif_page import body
    from arpad.regulations.editions import always, by_date

    words = words_for(lang)
    name = chess_list(list_)
    if not set_ and not try_:
        raise BadInput("nothing-to-try", option="set")
    base = arguments.choose_edition(edition, parse_day(date_, "date") if date_ else None, name)
    as_it_was = edition is None and date_ is None
    was = always(base)
    if as_it_was:
        was = office_editions(source.office, name) if source.office else by_date(name)
    would = tried_editions(was, arguments.choose_edition(try_) if try_ else None, set_ or [], name)
    history_, _ = history_for(source, was, name, words)
    comparison = compare(history_, was, would, derived=not quick)
    names = ("by-date" if as_it_was else base.id, comparison.would.edition)
    title = words.text(
        "monitor.title-whatif",
        was=words.text("monitor.by-date") if as_it_was else base.id,
        would=" + ".join([*([try_] if try_ else []), *(set_ or [])]),
    )
    if page is not None:
        write_file(page, watched_page(title, body(comparison, history_.people, words), words).encode())
    if json:
        print_json(
            "arpad.whatif/1", {"list": list_, "base": names[0], "tried": names[1], **document(comparison)}
        )
        return
    _tell_whatif(title, comparison, history_.people, words)


def _tell_whatif(
    title: str, comparison: Comparison, people: Mapping[int, HistoryPlayer], words: Words
) -> None:
    from arpad.monitor.whatif_page import comparison_sentences, mover_rows, side_rows

    out = console()
    out.print(title)
    for sentence in comparison_sentences(comparison, words):
        out.print(sentence)
    was, would = ((words.text(f"monitor.{key}"), "right") for key in ("was", "would"))
    out.print(table([(words.text("monitor.figure"), "left"), was, would], side_rows(comparison, words)))
    out.print(table([(words.text("monitor.player"), "left"), was, would], mover_rows(comparison, people)))
