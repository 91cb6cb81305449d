"""The first steps of an empty office, ticked when they are done."""

from datetime import date
from pathlib import Path

import pytest

from arpad.office.office import Office, init
from arpad.office.settings.acts import change_settings
from arpad.office.today.first_steps import first_steps
from arpad.office.users import Grant, Role
from tests.builders.offices import Desk, listed
from tests.builders.site_fixtures import PASSWORD, serving
from tests.builders.users import add_user
from tests.commands import run
from tests.office.mail.mail_office import set_up_mail

BOTH = [Grant(Role.ADMINISTRATOR), Grant(Role.OFFICER)]


def done(office: Office) -> list[str]:
    with office.store.reading() as connection:
        return [it.step for it in first_steps(connection) if it.is_done]


@pytest.fixture
def empty(tmp_path: Path) -> Office:
    office = init(str(tmp_path / "office.db"), federation="ITA", name="Federazione nuova", author="tests")
    add_user(office, "anna", "Anna", PASSWORD, BOTH, own_password=True)
    return office


def test_each_step_is_ticked_when_it_is_done(empty: Office) -> None:
    assert done(empty) == []
    add_user(empty, "bea", "Bea", PASSWORD, [Grant(Role.ARBITER)], own_password=True)
    set_up_mail(empty, 25)
    assert done(empty) == ["people", "mail"]
    change_settings(empty, set_={"contact": "ratings@example.org"})
    assert done(empty) == ["people", "mail"]  # the logo too


def test_they_go_away_with_the_first_list_of_its_own(sqlite_desk: Desk) -> None:
    assert done(sqlite_desk.office) == []
    sqlite_desk.list(date(2018, 5, 1), listed(1, 2000), listed(2, 1900))
    assert done(sqlite_desk.office) == ["list"]
    sqlite_desk.publish(date(2018, 6, 1))
    with sqlite_desk.office.store.reading() as connection:
        assert first_steps(connection) == ()


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "First steps"), ("it", "Primi passi"), ("fr", "Premiers pas")]
)
def test_an_empty_office_begins_with_them(empty: Office, language: str, heading: str) -> None:
    with serving(empty) as site:
        anna = site.client("anna", language)
        for address in ("/desk", "/admin"):
            page = anna.get(address).text
            assert heading in page
            assert 'href="/desk/import"' in page
        home = site.client(language="en").get("/").text
        assert "The first list will appear here." in home
        assert "Why did" not in home
        assert 'href="/admin"' in anna.get("/").text


def test_the_first_page_of_a_full_office_has_none(served: object) -> None:
    page = served.client("officer").get("/desk").text  # type: ignore[attr-defined]  # of the fixture
    assert "First steps" not in page


def test_the_first_command_says_where_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "new.db")
    assert "http://127.0.0.1:8000/desk" in run(capsys, "office", "init", "--db", place)[1]
