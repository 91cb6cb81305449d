"""What ``arpad office`` tells of reports sent in or accepted: each of a few, a summary of many."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arpad.cli.common import console, print_json, table, with_file
from arpad.cli.report_tables import print_findings
from arpad.explain.words import Words
from arpad.model.rules import Fact, Severity

if TYPE_CHECKING:
    from arpad.office import Accepted, NotAccepted, NotSubmitted, Submitted

FEW = 12
"""So many reports are told one by one, with all that was found."""

OF_A_KIND = 5
"""So many findings of a kind are told of a report."""

NAMED = 20
"""So many of a kind are named when there are many."""


# ----------------------------------------------------------------------------------------------------- sent in


def tell_submitted(
    done: Sequence[Submitted | NotSubmitted], words: Words, *, accept: bool, json: bool
) -> None:
    """Print the results of submitting files."""
    if json:
        document = {"reports": [_document(result, words) for result in done], "summary": _counts(done)}
        print_json("arpad.office-submit/1", document)
        return
    if len(done) <= FEW:
        for result in done:
            _tell_result(result, words)
        if accept and len(done) > 1:
            _tell_summary(done, words, accept=accept)
        return
    submitted, failed = _parted(done)
    unreadable = [with_file(words.error(result.error), result.path) for result in failed]
    _tell_some(words.text("bulk.not-read"), unreadable, words)
    _tell_codes(submitted, words)
    _tell_summary(done, words, accept=accept)


def _parted(done: Sequence[Submitted | NotSubmitted]) -> tuple[list[Submitted], list[NotSubmitted]]:
    """Separate the reports on file from the files that could not be read."""
    from arpad.office import NotSubmitted, Submitted

    submitted = [result for result in done if isinstance(result, Submitted)]
    return submitted, [result for result in done if isinstance(result, NotSubmitted)]


def _document(result: Submitted | NotSubmitted, words: Words) -> dict[str, Any]:
    from arpad.explain.rated_report import finding_document
    from arpad.office import NotSubmitted

    if isinstance(result, NotSubmitted):
        error = {"code": result.error.code, "message": words.error(result.error)}
        return {"file": result.path, "error": error}
    document: dict[str, Any] = {
        "file": result.path, "report": result.report, "status": result.status, "list": str(result.list),
        "again": result.again, "findings": [finding_document(finding, words) for finding in result.findings],
    }  # fmt: skip
    if result.accepted is not None:
        accepted = result.accepted
        document |= {"players": list(accepted.players), "newcomers": list(accepted.newcomers)}
    return document


def _counts(done: Sequence[Submitted | NotSubmitted]) -> dict[str, int]:
    submitted, failed = _parted(done)
    new = [result for result in submitted if not result.again]
    accepted = [result.accepted for result in new if result.accepted is not None]
    return {
        "files": len(done),
        "received": len(new),
        "again": len(submitted) - len(new),
        "unreadable": len(failed),
        "errors": sum(bool(result.errors) for result in new),
        "accepted": len(accepted),
        "newcomers": sum(len(report.newcomers) for report in accepted),
    }


def _tell_result(result: Submitted | NotSubmitted, words: Words) -> None:
    from arpad.office import NotSubmitted

    if isinstance(result, NotSubmitted):
        sys.stdout.write(with_file(words.error(result.error), result.path) + "\n")
        return
    status = words.text(f"status.{result.status}")
    if result.again:
        again = words.text("office.on-file-again", report=result.report, status=status)
        sys.stdout.write(f"{result.path}: {again}\n")
        return
    facts: dict[str, Fact] = {
        "report": result.report, "list": str(result.list), "errors": len(result.errors),
    }  # fmt: skip
    sys.stdout.write(f"{result.path}: {words.text('office.on-file', status=status, **facts)}\n")
    from arpad.rating.preview import ordered

    serious = [finding for finding in result.findings if finding.severity != Severity.INFO]
    if serious:
        print_findings(ordered(serious), words, of_a_kind=OF_A_KIND)


def _tell_some(heading: str, lines: Sequence[str], words: Words) -> None:
    """The first of many lines under a heading, and how many more there are."""
    if not lines:
        return
    sys.stdout.write(f"{heading}:\n")
    for line in lines[:NAMED]:
        sys.stdout.write(f"  {line}\n")
    if len(lines) > NAMED:
        sys.stdout.write(f"  {words.text('bulk.and-more', more=len(lines) - NAMED)}\n")


def _tell_codes(submitted: Sequence[Submitted], words: Words) -> None:
    """Print the errors by code: in how many reports, with an example."""
    found: Counter[str] = Counter()
    example: dict[str, str] = {}
    for result in submitted:
        if result.again:
            continue
        first = {finding.code: finding for finding in reversed(result.errors)}
        for code in dict.fromkeys(finding.code for finding in result.errors):
            found[code] += 1
            example.setdefault(code, f"{result.path}: {words.finding(first[code])}")
    if not found:
        return
    sys.stdout.write(f"{words.text('bulk.why')}:\n")
    names = (("finding-code", "left"), ("reports", "right"), ("for-example", "left"))
    columns = [(words.text(f"column.{name}"), side) for name, side in names]
    rows = [(code, str(count), example[code]) for code, count in found.most_common()]
    console().print(table(columns, rows))


def _tell_summary(done: Sequence[Submitted | NotSubmitted], words: Words, *, accept: bool) -> None:
    counts: dict[str, Fact] = dict(_counts(done))
    parts = [name for name in ("received", "again", "unreadable") if counts[name]]
    told = ", ".join(words.text(f"bulk.{name}", **counts) for name in parts)
    sys.stdout.write(f"{words.text('bulk.files', **counts)}: {told}.\n")
    if accept:
        left = _counts(done)["received"] - _counts(done)["accepted"]
        sys.stdout.write(words.text("bulk.accepted-now", left=left, **counts) + "\n")
    elif counts["errors"]:
        sys.stdout.write(words.text("bulk.errors", **counts) + "\n")


# ---------------------------------------------------------------------------------------------------- accepted


def tell_accepted(done: Sequence[Accepted | NotAccepted], words: Words, *, json: bool) -> int:
    """Print the results of accepting the inbox; return 1 if some reports are left."""
    from arpad.office import Accepted, NotAccepted

    left = [result for result in done if isinstance(result, NotAccepted)]
    accepted = [result for result in done if isinstance(result, Accepted)]
    newcomers = sum(len(one.newcomers) for one in accepted)
    if json:
        document = {
            "accepted": [
                {"report": one.report, "players": list(one.players), "newcomers": list(one.newcomers)}
                for one in accepted
            ],
            "left": [{"report": one.report, "codes": list(one.codes)} for one in left],
        }
        print_json("arpad.office-accept-all/1", document)
    elif not done:
        sys.stdout.write(words.text("bulk.none-waiting") + "\n")
    else:
        sys.stdout.write(words.text("bulk.accepted", accepted=len(accepted), newcomers=newcomers) + "\n")
        lines = [
            words.text("bulk.report-codes", report=one.report, codes=", ".join(one.codes)) for one in left
        ]
        _tell_some(words.text("bulk.left", left=len(left)).rstrip("."), lines, words)
    return int(bool(left))
