"""``arpad calc event``: what it prints, what it refuses, and what it does not load."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import refusal, run, run_json

ICU: dict[str, Any] = {
    "edition": "icu-2012",
    "players": {
        "1": {"rating": 1852, "k": 24},
        "2": {"rating": 751, "games": 19},
        "3": {"rating": 1877, "fixed": True},
        "4": {},
    },
    "games": [["1", "2", 0.5, 1], ["3", "4", 1, 1], ["1", "3", "½", 2], ["2", "4", 0, 2]],
}


def written(folder: Path, question: Any) -> str:
    """Return the path of a question as a file."""
    file = folder / "event.json"
    file.write_text(question if isinstance(question, str) else json.dumps(question), encoding="utf-8")
    return str(file)


def test_the_document_has_every_player_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, "calc", "event", "--system", "icu", written(tmp_path, ICU))

    assert (document["schema"], document["edition"]) == ("arpad.calc-event/1", "icu-2012")
    players = document["players"]
    assert list(players) == ["1", "2", "3", "4"]
    assert {name: player["after"] for name, player in players.items()} == {
        "1": {"rating": 1841, "k": 24},
        "2": {"rating": 813, "games": 21},
        "3": {"rating": 1877, "fixed": True},
        "4": {"rating": 1345, "games": 2},
    }
    assert (players["1"]["printed"], players["1"]["change"]) == (1841, -11)
    assert players["4"]["line"] == "1345/2"
    assert players["1"]["figures"]["expected"] == "1.4615689365"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "K 24, as given"),
        ("it", "K 24, come indicato"),
        ("fr", "K 24, comme indiqué"),
    ],
)
def test_a_person_reads_a_table_and_the_steps(
    language: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(
        capsys, "calc", "event", written(tmp_path, ICU), "--system", "icu", "--lang", language
    )

    assert (status, err) == (0, "")
    assert words in out
    assert "1841" in out


def test_an_event_that_cannot_be_rated_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = {"1": {}, "2": {}, "3": {"rating": 1500, "k": 24}, "4": {"rating": 2500, "k": 16}}
    games = [*[["1", "2", 0.5]] * 200, ["1", "3", 0.5], ["2", "4", 0.5]]
    question = {"edition": "icu-2013", "players": players, "games": games}

    status, out, _ = run(capsys, "calc", "event", written(tmp_path, question), "--system", "icu")

    assert status == 1
    assert "have not settled after 50 passes" in out


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({**ICU, "edition": "icu-1999"}, "there is no edition icu-1999"),
        ({**ICU, "games": [["1", "1", 1]]}, "games.1: 1 cannot play against themselves"),
        ({**ICU, "games": [["1", "9", 1]]}, "games.1: 9 is not among the players"),
        ({**ICU, "games": [["1", "2", 2]]}, "games.1 has the score 2; accepted are 0, 0.5, 1"),
        ({**ICU, "players": {"1": {"rating": 1500, "index": 3}}}, "players.1 has no field index"),
        ({**ICU, "players": None}, "players is missing"),
        ("{", "the text is not JSON"),
        ("[]", "JSON has [] where a JSON object is needed"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(
    question: Any, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, "calc", "event", written(tmp_path, question), "--system", "icu", "--lang", "en")

    assert "event.json" in said
    assert sentence in said


def test_an_unknown_system_and_a_missing_file_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--lang", "en")
    assert refusal(capsys, "calc", "event", written(tmp_path, ICU), "--system", "ingo", *options).startswith(
        "--system “ingo” is unknown: accepted are "
    )
    assert refusal(capsys, "calc", "event", str(tmp_path / "none"), "--system", "icu", *options).endswith(
        "none cannot be read: no such file or folder"
    )


def test_the_command_loads_no_database_no_arrays_and_no_site(tmp_path: Path) -> None:
    program = (
        "import sys; sys.argv = ['arpad', 'calc', 'event', '--system', 'icu', sys.argv[1], '--json']\n"
        "from arpad import cli\n"
        "try:\n    cli.main()\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'sqlalchemy', 'numpy', 'litestar', 'polars', 'msgspec', 'pydantic'}\n"
        "print('loaded', sorted(heavy & {name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, written(tmp_path, ICU)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "loaded []"
