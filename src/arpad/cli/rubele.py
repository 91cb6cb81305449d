"""``arpad rubele``: Elo-Rubele, the draughts ratings, from the group split to the printed board."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli import rubele_events
from arpad.cli.common import DateOption, Json, Lang, console, derivation, print_json, table, words_for
from arpad.cli.rubele_shared import (
    Discipline,
    DraughtsEdition,
    Weight,
    edition_of_event,
    read_capitals,
)
from arpad.cli.typer_groups import Commands
from arpad.explain.documents import capital_document, split_document, step_documents
from arpad.explain.words import Words
from arpad.model.draughts import rank_named
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text, from_hundredths
from arpad.rating.calculator import choose_draughts
from arpad.rating.draughts_arguments import (
    MOST_GAMES,
    parse_capital,
    parse_count,
    parse_discipline,
    parse_expectation,
    parse_scored,
    parse_weight,
)
from arpad.regulations.draughts.capital import change as capital_change
from arpad.regulations.draughts.capital import check_scored
from arpad.regulations.draughts.capital import expected as points_expected
from arpad.regulations.draughts.categories import category_of
from arpad.regulations.draughts.groups import Contender, Split, share_out, split, whole_table
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.draughts.starting_capital import (
    FMJD_MOST,
    Debut,
    by_decision,
    from_fmjd,
    from_other_list,
)
from arpad.reports.formats import read_bytes, read_report
from arpad.reports.report import Report
from arpad.system.atomic_files import write_file

app = Commands()
app.command()(rubele_events.event)
app.command()(rubele_events.board)
app.command()(rubele_events.promotions)
app.command(name="year-end")(rubele_events.year_end_command)

MOST_PLAYERS = 10_000
MOST_ROUNDS = 999


@app.command()
def change(
    discipline: Discipline,
    capital: Annotated[str, typer.Option("--capital", metavar="CI", help="The capital before the event.")],
    scored: Annotated[str, typer.Option("--scored", metavar="PO", help="The points scored, two for a win.")],
    expected: Annotated[str, typer.Option("--expected", metavar="PA", help="The points expected, as 9.30.")],
    edition: DraughtsEdition = None,
    date_: DateOption = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="N", help="How many games, as a check.")
    ] = None,
    weight: Weight = "100",
    *,
    first_of_year: Annotated[
        bool, typer.Option("--first-of-year", help="It is the player's first event of the year.")
    ] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """The capital after an event, step by step (tables 14, 16, 17).

    Example: arpad rubele change --discipline italiana --capital 3479 --scored 14 --expected 9.30
    """
    words = words_for(lang)
    on_list = parse_discipline(discipline)
    used = choose_draughts(edition, date_, on_list)
    rules = used.on(on_list)
    before, po, pa = (
        parse_capital(capital, "capital", rules),
        parse_scored(scored),
        parse_expectation(expected),
    )
    if games is not None:
        check_scored(po, pa, parse_count(games, "games", 1, MOST_GAMES))
    found = capital_change(before, po, pa, rules, weight=parse_weight(weight), first_of_year=first_of_year)
    if json:
        document = {"discipline": str(on_list), "edition": used.id, **capital_document(found)}
        document["corresponds_to"] = str(category_of(found.final, rules))
        print_json("arpad.rubele-change/1", {**document, "steps": step_documents(found.steps, words)})
        return
    screen = console()
    name = words.text(f"discipline.{on_list}")
    screen.print(words.text("rubele.change-title", discipline=name, edition=used.id))
    screen.print(derivation(found.steps, words))


@app.command()
def expected(
    discipline: Discipline,
    capital: Annotated[str, typer.Option("--capital", metavar="CI", help="The player's capital.")],
    opponent: Annotated[
        list[str], typer.Option("--opponent", metavar="CI", help="An opponent; repeat for each.")
    ],
    edition: DraughtsEdition = None,
    date_: DateOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """The points to be expected against each opponent, and in all (table 19).

    Example: arpad rubele expected --discipline italiana --capital 3479 --opponent 4000 --opponent 3482
    """
    words = words_for(lang)
    on_list = parse_discipline(discipline)
    used = choose_draughts(edition, date_, on_list)
    rules = used.on(on_list)
    own = parse_capital(capital, "capital", rules)
    others = [parse_capital(text, "opponent", rules) for text in opponent]
    points = [points_expected(own, other, rules) for other in others]
    total = from_hundredths(sum(points))
    if json:
        rows = [
            {
                "opponent": other,
                "difference": own - other,
                "expected": decimal_text(from_hundredths(value), places=2),
            }
            for other, value in zip(others, points, strict=True)
        ]
        document = {"discipline": str(on_list), "edition": used.id, "capital": own, "games": rows}
        print_json("arpad.rubele-expected/1", {**document, "expected": decimal_text(total, places=2)})
        return
    screen = console()
    name = words.text(f"discipline.{on_list}")
    screen.print(words.text("rubele.expected-title", discipline=name, edition=used.id))
    headings = [
        (words.text(f"column-draughts.{key}"), "right") for key in ("opponent", "difference", "expected")
    ]
    listed = [
        (str(other), words.number(own - other, signed=True), words.number(from_hundredths(value), places=2))
        for other, value in zip(others, points, strict=True)
    ]
    screen.print(table(headings, listed))
    screen.print(words.text("rubele.total-expected", value=total, games=len(others)))


@app.command()
def convert(
    to: Annotated[
        str,
        typer.Option("--to", metavar="italiana|internazionale", help="The list on which the player begins."),
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="CATEGORY", help="Category or title held on the other list."),
    ] = None,
    fmjd: Annotated[
        str | None, typer.Option("--fmjd", metavar="RATING", help="FMJD rating of a foreign player.")
    ] = None,
    capital: Annotated[
        str | None, typer.Option("--capital", metavar="N", help="A capital given by decision.")
    ] = None,
    author: Annotated[str, typer.Option("--author", help="Who decided it.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why.")] = "",
    edition: DraughtsEdition = None,
    date_: DateOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Category and capital with which a player begins (tables 20, 21, 22, or a decision).

    Example: arpad rubele convert --to italiana --from maestro
    """
    words = words_for(lang)
    on_list = parse_discipline(to, "to")
    used = choose_draughts(edition, date_, on_list)
    debut = _debut(used.on(on_list), from_, fmjd, capital, author, reason)
    if json:
        figures = {"category": str(debut.category), "capital": debut.capital}
        document = {"discipline": str(on_list), "edition": used.id, **figures}
        print_json("arpad.rubele-convert/1", {**document, "steps": step_documents(debut.steps, words)})
        return
    screen = console()
    names = {
        "discipline": words.text(f"discipline.{on_list}"),
        "category": words.text(f"category.{debut.category}"),
    }
    screen.print(words.text("rubele.debut-title", **names, capital=debut.capital))
    screen.print(derivation(debut.steps, words))


