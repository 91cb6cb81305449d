"""The live list on the site and in the API: what visitors see, and what they never see."""

import re
from collections.abc import Iterator
from datetime import date

import httpx
import pytest

from arpad.office.live.acts import update_live
from arpad.office.privacy.acts import hide_player, show_player
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.site_fixtures import Served, compact, serving
from tests.builders.verbs import change_settings, erase_player

JAN = date(2018, 1, 1)
MATCH = """
3 2100 | 4w1
4 2000 | 3b0
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An office in January: one report is accepted, one is received, and live lists are public."""
    folder = tmp_path_factory.mktemp("office")
    made = Desk.made(str(folder / "office.db"), folder, Clock())
    made.list(JAN, *(listed(number, 2100 - 50 * number) for number in range(1, 6)))
    made.report(event("Accepted match", WIN, date(2018, 1, 10)))
    made.send(event("Received match", MATCH, date(2018, 1, 12)))
    yield made
    made.office.close()


@pytest.fixture(scope="module")
def site(desk: Desk) -> Iterator[Served]:
    with serving(desk.office) as running:
        yield running


@pytest.fixture
def visitor(desk: Desk, site: Served) -> Iterator[httpx.Client]:
    """A visitor of a site whose live lists are public and up to date."""
    change_settings(desk.office, set_={"live_lists": "public"})
    update_live(desk.office, STANDARD)
    yield site.client()
    change_settings(desk.office, set_={"live_lists": "off"})


def test_without_the_setting_there_is_no_live_list(desk: Desk, site: Served) -> None:
    update_live(desk.office, STANDARD)
    client = site.client()
    assert client.get("/live/standard").status_code == 404
    assert client.get("/api/v1/live/standard").status_code == 404
    assert "live" not in compact(client.get("/players/1").text).partition("<main")[2]
    assert client.get("/api/v1/players/1").json()["live"] == []


def test_the_page_shows_who_moved_and_that_it_is_not_official(visitor: httpx.Client) -> None:
    page = compact(visitor.get("/live/standard").text)
    assert "This list is not official. It was calculated on 10 January 2018, 12:00" in page
    assert "Player 1" in page
    assert "Player 3" not in page
    assert '<td class="r">2050</td><td class="r"><b>2059</b></td>' in page
    assert "Questa lista non è ufficiale" in visitor.get("/live/standard?lang=it").text


def test_an_accepted_tournament_shows_the_changes_of_the_live_list(desk: Desk, visitor: httpx.Client) -> None:
    page = compact(visitor.get("/tournaments/1").text)
    assert "It will be rated with the next list" in page
    assert "The changes are those of the live list, which is not official." in page
    assert re.findall(r'<span class="(?:up|down)"[^>]*>([^<]+)</span>', page)[:2] == ["+8.6", "−8.6"]
    card = compact(visitor.get("/tournaments/1/players/1").text)
    assert "The changes are those of the live list, which is not official." in card
    assert '<td class="r">0.57</td>' in card
    assert {it["change"] for it in visitor.get("/api/v1/tournaments/1").json()["players"]} == {None}
    assert "The rated score counts only" in page
    change_settings(desk.office, set_={"live_lists": "off"})
    without = visitor.get("/tournaments/1").text
    assert "which is not official" not in without
    assert not re.search("Expected|Change|rated score", without), "columns that nothing fills"


def test_received_reports_are_marked_apart(visitor: httpx.Client) -> None:
    page = visitor.get("/live/standard?reports=received").text
    assert "Player 3" in page
    assert "An officer has not accepted some of these reports yet" in page
    assert visitor.get("/live/standard?reports=other").status_code == 404
    assert visitor.get("/live/blitz").status_code == 404


def test_the_player_has_the_live_rating_with_each_event(visitor: httpx.Client) -> None:
    first, third = (compact(visitor.get(f"/players/{number}").text) for number in (1, 3))
    assert "2059" in first
    assert "Accepted match" in first
    assert "Not accepted yet" in third
    assert "Received match" in third


def test_programs_get_the_same(visitor: httpx.Client) -> None:
    live = visitor.get("/api/v1/live/standard").json()
    assert (live["official"], live["day"], live["total"]) == (False, "2018-02-01", 2)
    row = live["rows"][0]
    assert (row["id"], row["official"], row["rating"], row["change"], row["events"]) == (1, 2050, 2059, 9, 1)
    (own,) = visitor.get("/api/v1/players/3").json()["live"]
    assert (own["official"], own["rating"], own["events"]) == (1950, 1950, 0)
    assert own["with_received"] is not None
    assert own["with_received"] > own["rating"]


def test_a_hidden_player_is_gone_at_once_and_nowhere(desk: Desk, visitor: httpx.Client) -> None:
    hide_player(desk.office, 1, reason="asked")
    try:
        for updated in (False, True):
            if updated:
                update_live(desk.office, STANDARD)
            for address in (
                "/live/standard",
                "/live/standard?reports=received",
                "/api/v1/live/standard",
                "/players/2",
            ):
                text = visitor.get(address).text
                assert "Player 1" not in text, (address, updated)
                assert re.search(r"/players/1\b", text) is None, (address, updated)
            assert visitor.get("/players/1").status_code == 404
    finally:
        show_player(desk.office, 1, reason="changed their mind")


def test_an_erased_player_leaves_no_line(desk: Desk, visitor: httpx.Client) -> None:
    erase_player(desk.office, 4, confirm=4, reason="asked")
    with desk.office.store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM live_rows").scalar() == 0
    assert visitor.get("/live/standard").status_code == 404
    update_live(desk.office, STANDARD)
    assert "Player 4" not in visitor.get("/live/standard?reports=received").text


def test_after_a_publication_there_is_none_until_it_is_computed(desk: Desk, visitor: httpx.Client) -> None:
    desk.publish(date(2018, 2, 1))
    assert visitor.get("/live/standard").status_code == 404
    update_live(desk.office, STANDARD)
    assert "No changes since the official list." in visitor.get("/live/standard").text
