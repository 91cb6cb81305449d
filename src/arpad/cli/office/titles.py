"""``arpad office title``: norms on record, the check of an application, and titles by rating."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Reason, Report, WriteOptions, day_of
from arpad.cli.typer_groups import Commands
from arpad.model.typed_values import parse_day

if TYPE_CHECKING:
    from arpad.explain.title_applications import TitleApplication
    from arpad.explain.words import Words
    from arpad.office.titles import TitleCheck
    from arpad.regulations.chess.titles.rules import NormTitle
    from arpad.store.norms import RecordedNorm

app = Commands(help="Keep norms, check applications, and propose titles by rating.")

Player = Annotated[int, typer.Argument(metavar="PLAYER", help="The player's number in the register.")]
TitleArgument = Annotated[str, typer.Argument(metavar="GM|IM|WGM|WIM", help="The title.")]
CheckDay = Annotated[str | None, typer.Option("--on", metavar="YYYY-MM-DD", help="The day; default: today.")]
Reached = Annotated[
    int | None,
    typer.Option(metavar="RATING", help="A rating reached within a period that the federation can prove."),
]


@app.command()
def norms(look: ReadOptions, player: Player) -> None:
    """List the norms of a player."""
    from arpad.office.title_documents import recorded_norm_document
    from arpad.office.titles import norms_of

    words = look.words
    with look.opened() as office:
        on_record = norms_of(office, player)
    if look.json:
        documents = [recorded_norm_document(norm) for norm in on_record]
        print_json("arpad.office-norms/1", {"player": player, "norms": documents})
        return
    if not on_record:
        console().print(words.text("title.no-norms"))
        return
    console().print(_norm_table(on_record, words))


@app.command()
def add(
    desk: WriteOptions,
    player: Player,
    title: TitleArgument,
    event: Annotated[str, typer.Option(metavar="NAME", help="The tournament.")],
    first: Annotated[str, typer.Option("--first", metavar="YYYY-MM-DD", help="Its first day.")],
    last: Annotated[str, typer.Option("--last", metavar="YYYY-MM-DD", help="Its last day.")],
    games: Annotated[int, typer.Option(metavar="N", help="As how many games the norm counts.")],
    place: Annotated[str, typer.Option(metavar="CITY", help="Where it was played.")] = "",
    single_days: Annotated[int, typer.Option(metavar="N", help="Days with one round.")] = 0,
    reason: Reason = "",
    *,
    exempt: Annotated[
        bool, typer.Option("--exempt", help="Made with an exemption from 1.4.3 or 1.4.4.")
    ] = False,
    special: Annotated[bool, typer.Option("--special", help="The tournament is one of 1.5.6.")] = False,
    by_bye: Annotated[
        bool, typer.Option("--by-bye", help="Eight games, after a forfeit win or a bye.")
    ] = False,
) -> None:
    """Enter a norm that was made elsewhere."""
    from arpad.office.titles import record_norm
    from arpad.store.norms import RecordedNorm

    norm = RecordedNorm(
        player, _norm_title(title), event, place, parse_day(first, "first"), parse_day(last, "last"), "", games,
        not exempt, single_days, special, by_bye,
    )  # fmt: skip
    with desk.acting() as office:
        number = record_norm(office, norm, reason=reason)
    desk.tell(
        desk.words.text("title.recorded", norms=1), "arpad.office-norms-recorded/1", {"norms": [number]}
    )


@app.command("add-from")
def add_from(desk: WriteOptions, report: Report, reason: Reason = "") -> None:
    """Put the norms of an accepted report on record."""
    from arpad.office.titles import record_norms

    with desk.acting() as office:
        numbers = record_norms(office, report, reason=reason)
    sentence = desk.words.text("title.recorded", norms=len(numbers))
    desk.tell(sentence, "arpad.office-norms-recorded/1", {"norms": numbers})


@app.command()
def revoke(
    desk: WriteOptions,
    norm: Annotated[int, typer.Argument(metavar="NORM", help="The number of the norm.")],
    reason: Reason,
) -> None:
    """Revoke a norm on record."""
    from arpad.office.titles import revoke_norm

    with desk.acting() as office:
        revoke_norm(office, norm, reason)
    desk.done({"norm": norm})


@app.command()
def check(
    look: ReadOptions,
    player: Player,
    on: CheckDay = None,
    reached: Reached = None,
) -> None:
    """Check whether a player could apply for a title, article by article."""
    from arpad.office.title_documents import title_check_document
    from arpad.office.titles import check_titles

    words = look.words
    with look.opened() as office:
        checks = check_titles(office, player, on=day_of(on, "on"), reached=reached)
    if look.json:
        documents = [title_check_document(it) for it in checks]
        print_json("arpad.office-title-check/1", {"player": player, "titles": documents})
    else:
        _print_checks(checks, words)


@app.command()
def apply(
    look: ReadOptions,
    player: Player,
    title: TitleArgument,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Write the form IT2 here.")
    ] = None,
    fact: Annotated[
        list[str] | None,
        typer.Option("--fact", metavar="NAME=VALUE", help="A fact that the register lacks."),
    ] = None,
    on: CheckDay = None,
    reached: Reached = None,
) -> None:
    """Fill the application of a player for a title (IT2)."""
    from arpad.explain.certificates import read_facts
    from arpad.explain.title_applications import ApplicationFacts
    from arpad.office.title_applications import APPLICATION_FACTS, title_application

    facts = ApplicationFacts(**read_facts(APPLICATION_FACTS, fact or ()))
    with look.opened() as office:
        application = title_application(
            office, player, _norm_title(title), look.words, facts, on=day_of(on, "on"), reached=reached
        )
    if pdf is not None:
        from arpad.publishing.certificate_pdf import application_pdf
        from arpad.system.atomic_files import write_file

        write_file(pdf, application_pdf(application, look.words))
    if look.json:
        print_json("arpad.office-title-application/1", vars(application))
        return
    _print_application(application, pdf, look.words)


@app.command()
def propose(look: ReadOptions) -> None:
    """List the titles that the newest list gives by rating."""
    from arpad.office.rating_titles import proposed_titles

    words = look.words
    with look.opened() as office:
        proposals = proposed_titles(office)
    if look.json:
        documents = [proposal.document() for proposal in proposals]
        print_json("arpad.office-title-proposals/1", {"proposals": documents})
        return
    if not proposals:
        console().print(words.text("title.no-proposals"))
        return
    headings = [(words.text(f"title.{name}"), "left") for name in ("title", "player", "rating", "article")]
    rows = [
        [it.title, f"{it.player.id} {it.player.name}", str(it.rating), f"{it.edition} {it.article}"]
        for it in proposals
    ]
    console().print(table(headings, rows))


def _norm_title(text: str) -> NormTitle:
    from arpad.rating.norm_arguments import parse_title

    return parse_title(text)


def _print_application(application: TitleApplication, pdf: Path | None, words: Words) -> None:
    """Print what the form holds, and name on stderr what is missing."""
    from arpad.office.title_applications import APPLICATION_FACTS

    out = console()
    verdict = "title.complete" if application.complete else "title.incomplete"
    out.print(words.text(verdict, title=application.title), style="bold")
    out.print(words.text("certificate.total-games", games=application.total_games))
    for norm in application.norms:
        out.print(
            f"{norm.norm}  {norm.title}  {norm.event}, {norm.first_day} – {norm.last_day}", markup=False
        )
    if pdf is not None:
        sys.stderr.write(words.text("certificate.written", path=str(pdf)) + "\n")
    askable = [name for name in application.missing if name in APPLICATION_FACTS]
    if askable:
        fields = ", ".join(f"{words.text(f'certificate.{name}')} ({name})" for name in askable)
        asked = words.text("certificate.asked-application", fields=fields, example=f"--fact {askable[0]}=…")
        sys.stderr.write(asked + "\n")


def _norm_table(on_record: list[RecordedNorm], words: Words) -> Any:
    headings = [
        (words.text(f"title.{name}"), "left") for name in ("number", "title", "event", "days", "games")
    ]
    rows = [
        [
            str(norm.id),
            str(norm.title),
            ", ".join(filter(None, [norm.event, norm.place])),
            f"{words.day(norm.first_day)} – {words.day(norm.last_day)}",
            str(norm.games),
        ]
        for norm in on_record
    ]
    return table(headings, rows)


def _print_checks(checks: list[TitleCheck], words: Words) -> None:
    from arpad.explain.title_applications import requirement_rows

    out = console()
    if not checks:
        out.print(words.text("title.nothing-above"))
    for it in checks:
        out.print(
            words.text("title.complete" if it.complete else "title.incomplete", title=str(it.title)),
            style="bold",
        )
        headings = [
            (words.text(f"title.{name}"), "left")
            for name in ("requirement", "article", "needed", "there", "met")
        ]
        out.print(table(headings, requirement_rows(it.requirements, words)))
