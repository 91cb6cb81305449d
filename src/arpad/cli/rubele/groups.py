"""``arpad rubele groups``: split an event's players into groups (table 23), or print the whole table."""

from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import DateOption, Json, Lang, console, print_json, table, words_for
from arpad.cli.rubele.options import Discipline, DraughtsEdition, edition_of_event, read_capitals
from arpad.explain.draughts_documents import group_tables, html_group_tables, pdf_group_tables, split_figures
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.rating.calculator import Question
from arpad.rating.draughts_calculator import parse_count, parse_discipline, split_groups
from arpad.regulations.rubele.categories import category_of
from arpad.regulations.rubele.groups import Contender, Split, share_out, whole_table
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.reports.formats import read_bytes, read_report
from arpad.reports.report import Report
from arpad.system.atomic_files import write_file


def groups(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The players: a list (CSV with name and capital) or a report."),
    ] = None,
    players: Annotated[str | None, typer.Option("--players", metavar="N", help="How many players.")] = None,
    rounds: Annotated[str | None, typer.Option("--rounds", metavar="T", help="How many rounds.")] = None,
    groups_: Annotated[
        str | None, typer.Option("--groups", metavar="G", help="How many groups, 2 to 6.")
    ] = None,
    minimum: Annotated[
        str | None,
        typer.Option(
            "--minimum", metavar="N", help="Fewest players of a group; needed outside 5 to 10 rounds."
        ),
    ] = None,
    free: Annotated[
        list[str] | None,
        typer.Option(
            "--free", metavar="GROUP", help="A group that is not italo-svizzero, without a minimum."
        ),
    ] = None,
    discipline: Discipline = "italiana",
    edition: DraughtsEdition = None,
    date_: DateOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="With --table: an HTML page.")
    ] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="With --table: a PDF.")] = None,
    *,
    whole: Annotated[
        bool,
        typer.Option("--table", help="Every split for 18 to 200 players, 2 to 6 groups, 5 to 10 rounds."),
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Split an event's players into groups (table 23).

    Example: arpad rubele groups --players 62 --rounds 6 --groups 4
    """
    words = words_for(lang)
    on_list = parse_discipline(discipline)
    entered = _entered(file)
    first = entered.header.first_day if entered is not None else None
    chosen = edition_of_event(edition, date_, on_list)(first)
    rules = chosen.on(on_list)
    if whole:
        _print_whole_table(rules, words, rounds, groups_, html=html, pdf=pdf, json=json)
        return
    for option, path in (("html", html), ("pdf", pdf)):
        if path is not None:
            raise BadInput("groups-table-only", option=option)
    contenders = _contenders(file, entered, players, rules)
    for option, text in (("rounds", rounds), ("groups", groups_)):
        if text is None:
            raise BadInput("groups-what", option=option)
    answer = split_groups(
        Question.from_options(
            [chosen], edition=chosen.id, discipline=discipline, rounds=rounds, groups=groups_, minimum=minimum,
            players=str(len(contenders)) if contenders else players, free=free,
        )
    )  # fmt: skip
    members = share_out(contenders, answer.result.sizes) if contenders else ()
    if json:
        print_json("arpad.rubele-groups/1", _split_document(answer.result, members))
        return
    _print_split(answer.result, members, words)


def _entered(file: Path | None) -> Report | None:
    """Return the report with the players; None if there is no file, or it is a list."""
    if file is None or (file.suffix.lower() in {".csv", ".tsv"} and _is_list(file)):
        return None
    return read_report(read_bytes(file), file.name)


def _contenders(
    file: Path | None, report: Report | None, players: str | None, rules: DraughtsRules
) -> tuple[Contender, ...]:
    if (file is None) == (players is None):
        raise BadInput("groups-what", option="players") if file is None else BadInput("groups-players-twice")
    if file is None:
        return ()
    if report is None:
        standings = read_capitals(file, rules)
        start = rules.starting_capital.value
        return tuple(
            Contender(item.name, item.capital if item.capital is not None else start, item.category, item.id)
            for item in standings
        )
    capitals = [entrant.rating or rules.starting_capital.value for entrant in report.entrants]
    return tuple(
        Contender(entrant.name, capital, category_of(capital, rules), entrant.id)
        for entrant, capital in zip(report.entrants, capitals, strict=True)
    )


def _is_list(file: Path) -> bool:
    """Return whether a CSV file is a list: its first line names the capital."""
    head = read_bytes(file).split(b"\n", 1)[0].decode("utf-8", "replace").casefold()
    return "capital" in head


def _split_document(split: Split, members: tuple[tuple[Contender, ...], ...]) -> dict[str, Any]:
    document = dict(vars(split_figures(split)))
    if members:
        document["members"] = [
            [
                {"name": p.name, "id": p.id or None, "capital": p.capital, "category": str(p.category)}
                for p in group
            ]
            for group in members
        ]
    return document


def _print_split(split: Split, members: tuple[tuple[Contender, ...], ...], words: Words) -> None:
    bounds, screen = split.limits, console()
    facts = {"players": bounds.players, "groups": bounds.groups, "rounds": bounds.rounds}
    screen.print(words.text("rubele.groups-title", **facts))
    figures = (
        ("critical", bounds.critical),
        ("increment", bounds.increment),
        ("cap", bounds.first_group_cap),
        ("minimum", bounds.minimum),
        ("sizes", split.sizes),
    )
    for key, value in figures:
        screen.print("  " + words.text(f"rubele.groups-{key}", value=value))
    for number, group in enumerate(members, start=1):
        screen.print()
        screen.print(words.text("rubele.group", number=number, players=len(group)))
        headings = [
            (words.text("column-draughts.name"), "left"),
            (words.text("column-draughts.category"), "left"),
            (words.text("column-draughts.capital"), "right"),
        ]
        rows = [(p.name, words.text(f"category.{p.category}"), str(p.capital)) for p in group]
        screen.print(table(headings, rows))


def _print_whole_table(
    rules: DraughtsRules,
    words: Words,
    rounds: str | None,
    groups: str | None,
    *,
    html: Path | None,
    pdf: Path | None,
    json: bool,
) -> None:
    least, most = min(dict(rules.group_minimums.value)), max(dict(rules.group_minimums.value))
    only_rounds = parse_count(rounds, "rounds", least, most) if rounds is not None else None
    only_groups = parse_count(groups, "groups", *rules.group_numbers.value) if groups is not None else None
    chosen = [
        (bounds, split)
        for bounds, split in whole_table(rules)
        if only_rounds in (None, bounds.rounds) and only_groups in (None, bounds.groups)
    ]
    tables = group_tables(chosen, words)
    if html is not None:
        write_file(html, html_group_tables(tables, words).encode("utf-8"))
    if pdf is not None:
        write_file(pdf, pdf_group_tables(tables, words))
    if json:
        rows = [
            {
                "groups": bounds.groups,
                "rounds": bounds.rounds,
                "players": bounds.players,
                "critical": bounds.critical,
                "increment": bounds.increment,
                "first_group_cap": bounds.first_group_cap,
                "minimum": bounds.minimum,
                "sizes": list(split.sizes) if split else None,
            }
            for bounds, split in chosen
        ]
        print_json("arpad.rubele-groups-table/1", {"splits": rows})
    elif html is None and pdf is None:
        screen = console()
        screen.print(words.text("rubele.groups-table-note"))
        for sheet in tables:
            screen.print(table([(text, "right") for text in sheet.headings], sheet.rows, title=sheet.title))
