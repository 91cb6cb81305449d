"""``arpad office follower``: who follows something, and an address that is forgotten."""

import pytest

from tests.commands import refusal, run, run_json

pytestmark = pytest.mark.usefixtures("used_office")
ADDRESS = "visitor@example.org"


def test_an_address_is_listed_and_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "follower", "list")
    assert ADDRESS in out
    assert "player 1" in out
    (follower,) = run_json(capsys, "office", "follower", "list")["followers"]
    assert follower["follows"] == [{"kind": "player", "target": "1", "confirmed": None}]
    run_json(capsys, "office", "follower", "forget", ADDRESS)
    assert run_json(capsys, "office", "follower", "list")["followers"] == []
    _, out, _ = run(capsys, "office", "follower", "list")
    assert ADDRESS not in out
    refusal(capsys, "office", "follower", "forget", ADDRESS)
