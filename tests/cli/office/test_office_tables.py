"""Commands that show what an office has: a table in words, and the same facts as JSON."""

import json
from pathlib import Path

import pytest

from tests.builders.chess import event
from tests.builders.offices import WIN, trf
from tests.builders.whole_office import MAR
from tests.commands import refusal, run, run_json

pytestmark = pytest.mark.usefixtures("used_office")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("number schemes", ("Irish Chess Union", "9{1-5}", "arbiter nobody")),
        ("fide references", ("2018-02-01", "standard, rapid, blitz")),
        ("club list", ("MI1", "Milano 1")),
        ("running list", ("Running", "standard")),
        ("fide numbers", ("all players of accepted reports",)),
        ("player 1", ("Player 1", "1 February 2018", "2007")),
        ("explain 2 --date 2018-02-02", ("−0.36 × K 20 = −7.2", "1900 → 1893")),
        ("report 2", ("withdrawn", "rated on the list standard")),
        ("title norms 1", ("No norm is on record.",)),
        ("matches 1", ("every entrant is certain or new",)),
        ("ledger", ("player hidden", "webhook added")),
        ("tournament deadlines --everything", ("1 Open", "overdue")),
        ("follower list", ("@", "player 1")),
        ("webhook list", ("http",)),
        ("edition list", ("The office goes by the printed editions.",)),
        ("duplicate list", ("no likely duplicates",)),
    ],
)
def test_a_command_shows_words_and_json(
    command: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "office", *command.split(), "--lang", "en")
    assert status == 0
    for word in words:
        assert word in out
    status, out, _ = run(capsys, "office", *command.split(), "--json")
    assert (status, json.loads(out)["schema"].partition("/")[0][:6]) == (0, "arpad.")


def test_a_key_is_made_shown_and_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    refusal(capsys, "office", "proof", "checkpoint")
    (first,) = run_json(capsys, "office", "proof", "make-key", "ratings.example.org")["keys"]
    (second,) = run_json(capsys, "office", "proof", "rotate-key", "--reason", "yearly")["keys"]
    assert run_json(capsys, "office", "proof", "keys")["keys"] == [first, second]
    _, out, _ = run(capsys, "office", "proof", "checkpoint")
    assert out.startswith("ratings.example.org\n")


def test_a_tournament_in_progress_is_sent_again_and_ended(
    used_office: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = used_office / "cup.trf"
    file.write_bytes(trf(event("Cup", WIN, MAR)))
    assert run_json(capsys, "office", "running", "send", str(file), "cup")["version"] == 1
    assert run_json(capsys, "office", "running", "send", str(file), "cup")["again"] is True
    run_json(capsys, "office", "running", "end", "cup")
    left = run_json(capsys, "office", "running", "list")["tournaments"]
    assert "cup" not in {tournament["name"] for tournament in left}
