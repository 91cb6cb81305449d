"""``arpad norms``: the title norms of a report, article by article."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import DateOption, EditionOption, Json, Lang, naming_file, print_json, words_for
from arpad.cli.norm_tables import print_norms
from arpad.explain.norm_documents import report_norms_document
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day
from arpad.rating.norm_arguments import norm_options
from arpad.rating.norm_report import ReportNorms, find_norms
from arpad.reports.formats import read_file
from arpad.system.atomic_files import write_file


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
    ratings: Annotated[
        Path | None,
        typer.Option("--ratings", metavar="FILE", help="The list in force: FIDE TXT or XML, or CSV."),
    ] = None,
    rounds: Annotated[str | None, typer.Option("--rounds", metavar="N", help="Rounds of the event.")] = None,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", metavar="PDF", help="The certificate IT1 of --player and --title."),
    ] = None,
    tournament: Annotated[
        Path | None, typer.Option("--tournament", metavar="PDF", help="The report IT3 of the tournament.")
    ] = None,
    fact: Annotated[
        list[str] | None,
        typer.Option("--fact", metavar="NAME=VALUE", help="A fact for the papers that the report lacks."),
    ] = None,
    edition: EditionOption = None,
    date_: DateOption = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Find the title norms of a report, article by article.

    The answer says with which games, which requirement failed, and what the next rounds must bring.

    Example: arpad norms open.trf --title IM
    """
    from arpad.lists.rating_lookup import with_listed_ratings
    from arpad.reports.player_choice import find_player

    words = words_for(lang)
    day = parse_day(date_, "date") if date_ else None
    with naming_file(file):
        report = read_file(file)
    if ratings is not None:
        with naming_file(ratings):
            report = with_listed_ratings(report, ratings)
    with naming_file(file):
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
        papers = _write_papers(result, certificate, tournament, fact or (), words)
    if json:
        print_json("arpad.norms/1", {**vars(report_norms_document(result, words)), **papers})
        return
    if not papers:
        print_norms(result, words, in_full=player is not None)


def _write_papers(
    result: ReportNorms, certificate: Path | None, tournament: Path | None, facts: Sequence[str], words: Words
) -> dict[str, Any]:
    """Write the certificates that are asked for, name the missing facts on stderr, and return both as data."""
    if certificate is None and tournament is None and not facts:
        return {}
    from arpad.explain.certificates import (
        FACT_NAMES,
        CertificateFacts,
        norm_certificate,
        read_facts,
        tournament_report,
    )
    from arpad.publishing.certificate_pdf import norm_pdf, tournament_pdf

    known = CertificateFacts(**read_facts(FACT_NAMES, facts))
    papers: dict[str, Any] = {}
    if certificate is not None:
        norms_of_player = [(player, norm) for player in result.players for norm in player.norms]
        if len(norms_of_player) != 1:
            raise BadInput("certificate-one-player")
        player, norm = norms_of_player[0]
        it1 = norm_certificate(result, player.entrant.number, norm, known)
        write_file(certificate, norm_pdf(it1, words))
        papers["certificate"] = it1
    if tournament is not None:
        it3 = tournament_report(result, known, words)
        write_file(tournament, tournament_pdf(it3, words))
        papers["tournament"] = it3
    missing = list(dict.fromkeys(name for paper in papers.values() for name in paper.missing))
    for path in (certificate, tournament):
        if path is not None:
            sys.stderr.write(words.text("certificate.written", path=str(path)) + "\n")
    for code, names in (
        ("asked", [name for name in missing if name in FACT_NAMES]),
        ("asked-in-report", [name for name in missing if name not in FACT_NAMES]),
    ):
        if names:
            lacking = ", ".join(f"{words.text(f'certificate.{name}')} ({name})" for name in names)
            example = f"--fact {names[0]}=…"
            sys.stderr.write(words.text(f"certificate.{code}", fields=lacking, example=example) + "\n")
    return papers
