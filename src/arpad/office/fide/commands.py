"""``arpad office reference``: the lists of another body, such as FIDE's, kept beside the register."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import chess_list, console, print_json, table
from arpad.cli.office.options import Now, ReadOptions, Reason, WriteOptions
from arpad.cli.typer_groups import Commands
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day

if TYPE_CHECKING:
    from arpad.office.fide.rows import Reference
    from arpad.reports.formats.lists.fide_rows import ListRow

app = Commands(help="Keep FIDE's monthly lists beside the register, and look players up in them.")


@app.command()
def add(
    desk: WriteOptions,
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

    Example: arpad office reference add list.txt --day 2018-05-01 --db office.db
    """
    from arpad.office.fide.reference import add_reference
    from arpad.reports.formats.lists.layouts import parse_columns

    words = desk.words
    with desk.acting() as office, progress.bar(words.text("report.reading")) as update:
        added = add_reference(
            office, file, parse_day(day, "day"), on_list=chess_list(list_) if list_ else None,
            columns=parse_columns(columns) if columns else None, fewer=fewer, progress=update, reason=reason,
        )  # fmt: skip
    key = "reference.again" if added.again else "reference.added"
    sentence = words.text(key, rows=added.reference.rows, day=added.reference.day)
    desk.tell(
        sentence,
        "arpad.office-reference-add/1",
        {**reference_document(added.reference), "again": added.again},
    )


@app.command("list")
def kept(look: ReadOptions) -> None:
    """List the reference lists that are kept."""
    from arpad.office.fide.reference import kept_references

    words = look.words
    with look.opened() as office:
        references = kept_references(office)
    if look.json:
        documents = [reference_document(reference) for reference in references]
        print_json("arpad.office-reference-list/1", {"references": documents})
        return
    if not references:
        sys.stdout.write(words.text("reference.none") + "\n")
        return
    columns = [(words.text("reference.day"), "left"), (words.text("reference.lists"), "left")]
    columns += [(words.text("reference.players"), "right"), (words.text("reference.file"), "left")]
    rows = [(str(it.day), ", ".join(it.lists), f"{it.rows:,}", it.file) for it in references]
    console().print(table(columns, rows))


@app.command()
def show(
    look: ReadOptions,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="The number that FIDE gave the player.")],
) -> None:
    """Show what the reference lists say about a number, month by month."""
    from arpad.office.fide.reference import reference_history

    words = look.words
    with look.opened() as office:
        records = reference_history(office, number)
    if not records:
        raise BadInput("reference-number", number=number)
    if look.json:
        months = [{"day": str(it.reference.day), **player_document(it.player)} for it in records]
        print_json("arpad.office-reference-show/1", {"number": number, "months": months})
        return
    rows = [(str(it.reference.day), *_cells(it.player, words)) for it in records]
    console().print(table([(words.text("reference.day"), "left"), *_headings(words)], rows))


@app.command()
def search(
    look: ReadOptions,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name, or its beginning, or a number.")],
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, max=100, help="At most.")] = 20,
) -> None:
    """Search the newest reference list by name."""
    from arpad.office.fide.reference import find_in_reference

    words = look.words
    with look.opened() as office:
        players = find_in_reference(office, name, limit)
    if look.json:
        documents = [player_document(player) for player in players]
        print_json("arpad.office-reference-search/1", {"players": documents})
        return
    if not players:
        console().print(words.text("office.nobody-called", asked=name))
        return
    rows = [(str(player.id), *_cells(player, words)) for player in players]
    console().print(table([("FIDE", "right"), *_headings(words)], rows))


@app.command()
def remove(
    desk: WriteOptions,
    day: Annotated[list[str], typer.Argument(metavar="DAY…", help="The days of the lists to remove.")],
    reason: Reason = "",
) -> None:
    """Remove old reference lists.

    The lists that were published with them keep the ratings that they used.
    """
    from arpad.office.fide.reference import remove_references

    with desk.acting() as office:
        removed = remove_references(office, [parse_day(text, "DAY") for text in day], reason=reason)
    documents = [reference_document(reference) for reference in removed]
    sentence = desk.words.text("reference.removed", days=", ".join(str(it.day) for it in removed))
    desk.tell(sentence, "arpad.office-reference-remove/1", {"removed": documents})


# --------------------------------------------------------------------------------------------------- documents


def reference_document(reference: Reference) -> dict[str, Any]:
    """Return a reference list for JSON."""
    return {
        "day": str(reference.day), "source": reference.source, "lists": [str(name) for name in reference.lists],
        "players": reference.rows, "file": reference.file, "sha256": reference.sha256, "digest": reference.digest,
    }  # fmt: skip


def player_document(player: ListRow) -> dict[str, Any]:
    """Return a player of a reference list for JSON."""
    return {
        "number": player.id, "name": player.name, "federation": player.federation, "sex": player.sex,
        "born": None if player.born is None else str(player.born), "title": player.title,
        "women_title": player.women_title, "other_titles": player.other_titles, "inactive": player.inactive,
        "standard": player.rating, "standard_k": player.k, "rapid": player.rapid_rating, "rapid_k": player.rapid_k,
        "blitz": player.blitz_rating, "blitz_k": player.blitz_k,
    }  # fmt: skip


def _headings(words: Words) -> list[tuple[str, str]]:
    left = [
        (words.text(f"reference.{name}"), "left") for name in ("name", "federation", "sex", "born", "title")
    ]
    figures = [(words.text(f"reference.{name}"), "right") for name in ("standard", "rapid", "blitz")]
    return [*left, *figures, (words.text("reference.inactive"), "left")]


def _cells(player: ListRow, words: Words) -> tuple[str, ...]:
    born = "" if player.born is None else str(player.born)
    titles = " ".join(filter(None, dict.fromkeys((player.title, player.women_title))))
    figures = (player.rating, player.rapid_rating, player.blitz_rating)
    return (
        player.name, player.federation, player.sex, born, titles,
        *("" if figure is None else str(figure) for figure in figures),
        words.text("reference.inactive") if player.inactive else "",
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ pairing programs


def export_players(
    look: ReadOptions,
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

    Example: arpad office export-players players.xml --day 2018-05-01 --db office.db
    """
    from arpad.office.fide.export_players import export_players as write

    words = look.words
    with look.opened(now=now) as office:
        players, findings = write(
            office, file, day=parse_day(day, "day") if day else None, scheme=scheme, unrated=unrated
        )
    lines = [words.text("reference.players-written", players=players, file=str(file))]
    lines += [words.finding(finding) for finding in findings]
    look.tell(
        "\n".join(lines), "arpad.office-export-players/1",
        {"file": str(file), "players": players, "findings": [words.finding(finding) for finding in findings]},
    )  # fmt: skip
