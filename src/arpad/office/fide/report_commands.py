"""``arpad office fide-report`` and ``fide-numbers``: what the federation sends to FIDE."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Report
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.office.fide.report import FideReport


def fide_report(
    look: ReadOptions,
    report: Report,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    to: Annotated[str, typer.Option(metavar="trf16|trf26", help="The format.")] = "trf16",
) -> None:
    """Write an accepted report as FIDE takes it, with the register's facts and the decided results."""
    from arpad.explain.documents import finding_document
    from arpad.office.fide.report import fide_report as make

    words = look.words
    with look.opened() as office:
        fide_copy = make(office, report, to)
    write_file(out, fide_copy.data)
    if look.json:
        findings = [finding_document(finding, words) for finding in fide_copy.findings]
        about = {"report": report, "out": str(out), "format": to}
        print_json("arpad.office-fide-report/1", {**about, **_document(fide_copy), "findings": findings})
        return
    _print(fide_copy, out, words)


def _document(fide_copy: FideReport) -> dict[str, Any]:
    return {
        "changes": [
            {
                "number": change.number,
                "name": change.name,
                "field": change.field,
                "reported": change.reported,
                "registered": change.registered,
            }
            for change in fide_copy.changes
        ],
        "without_number": [{"player": person.id, "name": person.name} for person in fide_copy.without_number],
    }


def _print(fide_copy: FideReport, out: Path, words: Words) -> None:
    terminal = console()
    terminal.print(words.text("fide.written", path=str(out), changes=len(fide_copy.changes)))
    if fide_copy.changes:
        headings = [
            (words.text(f"fide.{name}"), "left") for name in ("player", "fact", "reported", "registered")
        ]
        rows = [
            [
                f"{change.number} {change.name}",
                words.text(f"fide-fact.{change.field}"),
                change.reported or "–",
                change.registered or "–",
            ]
            for change in fide_copy.changes
        ]
        terminal.print(table(headings, rows))
    for person in fide_copy.without_number:
        terminal.print(words.text("fide.without-number", name=person.name, player=person.id))


def fide_numbers(
    look: ReadOptions,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the players as CSV, to send.")
    ] = None,
) -> None:
    """List the players of accepted reports who have no FIDE number."""
    from arpad.office.fide.report import numbers_csv, numbers_needed

    words = look.words
    with look.opened() as office:
        needed = numbers_needed(office)
    if csv is not None:
        write_file(csv, numbers_csv(needed))
    if look.json:
        players = [
            {
                "player": item.person.id,
                "name": item.person.name,
                "federation": item.person.federation,
                "sex": item.person.sex,
                "born": str(item.person.born) if item.person.born else None,
                "report": item.report,
                "event": item.event,
            }
            for item in needed
        ]
        print_json("arpad.office-fide-numbers/1", {"players": players})
        return
    console().print(words.text("fide.needed" if needed else "fide.none-needed", players=len(needed)))
    if needed:
        headings = [
            (words.text(f"fide.{name}"), "left") for name in ("player", "federation", "born", "event")
        ]
        rows = [
            [
                f"{item.person.id} {item.person.name}",
                item.person.federation,
                str(item.person.born or "–"),
                f"{item.report} {item.event}",
            ]
            for item in needed
        ]
        console().print(table(headings, rows))
