"""``arpad fees``: the fees of events by the federation's own table, and the invoice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import Json, Lang, console, naming_file, print_json, table, words_for
from arpad.cli.reports import FactsOption, Files, RatingOptions
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.rating import arguments
from arpad.system.atomic_files import write_file

if TYPE_CHECKING:
    from arpad.explain.fees import InvoiceHead
    from arpad.explain.words import Words
    from arpad.rating.fees import EventFees
    from arpad.regulations.fee_table import FeeTable
    from arpad.reports.event_facts import EventFacts
    from arpad.reports.report import Header


def fees(
    fee_table: Annotated[Path, typer.Argument(metavar="TABLE", help="The federation's fees, as TOML.")],
    files: Files,
    *,
    facts: FactsOption = None,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Write the invoice of one report.")
    ] = None,
    to: Annotated[
        list[str] | None,
        typer.Option("--to", metavar="LINE", help="For whom the invoice is; repeat it for each line."),
    ] = None,
    number: Annotated[str, typer.Option("--number", metavar="TEXT", help="The number of the invoice.")] = "",
    day: Annotated[
        str | None,
        typer.Option("--day", metavar="YYYY-MM-DD", help="The day of the invoice; default: today."),
    ] = None,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Compute the fees of events by your own table, and write the invoice.

    Example: arpad fees fees.toml open.trf --pdf invoice.pdf --number 2026/7 --to "Circolo di Bellariva"
    """
    from arpad.regulations.fee_table import read_fee_table

    words = words_for(lang)
    on = parse_day(day, "day") if day else date.today()  # noqa: DTZ011  the day where the user is
    head = _invoice_head(files, to, number, on) if pdf is not None else None
    with naming_file(fee_table):
        chosen = read_fee_table(arguments.read_toml(str(fee_table)))
    events = [_fees(path, RatingOptions(facts=facts).event_facts(), chosen) for path in files]
    if pdf is not None and head is not None:
        from arpad.explain.fees import invoice_content, invoice_pdf

        write_file(pdf, invoice_pdf(invoice_content(*events[0], chosen, head, words)))
    if json:
        from arpad.explain.fees import fees_document, plain_amount

        documents = [fees_document(header, event, chosen, words) for header, event in events]
        total = plain_amount(sum(event.total for _, event in events))
        print_json("arpad.fees/1", {"events": documents, "currency": chosen.currency, "total": total})
        return 0
    _print(events, chosen, words)
    if pdf is not None:
        console().print(words.text("fees.written", path=str(pdf)))
    return 0


def _invoice_head(files: Sequence[Path], to: Sequence[str] | None, number: str, on: date) -> InvoiceHead:
    """Return the head of the invoice of one report."""
    from arpad.explain.fees import InvoiceHead

    if len(files) != 1:
        raise BadInput("invoice-one-report")
    return InvoiceHead(number.strip(), on, tuple(to or ()))


def _fees(path: Path, facts: EventFacts, chosen: FeeTable) -> tuple[Header, EventFees]:
    from arpad.rating.fees import fees_of, figures_of
    from arpad.rating.preview import listed_on
    from arpad.reports.formats import read_file

    with naming_file(path):
        report = read_file(path)
    return report.header, fees_of(figures_of(report, facts, listed_on(report, facts)), chosen)


def _print(events: Sequence[tuple[Header, EventFees]], chosen: FeeTable, words: Words) -> None:
    from arpad.explain.fees import amount_text, fee_rows, headings

    out = console()
    for header, event in events:
        total = amount_text(event.total, words)
        key = "fees.event" if event.lines else "fees.none"
        players = event.figures.players
        out.print(words.text(key, event=header.name, players=players, total=total, currency=chosen.currency))
        if event.lines:
            sides = ("left", "left", "right", "right")
            out.print(table(zip(headings(chosen, words), sides, strict=True), fee_rows(event, words)))
    if len(events) > 1:
        total = amount_text(sum(event.total for _, event in events), words)
        out.print(words.text("fees.sum", total=total, currency=chosen.currency))
