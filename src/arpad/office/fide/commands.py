"""``arpad office fide``: files that are read or written by name, and answers that are no plain table."""

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import chess_list, console, progress_bar, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import Now, ReadOptions, Reason, WriteOptions
from arpad.cli.reconcile import print_reconciliation
from arpad.explain.words import Words
from arpad.model.declared import document
from arpad.model.typed_values import parse_day
from arpad.office.fide import acts
from arpad.office.fide.exchange import export_players as write
from arpad.office.fide.reference import add_reference
from arpad.reports.formats.lists.layouts import parse_columns


def reference(
    options: WriteOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FIDE's TXT or XML, plain, .gz or .zip.")],
    day: Annotated[str, typer.Option("--day", metavar="YYYY-MM-DD", help="The list's day.")],
    list_: Annotated[
        str | None,
        typer.Option("--list", metavar="LIST", help="Whose ratings they are, if the file has only one list."),
    ] = None,
    columns: Annotated[
        str, typer.Option("--columns", metavar="COLUMNS", help="As id=1-8,name=11-44, or fide-2004.")
    ] = "",
    *,
    fewer: Annotated[
        bool, typer.Option("--fewer", help="Accept far fewer players than in the list before.")
    ] = False,
    reason: Reason = "",
) -> None:
    """Add a list of another body as a reference; nobody enters the register.

    Example: arpad office fide reference list.txt --day 2018-05-01 --db office.db
    """
    words = options.words
    with options.acting() as office, progress_bar(words.text("report.reading")) as update:
        added = add_reference(
            office, file, parse_day(day, "day"), on_list=chess_list(list_) if list_ else None,
            columns=parse_columns(columns) if columns else None, fewer=fewer, progress=update, reason=reason,
        )  # fmt: skip
    key = "reference.again" if added.again else "reference.added"
    sentence = words.text(key, rows=added.reference.rows, day=added.reference.day)
    kept = document(acts.kept_reference(added.reference))
    options.tell(sentence, "arpad.office-fide-reference/1", {**kept, "again": added.again})


def export_players(
    options: ReadOptions,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends with .txt, .xml or .csv.")],
    day: Annotated[
        str | None,
        typer.Option("--day", metavar="YYYY-MM-DD", help="The lists in force then; default: today."),
    ] = None,
    scheme: Annotated[
        str, typer.Option("--scheme", metavar="SCHEME", help="The national numbers; default: the register's.")
    ] = "",
    *,
    unrated: Annotated[
        bool, typer.Option("--unrated", help="Also players of the register who are on no list.")
    ] = False,
    now: Now = None,
) -> None:
    """Write the players as a file for pairing programs.

    Swiss-Manager, Vega and Sharly Chess read FIDE's combined TXT and XML; the CSV has the clubs.

    Example: arpad office fide export-players players.xml --day 2018-05-01 --db office.db
    """
    words = options.words
    with options.opened(now=now) as office:
        players, findings = write(
            office, file, day=parse_day(day, "day") if day else None, scheme=scheme, unrated=unrated
        )
    lines = [words.text("reference.players-written", players=players, file=str(file))]
    lines += [words.finding(finding) for finding in findings]
    options.tell(
        "\n".join(lines), "arpad.office-fide-export-players/1",
        {"file": str(file), "players": players, "findings": [words.finding(finding) for finding in findings]},
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------- in words


def _show_months(found: acts.ListedMonths, words: Words) -> None:
    rows = [(str(it.day), *_cells(it.player, words)) for it in found.months]
    console().print(table([(words.text("reference.day"), "left"), *_headings(words)], rows))


def _show_players(found: acts.ListedPlayers, words: Words) -> None:
    if not found.players:
        console().print(words.text("office.nobody-called", asked=found.asked))
        return
    rows = [(str(player.number), *_cells(player, words)) for player in found.players]
    console().print(table([("FIDE", "right"), *_headings(words)], rows))


def _headings(words: Words) -> list[tuple[str, str]]:
    left = [
        (words.text(f"reference.{name}"), "left") for name in ("name", "federation", "sex", "born", "title")
    ]
    figures = [(words.text(f"reference.{name}"), "right") for name in ("standard", "rapid", "blitz")]
    return [*left, *figures, (words.text("reference.inactive"), "left")]


def _cells(player: acts.ListedPlayer, words: Words) -> tuple[str, ...]:
    born = "" if player.born is None else str(player.born)
    titles = " ".join(filter(None, dict.fromkeys((player.title, player.women_title))))
    figures = (player.standard, player.rapid, player.blitz)
    return (
        player.name, player.federation, player.sex, born, titles,
        *("" if figure is None else str(figure) for figure in figures),
        words.text("reference.inactive") if player.inactive else "",
    )  # fmt: skip


def _show_changes(found: acts.FideChanges, words: Words) -> None:
    out = console()
    out.print(words.text("fide.changes", changes=len(found.changes)))
    if found.changes:
        names = ("player", "fact", "reported", "registered")
        headings = [(words.text(f"fide.{name}"), "left") for name in names]
        rows = [
            [
                f"{it.number} {it.name}", words.text(f"fide-fact.{it.field}"), it.reported or "–",
                it.registered or "–",
            ]
            for it in found.changes
        ]  # fmt: skip
        out.print(table(headings, rows))
    for person in found.without_number:
        out.print(words.text("fide.without-number", name=person.name, player=person.player))


def _show_comparison(found: acts.Compared, words: Words) -> None:
    print_reconciliation(found.result, words)
    if found.result.differing():
        raise typer.Exit(1)


COMMANDS = {
    "fide reference": reference,
    "fide export-players": export_players,
    "fide show": command_of(acts.listed_months, _show_months),
    "fide search": command_of(acts.search_listed, _show_players),
    "fide report": command_of(acts.report_changes, _show_changes),
    "fide reconcile": command_of(acts.reconcile, _show_comparison),
}
