"""Findings in a mail: none that names a player who asked not to be shown."""

from datetime import date
from types import SimpleNamespace

import pytest

from arpad.explain.words import load_words
from arpad.model.canonical_json import dump
from arpad.model.json_values import from_finding
from arpad.model.rules import Finding, Severity
from arpad.office.mail import text
from arpad.office.mail.text import finding_lines, is_named
from arpad.office.privacy.acts import hide_player
from tests.builders.offices import Desk, listed

NAMES = frozenset({"muller", "ada", "4711"})


@pytest.mark.parametrize(
    "sentence", ["Müller, A. is doubtful", "the entrant MULLER", "number 4711 is twice", "Ada plays Eva"]
)
def test_a_sentence_with_a_word_of_a_hidden_name_is_left_out(sentence: str) -> None:
    assert is_named(sentence, NAMES)


@pytest.mark.parametrize("sentence", ["Round 3 has no result", "Mullers and 47112", ""])
def test_other_sentences_stay(sentence: str) -> None:
    assert not is_named(sentence, NAMES)


def test_of_a_kind_a_mail_has_the_first_findings_and_the_gravest_come_first(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    warnings = [
        Finding(Severity.WARNING, "match-with-unrated", line=line, facts={"name": "Eva"})
        for line in range(1, 30)
    ]
    error = Finding(Severity.ERROR, "match-with-unrated", facts={"name": "Eva"})
    filed = SimpleNamespace(findings=dump([from_finding(finding) for finding in (*warnings, error)]))
    monkeypatch.setattr(text, "report_on_file", lambda *_: filed)

    first, *others, left = finding_lines(sqlite_desk.office, 1, "en")

    assert first == load_words("en").finding(error)
    assert [line.partition(":")[0] for line in others] == ["line 1", "line 2", "line 3"]
    assert left == "26 more problems are on the page"


def test_the_findings_of_a_report_leave_out_a_player_who_was_hidden_meanwhile(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000, name="Zanetti, Ugo"), listed(2, 1900))
    hide_player(sqlite_desk.office, 1, reason="on request")
    with sqlite_desk.office.store.reading() as connection:
        (word, *_) = sorted(text.hidden_names(connection), key=len, reverse=True)
    findings = [
        Finding(Severity.ERROR, "match-with-unrated", facts={"name": name})
        for name in (f"X {word.title()}", "Eva")
    ]
    filed = SimpleNamespace(findings=dump([from_finding(finding) for finding in findings]))
    monkeypatch.setattr(text, "report_on_file", lambda *_: filed)

    lines = finding_lines(sqlite_desk.office, 1, "en")

    assert lines == [load_words("en").finding(findings[1]), "1 more problem is on the page"]
