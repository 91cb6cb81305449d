"""Guests at the desk and for programs: found in the reference list, entered, and named in the draft; clubs taken."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.rules import ListName
from arpad.office.accounts.sessions import sign_in
from arpad.office.clubs.acts import enter_club, take_clubs
from arpad.office.declared import perform
from arpad.office.fide.reference import add_reference
from arpad.office.users import OWNER, Grant, Role
from arpad.office.who_is_who.acts import declare_scheme, set_source_scheme
from tests.builders.offices import Clock
from tests.builders.site_fixtures import PASSWORD, Served, proof, serving
from tests.builders.users import add_user
from tests.builders.verbs import (
    accept,
    change_settings,
    decide_entrants,
    find_players,
    import_list,
    init,
    submit,
)
from tests.paths import EXAMPLES

IRELAND = EXAMPLES / "ireland"
SEPTEMBER = date(2024, 9, 1)


@pytest.fixture
def irish(tmp_path: Path) -> Iterator[Served]:
    """The office of the Irish tutorial with its first report."""
    clock = Clock(date(2024, 8, 30))
    office = init(
        str(tmp_path / "irl.db"),
        federation="IRL",
        name="ICU",
        time_zone="Europe/Dublin",
        author="x",
        now=clock,
    )
    import_list(office, IRELAND / "irish.csv", ListName.STANDARD, SEPTEMBER)
    add_reference(office, IRELAND / "fide.txt", SEPTEMBER)
    change_settings(office, set_={"owned_standard": "home"})
    declare_scheme(office, "icu", name="Irish Chess Union", pattern="9{1-5}")
    set_source_scheme(office, "discipline", "chess", "icu")
    clock.day = date(2024, 9, 23)
    submit(office, (IRELAND / "kinvara.trf").read_bytes(), "kinvara.trf")
    admin = replace(office, author="admin")
    add_user(admin, "officer", "O. Fficer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    tokens = {"officer": sign_in(office, "officer", PASSWORD, "127.0.0.1")}
    with serving(office, tokens=tokens) as running:
        yield running


OTHERS = {f"matches.{start}": str(start - 2) for start in range(3, 9)}


def test_the_desk_offers_enters_and_names_guests(irish: Served) -> None:
    officer = irish.client("officer")
    page = officer.get("/desk/reports/1").text
    assert 'value="fide:99411"' in page
    assert "FIDE 99411" in page
    assert "on FIDE's list, not in the register" in page.replace("&#39;", "'")
    chosen = {"matches.1": "fide:99411", "matches.2": "fide:99413", "matches.11": "new", **OTHERS}
    answer = officer.post(
        "/desk/acts/match", data={"csrf": proof(officer, "/desk/reports/1"), "report": "1", **chosen}
    )
    assert answer.status_code in (200, 303), answer.text
    officer.post("/desk/acts/accept", data={"csrf": proof(officer, "/desk/reports/1"), "report": "1"})
    assert find_players(irish.office, "99411")[0].name == "Hartwell, Simon J"
    draft = officer.get("/desk/draft?list=standard&day=2024-10-01&lang=en").text
    assert "Left out as guests: 2 players" in draft
    assert "Hartwell, Simon J" in draft

    enter_club(
        replace(irish.office, author="x"), "BAL", "Ballinrobe", kind=UnitKind.CLUB, since=date(2020, 1, 1)
    )
    assert "BAL, COR" in officer.get("/desk/reports/1").text
    officer.post(
        "/desk/acts/club/from-report", data={"csrf": proof(officer, "/desk/reports/1"), "report": "1"}
    )
    (player,) = find_players(irish.office, "Mulqueen")
    assert "Ballinrobe" in officer.get(f"/players/{player.id}").text


def test_clubs_of_a_report_that_the_register_does_not_know_are_named(irish: Served) -> None:
    office = replace(irish.office, author="x")
    who = {"1": "fide:99411", "2": "fide:99413", "11": "fide:99509"}
    who |= {str(start): str(start - 2) for start in range(3, 9)}
    perform(decide_entrants, office, OWNER, {"report": 1, "matches": who})
    accept(office, 1)
    taken = take_clubs(office, 1)
    assert (taken.members, taken.unknown) == ({}, ("BAL", "COR"))
