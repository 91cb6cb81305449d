"""Clubs and memberships from CSV files: everything or nothing, and every refusal with line and column."""

from datetime import date

import pytest

from arpad.model.declared import Upload
from arpad.model.errors import Unreadable
from arpad.office.clubs.acts import import_clubs, import_memberships
from arpad.office.clubs.rows import clubs_of_player, members_on, units_on
from tests.builders.offices import Desk
from tests.builders.verbs import ledger, register_player

JAN = date(2018, 1, 1)
CLUBS = """codice;nome;tipo;regione;dal;al
MI1;Circolo di Milano;;LOM;01/02/1950;
TO1;Circolo di Torino;circolo;;;
LOM;Lombardia;regione;NORD;;
NORD;Nord;regione;;;
"""
MEMBERS = """player,fide,name,born,club,from,until
1,,,,MI1,2018-01-01,2018-06-30
,9001,,,TO1,2018-07-01,
,,"Player 2",,to1,01/03/2018,
"""


def clubs(desk: Desk, text: str = CLUBS) -> tuple[int, int, int]:
    result = import_clubs(desk.office, Upload("clubs.csv", text.encode()), since=JAN)
    return result.rows, result.entered, result.changed


def members(desk: Desk, text: str = MEMBERS) -> tuple[int, int]:
    result = import_memberships(desk.office, Upload("members.csv", text.encode()))
    return result.rows, result.players


def test_a_file_of_clubs_is_entered_once(out: Desk) -> None:
    assert clubs(out) == (4, 4, 0)
    with out.office.store.reading() as connection:
        units = units_on(connection, JAN)
    assert {code: (str(unit.kind), unit.region) for code, unit in units.items()} == {
        "LOM": ("region", "NORD"), "MI1": ("club", "LOM"), "NORD": ("region", ""), "TO1": ("club", ""),
    }  # fmt: skip
    assert units["MI1"].since == date(1950, 2, 1)
    acts = len(ledger(out.office))
    assert clubs(out) == (4, 0, 0)
    assert len(ledger(out.office)) == acts
    assert clubs(out, "code,name,region,until\nTO1,Torino,LOM,2020-12-31\nMI1,,LOM,\n") == (2, 0, 1)
    with out.office.store.reading() as connection:
        torino = units_on(connection, JAN)["TO1"]
    assert (torino.name, torino.region, torino.until) == ("Torino", "LOM", date(2020, 12, 31))


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("code,name,region\nA,Alpha,A\n", "unit-own-parent", 2, 3),
        ("code,name,kind,region\nA,A,region,B\nB,B,region,A\n", "region-circle", 2, 4),
        ("code,name,region\nMI1,Milano,LOM\n", "no-region", 2, 3),
        ("code,name,region\nMI1,Milano,TO1\nTO1,Torino,\n", "region-is-club", 2, 3),
        ("code,name\nMI1,Milano\nmi1,Milano\n", "club-twice", 3, 1),
        ("code,name\nMI1,Milano\nTO1,\n", "club-name", 3, 1),
        ("code,name\nM 1,Milano\n", "list-row-unreadable", 2, 1),
        ("code,name,kind\nMI1,Milano,bar\n", "list-row-unreadable", 2, 3),
        ("code,name,from\nMI1,Milano,yesterday\n", "list-row-unreadable", 2, 3),
        ("code,name,from,until\nMI1,Milano,2018-01-01,2017-01-01\n", "membership-days", 2, 1),
        ('code,name\nMI1,"Milano\n', "sheet-quotes", 2, 1),
        ("name\nMilano\n", "list-column", 1, None),
    ],
)
def test_a_wrong_file_of_clubs_enters_nothing(
    sqlite_desk: Desk, text: str, code: str, line: int, column: int | None
) -> None:
    with pytest.raises(Unreadable) as refused:
        clubs(sqlite_desk, text)
    facts = refused.value.facts
    assert (refused.value.code, facts["line"], facts.get("column")) == (code, line, column)
    with sqlite_desk.office.store.reading() as connection:
        assert units_on(connection, JAN) == {}


def test_memberships_name_players_by_any_number_or_by_name(out: Desk) -> None:
    clubs(out)
    assert members(out) == (3, 2)
    with out.office.store.reading() as connection:
        assert clubs_of_player(connection, 1) == {JAN: "MI1", date(2018, 7, 1): "TO1"}
        assert members_on(connection, date(2018, 6, 30)) == {1: "MI1", 2: "TO1"}
    acts = len(ledger(out.office))
    assert members(out) == (3, 0)
    assert len(ledger(out.office)) == acts


@pytest.mark.parametrize(
    ("row", "code", "column"),
    [
        ("99,,,,MI1,2018-01-01,", "membership-unknown", 1),
        ("x,,,,MI1,2018-01-01,", "list-row-unreadable", 1),
        (",4711,,,MI1,2018-01-01,", "membership-unknown", 2),
        ("1,9002,,,MI1,2018-01-01,", "membership-two-players", 1),
        ("1,,Somebody Else,,MI1,2018-01-01,", "membership-other-name", 3),
        (",,Nobody,,MI1,2018-01-01,", "membership-unknown", 3),
        (",,Doppio Nome,,MI1,2018-01-01,", "membership-ambiguous", 3),
        (",,,,MI1,2018-01-01,", "membership-nobody", 5),
        ("1,,,,XX,2018-01-01,", "no-club", 5),
        ("1,,,,LOM,2018-01-01,", "club-is-region", 5),
        ("1,,,,TO1,2017-12-31,", "club-not-open", 5),
        ("1,,,,MI1,,", "list-row-unreadable", 6),
        ("1,,,,MI1,2018-02-01,2018-01-01", "membership-days", 5),
    ],
)
def test_a_wrong_row_of_memberships_enters_nothing(
    sqlite_out: Desk, row: str, code: str, column: int
) -> None:
    desk = sqlite_out
    clubs(desk)
    for born in (1990, 1991):
        register_player(desk.office, "Doppio, Nome", born=born)
    with pytest.raises(Unreadable) as refused:
        members(desk, f"player,fide,name,born,club,from,until\n2,,,,MI1,2018-01-01,\n{row}\n")
    facts = refused.value.facts
    assert (refused.value.code, facts["line"], facts["column"]) == (code, 3, column)
    with desk.office.store.reading() as connection:
        assert members_on(connection, JAN) == {}
