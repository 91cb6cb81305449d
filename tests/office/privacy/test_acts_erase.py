"""A player is erased: no text is left, nothing else changes, and verifying says erased and not altered."""

import re
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.rankings.files import public_bundle_of
from arpad.publishing.bundle import verify_bundle
from arpad.store import triggers as protect
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.draughts_lists import ITALIANA, begin, played, standing
from tests.builders.list_blocks import alter_blocks, set_value
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import (
    accept,
    backup,
    change_player,
    decisions_in_force,
    erase_player,
    export,
    find_players,
    join_stages,
    ledger,
    publish,
    ratings_in_force,
    register_player,
    registered,
    take_back,
    verify,
)
from tests.commands import run, run_json
from tests.office.inbox.test_acts_join_stages import stages
from tests.office.privacy.test_acts import FEB, MAR, round_of, worked


def dumped(desk: Desk, folder: Path) -> bytes:
    """Everything that the office holds, as its export and its backup write it."""
    export(desk.office, folder / "export")
    backup(desk.office, folder / "backup.zip")
    parts = [path.read_bytes() for path in (folder / "export").rglob("*") if path.is_file()]
    with zipfile.ZipFile(folder / "backup.zip") as archive:
        parts += [archive.read(name) for name in archive.namelist()]
    return b"\n".join(parts)


def test_nothing_is_left_of_an_erased_player_and_the_proofs_hold(desk: Desk, tmp_path: Path) -> None:
    publication = worked(desk)
    decide(desk.office, "k", player=2, on_list=STANDARD, day=MAR, k=40, reason="for Anna Segreta")
    before = ratings_in_force(desk.office, STANDARD, FEB)
    desk.on(date(2018, 2, 20))

    found = erase_player(desk.office, 2, confirm=2, by="The Board", reason="request of Segreta, Anna")

    assert (found.numbers, found.reports) == ((2,), (1,))
    held = dumped(desk, tmp_path)
    for word in (b"Segreta", b"1990-05-04", b"1990/05/04"):
        assert word not in held, word
    assert not re.search(rb"(?<![0-9a-f])9002(?![0-9a-f])", held)  # FIDE's number, and no part of a digest
    assert ratings_in_force(desk.office, STANDARD, FEB) == before
    told = verify(desk.office)
    assert told.intact
    assert [dict(item.facts) for item in told.erased] == [
        {"player": 2, "day": date(2018, 2, 20), "by": "The Board"}
    ]
    person = registered(desk.office, 2)
    assert (person.name, person.born, person.identifiers) == ("Erased 2", None, ())
    assert find_players(desk.office, "Segreta") == []
    with desk.office.store.reading() as connection:
        (tmp_path / "public.zip").write_bytes(public_bundle_of(connection, publication))
    assert verify_bundle(tmp_path / "public.zip").intact

    # work goes on: the next list is computed with the games of the erased player
    desk.report(event("Second", "1 2000 | 3w1\n3 1900 | 1b0", date(2018, 2, 22)))
    desk.publish(MAR)
    assert verify(desk.office).intact
    with pytest.raises(BadInput, match="erased-already"):
        erase_player(desk.office, 2, confirm=2, reason="again")


def test_what_is_altered_after_an_erasure_is_found(desk: Desk) -> None:
    worked(desk)
    erase_player(desk.office, 2, confirm=2, reason="request")
    with (
        desk.office.store.writing() as connection,
        protect.allow_changes(connection, ["ledger", "list_blocks", "reports"]),
    ):
        connection.exec_driver_sql("UPDATE ledger SET reason = 'other' WHERE seq = 3")
    assert [item.code for item in verify(desk.office, recompute=False).altered] == ["ledger-row"]


def test_an_office_that_is_not_intact_erases_nothing(sqlite_desk: Desk) -> None:
    worked(sqlite_desk)
    alter_blocks(sqlite_desk, 2, set_value(3, rating=2500))
    acts = len(ledger(sqlite_desk.office))
    with pytest.raises(BadInput, match="erase-altered"):
        erase_player(sqlite_desk.office, 2, confirm=2, reason="request")
    assert len(ledger(sqlite_desk.office)) == acts


def test_the_triggers_are_back_after_an_erasure(desk: Desk) -> None:
    worked(desk)
    erase_player(desk.office, 2, confirm=2, reason="request")
    for statement in (
        "UPDATE players SET name = 'x'",
        "DELETE FROM list_blocks",
        "UPDATE ledger SET reason = 'x'",
    ):
        with pytest.raises(Exception, match="kept"), desk.office.store.writing() as connection:
            connection.exec_driver_sql(statement)


def test_a_junior_keeps_the_k_of_the_lists(sqlite_desk: Desk) -> None:
    """2017 8.56: K 40 until the end of the year of the 18th birthday, below 2300: the year of birth is needed."""
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000, 40, born=2004), *(listed(n, 1900) for n in (2, 3, 4)))
    change_player(desk.office, 1, since=date(2018, 1, 1), set_={"born": "2004-06-01"}, reason="card")
    desk.report(round_of("Open", date(2018, 1, 10), date(2018, 1, 11), secret=False))
    desk.publish(FEB)
    erase_player(desk.office, 1, confirm=1, reason="request of the parents")
    assert registered(desk.office, 1).born == 2004
    assert verify(desk.office).intact


