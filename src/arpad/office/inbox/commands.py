"""``arpad office``: list, accept, return, withdraw and reinstate reports."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli import progress
from arpad.cli.common import print_json
from arpad.cli.office.options import (
    Processes,
    Reason,
    WriteOptions,
    print_first,
)
from arpad.model.errors import BadInput
from arpad.office.inbox.report_commands import MatchOption, ask_who_they_are

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.office.inbox.results import Accepted, NotAccepted


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
    from arpad.office.declared import perform
    from arpad.office.inbox.accept import accept as take
    from arpad.office.inbox.accept import accept_many, waiting_reports
    from arpad.office.users import OWNER

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
        given = {
            "report": report,
            "matches": match,
            "overrule": overrule,
            "replaces": replaces,
            "reason": reason,
        }
        accepted = perform(take, office, OWNER, given)
    facts = {"report": report, "players": list(accepted.players), "newcomers": list(accepted.newcomers)}
    sentence = words.text(
        "inbox.accepted-with", report=report, players=len(accepted.players), newcomers=len(accepted.newcomers)
    )
    sentence = "\n".join([sentence, *map(words.cited_finding, accepted.late)])
    late = [finding_document(finding, words) for finding in accepted.late]
    desk.tell(sentence, "arpad.office-accept/1", {**facts, "superseded": accepted.superseded, "late": late})
    return 0


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


COMMANDS = {"accept": accept}
