"""``arpad whatif``: replay a history under other rules and compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

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
    watched,
    words_for,
)
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day, parse_integer, parse_within
from arpad.rating import arguments
from arpad.studies.commands.history_source import PageOption, Source, history_for, need_extra, office_editions
from arpad.studies.commands.output import document, grid
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from pathlib import Path

    from arpad.regulations.editions import EditionByDay
    from arpad.studies.figures import Figures
    from arpad.studies.history import HistoryPlayer
    from arpad.studies.whatif import Comparison

WORLDS_AT_MOST = 1000


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
    seeds: Annotated[
        str,
        typer.Option(
            "--seeds", metavar="N", help="With --simulated: number of worlds, with consecutive seeds."
        ),
    ] = "1",
    page: PageOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Replay a history under other rules and compare: who moves, newcomers, points, forecasts, thresholds.

    Without an edition every one of them is taken as it came into force, and the change is made in each. Over several
    simulated worlds each figure has its 95 % interval. `arpad editions show` prints the names of the rules.

    Example: arpad whatif --simulated 7 --edition fide-2017 --set k_usual=10
    """
    need_extra()
    from arpad.regulations.editions import always, by_date
    from arpad.studies.whatif import tried_editions
    from arpad.studies.whatif import whatif as compare

    words = words_for(lang)
    name = chess_list(list_)
    if not set_ and not try_:
        raise BadInput("nothing-to-try", option="set")
    worlds = parse_within(seeds, "seeds", 1, WORLDS_AT_MOST)
    if worlds > 1 and source.simulated is None:
        raise BadInput("seeds-need-worlds", option="seeds")
    base = arguments.choose_edition(edition, parse_day(date_, "date") if date_ else None, name)
    as_it_was = edition is None and date_ is None
    was = always(base)
    if as_it_was:
        was = office_editions(source.office, name) if source.office else by_date(name)
    would = tried_editions(was, arguments.choose_edition(try_) if try_ else None, set_ or [], name)
    title = words.text(
        "monitor.title-whatif",
        was=words.text("monitor.by-date") if as_it_was else base.id,
        would=" + ".join([*([try_] if try_ else []), *(set_ or [])]),
    )
    facts = {"list": list_, "base": "by-date" if as_it_was else base.id}
    if worlds > 1:
        shown = _of_worlds(_compared_worlds(source, worlds, (was, would), name, words), words)
    else:
        history, _ = history_for(source, was, name, words)
        shown = _of_history(compare(history, was, would), history.people, words)
    _tell(title, shown, facts, words, page, json=json)


def _compared_worlds(
    source: Source, worlds: int, editions: tuple[EditionByDay, EditionByDay], name: ListName, words: Words
) -> dict[int, Comparison]:
    """Return the comparison of each simulated world by its seed."""
    from arpad.studies.whatif import whatif as compare

    first = parse_integer(str(source.simulated), "simulated")
    comparisons = {}
    for seed in watched(words.text("monitor.playing"))(range(first, first + worlds)):
        history, _ = history_for(replace(source, simulated=str(seed)), editions[0], name, words)
        comparisons[seed] = compare(history, *editions)
    return comparisons


@dataclass(frozen=True, slots=True)
class _Shown:
    """A comparison as it is shown."""

    schema: str
    document: Mapping[str, Any]
    sentences: Sequence[str]
    tables: Sequence[Figures]
    page: str


def _tell(
    title: str, shown: _Shown, facts: Mapping[str, str], words: Words, page: Path | None, *, json: bool
) -> None:
    """Write the page, and print the document or the sentences and tables."""
    from arpad.studies.report_page import watched_page

    if page is not None:
        write_file(page, watched_page(title, shown.page, words).encode())
    if json:
        print_json(shown.schema, {**facts, **shown.document})
        return
    out = console()
    for text in (title, *shown.sentences):
        out.print(text)
    for figures in shown.tables:
        out.print(grid(figures, words))


def _of_worlds(tried: Mapping[int, Comparison], words: Words) -> _Shown:
    from arpad.studies.whatif import over_worlds
    from arpad.studies.whatif_page import world_figures, world_sentences, worlds_body

    rows = over_worlds(list(tried.values()))
    figures = {row.figure: {"was": row.was, "would": row.would, "change": row.change} for row in rows}
    edition = next(iter(tried.values())).would.edition
    body = document({"tried": edition, "seeds": list(tried), "figures": figures})
    sentences, tables = world_sentences(rows, len(tried), words), [world_figures(rows, words)]
    return _Shown("arpad.whatif-worlds/1", body, sentences, tables, worlds_body(rows, len(tried), words))


def _of_history(comparison: Comparison, people: Mapping[int, HistoryPlayer], words: Words) -> _Shown:
    from arpad.studies.whatif_page import body, comparison_sentences, mover_figures, side_figures

    tables = [side_figures(comparison, words), mover_figures(comparison, people)]
    described = {"tried": comparison.would.edition, **document(comparison)}
    sentences, page = comparison_sentences(comparison, words), body(comparison, people, words)
    return _Shown("arpad.whatif/1", described, sentences, tables, page)
