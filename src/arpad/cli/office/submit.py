"""``arpad office submit`` and ``join-stages``: put reports on file, and say what became of each file."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli import progress
from arpad.cli.common import console, list_named, naming_file, print_json, table, with_file
from arpad.cli.office.options import Processes, Reason, WriteOptions, print_first
from arpad.cli.report_tables import print_findings
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.rules import Fact, Severity
from arpad.rating.arguments import read_toml

if TYPE_CHECKING:
    from arpad.office import Arrivals, Arrived, Office
    from arpad.reports.event_facts import EventFacts

FEW = 12
"""So many reports are told one by one, with all that was found."""

OF_A_KIND = 5
"""So many findings of a kind are told of a report."""


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
        Path | None, typer.Option("--facts", metavar="FILE", help="Facts that the report lacks, as TOML.")
    ] = None,
    event: Annotated[int | None, typer.Option(help="The registered event.")] = None,
    replaces: Annotated[
        int | None, typer.Option(metavar="REPORT", help="The report that this one corrects.")
    ] = None,
    processes: Processes = None,
    reason: Reason = "",
    *,
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept reports without errors or doubtful players at once.")
    ] = False,
    together: Annotated[
        bool,
        typer.Option(
            "--together", help="The files are stages or groups of one event: one report (2009 6.2)."
        ),
    ] = False,
) -> int:
    """Submit reports: each is checked and put on file.

    What cannot be read is named, and the rest goes on. Exit status: 2 if a file could not be read, else 1 if a
    report has errors, else 0.

    Example: arpad office submit open.trf --db office.db
    """
    from arpad.office import Arrivals, submit_many

    words = desk.words
    known = _facts(facts, list_)
    with desk.acting() as office, Arrivals(paths) as arrivals:
        if together:
            done = [_joined(office, arrivals, known, event, replaces, reason)]
        elif replaces is not None:
            done = [_corrected(office, arrivals, known, event, replaces, reason)]
        else:
            with progress.bar(words.text("bulk.looking"), len(arrivals)) as tell:
                done = list(
                    submit_many(
                        office, arrivals, facts=known, event=event, accept=accept, reason=reason,
                        processes=processes, progress=tell,
                    )
                )  # fmt: skip
    if len(done) == 1 and done[0].error is not None:
        with naming_file(done[0].place):
            raise done[0].error
    tell_arrived(done, words, accept=accept, json=desk.json)
    if any(one.error is not None for one in done):
        return 2
    return int(any(one.erroneous for one in done))


def _corrected(
    office: Office, arrivals: Arrivals, facts: EventFacts, event: int | None, replaces: int, reason: str
) -> Arrived:
    """Submit a report that replaces another; it must be the only file."""
    from arpad.office import Arrived
    from arpad.office import submit as send

    if len(arrivals) != 1:
        raise BadInput("replaces-one", report=replaces, files=len(arrivals))
    sent = arrivals.only()
    found = send(office, sent.read(), sent.file, facts=facts, event=event, replaces=replaces, reason=reason)
    return Arrived.of(sent.place, found)


def _joined(
    office: Office,
    arrivals: Arrivals,
    facts: EventFacts,
    event: int | None,
    replaces: int | None,
    reason: str,
) -> Arrived:
    """Submit the stages of one event as one report."""
    from arpad.office import Arrived, submit_together

    stages = [(one.file, one.read()) for one in arrivals.all_readable()]
    sent = submit_together(office, stages, facts=facts, event=event, replaces=replaces, reason=reason)
    return Arrived.of(" + ".join(name for name, _ in stages), sent)


def _facts(path: Path | None, list_: str | None) -> EventFacts:
    from dataclasses import replace

    from arpad.reports.event_facts import EventFacts, read_facts

    known = read_facts(read_toml(str(path))) if path is not None else EventFacts()
    return replace(known, list=list_named(list_)) if list_ is not None else known


def join_stages(
    desk: WriteOptions,
    reports_: Annotated[list[int], typer.Argument(metavar="REPORT…", help="The stages, by number on file.")],
    reason: Reason,
) -> int:
    """Join reports that are stages of one event (2009 6.2).

    The joint report replaces them.

    Exit status: 1 if the joint report has errors.
    """
    from arpad.office import Arrived
    from arpad.office import join_stages as join

    with desk.acting() as office:
        sent = join(office, reports_, reason)
    tell_arrived([Arrived.of(", ".join(map(str, reports_)), sent)], desk.words, accept=False, json=desk.json)
    return int(bool(sent.errors))


# ---------------------------------------------------------------------------------------------------- printing


def tell_arrived(done: Sequence[Arrived], words: Words, *, accept: bool, json: bool) -> None:
    """Print what became of each submitted file."""
    if json:
        document = {"reports": [_document(one, words) for one in done], "summary": _counts(done)}
        print_json("arpad.office-submit/1", document)
        return
    if len(done) <= FEW:
        for one in done:
            _tell_one(one, words)
        if accept and len(done) > 1:
            _tell_summary(done, words, accept=accept)
        return
    unreadable = [with_file(words.error(one.error), one.place) for one in done if one.error is not None]
    print_first(words.text("bulk.not-read"), unreadable, words)
    _tell_codes(done, words)
    _tell_summary(done, words, accept=accept)


def _document(one: Arrived, words: Words) -> dict[str, Any]:
    from arpad.explain.documents import finding_document

    if one.error is not None:
        return {"file": one.place, "error": {"code": one.error.code, "message": words.error(one.error)}}
    found = [finding_document(finding, words) for finding in one.findings]
    told: dict[str, Any] = {
        "file": one.place, "report": one.report, "status": one.status, "list": str(one.list), "again": one.again,
        "findings": found,
    }  # fmt: skip
    if one.accepted is not None:
        told |= {"players": list(one.accepted.players), "newcomers": list(one.accepted.newcomers)}
    return told


def _counts(done: Sequence[Arrived]) -> dict[str, int]:
    new = [one for one in done if one.error is None and not one.again]
    accepted = [one.accepted for one in new if one.accepted is not None]
    return {
        "files": len(done),
        "received": len(new),
        "again": sum(one.again for one in done),
        "unreadable": sum(one.error is not None for one in done),
        "errors": sum(one.erroneous for one in new),
        "accepted": len(accepted),
        "newcomers": sum(len(one.newcomers) for one in accepted),
    }


def _tell_one(one: Arrived, words: Words) -> None:
    if one.error is not None:
        sys.stdout.write(with_file(words.error(one.error), one.place) + "\n")
        return
    status = words.text(f"status.{one.status}")
    if one.again:
        again = words.text("office.on-file-again", report=one.report or 0, status=status)
        sys.stdout.write(f"{one.place}: {again}\n")
        return
    facts: dict[str, Fact] = {
        "report": one.report or 0, "list": str(one.list), "errors": len(one.errors),
    }  # fmt: skip
    sys.stdout.write(f"{one.place}: {words.text('office.on-file', status=status, **facts)}\n")
    from arpad.rating.preview import ordered

    serious = [finding for finding in one.findings if finding.severity != Severity.INFO]
    if serious:
        print_findings(ordered(serious), words, of_a_kind=OF_A_KIND)


def _tell_codes(done: Sequence[Arrived], words: Words) -> None:
    """Print the errors by code: in how many reports, with an example."""
    found: Counter[str] = Counter()
    example: dict[str, str] = {}
    for one in done:
        if one.erroneous and not one.again:
            for code in dict.fromkeys(finding.code for finding in one.errors):
                found[code] += 1
                finding = next(finding for finding in one.errors if finding.code == code)
                example.setdefault(code, f"{one.place}: {words.finding(finding)}")
    if not found:
        return
    sys.stdout.write(f"{words.text('bulk.why')}:\n")
    names = (("finding-code", "left"), ("reports", "right"), ("for-example", "left"))
    columns = [(words.text(f"column.{name}"), side) for name, side in names]
    rows = [(code, str(count), example[code]) for code, count in found.most_common()]
    console().print(table(columns, rows))


def _tell_summary(done: Sequence[Arrived], words: Words, *, accept: bool) -> None:
    counts: dict[str, Fact] = dict(_counts(done))
    parts = [name for name in ("received", "again", "unreadable") if counts[name]]
    told = ", ".join(words.text(f"bulk.{name}", **counts) for name in parts)
    sys.stdout.write(f"{words.text('bulk.files', **counts)}: {told}.\n")
    if accept:
        left = _counts(done)["received"] - _counts(done)["accepted"]
        sys.stdout.write(words.text("bulk.accepted-now", left=left, **counts) + "\n")
    elif counts["errors"]:
        sys.stdout.write(words.text("bulk.errors", **counts) + "\n")
