"""``arpad office``: list, accept, return, withdraw and reinstate reports."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, print_json, progress_bar, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import Processes, Reason, WriteOptions, list_text, print_first
from arpad.cli.report_tables import print_findings, print_preview
from arpad.explain.documents import finding_document
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.office.declared import perform
from arpad.office.inbox.accept import accept as take
from arpad.office.inbox.accept import accept_many, waiting_reports
from arpad.office.inbox.acts import ReportShown, show_report
from arpad.office.inbox.entrant_decisions import matched_entrant, matches, parse_choice
from arpad.office.inbox.results import Accepted, NotAccepted
from arpad.office.reports.status import errors_set_aside
from arpad.office.users import OWNER


def accept(
    options: WriteOptions,
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
    words = options.words
    if all_ and (report is not None or match or overrule or replaces is not None):
        raise BadInput("accept-all-alone")
    if ask and (options.json or not all_):
        raise BadInput("accept-ask")
    if report is None and not all_:
        raise BadInput("accept-which")
    with options.acting() as office:
        if report is None:
            waiting = waiting_reports(office, processes) if ask else None
            decided = ask_who_they_are(waiting.doubts, words) if waiting else {}
            with progress_bar(words.text("bulk.looking")) as update:
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
            return _tell_accepted(done, words, json=options.json)
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
    options.tell(
        sentence, "arpad.office-accept/1", {**facts, "superseded": accepted.superseded, "late": late}
    )
    return 0


# ---------------------------------------------------------------------------------------------------- printing


def _tell_accepted(done: Sequence[Accepted | NotAccepted], words: Words, *, json: bool) -> int:
    """Print which reports were accepted and left; return 1 if some are left."""
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
                {"report": result.report, "codes": list(result.codes), "message": words.error(result.error)}
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


if TYPE_CHECKING:
    from rich.console import RenderableType

    from arpad.explain.words import Words
    from arpad.office.inbox.entrant_decisions import MatchCandidate, MatchedEntrant, ReportMatches
    from arpad.office.inbox.match_players import Match
    from arpad.office.reports.status import ReportEntry


def show_detail(shown: ReportShown, words: Words) -> None:
    """Print everything about a report on file."""
    detail, out = shown.detail, console()
    filed = detail.filed
    out.print(filed.name or words.text("page.untitled"), style="bold")
    days = words.days(filed.first_day, filed.last_day)
    on_list = list_text(filed.list, words, undecided=filed.undecided)
    place = (detail.report.header.city, filed.federation, days)
    out.print(" · ".join(text for text in place if text))
    out.print(
        words.text(
            "office.report-facts", report=filed.id, file=filed.file, status=words.text(f"status.{filed.status}"),
            list=on_list, players=filed.players, rounds=filed.rounds, sender=detail.sender, received=filed.received,
        )
    )  # fmt: skip
    for publication in detail.publications:
        out.print(words.text("office.report-rated", list=str(publication.list), day=publication.day))
    _heading(words.text("page.findings"))
    print_findings(detail.findings, words, set_aside=errors_set_aside(detail.history))
    _heading(words.text("office.report-players"))
    names = (("number", "right"), ("name", "left"), ("id", "right"), ("player", "left"))
    columns = [(words.text(f"column.{name}"), side) for name, side in names]
    rows = [
        (
            str(match.entrant.number), match.entrant.name, match.entrant.id,
            match_text(match, detail.names.get(match.player or 0, ""), words),
        )
        for match in detail.checked.matches
    ]  # fmt: skip
    console().print(table(columns, rows))
    if (rated := detail.checked.rated) is not None:
        _heading(words.text("office.report-preview"))
        print_preview(rated, words)
    _heading(words.text("office.report-history"))
    for entry in detail.history:
        out.print(_entry_line(entry, words))


def _heading(text: str) -> None:
    console().print(f"\n{text}", style="bold")


def match_text(match: Match, registered: str, words: Words) -> str:
    """Return who an entrant is, in words."""
    if match.undecided and match.finding is not None:
        return words.finding(match.finding)
    if match.player is None:
        return words.text("office.is-new")
    return f"{match.player} {registered}"


def _entry_line(entry: ReportEntry, words: Words) -> str:
    act = entry.act
    what = entry.status and words.text(f"status.{entry.status}")
    if entry.replaced_by is not None:
        what = f"{what}: {words.text('site.replaced-by', report=entry.replaced_by)}"
    if entry.decision is not None:
        facts = "; ".join(f"{name} {value}" for name, value in entry.facts.items())
        key = "office.decision-revoked" if entry.revoked else "office.decision-made"
        what = words.text(key, kind=words.text(f"site.decision-{entry.decision.kind}"), facts=facts)
    return " · ".join(text for text in (act.at[:16].replace("T", " "), act.author, what, act.reason) if text)


# ----------------------------------------------------------------------------------------------- who they are

MatchOption = Annotated[
    list[str],
    typer.Option(
        "--match",
        metavar="NUMBER=PLAYER",
        help="The player of a start number; NUMBER=fide:NUMBER, or NUMBER=new.",
    ),
]


def show_matches(found: ReportMatches, words: Words) -> None:
    """Print the entrants whose player has to be decided, with the candidates."""
    shown = [entrant for entrant in found.matches if entrant.outcome == "doubtful"]
    if not shown:
        console().print(words.text("office.matches-none", report=found.report))
        return
    console().print(words.text("office.matches-first", report=found.report, players=len(shown)))
    console().print(match_table(shown, words))


def ask_who_they_are(doubts: Mapping[int, Sequence[Match]], words: Words) -> dict[int, dict[int, int]]:
    """Ask for the player of each doubtful entrant; return those decided, by report and start number.

    Ctrl-C and the end of input cancel the command, before anything is written.
    """
    decided: dict[int, dict[int, int]] = {}
    for report, doubtful in doubts.items():
        console().print(words.text("office.matches-first", report=report, players=len(doubtful)))
        for item in doubtful:
            console().print(match_table([matched_entrant(item)], words))
            choices = [*(candidate.key for candidate in item.candidates), "new"]
            answer = _answer(
                words.text("office.matches-ask", players=", ".join(choices)), {*choices, ""}, words
            )
            if answer:
                decided.setdefault(report, {})[item.entrant.number] = parse_choice(answer)
    return decided


def _answer(question: str, accepted: Collection[str], words: Words) -> str:
    """Ask until the answer is one of those accepted."""
    while True:
        answer = str(typer.prompt(question, default="", show_default=False)).strip().lower()
        if answer in accepted:
            return answer
        error = BadInput(
            "value-unknown", option="match", value=answer[:20], accepted=", ".join(filter(None, accepted))
        )
        typer.echo(words.error(error))


def match_table(shown: Sequence[MatchedEntrant], words: Words) -> RenderableType:
    """Return a table of entrants: a line for each, and one for each candidate."""
    names = ("start-number", "name", "outcome", "candidate", "score", "reasons")
    columns = [
        (words.text(f"column.{name}"), "right" if name in ("start-number", "score") else "left")
        for name in names
    ]
    rows: list[tuple[str, ...]] = []
    for item in shown:
        outcome = words.text(f"match-outcome.{item.outcome}")
        rows.append((str(item.number), _described(item), outcome, str(item.player or ""), "", ""))
        for candidate in item.candidates:
            why = ", ".join(words.text(f"match-reason.{reason}") for reason in candidate.reasons)
            if candidate.fide:
                why = ", ".join(filter(None, (words.text("match-reason.not-registered"), why)))
            key = candidate.player or f"fide:{candidate.fide}"
            rows.append(("", "", "", f"{key} {_described(candidate)}", str(candidate.score), why))
    return table(columns, rows)


def _described(person: MatchedEntrant | MatchCandidate) -> str:
    facts = (person.title, person.federation, person.born, person.rating)
    return ", ".join([person.name, *(str(fact) for fact in facts if fact)])


COMMANDS = {
    "accept": accept,
    "report": command_of(show_report, show_detail),
    "matches": command_of(matches, show_matches),
}
