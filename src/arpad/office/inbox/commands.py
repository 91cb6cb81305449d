"""``arpad office``: list, accept, return, withdraw and reinstate reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import console, list_named, print_json, table
from arpad.cli.office.options import (
    Processes,
    ReadOptions,
    Reason,
    Report,
    WriteOptions,
    list_text,
    print_first,
)
from arpad.model.errors import BadInput
from arpad.office.inbox.match_commands import MatchOption, ask_who_they_are

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arpad.explain.words import Words
    from arpad.office.inbox.results import Accepted, NotAccepted
    from arpad.office.office import Office
    from arpad.office.reports.rows import Filed


def reports(
    look: ReadOptions,
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="received, accepted, returned, withdrawn …")
    ] = "",
    list_: Annotated[
        str | None, typer.Option("--list", metavar="LIST", help="Only this list; default: all.")
    ] = None,
) -> None:
    """Show the reports on file."""
    from arpad.office.reports.status import reports_on_file
    from arpad.office.reports.tables import STATUSES

    words = look.words
    if status and status not in STATUSES:
        raise BadInput("value-unknown", option="status", value=status, accepted=", ".join(STATUSES))
    with look.opened() as office:
        filed_reports = reports_on_file(office, status=status, on_list=list_named(list_) if list_ else None)
    if look.json:
        print_json("arpad.office-reports/1", {"reports": [report_document(filed) for filed in filed_reports]})
        return
    console().print(report_table(filed_reports, words) if filed_reports else words.text("office.no-reports"))


def accept(
    desk: WriteOptions,
    report: Annotated[
        int | None, typer.Argument(metavar="[REPORT]", help="The report's number on file.")
    ] = None,
    match: MatchOption = [],  # noqa: B006  typer never changes it
    overrule: Annotated[
        list[str], typer.Option("--overrule", metavar="CODE", help="An error to overrule; needs a reason.")
    ] = [],  # noqa: B006  typer never changes it
    replaces: Annotated[
        int | None,
        typer.Option(metavar="REPORT", help="The report with the same games that this one replaces."),
    ] = None,
    processes: Processes = None,
    reason: Reason = "",
    *,
    all_: Annotated[
        bool, typer.Option("--all", help="Every report in the inbox without errors or doubtful players.")
    ] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="With --all: ask first who the doubtful entrants are.")
    ] = False,
) -> int:
    """Accept a report for the next list.

    With --all, every report without errors or doubtful players is accepted.

    Example: arpad office accept --all --ask --db office.db

    Exit status: 1 if some are left in the inbox.
    """
    from arpad.explain.documents import finding_document
    from arpad.office.inbox.accept import accept as take
    from arpad.office.inbox.accept import accept_many, waiting_reports
    from arpad.office.inbox.entrant_decisions import read_matches

    words = desk.words
    if all_ and (report is not None or match or overrule or replaces is not None):
        raise BadInput("accept-all-alone")
    if ask and (desk.json or not all_):
        raise BadInput("accept-ask")
    if report is None and not all_:
        raise BadInput("accept-which")
    with desk.acting() as office:
        if report is None:
            waiting = waiting_reports(office, processes) if ask else None
            decided = ask_who_they_are(waiting.doubts, words) if waiting else {}
            with progress.bar(words.text("bulk.looking")) as update:
                done = list(
                    accept_many(
                        office,
                        matches=decided,
                        waiting=waiting,
                        reason=reason,
                        processes=processes,
                        progress=update,
                    )
                )
            return _tell_accepted(done, words, json=desk.json)
        accepted = take(
            office, report, matches=read_matches(match), overrule=overrule, replaces=replaces, reason=reason
        )
    facts = {"report": report, "players": list(accepted.players), "newcomers": list(accepted.newcomers)}
    sentence = words.text(
        "office.accepted", report=report, players=len(accepted.players), newcomers=len(accepted.newcomers)
    )
    sentence = "\n".join([sentence, *map(words.cited_finding, accepted.late)])
    late = [finding_document(finding, words) for finding in accepted.late]
    desk.tell(sentence, "arpad.office-accept/1", {**facts, "superseded": accepted.superseded, "late": late})
    return 0


def return_(desk: WriteOptions, report: Report, reason: Reason) -> None:
    """Return a report to its sender."""
    from arpad.office.reports.status import return_ as send_back

    _put_aside(desk, report, "returned", send_back, reason)


def withdraw(desk: WriteOptions, report: Report, reason: Reason) -> None:
    """Withdraw a report. A list that rated it changes only by a revision."""
    from arpad.office.reports.status import withdraw as take_out

    _put_aside(desk, report, "withdrawn", take_out, reason)


def reinstate(desk: WriteOptions, report: Report, reason: Reason) -> None:
    """Undo the withdrawal or the replacement of a report.

    The report gets the status it had before.
    """
    from arpad.office.reports.status import reinstate as take_back

    with desk.acting() as office:
        status = take_back(office, report, reason)
    sentence = desk.words.text("office.reinstated", report=report, status=desk.words.text(f"status.{status}"))
    desk.tell(sentence, "arpad.office-done/1", {"report": report, "status": status})


def _put_aside(
    desk: WriteOptions, report: int, status: str, act: Callable[[Office, int, str], object], reason: str
) -> None:
    with desk.acting() as office:
        act(office, report, reason)
    sentence = desk.words.text("office.put-aside", report=report, status=desk.words.text(f"status.{status}"))
    desk.tell(sentence, "arpad.office-done/1", {"report": report})


# ---------------------------------------------------------------------------------------------------- printing


def _tell_accepted(done: Sequence[Accepted | NotAccepted], words: Words, *, json: bool) -> int:
    """Print which reports were accepted and left; return 1 if some are left."""
    from arpad.explain.documents import finding_document
    from arpad.office.inbox.results import Accepted, NotAccepted

    left = [result for result in done if isinstance(result, NotAccepted)]
    accepted = [result for result in done if isinstance(result, Accepted)]
    newcomers = sum(len(result.newcomers) for result in accepted)
    if json:
        document = {
            "accepted": [
                {
                    "report": result.report,
                    "players": list(result.players),
                    "newcomers": list(result.newcomers),
                    "late": [finding_document(finding, words) for finding in result.late],
                }
                for result in accepted
            ],
            "left": [
                {
                    "report": result.report,
                    "codes": list(result.codes),
                    "message": words.error(result.error),
                }
                for result in left
            ],
        }
        print_json("arpad.office-accept-all/1", document)
    elif not done:
        sys.stdout.write(words.text("bulk.none-waiting") + "\n")
    else:
        sys.stdout.write(words.text("bulk.accepted", accepted=len(accepted), newcomers=newcomers) + "\n")
        for result in accepted:
            for finding in result.late:
                sys.stdout.write(words.labelled(str(result.report), words.cited_finding(finding)) + "\n")
        lines = [words.error(result.error) for result in left]
        print_first(words.text("bulk.left", left=len(left)).rstrip("."), lines, words)
    return int(bool(left))


def report_table(reports: Sequence[Filed], words: Words) -> RenderableType:
    """Return a table of reports on file; errors and warnings are those of the day they arrived."""
    names = (
        "report", "status", "list", "first-day", "last-day", "event", "players", "rounds", "errors", "warnings", "file",
    )  # fmt: skip
    words_only = ("status", "list", "event", "file")
    columns = [(words.text(f"column.{name}"), "left" if name in words_only else "right") for name in names]
    rows = [
        (
            str(f.id), words.text(f"status.{f.status}"), list_text(f.list, words, undecided=f.undecided),
            str(f.first_day or ""), str(f.last_day or ""), f.name, str(f.players), str(f.rounds),
            str(f.errors), str(f.warnings), f.file,
        )
        for f in reports
    ]  # fmt: skip
    return table(columns, rows)


def report_document(filed: Filed) -> dict[str, Any]:
    """Return a report on file for JSON."""
    return {
        "report": filed.id, "status": filed.status, "list": None if filed.undecided else str(filed.list),
        "list_undecided": filed.undecided,
        "name": filed.name, "federation": filed.federation, "first_day": str(filed.first_day or ""),
        "last_day": str(filed.last_day or ""), "players": filed.players, "rounds": filed.rounds,
        "errors": filed.errors, "warnings": filed.warnings, "file": filed.file, "sha256": filed.digest,
        "received": str(filed.received), "replaces": filed.replaces,
    }  # fmt: skip
