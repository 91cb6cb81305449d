"""Clubs, regions and memberships of an office, entered one by one: from a day on, and erased with the player."""

from datetime import date

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.errors import BadInput
from arpad.office.clubs.acts import change_club, enter_club, transfer
from arpad.office.clubs.rows import clubs_of_player, members_on, units_on
from tests.builders.offices import Desk
from tests.builders.verbs import erase_player, ledger, register_player, unmerge, verify
from tests.builders.verbs import merge as office_merge

JAN, JULY = date(2018, 1, 1), date(2018, 7, 1)
NEXT = date(2019, 1, 1)


def with_clubs(desk: Desk) -> Desk:
    for code, name, region in (("NORD", "Nord", ""), ("LOM", "Lombardia", "NORD")):
        enter_club(desk.office, code, name, kind=UnitKind.REGION, since=JAN, region=region)
    enter_club(desk.office, "mi1", "Circolo di Milano", kind=UnitKind.CLUB, since=JAN, region="lom")
    enter_club(desk.office, "TO1", "Circolo di Torino", kind=UnitKind.CLUB, since=JAN)
    return desk


def members(desk: Desk, day: date) -> dict[int, str]:
    with desk.office.store.reading() as connection:
        return members_on(connection, day)


def test_a_transfer_counts_from_its_day_and_no_list_changes(out: Desk) -> None:
    desk = with_clubs(out)
    transfer(desk.office, 1, "MI1", since=date(2018, 1, 5))
    transfer(desk.office, 2, "mi1", since=date(2018, 1, 5), until=date(2018, 6, 30))
    transfer(desk.office, 1, "to1", since=JULY)
    assert members(desk, date(2018, 1, 4)) == {}
    assert members(desk, date(2018, 6, 30)) == {1: "MI1", 2: "MI1"}
    assert members(desk, JULY) == {1: "TO1"}
    with desk.office.store.reading() as connection:
        assert members_on(connection, JULY, ["MI1"]) == {}
        assert members_on(connection, JULY, [f"C{number}" for number in range(30)] + ["TO1"]) == {1: "TO1"}
        assert clubs_of_player(connection, 1) == {date(2018, 1, 5): "MI1", JULY: "TO1"}
    assert verify(desk.office).intact  # the lists and their inputs are computed again to the same digests


def test_a_closed_club_has_no_members_and_takes_none(sqlite_out: Desk) -> None:
    desk = with_clubs(sqlite_out)
    transfer(desk.office, 1, "MI1", since=JAN)
    change_club(desk.office, "MI1", since=JAN, set_={"until": "2018-06-30"}, reason="closed")
    assert members(desk, date(2018, 6, 30)) == {1: "MI1"}
    assert members(desk, JULY) == {}
    with pytest.raises(BadInput, match="club-not-open"):
        transfer(desk.office, 2, "MI1", since=JULY)
    change_club(desk.office, "MI1", since=JAN, set_={"until": ""}, reason="it was a mistake")
    assert members(desk, JULY) == {1: "MI1"}


def test_a_region_moves_from_a_day_on(sqlite_out: Desk) -> None:
    desk = with_clubs(sqlite_out)
    change_club(
        desk.office, "TO1", since=JULY, set_={"region": "NORD", "name": "Torino Scacchi"}, reason="assembly"
    )
    with desk.office.store.reading() as connection:
        before, after = (units_on(connection, day)["TO1"] for day in (JAN, JULY))
    assert (before.region, before.name) == ("", "Circolo di Torino")
    assert (after.region, after.name) == ("NORD", "Torino Scacchi")


@pytest.mark.parametrize(
    ("code", "facts", "refused"),
    [
        ("NORD", {"region": "nord"}, "unit-own-parent"),
        ("NORD", {"region": "LOM"}, "region-circle"),
        ("MI1", {"region": "TO1"}, "region-is-club"),
        ("MI1", {"region": "SUD"}, "no-region"),
        ("MI1", {"name": ""}, "club-name"),
        ("MI1", {"until": "2017-01-01"}, "membership-days"),
        ("MI1", {"until": "soon"}, "not-a-date"),
        ("MI1", {"city": "Milano"}, "value-unknown"),
        ("XX", {"name": "X"}, "no-club"),
        ("a b", {"name": "X"}, "club-code"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    sqlite_out: Desk, code: str, facts: dict[str, str], refused: str
) -> None:
    desk = with_clubs(sqlite_out)
    acts = len(ledger(desk.office))
    with pytest.raises(BadInput) as error:
        change_club(desk.office, code, since=NEXT, reason="test", set_=facts)
    assert error.value.code == refused
    assert len(ledger(desk.office)) == acts
    with desk.office.store.reading() as connection:
        assert units_on(connection, NEXT) == units_on(connection, JAN)


def test_a_later_circle_is_refused_too(sqlite_out: Desk) -> None:
    """LOM leaves NORD in 2019; NORD in LOM is right from then on, and a circle before."""
    desk = with_clubs(sqlite_out)
    change_club(desk.office, "LOM", since=NEXT, set_={"region": ""}, reason="test")
    change_club(desk.office, "NORD", since=NEXT, set_={"region": "LOM"}, reason="test")
    with pytest.raises(BadInput, match="region-circle"):
        change_club(desk.office, "NORD", since=JULY, set_={"region": "LOM"}, reason="test")


def test_members_follow_a_merge(sqlite_out: Desk) -> None:
    desk = with_clubs(sqlite_out)
    double = register_player(desk.office, "Player One").id
    transfer(desk.office, double, "MI1", since=JAN)
    merge = office_merge(desk.office, 1, double, reason="one person", confirmed=True).merge
    assert members(desk, JULY) == {1: "MI1"}
    transfer(desk.office, double, "TO1", since=JULY)  # it is the kept number that moves
    assert members(desk, JULY) == {1: "TO1"}
    unmerge(desk.office, merge, reason="two persons")
    assert members(desk, JULY) == {1: "TO1", double: "MI1"}


def test_an_erasure_deletes_the_membership(sqlite_out: Desk) -> None:
    desk = with_clubs(sqlite_out)
    transfer(desk.office, 1, "MI1", since=JAN)
    erase_player(desk.office, 1, confirm=1, reason="asked")
    assert members(desk, JULY) == {}
    acts = [act for act in ledger(desk.office) if act.verb == "transfer"]
    assert [act.facts["club"] for act in acts] == ["[erased]"]
    assert verify(desk.office).intact
