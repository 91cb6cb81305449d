"""Everything that the office holds about one player, as a file."""

import json
import stat
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.errors import BadInput
from arpad.office.arbiters.acts import register_arbiter
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.privacy.acts import hide_player, player_data, player_data_bytes
from arpad.office.proof.erasure_rows import rows_naming
from arpad.office.register.tables import players
from arpad.store.declared_tables import whole_schema
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import change_player, decide_entrants, ledger, merge, register_player, verify
from tests.commands import refusal, run


@pytest.fixture
def furnished(desk: Desk) -> Desk:
    """An office with something of every kind about the players 1 and 2, on each database."""
    office = desk.office
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.report(event("Open", WIN, date(2018, 1, 10)))
    waiting = desk.send(event("Second", WIN, date(2018, 1, 20)))
    decide_entrants(office, waiting.report, {1: 1})
    desk.on(date(2018, 2, 1))
    desk.publish(date(2018, 2, 1))
    enter_club(office, "MI1", "Milano", kind=UnitKind.CLUB, since=date(2018, 1, 1))
    transfer(office, 1, "MI1", since=date(2018, 1, 1))
    change_player(office, 1, since=date(2018, 2, 1), reason="married", set_={"name": "Verdi, Ada"})
    decide(office, "official", reason="not about anybody", report=1)
    register_arbiter(office, "Verdi, Ada")
    hide_player(office, 1, reason="Verdi, Ada asked")
    return desk


def collected(desk: Desk, player: int = 1) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(player_data_bytes(player_data(desk.office, player, reason="asked")))
    return document


def test_it_has_everything_about_the_player(furnished: Desk) -> None:
    data = collected(furnished)
    rows = data["rows"]
    assert {
        "players",
        "player_facts",
        "identifiers",
        "entrant_decisions",
        "hidden_players",
        "player_reports",
    } <= rows.keys()
    assert {"Verdi, Ada", "MI1"} <= {row["value"] for row in rows["player_facts"]}
    assert [(it["report"], it["status"]) for it in data["reports"]] == [(1, "accepted"), (2, "received")]
    (entry,) = data["reports"][0]["entries"]
    assert entry["games"] == [{"round": 1, "day": None, "opponent": 2, "colour": "w", "result": "1"}]
    assert [(it["list"], it["day"]) for it in data["lists"]] == [
        ("standard", "2018-01-01"),
        ("standard", "2018-02-01"),
    ]
    assert [it["name"] for it in data["arbiters"]] == ["Verdi, Ada"]
    named = {act["verb"] for act in data["acts"]}
    assert {"transfer", "change-player", "hide-player", "register-arbiter", "match"} <= named
    assert "decide" not in named


def test_it_says_nothing_about_another_player(furnished: Desk) -> None:
    text = player_data_bytes(player_data(furnished.office, 2)).decode()
    assert "Verdi" not in text
    assert "MI1" not in text
    mine = player_data_bytes(player_data(furnished.office, 1)).decode()
    with furnished.office.store.reading() as connection:
        other = rows_naming(connection, [2])["players"][0]["name"]
    assert json.dumps(other, ensure_ascii=False) not in mine


def test_it_is_an_act_and_the_office_stays_intact(furnished: Desk) -> None:
    collected(furnished)
    act = list(ledger(furnished.office))[-1]
    assert (act.verb, act.facts, act.reason) == ("player-data", {"player": 1}, "asked")
    assert verify(furnished.office).intact
    with pytest.raises(BadInput, match="no-player"):
        player_data(furnished.office, 99)


def test_merged_numbers_are_one_person(furnished: Desk) -> None:
    double = register_player(furnished.office, "Verdi, A.", federation="ITA").id
    merge(furnished.office, 1, double, reason="the same")
    data = collected(furnished)
    assert data["numbers"] == [1, double]
    assert "Verdi, A." in {row["name"] for row in data["rows"]["players"]}
    assert len(data["rows"]["merges"]) == 1


def test_every_table_that_refers_to_players_is_asked() -> None:
    """A table added later is in the file without a change of the code."""
    referring = {
        table.name
        for table in whole_schema().sorted_tables
        if any(key.column is players.c.id for column in table.c for key in column.foreign_keys)
    }
    assert referring >= {"player_facts", "identifiers", "norms", "decisions", "merges", "distinct_players"}


def test_the_command_writes_a_private_file(
    sqlite_desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    out = tmp_path / "player.json"
    signed = ("--db", sqlite_desk.place, "--author", "T.", "--lang", "en")
    assert run(capsys, "office", "privacy", "data", "1", "--out", str(out), *signed)[0] == 0
    assert json.loads(out.read_bytes())["schema"] == "arpad.player-data/1"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert "99" in refusal(capsys, "office", "privacy", "data", "99", "--out", str(out), *signed)
