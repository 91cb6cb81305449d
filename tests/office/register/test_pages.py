"""The page of a player at the desk: one form with all facts, the differences before saving, two officers at once."""

import re
from datetime import date

from arpad.office.register.acts import known_player
from tests.builders.site_fixtures import Served, compact, proof

PLAYER = "/desk/players/1"
SAVE = "/desk/acts/register/change"
WITH = {"since": "2025-01-10", "reason": "letter of the club"}


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of the form for a player's facts, or of the question before saving."""
    form = page[page.index('name="seen"') - 600 :]
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form)
    return {name: value for name, value in found if name.startswith(("was.", "set.", "seen"))}


def shown(page: str) -> dict[str, str]:
    """Return the facts that the fields of the form show."""
    return {name: text for name, text in hidden(page).items() if name.startswith("was.")}


def send(served: Served, address: str, login: str = "officer", **form: str) -> tuple[int, str]:
    client = served.client(login)
    given = {"csrf": proof(client, PLAYER), "from": PLAYER, "asked": f"{PLAYER}/change", **WITH, **form}
    answer = client.post(address, data=given)
    return answer.status_code, compact(answer.text)


def test_the_form_shows_all_facts_and_only_what_differs_is_asked_about(own: Served) -> None:
    page = compact(own.client("officer").get(PLAYER).text)
    was = shown(page)
    assert was["was.set.name"] == "Ravistri, Sandro"
    assert was["was.set.federation"] == "ITA"
    form = {name.removeprefix("was."): text for name, text in was.items()} | hidden(page)
    status, asked = send(
        own, f"{PLAYER}/change", **(form | {"set.title": "im", "set.name": "Ravistri, Alessandro"})
    )
    assert status == 200, asked[asked.index("refused") :][:300]
    assert "Name: Ravistri, Sandro →<b>Ravistri, Alessandro</b>" in asked
    assert "From 10 January 2025" in asked
    assert "Federation:" not in asked
    assert {name for name in hidden(asked) if name.startswith("set.")} == {"set.name", "set.title"}
    with own.office.store.reading() as connection:
        assert known_player(connection, 1).name == "Ravistri, Sandro", "nothing is stored yet"
    assert send(own, SAVE, player="1", **hidden(asked))[0] == 303
    with own.office.store.reading() as connection:
        person = known_player(connection, 1)
    assert (person.name, person.title) == ("Ravistri, Alessandro", "IM")


def test_a_title_can_be_taken_away(own: Served) -> None:
    send(own, SAVE, player="1", **{"set.title": "FM"})
    form = hidden(compact(own.client("officer").get(PLAYER).text)) | {"set.title": ""}
    form = {name: form[name] for name in ("seen", "was.set.title", "set.title")}
    _, asked = send(own, f"{PLAYER}/change", **form)
    assert "Title: FM →<b>–</b>" in asked
    assert send(own, SAVE, player="1", **hidden(asked))[0] == 303
    with own.office.store.reading() as connection:
        assert known_player(connection, 1).title == ""


def test_a_form_that_changes_nothing_is_refused(own: Served) -> None:
    page = compact(own.client("officer").get(PLAYER).text)
    same = {name.removeprefix("was."): text for name, text in shown(page).items()} | hidden(page)
    status, again = send(own, f"{PLAYER}/change", **same)
    assert status == 422
    assert "Nothing was changed" in again


def test_two_officers_on_the_same_player_are_told(own: Served) -> None:
    page = compact(own.client("officer").get(PLAYER).text)
    form = {name.removeprefix("was."): text for name, text in shown(page).items()} | hidden(page)
    _, asked = send(own, f"{PLAYER}/change", **(form | {"set.born": "1975"}))
    assert send(own, SAVE, player="1", **{"set.title": "FM"})[0] == 303

    for address, values in (
        (SAVE, {"player": "1", **hidden(asked)}),
        (f"{PLAYER}/change", form | {"set.born": "1975"}),
    ):
        status, again = send(own, address, **values)
        assert status == 422
        assert "This player was changed by officer after you opened the page" in again
        assert 'name="set.born" type="text" value="1975"' in again, "what was filled in is kept"
        assert 'name="set.title" type="text" value="FM"' in again, "what was left alone is as it is now"
    status, asked = send(own, f"{PLAYER}/change", **(hidden(again) | {"set.born": "1975", "set.title": "FM"}))
    assert status == 200
    assert "Title:" not in asked


def test_a_change_by_a_program_need_not_say_what_it_saw(own: Served) -> None:
    for title in ("CM", "FM"):
        assert send(own, SAVE, player="1", **{"set.title": title}, since=str(date(2025, 1, 11)))[0] == 303