def _debut(
    rules: DraughtsRules, held: str | None, fmjd: str | None, capital: str | None, author: str, reason: str
) -> Debut:
    if sum(given is not None for given in (held, fmjd, capital)) != 1:
        raise BadInput("convert-what")
    if held is not None:
        return from_other_list(rank_named(held), rules)
    if fmjd is not None:
        return from_fmjd(parse_count(fmjd, "fmjd", 1, FMJD_MOST), rules)
    return by_decision(parse_capital(capital or "", "capital", rules), author, reason, rules)


@app.command()
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
            "--free", metavar="GROUP", help="A group that is not italo-svizzero: no minimum binds it."
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
    rules = edition_of_event(edition, date_, on_list)(first).on(on_list)
    if whole:
        _print_whole_table(rules, words, rounds, groups_, html=html, pdf=pdf, json=json)
        return
    for option, path in (("html", html), ("pdf", pdf)):
        if path is not None:
            raise BadInput("groups-table-only", option=option)
    contenders = _contenders(file, entered, players, rules)
    for option, given in (("rounds", rounds), ("groups", groups_)):
        if given is None:
            raise BadInput("groups-what", option=option)
    count = len(contenders) if contenders else parse_count(players or "", "players", 1, MOST_PLAYERS)
    found = split(
        count,
        parse_count(rounds or "", "rounds", 1, MOST_ROUNDS),
        parse_count(groups_ or "", "groups", *rules.group_numbers.value),
        rules,
        minimum=parse_count(minimum, "minimum", 2, MOST_PLAYERS) if minimum is not None else None,
        free={parse_count(text, "free", 1, rules.group_numbers.value[1]) for text in free or ()},
    )
    members = share_out(contenders, found.sizes) if contenders else ()
    if json:
        print_json("arpad.rubele-groups/1", _split_document(found, members))
        return
    _print_split(found, members, words)


def _entered(file: Path | None) -> Report | None:
    """Return the report in which the players stand; nothing where there is no file, or it is a list."""
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
    """Whether a CSV file is a list: its first line names the capital."""
    head = read_bytes(file).split(b"\n", 1)[0].decode("utf-8", "replace").casefold()
    return "capital" in head


def _split_document(found: Split, members: tuple[tuple[Contender, ...], ...]) -> dict[str, Any]:
    document = split_document(found)
    if members:
        document["members"] = [
            [
                {"name": p.name, "id": p.id or None, "capital": p.capital, "category": str(p.category)}
                for p in group
            ]
            for group in members
        ]
    return document


def _print_split(found: Split, members: tuple[tuple[Contender, ...], ...], words: Words) -> None:
    bounds, screen = found.limits, console()
    facts = {"players": bounds.players, "groups": bounds.groups, "rounds": bounds.rounds}
    screen.print(words.text("rubele.groups-title", **facts))
    figures = (
        ("critical", bounds.critical),
        ("increment", bounds.increment),
        ("cap", bounds.first_group_cap),
        ("minimum", bounds.minimum),
        ("sizes", found.sizes),
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
    from arpad.explain.group_table import group_tables, html_group_tables, pdf_group_tables

    least, most = min(dict(rules.group_minimums.value)), max(dict(rules.group_minimums.value))
    only_rounds = parse_count(rounds, "rounds", least, most) if rounds is not None else None
    only_groups = parse_count(groups, "groups", *rules.group_numbers.value) if groups is not None else None
    chosen = [
        (bounds, found)
        for bounds, found in whole_table(rules)
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
                "sizes": list(found.sizes) if found else None,
            }
            for bounds, found in chosen
        ]
        print_json("arpad.rubele-groups-table/1", {"splits": rows})
    elif html is None and pdf is None:
        screen = console()
        screen.print(words.text("rubele.groups-table-note"))
        for one in tables:
            screen.print(table([(text, "right") for text in one.headings], one.rows, title=one.title))
