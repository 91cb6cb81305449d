"""Who has no federation, or a club's code in its column, is ours; the draft says who was left out as a guest."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.declared import Upload
from arpad.model.errors import BadInput, Unreadable
from arpad.office.clubs.acts import enter_club, take_clubs
from arpad.office.clubs.rows import members_on
from arpad.office.drafts.acts import draft
from arpad.office.imports.acts import import_list
from arpad.office.register.acts import import_register, known_player
from arpad.office.register.rows import load_people
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.verbs import change_player, change_settings, register_player, verify
from tests.commands import run, run_json

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
FEDERATIONS = {1: "", 2: "COR", 3: "ita", 4: "FRA", 5: "ITA"}
"""Newcomers: unknown, the code of a club, ours in small letters, foreign, ours."""


def table() -> str:
    """Five newcomers who each play five rated players and draw."""
    lines = [f"{n} 0 | " + " ".join(f"{5 + (n + r - 2) % 5 + 1}w=" for r in range(1, 6)) for n in range(1, 6)]
    for rated in range(6, 11):
        games = " ".join(f"{(rated - 6 - (r - 1)) % 5 + 1}b=" for r in range(1, 6))
        lines.append(f"{rated} 1800 | {games}")
    return "\n" + "\n".join(lines) + "\n"


def with_newcomers(report: Report) -> Report:
    entrants = tuple(
        replace(it, id="", name=f"Newcomer, {'Abcde'[it.number - 1] * 4}", federation=FEDERATIONS[it.number])
        if it.number in FEDERATIONS
        else it
        for it in report.entrants
    )
    return replace(report, entrants=entrants)


@pytest.fixture
def desk(tmp_path: Path, both_ways: None) -> Iterator[Desk]:
    made = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    made.list(JAN, *(listed(number, 1800) for number in range(6, 11)))
    change_settings(made.office, set_={"owned_standard": "home"})
    yield made
    made.office.close()


def federation_of(desk: Desk, player: int) -> str:
    with desk.office.store.reading() as connection:
        return known_player(connection, player).federation


def accepted(desk: Desk) -> dict[str, int]:
    """Accept the report; return the newcomers by the last letter of their names."""
    desk.report(with_newcomers(event("Open", table(), date(2018, 1, 10), date(2018, 1, 14))))
    with desk.office.store.reading() as connection:
        people = load_people(connection, range(1, 40))
    return {person.name[-1]: number for number, person in people.items() if person.name.startswith("Newc")}


def test_unknown_is_not_foreign_and_a_club_is_no_federation(desk: Desk) -> None:
    players = accepted(desk)
    federations = {letter: federation_of(desk, number) for letter, number in players.items()}
    assert federations == {"A": "", "b": "", "c": "ITA", "d": "FRA", "e": "ITA"}
    made = draft(desk.office, STANDARD, FEB)
    assert set(made.result.entered) == {players[letter] for letter in "Abce"}
    assert [(it.player, it.name, it.federation, it.rating) for it in made.guests] == [
        (players["d"], "Newcomer, dddd", "FRA", None)
    ]
    desk.publish(FEB)
    assert [desk.rating(players[letter], FEB) for letter in "Abce"] == [1800] * 4
    assert desk.rating(players["d"], FEB) is None
    assert verify(desk.office).intact


def test_the_commands_say_who_was_left_out(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    player = accepted(desk)["d"]
    path = str(desk.folder / "office.db")
    document = run_json(capsys, "office", "draft", "standard", "2018-02-01", "--db", path)
    assert document["guests"] == [
        {"player": player, "name": "Newcomer, dddd", "federation": "FRA", "rating": None}
    ]
    status, out, _ = run(capsys, "office", "draft", "standard", "2018-02-01", "--db", path, "--lang", "en")
    assert status == 0
    assert "Left out as guests: 1 player, not rated and not on the list" in out
    assert "Newcomer, dddd" in out


def test_a_list_about_members_says_who_has_no_federation(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    change_settings(desk.office, set_={"owned_standard": "members"})
    accepted(desk)
    guests = draft(desk.office, STANDARD, FEB).guests
    assert len(guests) == 10
    path = str(desk.folder / "office.db")
    _, out, _ = run(capsys, "office", "draft", "standard", "2018-02-01", "--db", path, "--lang", "en")
    assert "2 of them without a federation" in out


def test_a_stored_code_that_is_no_federation_makes_nobody_foreign(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A register of before had club codes: they say nothing about the federation."""
    monkeypatch.setattr("arpad.office.inbox.find_players.known_federation", lambda code, _: code)
    number = accepted(desk)["b"]
    assert federation_of(desk, number) == "COR"
    made = draft(desk.office, STANDARD, FEB)
    assert number in made.result.entered
    assert number not in {it.player for it in made.guests}


@pytest.mark.parametrize("code", ["COR", "ST.", "ZZZ"])
def test_a_person_enters_no_federation_that_is_none(desk: Desk, code: str) -> None:
    with pytest.raises(BadInput, match="player-federation"):
        register_player(desk.office, "Rossi, Mario", federation=code)
    with pytest.raises(BadInput, match="player-federation"):
        change_player(desk.office, 1, since=JAN, reason="x", set_={"federation": code})
    file = desk.folder / "register.csv"
    file.write_text(f"name,federation\nBianchi,ITA\nVerdi,{code}\n", encoding="utf-8")
    with pytest.raises(Unreadable, match="row-federation") as refused:
        import_register(desk.office, Upload.of(file), date_=JAN)
    assert refused.value.facts["line"] == 3


def test_a_list_that_is_taken_over_loses_codes_that_are_no_federations(tmp_path: Path) -> None:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    file = tmp_path / "list.csv"
    file.write_text(
        "id,name,federation,rating\n1,One,ITA,1800\n2,Two,COR,1800\n3,Three,,1800\n", encoding="utf-8"
    )
    imported = import_list(desk.office, file, STANDARD, JAN)
    assert imported.no_federations == ("COR",)
    codes = [federation_of(desk, number) for number in (1, 2, 3)]
    assert codes == ["ITA", "", ""]
    desk.office.close()


def test_codes_of_a_report_are_taken_as_clubs(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    players = accepted(desk)
    taken = take_clubs(desk.office, 1)
    assert (dict(taken.members), taken.unknown) == ({}, ("COR",))
    enter_club(desk.office, "CORK", "Cork Chess Club", kind=UnitKind.CLUB, since=date(2010, 1, 1))
    with pytest.raises(BadInput, match="club-not-in-report"):
        take_clubs(desk.office, 1, {"XXX": "CORK"})
    with pytest.raises(BadInput, match="no-club"):
        take_clubs(desk.office, 1, {"COR": "NONE"})
    path = str(desk.folder / "office.db")
    options = ("--db", path, "--author", "T. Officer", "--now", "2018-01-20T10:00:00Z")
    document = run_json(capsys, "office", "club", "from-report", "1", "cor=cork", *options)
    assert document["members"] == {str(players["b"]): "CORK"}
    with desk.office.store.reading() as connection:
        assert members_on(connection, date(2018, 1, 9)) == {}
        assert members_on(connection, date(2018, 1, 10)) == {players["b"]: "CORK"}
    assert take_clubs(desk.office, 1, {"COR": "CORK"}).members == {}, "who is a member stays one"
    assert verify(desk.office).intact
