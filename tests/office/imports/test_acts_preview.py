"""Taking over a list shows first what it does, asks, and can be undone to the last row."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.office.imports.acts import import_list
from arpad.store import tables
from tests.builders.offices import STANDARD, Desk, list_bytes, listed
from tests.builders.verbs import change_player, find_players, ledger, publications, take_back, verify
from tests.builders.wrong_list import FEB, JAN, MAR, WRONG, own_list_office
from tests.commands import refusal, run, run_json

REGISTER = ("players", "player_facts", "identifiers", "identifier_changes", "name_keys")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An office with a taken-over list and a list of its own, 2000 having won against 1900."""
    made = own_list_office(tmp_path)
    yield made
    made.office.close()


@pytest.fixture
def wrong(desk: Desk) -> Path:
    """A list that should not have been taken over: other ratings, one player gone, one renamed, one new."""
    path = desk.folder / "wrong.txt"
    path.write_bytes(WRONG)
    return path


def register_rows(desk: Desk) -> dict[str, list[dict[str, Any]]]:
    with desk.office.store.reading() as connection:
        return {name: list(tables.rows(connection, name)) for name in REGISTER}


def test_the_preview_says_who_is_new_changed_gone_and_replaced_and_does_nothing(
    desk: Desk, wrong: Path
) -> None:
    before, acts = register_rows(desk), ledger(desk.office)
    seen = import_list(replace(desk.office, rehearsing=True), wrong, STANDARD, MAR).preview
    assert seen is not None
    assert seen.new["name"].to_list() == ["Player 4"]
    assert seen.changed.rows() == [(2, "Player 2", "name", "Player 2", "Another, Name")]
    assert seen.leaving.rows() == [(3, "Player 3", 1800)]
    assert seen.own
    assert seen.replaced.rows() == [(1, "Player 1", 2007, 2010)]
    assert (register_rows(desk), ledger(desk.office)) == (before, acts)
    assert [p.day for p in publications(desk.office)] == [JAN, FEB]


def test_the_import_says_the_same_as_its_preview(desk: Desk, wrong: Path) -> None:
    seen = import_list(replace(desk.office, rehearsing=True), wrong, STANDARD, MAR).preview
    done = import_list(desk.office, wrong, STANDARD, MAR).preview
    assert seen
    assert done
    assert [seen.new.rows(), seen.changed.rows(), seen.leaving.rows(), seen.replaced.rows()] == [
        done.new.rows(), done.changed.rows(), done.leaving.rows(), done.replaced.rows(),
    ]  # fmt: skip


def test_taken_back_the_register_is_as_before(desk: Desk, wrong: Path) -> None:
    before = register_rows(desk)
    import_list(desk.office, wrong, STANDARD, MAR)
    take_back(desk.office, STANDARD, MAR, reason="the wrong file")
    after = register_rows(desk)
    former = {(row["word"], row["player"]) for row in before.pop("name_keys")}
    assert former <= {(row["word"], row["player"]) for row in after.pop("name_keys")}
    assert after == before
    assert ledger(desk.office)[-1].facts["removed"] == {
        "players": 1, "facts": 1, "identifiers": 1, "kept": 0,
    }  # fmt: skip
    assert desk.rating(1, MAR) == 2007
    assert find_players(desk.office, "Another") == []
    assert verify(desk.office).intact
    right = desk.folder / "right.txt"
    right.write_bytes(list_bytes(MAR, listed(1, 2007), listed(2, 1893), listed(4, 1701)))
    assert import_list(desk.office, right, STANDARD, MAR).newcomers == 1
    assert verify(desk.office).intact


def test_a_newcomer_who_is_used_by_now_stays(desk: Desk, wrong: Path) -> None:
    import_list(desk.office, wrong, STANDARD, MAR)
    (newcomer,) = find_players(desk.office, "Player 4")
    change_player(desk.office, newcomer.id, since=MAR, reason="test", set_={"federation": "FRA"})
    take_back(desk.office, STANDARD, MAR, reason="the wrong file")
    assert [person.id for person in find_players(desk.office, "9004")] == [newcomer.id]
    assert ledger(desk.office)[-1].facts["removed"]["kept"] == 1
    assert verify(desk.office).intact


def test_a_list_that_was_built_on_is_not_undone(desk: Desk, wrong: Path) -> None:
    import_list(desk.office, wrong, STANDARD, MAR)
    before = register_rows(desk)
    desk.publish(date(2018, 4, 1))
    with pytest.raises(BadInput) as caught:
        take_back(desk.office, STANDARD, MAR, reason="too late")
    assert caught.value.code == "taken-back-followed"
    assert register_rows(desk) == before


