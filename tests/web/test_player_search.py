"""The search for players: results, suggestions while typing, similar names."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.web.conftest import Served


def test_a_search_without_a_name_or_a_hit_leads_to_the_lists(served: Served) -> None:
    for address in ("/players", "/players?q=zzzz"):
        main = served.client(language="it").get(address).text.partition("<main")[2].partition("</main")[0]
        assert "Oppure sfoglia una lista:" in main
        assert '<a href="/lists/standard">standard</a>' in main
        assert '<a href="/lists/italiana">dama italiana</a>' in main


def test_a_name_that_nobody_has_leads_to_at_most_five_similar_ones(served: Served) -> None:
    client = served.client()

    nobody = client.get("/players?q=zzzz").text
    similar = client.get("/players?q=martignolx").text

    assert "No player is called “zzzz”. " in nobody.replace("\n", " ")
    assert "/players/" not in nobody.partition("<main")[2].partition("</main")[0]
    assert "Similar names:" in similar
    assert "Martignoli, Aldo" in similar
    assert 1 <= similar.count('<th scope="row">') <= 5


def test_a_search_keeps_the_list_on_which_the_player_is_rated(served: Served) -> None:
    answer = served.client().get("/players?q=ravistri")

    assert answer.status_code == 303
    assert answer.headers["location"].endswith("?list=standard")


def test_suggestions_show_rating_year_and_federation(served: Served) -> None:
    text = served.client(language="it").get("/players/suggestions?q=martign").text

    assert "<b>Martignoli, Aldo</b>" in text
    assert "ITA · 1967" in text
    assert "2040 <small>standard</small>" in text
    assert 'role="status">1 giocatore<' in text


def test_the_keyboard_alone_finds_a_player(served: Served, browser: Browser) -> None:
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(f"{served.address}/tournaments")
    page.keyboard.press("/")
    page.keyboard.type("martign")
    page.wait_for_selector("[role=option]")
    page.keyboard.press("ArrowDown")
    field = page.locator("[role=combobox]")
    assert field.get_attribute("aria-activedescendant") == "suggestion-1"
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/*?list=standard")
    context.close()

    plain = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = plain.new_page()
    page.goto(f"{served.address}/tournaments")
    page.fill("input[name=q]", "martignoli")
    page.press("input[name=q]", "Enter")
    page.wait_for_url("**/players/*?list=standard")
    plain.close()
