"""Findings as people see them: those of one kind as a group, and the line of one with the very characters marked."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arpad.model.rules import Finding, Severity

_BLANKS_SKIPPED = 4
"""A number at the right end of its field has up to so many blanks before it."""

_LONGEST_MARK, _LONGEST_VALUE = 24, 60
_CUT = "…"


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one code and severity, in their order."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that is shown in words."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        """The severity of all of them."""
        return self.first.severity

    @property
    def more(self) -> int:
        """How many there are besides the first."""
        return len(self.findings) - 1

    @property
    def players(self) -> tuple[int, ...]:
        """The start numbers that the findings after the first are about."""
        numbers = (finding.player for finding in self.findings[1:])
        return tuple(dict.fromkeys(number for number in numbers if number is not None))


def group_findings(findings: Iterable[Finding]) -> tuple[FindingGroup, ...]:
    """Return findings grouped by severity and code, the gravest first, then in the order of the first of each."""
    grave = list(Severity)
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.severity, finding.code), []).append(finding)
    ordered = sorted(groups.items(), key=lambda item: grave.index(item[0][0]))
    return tuple(FindingGroup(tuple(same)) for _, same in ordered)


def verdict_key(findings: Iterable[Finding]) -> tuple[str, dict[str, int]]:
    """Return the key of the sentence that says whether a report is ready, and the counts for it."""
    counted = Counter(finding.severity for finding in findings)
    errors, warnings, notes = (counted[severity] for severity in Severity)
    key = "errors" if errors else "warnings" if warnings else "ready"
    key = "errors-only" if errors and not warnings else key
    return f"verdict.{key}", {"errors": errors, "warnings": warnings, "notes": notes}


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line in three parts; ``start`` is the column of the marked one, counted from one."""

    before: str
    marked: str
    after: str
    start: int

    @property
    def caret(self) -> str:
        """The line below it on a terminal: carets under the marked characters."""
        return " " * len(self.before) + "^" * max(len(self.marked), 1)


def mark(line: str, column: int, delimiter: str = "") -> Excerpt:
    """Return a line with the word at a column marked; in a blank field, or after the end, one blank is marked.

    With a delimiter the whole value up to it is marked, and up to the quotation mark if one is before it.
    """
    if delimiter:
        return _mark_value(line.rstrip("\r\n"), column, delimiter)
    text = line.rstrip("\r\n").replace("\t", " ")
    start = min(column - 1, len(text)) if column > 0 else 0
    word = start
    while word < len(text) and text[word] == " " and word - start < _BLANKS_SKIPPED:
        word += 1
    if word == len(text) or text[word] == " ":
        padded = text.ljust(start + 1)
        return Excerpt(padded[:start], padded[start], padded[start + 1 :], start + 1)
    end = word
    while end < len(text) and text[end] != " " and end - word < _LONGEST_MARK:
        end += 1
    return Excerpt(text[:word], text[word:end], text[end:], word + 1)


def _mark_value(text: str, column: int, delimiter: str) -> Excerpt:
    start = min(max(column - 1, 0), len(text))
    end = text.find('"' if text[max(start - 1, 0) : start] == '"' else delimiter, start)
    value = text[start : end if end >= 0 else len(text)].rstrip()[:_LONGEST_VALUE]
    shown = text.replace("\t", " ")
    return Excerpt(shown[:start], value or " ", shown[start + len(value) :], start + 1)


def excerpt_of(finding: Finding, source: Sequence[str], width: int, delimiter: str = "") -> Excerpt | None:
    """Return at most ``width`` characters of the line of a finding, around the mark; None without line or column."""
    if finding.line is None or finding.column is None or not 1 <= finding.line <= len(source):
        return None
    whole = mark(source[finding.line - 1], finding.column, delimiter)
    room = max(width - len(whole.marked), 2)
    before, after = whole.before, whole.after.rstrip()
    if len(before) + len(after) > room:
        kept = min(len(before), max(room // 2, room - len(after)))
        before = before if kept == len(before) else _CUT + before[len(before) - kept + 1 :]
        rest = room - kept
        after = after if len(after) <= rest else after[: max(rest - 1, 0)] + _CUT
    return Excerpt(before, whole.marked, after, whole.start)
