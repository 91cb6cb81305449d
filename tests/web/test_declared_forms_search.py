"""Fields that ask for a player, a report, a tournament or a club: by number, by name, with and without the script."""

import re
from dataclasses import replace
from datetime import date

import pytest
from playwright.sync_api import Browser, expect

from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.declarations import all_declared
from tests.builders.site_fixtures import Served, compact, proof
from tests.builders.walks import Walk
from tests.web.test_web_without_scripts import page_without_scripts

NEW_K = "/desk/decisions/new/k"


def decide(served: Served, player: str) -> tuple[int, str]:
    """Send a decision about K for what a field names as the player."""
    client = served.client("officer")
    form = {
        "csrf": proof(client, NEW_K), "from": NEW_K, "player": player,
        "list": "standard", "date": "2025-02-01", "value.k": "10", "reason": "letter of 3 January",
    }  # fmt: skip
    answer = client.post(NEW_K, data=form)
    return answer.status_code, compact(answer.text)


def test_a_name_comes_back_with_the_players_whom_it_may_mean(own: Served) -> None:
    status, page = decide(own, "ravistri")
    assert status == 422
    radios = re.findall(r'<input type="radio" name="player" value="([^"]+)"', page)
    assert radios == ["1 · Ravistri, Sandro"]
    assert "choose what ravistri means" in page
    assert 'value="letter of 3 January"' in page, "nothing else of the form is lost"
    assert decide(own, radios[0])[0] == 200
    assert decide(own, "1")[0] == 200, "the number works too"


def test_a_name_that_nobody_has_is_said_at_the_field(own: Served) -> None:
    status, page = decide(own, "zzzzzz")
    assert status == 422
    assert "nothing is called zzzzzz" in page


def test_a_club_is_found_by_name_or_code(own: Served) -> None:
    office = replace(own.office, author="administrator")
    enter_club(office, "MI1", "Circolo di Milano", since=date(2024, 1, 1))
    enter_club(office, "TO1", "Circolo di Torino", since=date(2024, 1, 1))
    client = own.client("officer")
    assert client.get("/desk/choices/club?q=torino").text.count("data-text=") == 1
    form = {
        "csrf": proof(client, "/desk/players/1"),
        "from": "/desk/players/1",
        "player": "1",
        "since": "2025-01-10",
    }
    asked = client.post("/desk/acts/club/transfer", data=form | {"club": "circolo"})
    assert asked.status_code == 422
    assert asked.text.count('type="radio"') == 2
    assert (
        client.post("/desk/acts/club/transfer", data=form | {"club": "TO1 · Circolo di Torino"}).status_code
        == 303
    )
    assert client.post("/desk/acts/club/transfer", data=form | {"club": "mi1"}).status_code in (303, 422)
    transfer(office, 1, "MI1", since=date(2025, 1, 12))


@pytest.mark.parametrize(
    ("kind", "asked", "found"),
    [
        ("report", "open", True), ("report", "1", True), ("tournament", "open", True), ("player", "38", True),
        ("nothing", "open", False),
    ],
)  # fmt: skip
def test_what_may_be_chosen(served: Served, kind: str, asked: str, *, found: bool) -> None:
    page = served.client("officer").get(f"/desk/choices/{kind}?q={asked}").text
    assert ("data-text=" in page) == found


def test_every_declared_number_of_a_player_or_a_report_has_a_search_field() -> None:
    left = {
        f"{declared.name} {it.name}"
        for declared in all_declared().values()
        for it in declared.parameters
        if declared.is_act and it.name in ("player", "report", "kept", "dropped", "event") and not it.many
        if it.type is int and not it.accepts.picks
    }
    assert left == set()


def test_the_script_suggests_while_somebody_types(browser: Browser, served: Served) -> None:
    walk = Walk(browser, served, "en", 1280)
    walk.sign_in("officer")
    walk.page.goto(NEW_K)
    field = walk.page.locator("input[name=player]")
    field.fill("ravi")
    expect(walk.page.locator(".picks [role=option]").first).to_be_visible()
    walk.check_page("picker-open")
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value("1 · Ravistri, Sandro")
    field.fill("47")
    field.blur()
    expect(field).to_have_value(re.compile("^47 · "))
    walk.close()


def test_without_the_script_the_form_comes_back_with_the_choice(browser: Browser, own: Served) -> None:
    with page_without_scripts(browser, own, "officer") as page:
        page.goto("/desk/titles")
        page.fill("input[name=player]", "ravistri")
        page.click("main form button:has-text('Check')")
        page.check("input[type=radio]")
        page.click("main form button:has-text('Check')")
        expect(page.locator("h2 a[href='/desk/players/1']")).to_be_visible()