def test_a_draughts_player_is_erased(sqlite_desk: Desk, tmp_path: Path) -> None:
    desk = sqlite_desk
    begin(desk, standing(1, 2000), standing(2, 2000))
    played(desk, "Gara", "1 0 | 2w=\n2 0 | 1b=", date(2018, 3, 10))
    desk.on(date(2018, 3, 31))
    publish(desk.office, ITALIANA, date(2018, 3, 31))
    erase_player(desk.office, 2, confirm=2, reason="request")
    assert b"Player 2" not in dumped(desk, tmp_path)
    assert verify(desk.office).intact


def test_verifying_says_who_was_erased_by_whom(
    sqlite_desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sqlite_desk
    worked(desk)
    monkeypatch.setenv("ARPAD_DB", desk.place)
    erasing = "office privacy erase 2 --confirm 2 --reason request --now 2018-02-20T10:00:00Z --by"
    run_json(capsys, erasing, "The Board")
    assert run_json(capsys, "office privacy files", str(desk.folder / "lists"))["files"]
    status, told, _ = run(capsys, "office verify --lang en")
    assert status == 0
    assert "player 2 was erased on 20 February 2018 by The Board" in told


def test_nothing_is_left_of_a_player_in_stages_that_were_joined(sqlite_desk: Desk, tmp_path: Path) -> None:
    desk = sqlite_desk
    desk.list(date(2010, 1, 1), *[listed(number, 2000) for number in range(1, 5)])
    desk.on(date(2010, 1, 22))
    parts = [desk.report(stage) for stage in stages()]
    accept(desk.office, join_stages(desk.office, parts, reason="6.2").report)
    desk.publish(date(2010, 3, 1))
    before = desk.rating(1, date(2010, 3, 1))

    found = erase_player(desk.office, 2, confirm=2, reason="request")

    assert found.reports == (1, 2, 3)
    held = dumped(desk, tmp_path)
    assert b"Player 2" not in held
    assert not re.search(rb"(?<![0-9a-f])9002(?![0-9a-f])", held)
    assert desk.rating(1, date(2010, 3, 1)) == before
    assert verify(desk.office).intact


def test_nothing_is_left_of_a_number_that_came_with_a_report(sqlite_desk: Desk, tmp_path: Path) -> None:
    """The act of acceptance names the numbers that it added to the register."""
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(3, 1900))
    player = register_player(desk.office, name="Segreta, Anna", federation="ITA").id
    made = event("Open", "1 2000 | 2w1 3w1\n2 0 | 1b0 .Z\n3 1900 | .Z 1b0", date(2018, 1, 10))
    entrants = [
        replace(it, name="Segreta, Anna", id="77001122") if it.number == 2 else it for it in made.entrants
    ]
    sent = desk.send(replace(made, entrants=tuple(entrants)))
    accept(desk.office, sent.report, matches={2: player})
    assert b"77001122" in dumped(desk, tmp_path / "before")

    (after := tmp_path / "after").mkdir()
    erase_player(desk.office, player, confirm=player, reason="request")

    assert b"77001122" not in dumped(desk, after)
    assert verify(desk.office).intact


def test_nothing_is_left_of_a_player_on_a_list_that_was_taken_back(sqlite_desk: Desk, tmp_path: Path) -> None:
    desk = sqlite_desk
    worked(desk)
    take_back(desk.office, STANDARD, FEB, reason="a mistake")
    erase_player(desk.office, 2, confirm=2, reason="request")
    assert b"Segreta" not in dumped(desk, tmp_path)
    assert verify(desk.office).intact


def test_nothing_is_left_of_what_was_decided_about_a_player_of_a_report(
    sqlite_desk: Desk, tmp_path: Path
) -> None:
    desk = sqlite_desk
    worked(desk)
    stated = {"players.9002.born": "1990-05-04", "players.9002.norm": "yes", "players.3.norm": "yes"}
    decide(desk.office, "fact", report=1, reason="card", facts=stated)

    erase_player(desk.office, 2, confirm=2, reason="request")

    held = dumped(desk, tmp_path)
    assert b"1990-05-04" not in held
    assert not re.search(rb"(?<![0-9a-f])9002(?![0-9a-f])", held)
    (decision,) = decisions_in_force(desk.office)
    assert decision.value == '{"players":{"2":{"norm":true},"3":{"norm":true}}}'
    assert verify(desk.office).intact


def test_a_list_can_be_taken_back_after_an_erasure(sqlite_desk: Desk) -> None:
    """The rapid list that came out later was not made from it, though its inputs lost a name since."""
    desk = sqlite_desk
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900), on_list=ListName.RAPID)
    desk.publish(FEB)
    desk.publish(FEB, ListName.RAPID)
    erase_player(desk.office, 2, confirm=2, reason="request")
    take_back(desk.office, STANDARD, FEB, reason="a mistake")
    assert verify(desk.office).intact
