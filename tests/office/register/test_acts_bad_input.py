"""Bad input about the register on the command line: a clear sentence, and nothing half-written."""

from pathlib import Path

import pytest

from tests.builders.reference import HEADER, REFERENCE, row
from tests.builders.unsafe_reports import NO_NUMBERS, irish_office
from tests.commands import refusal, run, run_json

NOW = ("--now", "2018-01-20T10:00:00Z")


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    irish_office(tmp_path).close()
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "irl.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    return tmp_path


def acts(capsys: pytest.CaptureFixture[str]) -> int:
    return len(run_json(capsys, "office", "ledger")["acts"])


def test_a_bad_reference_list_or_club_is_refused_in_a_sentence(
    office: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, path = acts(capsys), office / "bad.txt"
    for text, words in (
        ((HEADER + "".join(REFERENCE))[:-60], "not complete"),
        (HEADER + "".join(REFERENCE) + REFERENCE[0], "twice"),
        (HEADER + row(7, "Alt, Ada", born="1850"), "1850"),
    ):
        path.write_text(text, encoding="utf-8")
        sentence = refusal(capsys, "office", "fide", "reference", str(path), "--day", "2018-01-01", *NOW)
        assert words in sentence
    since = ("--since", "2018-01-01", *NOW)
    sentence = refusal(
        capsys, "office", "club", "enter", "LEI", "Leinster", "--region", "--in", "LEI", *since
    )
    assert "LEI" in sentence
    assert run_json(capsys, "office", "fide", "references")["references"] == []
    assert run_json(capsys, "office", "club", "list")["clubs"] == []
    assert acts(capsys) == before


def test_two_officers_and_a_merged_player(
    office: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (office / "near.trf").write_bytes(NO_NUMBERS)
    run(capsys, "office", "submit", str(office / "near.trf"), *NOW)
    double = run_json(capsys, "office", "register", "enter", "Short, Nigel", "--federation", "IRL", *NOW)[
        "id"
    ]
    run_json(capsys, "office", "match", "1", f"1={double}", *NOW)
    monkeypatch.setenv("ARPAD_AUTHOR", "B. Other")
    sentence = refusal(capsys, "office", "match", "1", "1=new", *NOW)
    assert "T. Officer" in sentence
    run_json(capsys, "office", "merge", "1", str(double), "--confirmed", "--reason", "one person", *NOW)
    (alias,) = run_json(capsys, "office", "alias", "list", "nigel")["aliases"]
    assert (alias["player"], alias["author"]) == (1, "T. Officer")  # the player who is kept
    twice = refusal(capsys, "office", "match", "1", f"2={double}", *NOW)
    assert "player" in twice
    shown = {it["number"]: it for it in run_json(capsys, "office", "matches", "1")["matches"]}
    assert (shown[1]["player"], shown[2]["player"]) == (
        double,
        None,
    )  # as decided; lists count the player kept
