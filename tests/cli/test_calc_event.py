"""``arpad calc event``: what it prints, what it refuses, and what it does not load."""

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


A_B: dict[str, Any] = {"end": "2024-05-01", "games": [["a", "b", 1]]}


def two(first: dict[str, Any], second: dict[str, Any] | None = None, **others: Any) -> dict[str, Any]:
    return {**A_B, "players": {"a": first, "b": {} if second is None else second}, **others}


@pytest.mark.parametrize(
    ("system", "question", "sentence"),
    [
        ("icu", {**ICU, "edition": "icu-1999"}, "there is no edition icu-1999"),
        ("icu", {**ICU, "games": [["1", "1", 1]]}, "games.1: 1 cannot play against themselves"),
        ("icu", {**ICU, "games": [["1", "9", 1]]}, "games.1: 9 is not among the players"),
        ("icu", {**ICU, "games": [["1", "2", 2]]}, "games.1 has the score 2; accepted are 0, 0.5, 1"),
        ("icu", {**ICU, "games": [["1", "2", "won"]]}, "games.1 has the score won; accepted are"),
        ("icu", {**ICU, "players": {"1": {"rating": 1500, "index": 3}}}, "players.1 has no field index"),
        ("icu", {**ICU, "players": {}}, "players is missing"),
        ("icu", {**ICU, "players": None}, "players is missing"),
        ("icu", "{", "the text is not JSON"),
        ("icu", "[]", "JSON has [] where a JSON object is needed"),
        ("icu", '{"players": {"a": {}, "a": {}}}', "the field a is there twice"),
        ("icu", {**ICU, "games": [["1", "2", None]]}, "games.1 has the score null; accepted are 0, 0.5, 1"),
        (
            "icu",
            {**two({"born": "2020-01-02"}), "end": "2020-01-01"},
            "players.a.born has 2 January 2020, after the last day of the event, 1 January 2020",
        ),
        (
            "dwz",
            {**two({"born": 2021}), "end": "2020-01-01"},
            "players.a.born has 2021, after the last day of the event, 1 January 2020",
        ),
        (
            "dwz",
            {**two({"rest": [[1500, 1], [1500, 1, "2020-02-01"]]}), "end": "2020-01-01"},
            "players.a.rest has 1 February 2020, after the last day of the event, 1 January 2020",
        ),
        ("icu", two({"rating": 1500, "games": 0}), "players.a.games is 0, but must be between 1 and"),
        ("icu", two({"rating": 1500, "games": 30}, end="2011-05-01"), "no edition of icu applies on 1 May 2011"),
        ("dwz", two({"rating": 1500, "index": -1}), "players.a.index is -1, but must be between 0 and 9999"),
        ("dwz", two({"index": 3}), "players.a.rating is missing"),
        ("dwz", two({"rest": [[1500, "0.3"]]}), 'players.a.rest.1 has [1500, "0.3"] where rest games'),
        ("dwz", two({}, edition="icu-2013"), "there is no edition icu-2013; the editions are dwz-2002"),
        ("dwz", two({}, games=[["a", "b", 1, 1], ["b", "a", 1, 1]]), "games.2: b has two games in round 1"),
        ("uschess", two({"rating": 1500, "games": 3, "wins": 4}), "players.a has more wins, draws and losses"),
        ("uschess", two({"rating": 99, "games": 3}), "players.a.rating is 99, but must be between 100 and"),
        ("uschess", two({"rating": "1/0", "games": 3}), "players.a.rating has 1/0 where a number is needed"),
        ("uschess", two({}, facts={"quick": True}), "facts has no field quick"),
        ("glicko2", two({"rating": 1500, "rd": 0}), "players.a.rd is 0, but must be above 0 and at most 1000"),
        ("glicko2", two({"rating": 1500, "rd": 50, "volatility": 0}), "players.a.volatility is 0, but must be"),
        ("glicko2", two({"rating": 1500}), "players.a.rd is missing"),
        ("glicko2", two({}, facts={"tau": 0}), "facts.tau is 0, but must be above 0 and at most 10"),
        ("glicko2", {**two({}), "games": None, "periods": []}, "periods has [] where a list is needed"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_place(
    system: str, question: Any, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refusal(capsys, "calc", "event", written(tmp_path, question), "--system", system, "--lang", "en")

    assert "event.json" in said
    assert sentence in said


def test_a_printed_figure_in_doubt_names_its_player(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = {"players": {"a": {"rating": "1500.4999999", "rd": 50}}}
    for language in ("en", "it", "fr"):
        event = written(tmp_path, question)
        status, out, _ = run(capsys, "calc", "event", event, "--system", "glicko2", "--lang", language)
        assert status == 0
        assert "1500.4999999" in out.replace(",", ".")


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
