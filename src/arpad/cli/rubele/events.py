"""``arpad rubele event``, ``board``, ``promotions`` and ``year-end``: rate events and close years."""

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import DateOption, Json, Lang, console, derivation, print_json, table, words_for
from arpad.cli.report_tables import print_findings
from arpad.cli.rubele.options import (
    Discipline,
    EventOptions,
    Out,
    YearEdition,
    edition_of_event,
    exit_on_errors,
    read_capitals,
    read_event,
)
from arpad.explain.draughts_board import board_of, deviation_text, html_board, pdf_board, text_rows
from arpad.explain.draughts_documents import (
    chain_document,
    event_document,
    promotion_document,
    year_document,
)
from arpad.explain.editions import edition_name
from arpad.explain.words import Words
from arpad.model.exact import from_hundredths
from arpad.model.rules import Edition, ListName
from arpad.rating.draughts_calculator import parse_count, parse_discipline, parse_weight
from arpad.rating.draughts_event import (
    DraughtsEvent,
    PlayerResult,
    RatedEvent,
    Season,
    corresponds_to,
    run_season,
)
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.year_end import YearEnd, year_end
from arpad.reports.formats.lists import draughts_list_csv as capitals_file
from arpad.reports.player_choice import find_in_each
from arpad.system.atomic_files import write_file

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Reports: CSV, XLSX, TRF or PDN; one for each event.")
]
OneFile = Annotated[Path, typer.Argument(metavar="FILE", help="A report: CSV, XLSX, TRF or PDN.")]
CloseYears = Annotated[
    bool, typer.Option("--close-years", help="Close each year that ends between two events.")
]


def _chain(files: Sequence[Path], terms: EventOptions, *, close_years: bool = False) -> Season:
    on_list, edition_on, share = terms.on_list, terms.edition_on, parse_weight(terms.weight)
    events = [DraughtsEvent(path.name, read_event(path, on_list), share) for path in files]
    first = min((day for event in events if (day := event.report.header.first_day)), default=None)
    standings = read_capitals(terms.capitals, edition_on(first).on(on_list)) if terms.capitals else None
    return run_season(
        events,
        standings,
        lambda day: edition_on(day).on(on_list),
        assume_first=terms.first_of_year,
        close_years=close_years,
    )


def event(
    files: Files,
    terms: EventOptions,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NUMBER|ID|NAME", help="Explain one player in words.")
    ] = None,
    out: Out = None,
    *,
    close_years: CloseYears = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Check and rate events by date, each from the last capital.

    Example: arpad rubele event novara.csv torino.pdn --discipline italiana --capitals list.csv --out next.csv
    """
    words = words_for(lang)
    on_list, edition_on = terms.on_list, terms.edition_on
    chain = _chain(files, terms, close_years=close_years)
    explained = None
    if player is not None:
        explained = find_in_each(
            [rated.players for rated in chain.events],
            player,
            lambda it: (it.number, it.participant.standing.id, it.name),
        )
    if out is not None:
        write_file(out, capitals_file.write(chain.standings))
    findings = [finding for rated in chain.events for finding in rated.findings]
    if json:
        print_json("arpad.rubele-event/1", chain_document(chain, on_list, edition_on, words))
        exit_on_errors(findings)
        return
    screen = console()
    for index, rated in enumerate(chain.events):
        used = edition_on(rated.event.report.header.first_day)
        if explained is None:
            screen.print(_title(rated, on_list, used, words))
            screen.print(_summary(rated, used.on(on_list), words))
            print_findings(rated.findings, words)
        elif explained[index]:
            screen.print(_title(rated, on_list, used, words))
            shown = explained[index][0]
            screen.print(f"{shown.number}. {shown.name}", style="bold")
            steps = shown.change.steps if shown.change else ()
            screen.print(derivation((*shown.participant.debut, *steps), words))
            screen.print()
    for closed in chain.years:
        _print_year(screen, closed, on_list, edition_on(date(closed.year, 12, 31)), words)
    exit_on_errors(findings)


def board(
    file: OneFile,
    terms: EventOptions,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write an HTML page.")] = None,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Write a PDF on A4 landscape.")
    ] = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Print the crosstable of an event: results, expected points, capitals, promotions.

    The columns are results with expectations, PO, PA, D, S, V and CF.

    A narrow terminal shows the figures first, then the results.

    Example: arpad rubele board novara.csv --discipline italiana --pdf board.pdf
    """
    words = words_for(lang)
    on_list, edition_on = terms.on_list, terms.edition_on
    chain = _chain([file], terms)
    rated = chain.events[0]
    used = edition_on(rated.event.report.header.first_day)
    sheet = board_of(rated, on_list, used.id, words)
    if html is not None:
        write_file(html, html_board(sheet).encode("utf-8"))
    if pdf is not None:
        write_file(pdf, pdf_board(sheet))
    if json:
        document = {"discipline": str(on_list), **event_document(rated, on_list, used, words)}
        print_json("arpad.rubele-board/1", document)
    elif html is None and pdf is None:
        _print_board(sheet)
        print_findings(rated.findings, words)
    else:
        for path in (html, pdf):
            if path is not None:
                sys.stderr.write(words.text("rubele.written", file=str(path)) + "\n")
    exit_on_errors(rated.findings)


