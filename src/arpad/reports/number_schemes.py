"""Kinds of players' numbers: those that every office knows, those it declares, and which of them a report's column has.

A pattern is a mask, not a regular expression: ``9`` is a digit, ``A`` a letter, ``X`` either, each with an optional
count (``9{1-5}``); every other sign is itself. So it is checked in no time, whatever somebody writes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from arpad.model.errors import BadInput
from arpad.model.names import spelled

if TYPE_CHECKING:
    from arpad.reports.report import Report

BUILT_IN = ("fide", "fsi", "fid", "fmjd")
"""Schemes that every office knows: FIDE, the Italian chess and draughts federations, FMJD."""

ON_PLAYER, ON_LISTS = "player", "lists"
SHOWN = (ON_PLAYER, ON_LISTS)
"""Where numbers of a declared scheme are shown to the public: on the player's page, on lists."""

SOURCES = ("federation", "arbiter", "program", "national", "discipline")
"""What a rule may name: the tournament's federation, the chief arbiter, the pairing program, the federation of national
records, or every report of chess or draughts."""

LONGEST = 20
"""Signs of a number."""

_PART = re.compile(r"([9AX])(?:\{(\d{1,2})(?:-(\d{1,2}))?\})?|([-/. ])")
_CLASSES = {"9": "[0-9]", "A": "[A-Za-z]", "X": "[0-9A-Za-z]"}
_CODE = re.compile(r"[a-z][a-z0-9]{1,11}")


class NumberScheme(NamedTuple):
    """A kind of number: code, name in words, pattern, and where its numbers are shown."""

    code: str
    name: str
    pattern: str
    shown: frozenset[str] = frozenset(SHOWN)


class SourceRule(NamedTuple):
    """The numbers in reports from a source are of this scheme."""

    kind: str
    value: str
    scheme: str


def refuse_scheme(scheme: NumberScheme) -> None:
    """Refuse a declaration that is malformed or takes the code of a scheme that every office knows."""
    if not _CODE.fullmatch(scheme.code):
        raise BadInput("scheme-code", option="code", given=scheme.code[:20])
    if scheme.code in BUILT_IN:
        raise BadInput("scheme-built-in", option="code", code=scheme.code)
    if not scheme.name.strip() or len(scheme.name) > 80 or not scheme.name.isprintable():  # noqa: PLR2004  a line
        raise BadInput("scheme-name", option="name", given=scheme.name[:40])
    if unknown := scheme.shown - {*SHOWN}:
        raise BadInput("scheme-shown", option="shown", given=min(unknown)[:20], accepted=", ".join(SHOWN))
    _compiled(scheme.pattern)


def fits(pattern: str, number: str) -> bool:
    """Return whether a number has the form of a pattern."""
    return len(number) <= LONGEST and _compiled(pattern).fullmatch(number) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a mask as an expression without nested repeats, over at most ``LONGEST`` signs."""
    parts, place, shortest, longest = [], 0, 0, 0
    while place < len(pattern):
        part = _PART.match(pattern, place)
        if part is None:
            raise BadInput("scheme-pattern", given=pattern[:40], most=LONGEST)
        kind, fewest, most, sign = part.groups()
        first = int(fewest or 1)
        last = int(most or first)
        if first > last or last == 0:
            raise BadInput("scheme-pattern", given=pattern[:40], most=LONGEST)
        shortest, longest = shortest + first, longest + last
        parts.append(re.escape(sign) if sign else f"{_CLASSES[kind]}{{{first},{last}}}")
        place = part.end()
    if not 0 < shortest <= longest <= LONGEST:
        raise BadInput("scheme-pattern", given=pattern[:40], most=LONGEST)
    return re.compile("".join(parts))


# -------------------------------------------------------------------------------------------- the source of a report


def source_value(kind: str, value: str) -> str:
    """Return how a rule writes its source, so that spellings of it are alike."""
    if kind == "discipline":
        return value.strip().lower()
    return value.strip().upper() if kind in ("federation", "national") else spelled(value)


def column_scheme(report: Report, rules: Sequence[SourceRule], discipline: str) -> str:
    """Return the scheme of the id column of a report: that of arbiter, program, federation, discipline, in this order.

    Empty if no rule names it. In a report with national records of a federation, the column is not that federation's.
    """
    by_source = {(rule.kind, rule.value): rule.scheme for rule in rules}
    header = report.header
    own_records = any(entry.body == header.federation for entry in report.national)
    sources = [("arbiter", header.chief_arbiter), ("program", header.pairing_program)]
    sources += [] if own_records else [("federation", header.federation)]
    for kind, value in sources:
        if value.strip() and (scheme := by_source.get((kind, source_value(kind, value)))):
            return scheme
    return by_source.get(("discipline", discipline), "")


def national_numbers(
    report: Report, rules: Sequence[SourceRule]
) -> Mapping[int, tuple[tuple[str, str], ...]]:
    """Return the numbers in national records whose scheme a rule names: start number → scheme and number."""
    by_source = {(rule.kind, rule.value): rule.scheme for rule in rules}
    numbers: dict[int, tuple[tuple[str, str], ...]] = {}
    for entry in report.national:
        body, entrant = entry.body, entry.entrant
        scheme = by_source.get(("national", body)) or by_source.get(("federation", body), "")
        if scheme and entrant.id:
            numbers[entrant.number] = (*numbers.get(entrant.number, ()), (scheme, entrant.id))
    return numbers
