"""Clubs and regions in each other, and a player's clubs from day to day."""

from datetime import date

import pytest

from arpad.model.clubs import (
    Membership,
    Unit,
    UnitKind,
    club_changes,
    club_on,
    clubs_in,
    refuse_circles,
    regions_above,
)
from arpad.model.errors import BadInput

Y2018, Y2019, Y2020, Y2021 = (date(year, 1, 1) for year in range(2018, 2022))


def units(**regions: str) -> dict[str, Unit]:
    """Units by code; a code in capitals is a region, and each has the code of the region above it."""
    return {
        code: Unit(UnitKind.REGION if code.isupper() else UnitKind.CLUB, code, code, Y2018, region)
        for code, region in regions.items()
    }


TREE = units(NORTH="", LOM="NORTH", PIE="NORTH", mi="LOM", to="PIE", solo="")


def test_a_club_is_in_its_region_and_in_the_regions_above() -> None:
    assert regions_above(TREE, "mi") == ("LOM", "NORTH")
    assert regions_above(TREE, "solo") == ()
    assert clubs_in(TREE, "NORTH") == {"mi", "to"}
    assert clubs_in(TREE, "LOM") == {"mi"}
    assert clubs_in(TREE, "mi") == set()


def test_regions_as_a_tree_are_accepted() -> None:
    refuse_circles(TREE, TREE)


@pytest.mark.parametrize(
    ("wrong", "checked", "code", "facts"),
    [
        (units(LOM="LOM"), "LOM", "unit-own-parent", {"code": "LOM"}),
        (units(mi="mi"), "mi", "unit-own-parent", {"code": "mi"}),
        (units(A="B", B="C", C="A"), "A", "region-circle", {"code": "A", "path": "A → B → C → A"}),
        (units(mi="A", A="B", B="A"), "mi", "region-circle", {"code": "mi", "path": "mi → A → B → A"}),
        (units(mi="LOM"), "mi", "no-region", {"code": "mi", "region": "LOM"}),
        (units(mi="to", to=""), "mi", "region-is-club", {"code": "mi", "region": "to"}),
    ],
)
def test_a_unit_in_itself_or_in_no_region_is_refused(
    wrong: dict[str, Unit], checked: str, code: str, facts: dict[str, str]
) -> None:
    with pytest.raises(BadInput) as refused:
        refuse_circles(wrong, [checked])
    assert (refused.value.code, refused.value.facts) == (code, facts)


def test_a_circle_in_a_damaged_table_ends() -> None:
    assert regions_above(units(mi="A", A="B", B="A"), "mi") == ("A", "B")


@pytest.mark.parametrize(
    ("registered", "memberships", "entered"),
    [
        ({}, [Membership("mi", Y2018)], {Y2018: "mi"}),
        ({}, [Membership("mi", Y2018, date(2018, 12, 31))], {Y2018: "mi", Y2019: ""}),
        # a transfer: the end of the first is the beginning of the second, in whichever order they come
        (
            {},
            [Membership("to", Y2019), Membership("mi", Y2018, date(2018, 12, 31))],
            {Y2018: "mi", Y2019: "to"},
        ),
        ({}, [Membership("mi", Y2018), Membership("to", Y2019)], {Y2018: "mi", Y2019: "to"}),
        ({Y2018: "mi"}, [Membership("to", Y2019)], {Y2019: "to"}),
        # what the register has is not entered again
        ({Y2018: "mi", Y2019: ""}, [Membership("mi", Y2018, date(2018, 12, 31))], {}),
        ({Y2018: "mi"}, [Membership("mi", Y2019)], {}),
        # a later transfer stays
        ({Y2018: "mi", Y2020: "to"}, [Membership("mi", Y2018, date(2018, 12, 31))], {Y2019: ""}),
        ({Y2018: "mi", Y2019: "to"}, [Membership("mi", Y2018, date(2018, 12, 31))], {}),
        # somebody who was entered as having left has stayed
        ({Y2018: "mi", Y2019: ""}, [Membership("mi", Y2018, date(2019, 12, 31))], {Y2019: "mi", Y2020: ""}),
        # another club on the same day corrects the entry
        ({Y2018: "mi"}, [Membership("to", Y2018)], {Y2018: "to"}),
        ({Y2018: "mi"}, [Membership("", Y2019)], {Y2019: ""}),
    ],
)
def test_memberships_become_changes(
    registered: dict[date, str], memberships: list[Membership], entered: dict[date, str]
) -> None:
    assert dict(club_changes(registered.items(), memberships)) == entered


@pytest.mark.parametrize(
    ("registered", "memberships", "code"),
    [
        ({}, [Membership("mi", Y2019, Y2018)], "membership-days"),
        ({}, [Membership("mi", Y2018, Y2020), Membership("to", Y2019)], "memberships-overlap"),
        ({}, [Membership("mi", Y2018), Membership("to", Y2018)], "memberships-overlap"),
        ({Y2019: "to"}, [Membership("mi", Y2018, Y2020)], "memberships-overlap"),
    ],
)
def test_a_player_has_one_club_at_a_time(
    registered: dict[date, str], memberships: list[Membership], code: str
) -> None:
    with pytest.raises(BadInput) as refused:
        club_changes(registered.items(), memberships)
    assert refused.value.code == code


def test_the_club_of_a_day_is_that_of_the_last_change() -> None:
    changes = {Y2018: "mi", Y2020: "", Y2021: "to"}
    days = (date(2017, 12, 31), Y2018, date(2019, 6, 1), Y2020, Y2021)
    assert [club_on(changes.items(), day) for day in days] == ["", "mi", "mi", "", "to"]
