"""Compare the arbiters that a report names with the federation's register of arbiters."""

import re
from collections.abc import Sequence

from arpad.checks.context import info, of_header, warning
from arpad.model import names
from arpad.model.people import ARBITER_TITLES, Arbiter
from arpad.model.rules import Finding
from arpad.reports.report import Header, Report

_NUMBER = re.compile(r"(?<!\d)\d{4,10}(?!\d)", re.ASCII)
_LETTERS = re.compile(r"[^\W\d]+(?:[.'’-][^\W\d]+)*\.?")


def named_arbiters(header: Header) -> tuple[tuple[str, str], ...]:
    """Return the arbiters that a report names: the record of the file, and the text."""
    chief = [("102", header.chief_arbiter)] if header.chief_arbiter else []
    return (*chief, *(("112", deputy) for deputy in header.deputies))


def find_arbiter(text: str, arbiters: Sequence[Arbiter]) -> Arbiter | None:
    """Return the arbiter of a text such as ``IA Mario Rossi (800123)``: by number, else by name if only one has it."""
    numbers = set(_NUMBER.findall(text))
    by_number = [arbiter for arbiter in arbiters if arbiter.fide and arbiter.fide in numbers]
    if by_number:
        return by_number[0]
    words = [word for word in _LETTERS.findall(text) if word.upper() not in ARBITER_TITLES]
    key = names.key(" ".join(words))
    same = [arbiter for arbiter in arbiters if names.key(arbiter.name) == key]
    return same[0] if len(same) == 1 else None


def check_licences(report: Report, arbiters: Sequence[Arbiter]) -> tuple[list[Finding], bool | None]:
    """Return findings about the arbiters of a report, and whether all of them are licensed; None if that is unknown.

    Without a register of arbiters nothing is known, and nothing is said.
    """
    header = report.header
    named = named_arbiters(header)
    if not arbiters or not named or header.first_day is None:
        return [], None
    first, last = header.first_day, header.last_day or header.first_day
    findings: list[Finding] = []
    licensed: list[bool | None] = []
    for record, text in named:
        where = of_header(report, record)
        arbiter = find_arbiter(text, arbiters)
        if arbiter is None:
            licensed.append(None)
            findings.append(info("arbiter-not-registered", **where, name=text))
            continue
        valid = arbiter.licensed(first, last)
        licensed.append(valid)
        if not valid and arbiter.last_until is not None:
            findings.append(
                warning(
                    "arbiter-licence-ended", **where, name=arbiter.name, until=arbiter.last_until, day=last
                )
            )
        elif not valid:
            findings.append(warning("arbiter-licence-missing", **where, name=arbiter.name, day=first))
    if False in licensed:
        return findings, False
    return findings, None if None in licensed else True
