"""Commands that show what an office has: a table in words, and the same facts as JSON."""

import json

import pytest

from tests.commands import run

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
