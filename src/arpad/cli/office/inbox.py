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
    from arpad.office import Accepted, Arrived, Left

FEW = 12
"""So many reports are told one by one, with all that was found."""

OF_A_KIND = 5
"""So many findings of a kind are told of a report."""

NAMED = 20
"""So many of a kind are named when there are many."""


# ----------------------------------------------------------------------------------------------------- sent in


def tell_arrived(done: Sequence[Arrived], words: Words, *, accept: bool, json: bool) -> None:
    """What became of the files that were sent."""
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
    _tell_some(words.text("bulk.not-read"), unreadable, words)
    _tell_codes(done, words)
    _tell_summary(done, words, accept=accept)


def _document(one: Arrived, words: Words) -> dict[str, Any]:
    from arpad.explain.rated_report import finding_document

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


def _tell_some(heading: str, lines: Sequence[str], words: Words) -> None:
    """The first of many lines under a heading, and how many more there are."""
    if not lines:
        return
    sys.stdout.write(f"{heading}:\n")
    for line in lines[:NAMED]:
        sys.stdout.write(f"  {line}\n")
    if len(lines) > NAMED:
        sys.stdout.write(f"  {words.text('bulk.and-more', more=len(lines) - NAMED)}\n")


def _tell_codes(done: Sequence[Arrived], words: Words) -> None:
    """The errors by code: in how many reports, and one of them."""
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


# ---------------------------------------------------------------------------------------------------- accepted


def tell_accepted(done: Sequence[Accepted | Left], words: Words, *, json: bool) -> int:
    """What became of the inbox; 1 where something is left in it."""
    from arpad.office import Left

    left = [one for one in done if isinstance(one, Left)]
    accepted = [one for one in done if not isinstance(one, Left)]
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
