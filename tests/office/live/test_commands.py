"""``arpad office live``: the players who moved, and lists without a computation."""

import pytest

from tests.commands import run, run_json

pytestmark = pytest.mark.usefixtures("used_office")


def test_a_live_list_shows_who_moved(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "office", "live", "show", "standard")
    assert "Not official" in out
    assert "2 Player 2" in out
    assert run_json(capsys, "office", "live", "update", "standard")["computed"]
    shown = run_json(capsys, "office", "live", "show", "standard")
    (player,) = shown["rows"]
    assert (player["official"], player["rating"], player["change"]) == (1893, 1896, 3)
    assert shown["official"] is False
