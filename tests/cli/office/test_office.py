"""arpad office: the commands as a person types them, in words and as JSON, and how they refuse."""

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.model.draughts import Category, DraughtsState
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests.builders.chess import event
from tests.builders.offices import WIN, list_bytes, listed, trf
from tests.commands import refusal, run, run_json

JAN = date(2018, 1, 1)


@pytest.fixture
def db(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """An office made by commands, with one list and one accepted report."""
    place = str(tmp_path / "office.db")
    monkeypatch.setenv("ARPAD_DB", place)
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    (tmp_path / "list.txt").write_bytes(list_bytes(JAN, listed(1, 2000), listed(2, 1900)))
    (tmp_path / "match.trf").write_bytes(trf(event("Match", WIN, date(2018, 1, 10))))
    run_json(capsys, "office", "init", "--federation", "ITA", "--now", "2018-01-01T10:00:00Z")
    imported = run_json(
        capsys, "office", "import-list", str(tmp_path / "list.txt"), "--date", "2018-01-01", "--yes"
    )
    assert (imported["rows"], imported["newcomers"]) == (2, 2)
    return place


def sent(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[str, Any]:
    found = run_json(capsys, "office", "submit", str(folder / "match.trf"), "--now", "2018-01-11T10:00:00Z")
    run_json(capsys, "office", "accept", str(found["reports"][0]["report"]))
    return found


def test_a_month_by_commands(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = sent(capsys, tmp_path)
    assert found["schema"] == "arpad.office-submit/1"
    draft = run_json(capsys, "office", "draft", "standard", "2018-02-01")
    assert draft["movements"] == [
        {"player": 1, "before": 2000, "after": 2007, "change": 7},
        {"player": 2, "before": 1900, "after": 1893, "change": -7},
    ]
    out = tmp_path / "lists"
    published = run_json(
        capsys, "office publish standard 2018-02-01 --out", str(out), "--now", "2018-02-01T10:00:00Z"
    )
    assert published["digest"] == draft["digest"]

    bundle = out / "standard-2018-02-01-r1.bundle.zip"
    assert run_json(capsys, "office", "verify", str(bundle))["intact"]
    assert run_json(capsys, "office", "verify")["counted"] == {"acts": 7, "reports": 1, "lists": 2}
    told = run_json(capsys, "office", "explain", "1", "--date", "2018-02-10")
    assert (told["rating"], told["story"]["events"][0]["games"][0]["expected"]) == (2007, "0.64")
    ledger = run_json(capsys, "office", "ledger")["acts"]
    assert [act["verb"] for act in ledger] == [
        "init", "signing-key", "import-list", "submit", "accept", "publish", "checkpoint",
    ]  # fmt: skip
    assert {act["author"] for act in ledger} == {"T. Officer"}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("it", ("2007 nella lista del 1° febbraio 2018", "avversario", "+0,36 × K 20 = +7,2")),
        ("en", ("2007 on the list of 1 February 2018", "opponent", "+0.36 × K 20 = +7.2")),
    ],
)
def test_an_explanation_in_words(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, words: tuple[str, ...]
) -> None:
    sent(capsys, tmp_path)
    run_json(capsys, "office", "publish", "standard", "2018-02-01", "--now", "2018-02-01T10:00:00Z")

    status, out, _ = run(capsys, "office", "explain", "1", "--date", "2018-02-10", "--lang", language)

    assert status == 0
    for word in words:
        assert word in out
    assert "8.55c" in out


def test_an_explanation_says_which_differences_are_capped(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.txt").write_bytes(list_bytes(date(2018, 2, 1), listed(1, 2500), listed(2, 1900)))
    run_json(capsys, "office", "import-list", str(tmp_path / "list.txt"), "--date", "2018-02-01", "--yes")
    twice = event("Match", "1 2500 | 2w1 2b1\n2 1900 | 1b0 1w0\n", date(2018, 2, 10))
    (tmp_path / "match.trf").write_bytes(trf(twice))
    sent(capsys, tmp_path)
    run_json(capsys, "office", "publish", "standard", "2018-03-01", "--now", "2018-03-01T10:00:00Z")

    out = run(capsys, "office", "explain", "1", "--date", "2018-03-10")[1]

    assert "  rounds 1, 2: difference capped\n" in out
    rows = [line.split() for line in out.splitlines() if "Player 2" in line]
    assert rows == [[number, "Player", "2", "1900", "+400", "1", "0.92", "+0.08"] for number in "12"]


def test_an_explanation_of_a_capital(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Equals expect one point of two (table 19)."""
    players = [DraughtsState(f"Player {n}", 2000, Category.NAZIONALE, str(9000 + n)) for n in (7, 8)]
    (tmp_path / "capitals.csv").write_bytes(capitals.write(players))
    (tmp_path / "gara.trf").write_bytes(trf(event("Gara", "\n7 0 | 8w1\n8 0 | 7b0\n", date(2018, 3, 10))))
    asked = ("--list", "italiana", "--date", "2018-03-31")
    run_json(
        capsys,
        "office",
        "import-list",
        str(tmp_path / "capitals.csv"),
        "--list",
        "italiana",
        "--date",
        "2017-12-31",
        "--yes",
    )
    run_json(capsys, "office", "submit", str(tmp_path / "gara.trf"), "--list", "italiana", "--accept")
    run_json(capsys, "office", "publish", "italiana", "2018-03-31")
    (found,) = run_json(capsys, "office", "search", "Player 7")["players"]
    similar = run(capsys, "office", "search", "Plbyer 7")[1]
    assert similar.startswith("No player is called “Plbyer 7”. Similar names:\n")
    assert "Player 7" in similar
    assert run_json(capsys, "office", "search", "Plbyer 7")["players"] == []

    told = run_json(capsys, "office", "explain", str(found["id"]), *asked)
    in_words = run(capsys, "office", "explain", str(found["id"]), *asked, "--lang", "it")[1]

    assert [game["expected"] for game in told["story"]["events"][0]["games"]] == ["1"]
    assert "1,00" in in_words
    assert "Gara, 10 marzo 2018, Elo-Rubele" in in_words
    assert "capitale" in next(line for line in in_words.splitlines() if "avversario" in line)


def test_nothing_to_show_is_said(db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(capsys, "office", "search", "Zzyzx", "--lang", "it")[1] == "Nessun giocatore si chiama «Zzyzx».\n"
    )
    assert run(capsys, "office", "lists", "--list", "blitz", "--lang", "it")[1] == "nessuna lista\n"


def test_errors_of_a_report_come_first_and_many_of_a_kind_are_counted(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eight players whom no list knows, in an event of a year before the first edition."""
    table = "".join(
        f"{place} {2000 + place} | {place + 1 if place % 2 else place - 1}{'w1' if place % 2 else 'b0'}\n"
        for place in range(1, 9)
    )
    (tmp_path / "old.trf").write_bytes(trf(event("Old", "\n" + table, date(2008, 1, 10))))
    status, out, _ = run(capsys, "office", "submit", str(tmp_path / "old.trf"), "--lang", "en")
    first, second, *others = out.splitlines()
    assert status == 1
    assert "report 1: received" in first
    assert second.startswith("error")
    assert sum("We use the official list" in line for line in others) == 3
    assert others[-1] == "… and 5 similar ones: start numbers 4, 5, 6, 7, 8"


def test_backup_restore_export(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(capsys, tmp_path)
    run_json(capsys, "office", "backup", str(tmp_path / "b.zip"))
    run_json(capsys, "office", "export", str(tmp_path / "export"))
    run_json(capsys, "office", "restore", str(tmp_path / "b.zip"), "--db", str(tmp_path / "new.db"))

    assert run_json(capsys, "office", "verify", "--db", str(tmp_path / "new.db"))["intact"]


def test_verify_says_where_and_ends_with_one(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sent(capsys, tmp_path)
    run_json(
        capsys, "office publish standard 2018-02-01 --out", str(tmp_path), "--now", "2018-02-01T10:00:00Z"
    )
    bundle = tmp_path / "standard-2018-02-01-r1.bundle.zip"
    whole = bundle.read_bytes()
    place = whole.index(b"2007")
    bundle.write_bytes(whole[:place] + b"3" + whole[place + 1 :])

    status, out, err = run(capsys, "office", "verify", str(bundle), "--lang", "en")

    assert (status, err) == (1, "")
    assert out == "altered: list.txt was altered\n"
    status, out, _ = run(capsys, "office", "verify", str(bundle), "--json")
    assert (status, json.loads(out)["altered"][0]["facts"]) == (1, {"name": "list.txt"})
    bundle.write_bytes(whole[:100])
    assert "not a complete verification file" in refusal(
        capsys, "office", "verify", str(bundle), "--lang", "en"
    )


def test_without_a_database_or_with_none_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARPAD_DB", raising=False)
    assert "--db" in refusal(capsys, "office", "ledger", "--lang", "en")
    assert "there is no office" in refusal(
        capsys, "office ledger --db", str(tmp_path / "x.db"), "--lang", "en"
    )
    assert not (tmp_path / "x.db").exists()


def test_an_unwritable_folder_is_one_sentence_and_the_list_is_out_all_the_same(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sent(capsys, tmp_path)
    (tmp_path / "file").write_bytes(b"")
    now = ("--now", "2018-02-01T10:00:00Z")

    said = refusal(
        capsys, "office publish standard 2018-02-01 --out", str(tmp_path / "file"), *now, "--lang", "en"
    )

    assert "cannot be written" in said
    run_json(capsys, "office", "publish", "standard", "2018-02-01", "--out", str(tmp_path / "lists"), *now)
    assert (tmp_path / "lists" / "standard-2018-02-01-r1.txt").exists()
    shutil.rmtree(tmp_path / "lists")


def test_a_wrong_setting_is_named_as_it_was_typed(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    for change, sentence in (
        ("mail_port=abc", "--set mail_port is abc, but must be written as 587"),
        ("live_lists=on", "--set live_lists “on” is unknown: accepted are off, public"),
        ("nosuch=1", "--set “nosuch” is unknown: accepted are name, "),
        ("nosuch", "--set is nosuch, but must be written as NAME=VALUE"),
    ):
        assert refusal(capsys, "office", "settings", "change", "--set", change).startswith(sentence)
    assert refusal(capsys, "office", "mail", "test", "a@example.org").startswith(
        "the office cannot send mails before mail_host is set: "
    )


def test_a_merged_player_leads_to_the_one_who_is_kept(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_json(capsys, "office merge 1 2 --confirmed --reason twins --db", db)
    assert "merged: now player 1" in run(capsys, "office player 2 --lang en --db", db)[1]