def test_an_import_that_follows_another_list_than_its_preview_said_is_refused(
    desk: Desk, wrong: Path
) -> None:
    acts = ledger(desk.office)
    with pytest.raises(BadInput, match="import-follows"):
        import_list(desk.office, wrong, STANDARD, MAR, follows="standard-2018-01-01-r1")
    assert ledger(desk.office) == acts
    assert import_list(desk.office, wrong, STANDARD, MAR, follows="standard-2018-02-01-r1").rows == 3


def test_the_command_shows_and_asks(desk: Desk, wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("office", "import-list", str(wrong), "--date", "2018-03-01", "--db", desk.place, "--author", "A")
    assert "--yes" in refusal(capsys, *asked)
    assert len(publications(desk.office)) == 2
    for language, words in (("en", "instead of the office's own"), ("it", "invece di quello proprio")):
        status, out, _ = run(capsys, *asked, "--preview", "--lang", language)
        assert (status, len(out.splitlines())) == (0, 4)
        assert words in out
        assert "Player 1 (2007 → 2010)" in out
    assert len(publications(desk.office)) == 2
    document = run_json(capsys, *asked, "--yes")
    assert [it["name"] for it in document["leaving"]] == ["Player 3"]
    assert [(it["before"], it["after"]) for it in document["replaced"]] == [(2007, 2010)]
    assert (document["imported"], document["own"]) == (True, True)
    assert len(publications(desk.office)) == 3
    assert run_json(capsys, *asked, "--yes")["again"]


def test_columns_of_a_list_without_header(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk.folder / "plain.txt"
    path.write_text("    9001Player 1            2100\n    9005Five, Ada           1500\n", encoding="utf-8")
    asked = ("office", "import-list", str(path), "--date", "2018-03-01", "--db", desk.place, "--author", "A")
    assert "--columns" in refusal(capsys, *asked, "--yes")
    columns = ("--columns", "id=1-8,name=9-28,rating=29-32")
    document = run_json(capsys, *asked, *columns, "--preview")
    assert [it["name"] for it in document["new"]] == ["Five, Ada"]
    assert "no header" not in refusal(capsys, *asked, "--columns", "id=1-8,shoe=9-10", "--yes")


def test_a_player_without_a_number_is_not_lost(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk.folder / "gaps.csv"
    path.write_text('id,name,rating\n9001,"Player 1",2100\n,,\n,"Five, Ada",1500\n', encoding="utf-8")
    asked = ("office", "import-list", str(path), "--date", "2018-03-01", "--db", desk.place, "--author", "A")
    sentence = refusal(capsys, *asked, "--yes")
    assert sentence.startswith(f"{path}: line 4, column 1: “Five, Ada” has no number in this row")
    path.write_text("id,name,rating\n", encoding="utf-8")
    for how in ("--yes", "--preview"):
        assert refusal(capsys, *asked, how) == f"{path}: the list has no player"
    path.write_text('id,name,rating\n9001,"Player 1",2100\n9001,"Player 2",2000\n', encoding="utf-8")
    assert refusal(capsys, *asked, "--yes") == f"{path}: Player 2 (9001) is on the list twice"
    assert len(publications(desk.office)) == 2


def test_names_with_a_comma_are_told_apart(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk.folder / "new.csv"
    path.write_text('id,name,rating\n9005,"Five, Ada",1500\n9006,"Six, Bo",1600\n', encoding="utf-8")
    asked = ("office", "import-list", str(path), "--date", "2018-03-01", "--db", desk.place, "--author", "A")
    assert "2 players are new to the register: Five, Ada; Six, Bo\n" in run(capsys, *asked, "--preview")[1]


def test_a_file_of_another_month_is_pointed_out(
    desk: Desk, wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_list(replace(desk.office, rehearsing=True), wrong, STANDARD, MAR).other_month == ""
    april = date(2018, 4, 1)
    assert import_list(replace(desk.office, rehearsing=True), wrong, STANDARD, april).other_month == "2018-03"
    asked = ("office", "import-list", str(wrong), "--date", str(april), "--db", desk.place, "--author", "A")
    said = "The file says that it is the list of 2018-03: look at the day that you gave.\n"
    assert run(capsys, *asked, "--preview")[1].startswith(said)
    assert run_json(capsys, *asked, "--yes")["other_month"] == "2018-03"
