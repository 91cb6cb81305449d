"""``arpad norms``: the title norms of a report, article by article."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import DateOption, EditionOption, Json, Lang, naming_file, print_json, words_for
from arpad.cli.norm_tables import print_norms
from arpad.model.typed_values import parse_day


def norms(
    file: Annotated[Path, typer.Argument(metavar="REPORT", help="A report: TRF, CSV, XLSX or PGN.")],
    title: Annotated[
        list[str] | None,
        typer.Option("--title", metavar="GM|IM|WGM|WIM", help="Look for this title, within reach or not."),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="PLAYER", help="One player: start number, id or name.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system", metavar="swiss|round-robin|double-round-robin|team|knockout", help="System."
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="world-team|world-cup|national-championship|national-team|zonal",
            help="Kind of event.",
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="CODE", help="The federation of the event.")
    ] = None,
    rounds: Annotated[str | None, typer.Option("--rounds", metavar="N", help="Rounds of the event.")] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Find the title norms of a report: with which games, which requirement failed, what the next rounds must bring.

    Example: arpad norms open.trf --title IM
    """
    from arpad.cli.player_choice import find_player
    from arpad.explain.norm_documents import report_norms_document
    from arpad.rating.norm_arguments import norm_options
    from arpad.rating.norm_report import find_norms
    from arpad.reports.formats import read_file

    words = words_for(lang)
    day = parse_day(date_, "date") if date_ else None
    with naming_file(file):
        report = read_file(file)
        chosen = None
        if player is not None:
            chosen = find_player(
                report.entrants, player, lambda entrant: (entrant.number, entrant.id, entrant.name)
            ).number
        options = norm_options(
            edition=edition, day=day, system=system, kind=kind, host=host, rounds=rounds, titles=title or (),
            player=chosen,
        )  # fmt: skip
        result = find_norms(report, options)
    if json:
        print_json("arpad.norms/1", report_norms_document(result, words))
        return
    print_norms(result, words, in_full=player is not None)