def promotions(
    files: Files,
    terms: EventOptions,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """List the players promoted by events, with day and event.

    Example: arpad rubele promotions novara.csv --discipline italiana --capitals list.csv
    """
    words = words_for(lang)
    on_list = terms.on_list
    chain = _chain(files, terms)
    findings = [finding for rated in chain.events for finding in rated.findings]
    if json:
        listed = [promotion_document(promotion) for promotion in chain.promotions]
        print_json("arpad.rubele-promotions/1", {"discipline": str(on_list), "promotions": listed})
        exit_on_errors(findings)
        return
    screen = console()
    screen.print(words.text("rubele.promotions-title", discipline=words.text(f"discipline.{on_list}")))
    if chain.promotions:
        headings = ("name", "held", "reached", "capital", "day", "event")
        columns = [
            (words.text(f"column-draughts.{key}"), "right" if key == "capital" else "left")
            for key in headings
        ]
        rows = [
            (
                item.name,
                words.text(f"category.{item.held}"),
                words.text(f"category.{item.reached}"),
                str(item.capital),
                words.day(item.day) if item.day else "–",
                item.event,
            )
            for item in chain.promotions
        ]
        screen.print(table(columns, rows))
    else:
        screen.print(words.text("board.no-promotions"))
    print_findings(findings, words)
    exit_on_errors(findings)


def year_end_command(
    list_: Annotated[
        Path, typer.Argument(metavar="LIST.csv", help="The list after the last event of the year.")
    ],
    year: Annotated[str, typer.Option("--year", metavar="YYYY", help="The year that ends.")],
    discipline: Discipline,
    edition: YearEdition = None,
    date_: DateOption = None,
    out: Out = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Close a year: malus, cancelled foreign players, register of points.

    Example: arpad rubele year-end list.csv --year 2008 --discipline italiana --out next.csv
    """
    words = words_for(lang)
    on_list = parse_discipline(discipline)
    ending = parse_count(year, "year", 1900, 9999)
    used = edition_of_event(edition, date_, on_list)(date(ending, 12, 31))
    rules = used.on(on_list)
    closed = year_end(read_capitals(list_, rules), ending, rules)
    if out is not None:
        write_file(out, capitals_file.write(closed.standings))
    if json:
        document = {"discipline": str(on_list), "edition": used.id, **year_document(closed)}
        print_json("arpad.rubele-year-end/1", document)
        return
    _print_year(console(), closed, on_list, used, words)


# ------------------------------------------------------------------------------------------------- printing


def _title(rated: RatedEvent, on_list: ListName, edition: Edition[DraughtsRules], words: Words) -> str:
    name = rated.event.report.header.name or rated.event.id
    discipline = words.text(f"discipline.{on_list}")
    return words.text(
        "rubele.event-title", event=name, discipline=discipline, edition=edition_name(edition.id, words)
    )


def _summary(rated: RatedEvent, rules: DraughtsRules, words: Words) -> Any:
    keys = ("number", "name", "category", "ci", "po", "pa", "d", "s", "v", "cf")
    columns = [
        (words.text(f"board.{key}"), "left" if key in {"name", "category"} else "right") for key in keys
    ]
    columns.append((words.text("column-draughts.corresponds"), "left"))
    return table(columns, [_summary_row(player, rules, words) for player in rated.players])


def _summary_row(player: PlayerResult, rules: DraughtsRules, words: Words) -> tuple[str, ...]:
    change = player.change
    figures: tuple[str, ...] = ("–",) * 5
    if change:
        figures = (
            str(change.scored),
            words.number(from_hundredths(change.expected), places=2),
            deviation_text(change, words),
            str(change.s),
            words.number(change.variation, signed=True) + ("*" if change.crossings else ""),
        )
    before, reached = player.participant.standing.category, player.held_after
    category = words.text(f"category.{before}")
    if reached is not before:
        category += f" → {words.text(f'category.{reached}')}"
    corresponds = words.text(f"category.{corresponds_to(player, rules)}")
    capital = str(player.participant.capital)
    return (str(player.number), player.name, category, capital, *figures, str(player.final), corresponds)


WIDEST = 1000
"""Letters in a line of a crosstable, at most."""


def _print_board(sheet: Any) -> None:
    # a crosstable is as wide as its event; a narrow terminal shows the figures first, then the results
    screen = console(wide=WIDEST)
    columns = [(text, "left" if column in {1, 2} else "right") for column, text in enumerate(sheet.headings)]
    rows = list(text_rows(sheet))
    whole = table(columns, rows)
    screen.print(sheet.title, sheet.subtitle, " · ".join(sheet.facts), sep="\n")
    if screen.fits(whole, WIDEST):
        screen.print(whole)
    else:
        _print_narrow_board(screen, sheet, columns, rows)
    for title, items in (("promotions", sheet.promotions), ("crossings", sheet.crossings)):
        if items:
            screen.print(sheet.labels[title], *(f"  {item}" for item in items), sep="\n")


def _print_narrow_board(
    screen: Any, sheet: Any, columns: list[tuple[str, str]], rows: list[tuple[str, ...]]
) -> None:
    """Print the figures of each player in one line, without the category and the promotion; then the results."""
    squares = slice(4, 4 + len(sheet.lines[0].squares))
    kept = [0, 1, 3, *range(squares.stop, len(columns) - 1)]
    screen.print(table([columns[index] for index in kept], [[row[index] for index in kept] for row in rows]))
    for row in rows:
        results = [
            f"{heading}: {' '.join(cell.split())}"
            for (heading, _), cell in zip(columns[squares], row[squares], strict=True)
            if cell not in ("", "■")
        ]
        screen.print(f"{row[0]:>3} {row[1]}: {' · '.join(results)}")


def _print_year(
    screen: Any, closed: YearEnd, on_list: ListName, edition: Edition[DraughtsRules], words: Words
) -> None:
    discipline = words.text(f"discipline.{on_list}")
    screen.print(
        words.text(
            "rubele.year-title",
            year=str(closed.year),
            discipline=discipline,
            edition=edition_name(edition.id, words),
        )
    )
    for title, entries in (("malus-list", closed.deductions), ("cancelled-list", closed.cancelled)):
        screen.print(words.text(f"rubele.{title}"))
        for entry in entries:
            screen.print(f"  {words.labelled(entry.before.name, words.step(entry.step))}")
        if not entries:
            screen.print(f"  {words.text('rubele.none')}")
    screen.print(words.text("rubele.register"))
    for standing in closed.register:
        screen.print(f"  {words.labelled(standing.name, str(standing.malus))}")
    if not closed.register:
        screen.print(f"  {words.text('rubele.none')}")
