"""The search for players: results, suggestions while typing, similar names."""

import re
from dataclasses import replace

from playwright.sync_api import Browser

from arpad.office.privacy.acts import hide_player
from tests.builders.site_fixtures import Served


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
    field = page.locator("[role=combobox]")
    while not field.evaluate("it => it === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.type("martign")
    page.wait_for_selector("[role=option]")
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == "suggestions-0-0"
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


def asked(served: Served, name: str, number: str) -> list[str]:
    """The answers of every search, with the text that was searched left out."""
    client, answers = served.client(), []
    for text in (name, name.upper(), number):
        for address in (
            f"/players?q={text}", f"/players?q={text}&page=2", f"/players/suggestions?q={text}",
            f"/api/v1/search?q={text}&limit=1", f"/compare?players=3&q={text}", f"/players/{number}",
            f"/api/v1/players/{number}", f"/compare?players=3,{number}", f"/feeds/en/players/{number}",
        ):  # fmt: skip
            answer = client.get(address)
            shown = re.sub(r"\?v=[0-9a-f]+", "", f"{answer.status_code} {answer.text}")
            shown = re.sub(re.escape(text), "…", shown, flags=re.IGNORECASE)
            answers.append(re.sub(rf"(?<![0-9]){number}(?![0-9])", "…", shown))
    return answers


def test_a_hidden_player_is_as_unknown_as_nobody(own: Served) -> None:
    """The name, the number and a similar name of a hidden player find what those of nobody find."""
    client = own.client()
    address = client.get("/players?q=ravistri").headers["location"]
    named = int(re.findall(r"/players/([0-9]+)", address)[0])
    nobody = asked(own, "Qqqxxqqq", "99057")
    assert asked(own, "Ravistri", "57") != nobody

    for player in (named, 57):
        hide_player(replace(own.office, author="tests"), player, reason="asked")

    assert asked(own, "Ravistri", "57") == nobody
    for path in ("/players?q=ravistrx", "/players/suggestions?q=ravistrx"):
        assert "Ravistri" not in client.get(path).text


def test_a_hidden_player_takes_no_place_among_those_that_are_found(own: Served) -> None:
    client = own.client()
    found = client.get("/api/v1/search?q=mar&limit=50").json()["players"]
    assert len(found) > 1
    hide_player(replace(own.office, author="tests"), found[0]["id"], reason="asked")

    first = client.get("/api/v1/search?q=mar&limit=1").json()["players"]
    assert [player["id"] for player in first] == [found[1]["id"]]
