"""The findings of a report as lines of a mail, without those that name a player who asked not to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sqlalchemy import Connection

from arpad.explain.findings import group_findings
from arpad.explain.words import Words, load_words
from arpad.model.canonical_json import load
from arpad.model.json_values import to_finding
from arpad.model.names import fold, transliterated
from arpad.model.rules import Finding
from arpad.office.office import Office
from arpad.office.report_status import report_on_file
from arpad.store.erasure import personal_values
from arpad.store.hidden_players import hidden

OF_A_KIND = 3
"""Findings of one kind that a mail shows; the page has all."""

SHORTEST_WORD = 3


def finding_lines(office: Office, report: int, language: str) -> list[str]:
    """Return the findings of a report in words, the gravest first, of each kind the first ones."""
    words = load_words(language)
    with office.store.reading() as connection:
        findings = [to_finding(item) for item in load(report_on_file(connection, report).findings)]
        names = hidden_names(connection)
    lines: list[str] = []
    for group in group_findings(findings):
        sentences = (_sentence(words, finding) for finding in group.findings)
        public = (sentence for sentence in sentences if not is_named(sentence, names))
        lines += islice(public, OF_A_KIND)
    left = len(findings) - len(lines)
    return [*lines, *([words.text("mail.more-findings", more=left)] if left else [])]


def _sentence(words: Words, finding: Finding) -> str:
    """Return a finding in words, with its line of the file if it has one."""
    sentence = words.finding(finding)
    if finding.line is None:
        return sentence
    return words.labelled(words.text("place.line", line=finding.line), sentence)


def hidden_names(connection: Connection) -> frozenset[str]:
    """Return the words of every name, present or past, of the players who asked not to be shown, and their numbers."""
    numbers = hidden(connection)
    if not numbers:
        return frozenset()
    values = personal_values(connection, numbers)
    words = {word for text in (*values.names, *values.identifiers) for word in _words(text)}
    return frozenset(word for word in words if len(word) >= SHORTEST_WORD)


def without_hidden(connection: Connection, lines: Sequence[str]) -> list[str]:
    """Return the lines of a mail about ratings, without those of players who were hidden after it was queued."""
    numbers = hidden(connection)
    names = personal_values(connection, numbers).names if numbers else ()
    return [line for line in lines if not any(name in line for name in names)]


def is_named(sentence: str, names: frozenset[str]) -> bool:
    """Return whether a sentence contains a word of the names; better a sentence too few than a name too many."""
    return not names.isdisjoint(_words(sentence))


def _words(text: str) -> tuple[str, ...]:
    return fold(transliterated(text))
