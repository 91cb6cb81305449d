"""Lists as visitors filter and sort them: the address has the whole state, and the ranks stay."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.office.lists import page_rows as rankings
from arpad.office.lists.page_rows import StoredPage
from arpad.office.lists.published import asked_list
from arpad.office.rankings import pages as lists
from arpad.office.rankings.selection import ListQuery
from tests.builders.offices import Clock, Desk, listed
from tests.builders.site_fixtures import Served, compact, serving
from tests.builders.verbs import change_settings

JANUARY = date(2018, 1, 1)
ROW = re.compile(
    r'<tr[^>]*><td class="r">(\d+|–)</td><th scope="row"><a href="/players/(\d+)\?list=standard">'
)


def shown(client_text: str) -> list[tuple[str, int]]:
    return [(rank, int(player)) for rank, player in ROW.findall(compact(client_text))]


@pytest.mark.parametrize(
    ("query", "stored"),
    [
        ({}, True), ({"cut": "all"}, True), ({"federation": "ita"}, True), ({"cut": "women", "here": "7"}, True),
        ({"federation": "ITA", "cut": "all"}, False), ({"sort": "-born"}, False), ({"name": "rossi"}, False),
        ({"from": "1800"}, False), ({"sort": "nonsense", "from": "x", "sex": "?"}, True),
    ],
)  # fmt: skip
def test_an_address_says_what_is_asked(query: dict[str, str], *, stored: bool) -> None:
    asked = ListQuery.of(query)

    assert asked.is_stored == stored
    assert ListQuery.of(asked.parameters) == asked


def test_a_second_click_on_a_heading_turns_the_order_round() -> None:
    assert ListQuery().sorted_by("born") == "sort=-born"
    assert ListQuery(sort="-born", sex="F").sorted_by("born") == "sex=F&sort=born"
    assert ListQuery(sort="name").sorted_by("name") == "sort=-name"
    assert (ListQuery().direction("rating"), ListQuery(sort="name").direction("name")) == (
        "descending",
        "ascending",
    )


def test_a_list_is_filtered_sorted_and_keeps_its_ranks(served: Served) -> None:
    client = served.client()
    everybody = {player: rank for rank, player in shown(client.get("/lists/standard?cut=all").text)}
    active = shown(client.get("/lists/standard").text)

    assert "–" in everybody.values(), "the demo has inactive players"
    assert [(everybody[player], player) for _, player in active] == active, "one ranking"
    women = shown(client.get("/lists/standard?sex=F&cut=all&sort=name").text)
    assert 0 < len(women) < len(everybody)
    strong = client.get("/lists/standard?from=2000&to=2100&sort=rating").text
    ratings = [int(it) for it in re.findall(r'<td class="r"><b>(\d+)</b>', strong)]
    assert ratings == sorted(ratings)
    assert all(2000 <= rating <= 2100 for rating in ratings)
    assert 'aria-sort="ascending"' in strong
    titled = client.get("/lists/standard?title=titled").text
    assert len(shown(titled)) == len(re.findall(r"<small><abbr", titled.partition("<tbody>")[2]))
    (ravistri,) = shown(client.get("/lists/standard?name=ràvistri").text)
    assert ravistri[0] == "1"
    moved = client.get("/lists/standard?sort=-change").text
    assert "▲" in moved.partition("<tbody>")[2].partition("</tr>")[0]
    for wrong in ("cut=giants", "cut=ours", "club=XX"):
        assert client.get(f"/lists/standard?{wrong}").status_code == 404


def test_the_picture_points_at_a_player_who_may_be_shown(served: Served) -> None:
    text = served.client(language="it").get("/lists/standard?here=1").text

    assert re.search(r"Sei qui: \d{4}", text)
    assert 'id="here"' in text
    assert "Sei qui" not in served.client(language="it").get("/lists/standard?here=99999").text
    page = served.client().get("/players/38").text
    place = re.search(r'href="(/lists/standard-[^"]*\?here=38)#here"', page)
    assert place is not None
    assert f'<a href="{place[1]}">' in page
    assert "You are here: 1839" in served.client().get(place[1]).text


def test_the_list_opens_at_the_page_of_the_player_pointed_at(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def page(_: object, __: int, ___: str, number: int) -> StoredPage:
        return {1: StoredPage(1, 0, [1]), 2: StoredPage(1, 1, [38])}.get(number, StoredPage(1, 0, []))

    monkeypatch.setattr(rankings, "ranking_page", page)
    with served.office.store.reading() as connection:
        publication = asked_list(served.office, connection, "standard")
        pages = [lists.page_of(connection, publication, ListQuery(here=who), 1839) for who in (1, 38, 5)]
    assert pages == [1, 2, 1]
    with served.office.store.reading() as connection:
        assert lists.page_of(connection, publication, ListQuery(cut="women", here=38), 1839) == 1


def test_owned_players_are_shown_first_on_the_page_and_in_files(sqlite_place: str, tmp_path: Path) -> None:
    desk = Desk.made(sqlite_place, tmp_path, Clock())
    desk.list(JANUARY, listed(1, 2200, federation="FRA"), listed(2, 1900), listed(3, 1800, flag="i"))
    change_settings(desk.office, set_={"federation": "ITA", "owned_standard": "home"})
    with serving(replace(desk.office, author="")) as running:
        client = running.client()
        name = f"standard-{JANUARY}-r1"
        assert shown(client.get("/lists/standard").text) == [("1", 2)]
        assert shown(client.get("/lists/standard?cut=all").text) == [("1", 1), ("2", 2), ("–", 3)]
        ours = client.get(f"/lists/{name}/files/{name}-ours.csv").text.splitlines()
        assert [line.partition(",")[0] for line in ours[1:]] == ["2"]
        assert client.get("/api/v1/lists/standard?cut=all").json()["rows"][2]["rank"] is None
