"""``arpad office``: tournaments announced, reports sent in, one or thousands; accepted, returned, withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from arpad.cli import progress
from arpad.cli.common import console, list_named, naming_file, print_json, table
from arpad.cli.office import inbox as office_inbox
from arpad.cli.office.options import ReadOptions, Reason, Report, WriteOptions
from arpad.model.errors import BadInput
from arpad.rating.calculator import parse_day, read_toml

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arpad.explain.words import Words
    from arpad.office import IncomingFiles, NotSubmitted, Office, Submitted
    from arpad.reports.event_facts import EventFacts
    from arpad.store.reports import Filed

Processes: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--processes", metavar="N", help="How many look at reports at once; default: one for each core."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into the group."""
    app.command("register-event")(register_event)
    for command in (submit, reports, accept, withdraw, reinstate):
        app.command()(command)
    app.command("return")(return_)
    app.command("join-stages")(join_stages)


def register_event(
    desk: WriteOptions,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As the report will call it.")],
    first: Annotated[str, typer.Option("--first", metavar="YYYY-MM-DD", help="The first day.")],
    last: Annotated[str, typer.Option("--last", metavar="YYYY-MM-DD", help="The last day.")],
    city: Annotated[str, typer.Option(metavar="NAME", help="Where it is played.")] = "",
    federation: Annotated[str, typer.Option(metavar="CODE", help="Whose tournament it is, as ITA.")] = "",
    reason: Reason = "",
) -> None:
    """Register a tournament before it starts (0.2)."""
    from arpad.office import register_event as enter

    with desk.acting() as office:
        number = enter(
            office, name, first_day=parse_day(first, "first"), last_day=parse_day(last, "last"), city=city,
            federation=federation, reason=reason,
        )  # fmt: skip
    told = desk.words.text("office.event-registered", event=number)
    desk.tell(told, "arpad.office-event/1", {"event": number})


def submit(
    desk: WriteOptions,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH…",
            help="Reports (TRF, CSV, XLSX, PGN, PDN), folders of them, ZIP or tar archives of them.",
        ),
    ],
    list_: Annotated[
        str | None, typer.Option("--list", metavar="LIST", help="Default: by the time control.")
    ] = None,
    facts: Annotated[
        Path | None, typer.Option("--facts", metavar="FILE", help="What the report lacks, as TOML.")
    ] = None,
    event: Annotated[int | None, typer.Option(help="The registered event.")] = None,
    replaces: Annotated[
        int | None, typer.Option(metavar="REPORT", help="The report that this one corrects.")
    ] = None,
    processes: Processes = None,
    reason: Reason = "",
    *,
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept at once what has neither errors nor doubtful players.")
    ] = False,
    together: Annotated[
        bool,
        typer.Option(
            "--together", help="The files are stages or groups of one event: one report (2009 6.2)."
        ),
    ] = False,
) -> int:
    """Send reports in: each is checked at once and put on file.

    What cannot be read is named, and the rest goes on. Exit status: 2 if a file could not be read, else 1 if a
    report has errors, else 0.

    Example: arpad office submit open.trf --db office.db
    """
    from arpad.office import IncomingFiles, NotSubmitted, Submitted, submit_many

    words = desk.words
    known = _facts(facts, list_)
    done: list[Submitted | NotSubmitted]
    with desk.acting() as office, IncomingFiles(paths) as files:
        if together:
            done = [_submit_together(office, files, known, event, replaces, reason)]
        elif replaces is not None:
            done = [_submit_correction(office, files, known, event, replaces, reason)]
        else:
            with progress.bar(words.text("bulk.looking"), len(files)) as tell:
                done = list(
                    submit_many(
                        office, files, facts=known, event=event, accept=accept, reason=reason,
                        processes=processes, progress=tell,
                    )
                )  # fmt: skip
    if len(done) == 1 and isinstance(done[0], NotSubmitted):
        with naming_file(done[0].path):
            raise done[0].error
    office_inbox.tell_submitted(done, words, accept=accept, json=desk.json)
    if any(isinstance(result, NotSubmitted) for result in done):
        return 2
    return int(any(isinstance(result, Submitted) and result.errors for result in done))


def _submit_correction(
    office: Office, files: IncomingFiles, facts: EventFacts, event: int | None, replaces: int, reason: str
) -> Submitted:
    """Submit one report that replaces another."""
    from dataclasses import replace

    from arpad.office import submit as send

    if len(files) != 1:
        raise BadInput("replaces-one", report=replaces, files=len(files))
    (file,) = files.files
    sent = send(office, file.read(), file.name, facts=facts, event=event, replaces=replaces, reason=reason)
    return replace(sent, path=file.address)


def _submit_together(
    office: Office,
    files: IncomingFiles,
    facts: EventFacts,
    event: int | None,
    replaces: int | None,
    reason: str,
) -> Submitted:
    """Submit the stages of one event as one report."""
    from dataclasses import replace

    from arpad.office import submit_together

    stages = [(file.name, file.read()) for file in files.files]
    sent = submit_together(office, stages, facts=facts, event=event, replaces=replaces, reason=reason)
    return replace(sent, path=" + ".join(name for name, _ in stages))


def join_stages(
    desk: WriteOptions,
    reports_: Annotated[list[int], typer.Argument(metavar="REPORT…", help="The stages, by number on file.")],
    reason: Reason,
) -> int:
    """Join reports on file that are stages or groups of one event: one report, which replaces them (2009 6.2).

    Exit status: 1 if the joint report has errors.
    """
    from dataclasses import replace

    from arpad.office import join_stages as join

    with desk.acting() as office:
        sent = replace(join(office, reports_, reason), path=", ".join(map(str, reports_)))
    office_inbox.tell_submitted([sent], desk.words, accept=False, json=desk.json)
    return int(bool(sent.errors))


