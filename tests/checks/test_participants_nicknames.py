"""A field of nicknames, and an event that calls itself online, are errors."""

import pytest

from arpad.checks.header import online
from arpad.checks.participants import is_nickname, nicknames
from arpad.model.rules import Severity
from arpad.reports.formats import read_report
from arpad.reports.report import Entrant, Header, Report
from tests.shared_data import real_file


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("king_shawn123", True), ("gmjoey93", True), ("holy_spirit", True), ("Rossi, Mario", False),
        ("Mario Rossi", False), ("Magnus", False), ("Player 12", False), ("Giocatore1, Uno", False), ("", False),
    ],
)  # fmt: skip
def test_a_nickname_is_one_word_with_a_digit_or_an_underscore(name: str, expected: bool) -> None:
    assert is_nickname(name) == expected


def field_of(*names: str) -> Report:
    entrants = tuple(Entrant(number, name) for number, name in enumerate(names, start=1))
    return Report(Header(), entrants, ())


def test_two_nicknames_and_a_tenth_of_the_field_are_an_error() -> None:
    others = tuple(f"Rossi, {letter}" for letter in "abcdefghijklmnopqr")
    (finding,) = nicknames(field_of(*others, "king_shawn123", "gmjoey93"))
    assert (finding.severity, finding.code, finding.player) == (Severity.ERROR, "nicknames", 19)
    assert finding.facts == {"count": 2, "name": "king_shawn123", "players": (19, 20)}
    assert not list(nicknames(field_of(*others, "Neri, s", "king_shawn123", "gmjoey93")))  # below a tenth
    assert not list(nicknames(field_of("Rossi, a", "gmjoey93")))  # one alone may be a slip


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"name": "Torneo Online di Natale"}, "Online"),
        ({"city": "https://lichess.org/swiss/x"}, "lichess"),
        ({"kind": "Individual: on-line"}, "on-line"),
        ({"name": "Friday on Chess.com"}, "Chess.com"),
        ({"name": "Stonline Open"}, ""),
    ],
)
def test_an_event_that_calls_itself_online_is_an_error(change: dict[str, str], word: str) -> None:
    texts = {"name": "Open", "city": "Trani", "kind": ""} | change
    report = Report(Header(name=texts["name"], city=texts["city"], kind=texts["kind"]), (), ())
    assert [(finding.severity, finding.facts["word"]) for finding in online(report)] == (
        [(Severity.ERROR, word)] if word else []
    )


@pytest.mark.parametrize(
    ("name", "players"), [("lichess-export/j8rtJ5GL.trf", 112), ("sklangen-TRF/2021_03.trf", None)]
)
def test_real_online_events(name: str, players: int | None) -> None:
    report = read_report(real_file("trf", *name.split("/")).read_bytes())
    assert players in (None, len(report.entrants))
    assert [finding.code for check in (nicknames, online) for finding in check(report)] == [
        "nicknames",
        "online-event",
    ]
