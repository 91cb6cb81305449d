"""``arpad office submit``: put reports on file, and say what became of each file."""

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import console, list_named, naming_file, print_json, progress_bar, table, with_file
from arpad.cli.office.options import Processes, Reason, WriteOptions, list_text, print_first
from arpad.cli.report_tables import print_findings
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.rules import Fact, Severity
from arpad.office.inbox.accept import Decided, Doubts
from arpad.office.inbox.acts import submit_together
from arpad.office.inbox.commands import ask_who_they_are
from arpad.office.inbox.incoming_files import IncomingFiles
from arpad.office.inbox.results import NotSubmitted, Submitted, sent_counts
from arpad.office.inbox.submit import submit as send
from arpad.office.inbox.submit import submit_many
from arpad.office.office import Office
from arpad.office.proof.checkpoints import receipts
from arpad.proofs.receipts import document_bytes
from arpad.rating.preview import ordered
from arpad.reports.event_facts import EventFacts, read_facts
from arpad.system.atomic_files import prepare_folder, write_file

FEW = 12
"""Up to this number, reports are listed one by one with all their findings."""

MANY = 200
"""At most so many files are named."""


def submit(
    options: WriteOptions,
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
    scheme: Annotated[
        str | None,
        typer.Option(
            metavar="CODE", help="What the players' numbers are, as icu; default: the source's rule."
        ),
    ] = None,
    event: Annotated[int | None, typer.Option(help="The registered event.")] = None,
    replaces: Annotated[
        int | None, typer.Option(metavar="REPORT", help="The report that this one corrects.")
    ] = None,
    processes: Processes = None,
    reason: Reason = "",
    *,
    receipts: Annotated[
        Path | None,
        typer.Option(
            "--receipts", metavar="FOLDER", help="Write the receipt of each report here, as 12.receipt.json."
        ),
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept reports without errors or doubtful players at once.")
    ] = False,
    ask: Annotated[
        bool, typer.Option("--ask", help="With --accept: ask at the end who the doubtful entrants are.")
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

    Example: arpad office submit june.zip --accept --ask --db office.db
    """
    words = options.words
    if ask and (options.json or together or replaces is not None or not accept):
        raise BadInput("submit-ask")
    event_facts = _facts(facts, list_, scheme)
    _check_receipts(receipts)
    done: list[Submitted | NotSubmitted]
    with options.acting() as office, IncomingFiles(paths) as files:
        if together:
            done = [_submit_together(office, files, event_facts, event, replaces, reason)]
        elif replaces is not None:
            done = [_submit_correction(office, files, event_facts, event, replaces, reason)]
        else:
            with ExitStack() as shown:
                update = shown.enter_context(progress_bar(words.text("bulk.looking"), len(files)))

                def ask_without_bar(doubts: Doubts) -> Decided:
                    shown.close()
                    return _ask(doubts, words)

                done = list(
                    submit_many(
                        office, files, facts=event_facts, event=event, accept=accept,
                        ask=ask_without_bar if ask else None, reason=reason, processes=processes, progress=update,
                    )
                )  # fmt: skip
        submitted = [it.report for it in done if isinstance(it, Submitted)]
        if receipts is not None and submitted:
            _write_receipts(office, submitted, receipts, words)
    if len(done) == 1 and isinstance(done[0], NotSubmitted):
        with naming_file(done[0].path):
            raise done[0].error
    tell_submitted(done, words, accept=accept, json=options.json)
    if any(isinstance(result, NotSubmitted) for result in done):
        return 2
    return int(any(isinstance(result, Submitted) and result.errors for result in done))


def _ask(doubts: Doubts, words: Words) -> Decided:
    """Ask for the doubtful players; nothing is decided if the officer cancels, since the reports are on file."""
    try:
        return ask_who_they_are(doubts, words)
    except typer.Abort:
        typer.echo()
        return {}


def _check_receipts(folder: Path | None) -> None:
    """Refuse a folder of receipts that cannot be made, so that no report is sent whose receipt cannot be written."""
    if folder is not None and not folder.is_dir():
        prepare_folder(folder)
        folder.rmdir()  # it is made again with the first receipt


def _write_receipts(office: Office, reports: Sequence[int], folder: Path, words: Words) -> None:
    """Write the receipts of reports into a folder, all under one checkpoint."""
    prepare_folder(folder)
    numbers = list(dict.fromkeys(reports))
    for number, receipt in zip(numbers, receipts(office, numbers), strict=True):
        write_file(folder / f"{number}.receipt.json", document_bytes(receipt.document()))
    written = words.text("proof.receipts-written", receipts=len(numbers), path=str(folder))
    sys.stderr.write(written + "\n")


def _submit_correction(
    office: Office, files: IncomingFiles, facts: EventFacts, event: int | None, replaces: int, reason: str
) -> Submitted:
    """Submit one report that replaces another."""
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
    stages = [(file.name, file.read()) for file in files.files]
    sent = submit_together(office, stages, facts=facts, event=event, replaces=replaces, reason=reason)
    return replace(sent, path=" + ".join(name for name, _ in stages))


def _facts(path: Path | None, list_: str | None, scheme: str | None) -> EventFacts:
    event_facts = EventFacts()
    if path is not None:
        from arpad.rating.arguments import read_toml

        event_facts = read_facts(read_toml(str(path)))
    if scheme is not None:
        event_facts = replace(event_facts, number_scheme=scheme)
    return replace(event_facts, list=list_named(list_)) if list_ is not None else event_facts


# ---------------------------------------------------------------------------------------------------- printing


def tell_submitted(
    done: Sequence[Submitted | NotSubmitted], words: Words, *, accept: bool, json: bool
) -> None:
    """Print the results of submitting files."""
    if json:
        from arpad.explain.documents import worded_document
        from arpad.office.inbox.results import sent_reports

        print_json("arpad.office-submit/1", worded_document(sent_reports(done), words))
        return
    if len(done) <= FEW:
        for result in done:
            _tell_result(result, words)
        if accept and len(done) > 1:
            _tell_summary(done, words, accept=accept)
        return
    submitted = [result for result in done if isinstance(result, Submitted)]
    failed = [result for result in done if isinstance(result, NotSubmitted)]
    unreadable = [with_file(words.error(result.error), result.path) for result in failed]
    print_first(words.text("bulk.not-read"), unreadable, words)
    _tell_files(submitted, words)
    _tell_codes(submitted, words)
    _tell_summary(done, words, accept=accept)


def _tell_result(result: Submitted | NotSubmitted, words: Words) -> None:
    if isinstance(result, NotSubmitted):
        sys.stdout.write(with_file(words.error(result.error), result.path) + "\n")
        return
    status = words.text(f"status.{result.status}")
    if result.again:
        again = words.text("office.on-file-again", report=result.report, status=status)
        sys.stdout.write(f"{result.path}: {again}\n")
        return
    key = "office.on-file-undecided" if result.list_undecided else "office.on-file"
    facts: dict[str, Fact] = {
        "report": result.report, "list": str(result.list), "errors": len(result.errors),
    }  # fmt: skip
    sys.stdout.write(f"{result.path}: {words.text(key, status=status, **facts)}\n")
    serious = [finding for finding in result.findings if finding.severity != Severity.INFO]
    if serious:
        print_findings(ordered(serious), words)


def _tell_files(submitted: Sequence[Submitted], words: Words) -> None:
    """Print what became of each file; of very many, those with errors first."""
    if not submitted:
        return
    shown = sorted(submitted, key=lambda result: not result.errors) if len(submitted) > MANY else submitted
    names = (("file", "left"), ("report", "right"), ("status", "left"), ("list", "left"), ("errors", "right"))
    columns = [(words.text(f"column.{name}"), side) for name, side in names]
    rows = [
        (
            result.path, str(result.report), words.text(f"status.{result.status}"),
            list_text(result.list, words, undecided=result.list_undecided),
            str(len(result.errors)),
        )
        for result in shown[:MANY]
    ]  # fmt: skip
    console().print(table(columns, rows))
    if len(submitted) > MANY:
        sys.stdout.write(words.text("bulk.and-more", more=len(submitted) - MANY) + "\n")


def _tell_codes(submitted: Sequence[Submitted], words: Words) -> None:
    """Print the errors by code: in how many reports, with an example."""
    reports_by_code: Counter[str] = Counter()
    example: dict[str, str] = {}
    for result in submitted:
        if result.again:
            continue
        first = {finding.code: finding for finding in reversed(result.errors)}
        for code in dict.fromkeys(finding.code for finding in result.errors):
            reports_by_code[code] += 1
            example.setdefault(code, f"{result.path}: {words.finding(first[code])}")
    if not reports_by_code:
        return
    sys.stdout.write(f"{words.text('bulk.why')}{words.form.colon}\n")
    names = (("finding-code", "left"), ("reports", "right"), ("for-example", "left"))
    columns = [(words.text(f"column.{name}"), side) for name, side in names]
    rows = [(code, str(count), example[code]) for code, count in reports_by_code.most_common()]
    console().print(table(columns, rows))


def _tell_summary(done: Sequence[Submitted | NotSubmitted], words: Words, *, accept: bool) -> None:
    counts: dict[str, int] = asdict(sent_counts(done))
    parts = [name for name in ("received", "again", "unreadable") if counts[name]]
    counted = ", ".join(words.text(f"bulk.{name}", **counts) for name in parts)
    sys.stdout.write(words.labelled(words.text("bulk.files", **counts), f"{counted}.\n"))
    if accept:
        left = counts["received"] - counts["accepted"]
        sys.stdout.write(words.text("bulk.accepted-now", left=left, **counts) + "\n")
    elif counts["errors"]:
        sys.stdout.write(words.text("bulk.errors", **counts) + "\n")


COMMANDS = {"submit": submit}
