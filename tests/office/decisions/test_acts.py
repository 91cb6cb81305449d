"""Decisions: values that cannot be, and one that is revoked or appealed against."""

from datetime import date
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, WIN, Desk, listed
from tests.builders.verbs import decisions_in_force, revoke

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
ITALIANA = ListName.ITALIANA


@pytest.fixture
def ready(desk: Desk) -> Desk:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.report(event("Open", WIN, date(2018, 1, 10)))
    return desk


@pytest.mark.parametrize(
    ("kind", "about", "code", "name"),
    [
        ("official", {"report": 99}, "no-report", ""),
        ("k", {"player": 99, "on_list": STANDARD, "day": FEB, "k": 10}, "no-player", ""),
        ("k", {"player": 1, "on_list": STANDARD, "day": FEB, "k": -1}, "decision-value", "k"),
        ("k", {"player": 1, "on_list": STANDARD, "day": FEB, "k": "ten"}, "decision-value", "k"),
        ("result", {"report": 1, "number": 1, "round": 1, "result": "2"}, "decision-value", "result"),
        ("category", {"player": 1, "on_list": STANDARD, "day": FEB, "category": "X"}, "decision-value", "category"),
        ("capital", {"player": 1, "on_list": STANDARD, "day": FEB, "capital": 1000}, "decision-value", "list"),
        ("last-event", {"on_list": STANDARD, "day": FEB}, "decision-value", "list"),
        ("fmjd", {"player": 1, "day": FEB, "fmjd": 0}, "decision-value", "fmjd"),
        ("category", {"player": 1, "on_list": ITALIANA, "day": FEB, "category": "King"}, "unknown-category", ""),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused(
    ready: Desk, kind: str, about: dict[str, Any], code: str, name: str
) -> None:
    before = len(decisions_in_force(ready.office))
    with pytest.raises(BadInput) as refused:
        decide(ready.office, kind, reason="test", **about)
    assert (refused.value.code, refused.value.facts.get("name", "")) == (code, name)
    assert len(decisions_in_force(ready.office)) == before


def test_only_a_decision_in_force_is_revoked(ready: Desk) -> None:
    number = decide(ready.office, "official", report=1, reason="test")
    revoke(ready.office, number, reason="an error")
    with pytest.raises(BadInput) as refused:
        revoke(ready.office, number, reason="again")
    assert refused.value.code == "no-decision"