def reports(
    look: ReadOptions,
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="received, accepted, returned, withdrawn …")
    ] = "",
    list_: Annotated[
        str | None, typer.Option("--list", metavar="LIST", help="Only these; default: all.")
    ] = None,
) -> None:
    """The reports on file."""
    from arpad.office import reports_on_file
    from arpad.store.reports import STATUSES

    words = look.words
    if status and status not in STATUSES:
        raise BadInput("value-unknown", option="status", value=status, accepted=", ".join(STATUSES))
    with look.opened() as office:
        found = reports_on_file(office, status=status, on_list=list_named(list_) if list_ else None)
    if look.json:
        print_json("arpad.office-reports/1", {"reports": [report_document(filed) for filed in found]})
        return
    console().print(report_table(found, words) if found else words.text("office.no-reports"))


def accept(
    desk: WriteOptions,
    report: Annotated[
        int | None, typer.Argument(metavar="[REPORT]", help="The report's number on file.")
    ] = None,
    match: Annotated[
        list[str],
        typer.Option("--match", metavar="NUMBER=PLAYER", help="Who a doubtful entrant is; NUMBER=new."),
    ] = [],  # noqa: B006  typer never changes it
    overrule: Annotated[
        list[str], typer.Option("--overrule", metavar="CODE", help="An error set aside; needs a reason.")
    ] = [],  # noqa: B006  typer never changes it
    processes: Processes = None,
    reason: Reason = "",
    *,
    all_: Annotated[
        bool, typer.Option("--all", help="Every report in the inbox that nothing stands against.")
    ] = False,
) -> int:
    """Take a report into the next list, or with --all every one that has neither errors nor doubtful players.

    Exit status: 1 if some are left in the inbox.
    """
    from arpad.office import accept as take
    from arpad.office import accept_many

    words = desk.words
    if all_ and (report is not None or match or overrule):
        raise BadInput("accept-all-alone")
    if report is None and not all_:
        raise BadInput("accept-which")
    with desk.acting() as office:
        if report is None:
            with progress.bar(words.text("bulk.looking")) as tell:
                done = list(accept_many(office, reason=reason, processes=processes, progress=tell))
            return office_inbox.tell_accepted(done, words, json=desk.json)
        found = take(office, report, matches=_matches(match), overrule=overrule, reason=reason)
    facts = {"report": report, "players": list(found.players), "newcomers": list(found.newcomers)}
    told = words.text(
        "office.accepted", report=report, players=len(found.players), newcomers=len(found.newcomers)
    )
    desk.tell(told, "arpad.office-accept/1", {**facts, "superseded": found.superseded})
    return 0


def return_(desk: WriteOptions, report: Report, reason: Reason) -> None:
    """Send a report back."""
    from arpad.office import return_ as send_back

    _put_aside(desk, report, "returned", send_back, reason)


def withdraw(desk: WriteOptions, report: Report, reason: Reason) -> None:
    """Take a report out; a list that rated it changes only by a revision."""
    from arpad.office import withdraw as take_out

    _put_aside(desk, report, "withdrawn", take_out, reason)


def reinstate(desk: WriteOptions, report: Report, reason: Reason) -> None:
    """Undo the withdrawal of a report, or its replacement: it is again what it was before."""
    from arpad.office import reinstate as take_back

    with desk.acting() as office:
        status = take_back(office, report, reason)
    told = desk.words.text("office.reinstated", report=report, status=desk.words.text(f"status.{status}"))
    desk.tell(told, "arpad.office-done/1", {"report": report, "status": status})


def _put_aside(
    desk: WriteOptions, report: int, status: str, act: Callable[[Office, int, str], object], reason: str
) -> None:
    with desk.acting() as office:
        act(office, report, reason)
    told = desk.words.text("office.put-aside", report=report, status=desk.words.text(f"status.{status}"))
    desk.tell(told, "arpad.office-done/1", {"report": report})


# ---------------------------------------------------------------------------------------------------- reading


def report_table(found: Sequence[Filed], words: Words) -> RenderableType:
    """Reports on file, a row each."""
    names = ("report", "status", "list", "first-day", "last-day", "event", "file")
    figures = ("report", "first-day", "last-day")
    columns = [(words.text(f"column.{name}"), "right" if name in figures else "left") for name in names]
    rows = [
        (
            str(f.id), words.text(f"status.{f.status}"), str(f.list), str(f.first_day or ""), str(f.last_day or ""),
            f.name, f.file,
        )
        for f in found
    ]  # fmt: skip
    return table(columns, rows)


def report_document(filed: Filed) -> dict[str, Any]:
    """A report on file for JSON."""
    return {
        "report": filed.id, "status": filed.status, "list": str(filed.list), "name": filed.name,
        "first_day": str(filed.first_day or ""), "last_day": str(filed.last_day or ""), "file": filed.file,
        "sha256": filed.digest, "received": str(filed.received), "replaces": filed.replaces,
    }  # fmt: skip


def _facts(path: Path | None, list_: str | None) -> EventFacts:
    from dataclasses import replace

    from arpad.reports.event_facts import EventFacts, read_facts

    known = read_facts(read_toml(str(path))) if path is not None else EventFacts()
    return replace(known, list=list_named(list_)) if list_ is not None else known


def _matches(given: list[str]) -> dict[int, int]:
    from arpad.office import NEW

    found: dict[int, int] = {}
    for item in given:
        number, _, player = item.partition("=")
        if not number.isdecimal() or not (player.isdecimal() or player == "new"):
            raise BadInput("match-form", given=item)
        if int(number) in found:
            raise BadInput("match-repeated", number=int(number))
        found[int(number)] = NEW if player == "new" else int(player)
    return found
