"""The feeds of the site: valid, with stable ids and times of acts, in both languages, without hidden players."""

from dataclasses import replace
from datetime import date

import feedparser
import httpx
import pytest

from arpad.model.clubs import UnitKind
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.privacy.acts import hide_player
from arpad.office.settings.acts import change_settings
from arpad.web import site_settings
from tests.builders.atom import check_atom
from tests.builders.site_fixtures import Served


def read(client: httpx.Client, path: str) -> feedparser.FeedParserDict:
    """A feed that is valid and that a reader understands."""
    answer = client.get(path)
    assert answer.headers["content-type"].startswith("application/atom+xml"), answer.text
    check_atom(answer.content)
    feed = feedparser.parse(answer.content)
    assert not feed.bozo
    return feed


def test_lists_in_both_languages(served: Served) -> None:
    client = served.client(language="it")
    every, standard, italian = (
        read(client, path)
        for path in ("/feeds/en/lists", "/feeds/en/lists/standard", "/feeds/it/lists/standard")
    )
    assert all("/lists/standard-" in entry.link for entry in standard.entries)
    assert standard.entries[0].title.startswith("List standard of ")
    assert italian.entries[0].title.startswith("Lista standard del ")
    assert {entry.id for entry in standard.entries}.isdisjoint(entry.id for entry in italian.entries)
    assert len(every.entries) == 30
    assert {entry.id for entry in standard.entries} & {entry.id for entry in every.entries}
    assert client.get(standard.entries[0].link).status_code == 200
    assert read(client, "/feeds/en/lists") == every  # the same ids each time

    answer = client.get("/feeds/en/lists")
    again = client.get("/feeds/en/lists", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for path in (
        "/feeds/de/lists",
        "/feeds/en/lists/chess",
        "/feeds/en/players/99999",
        "/feeds/en/clubs/NONE",
    ):
        assert client.get(path).status_code == 404, path


def test_pages_name_their_feeds(served: Served) -> None:
    client = served.client()
    for page, feed in {
        "/": "/feeds/en/lists", "/lists": "/feeds/en/lists", "/lists/standard": "/feeds/en/lists/standard",
        "/players/1": "/feeds/en/players/1",
    }.items():  # fmt: skip
        assert f'type="application/atom+xml" href="{feed}"' in client.get(page).text, page
    name = feedparser.parse(client.get("/feeds/en/lists").content).entries[0].link.rpartition("/")[2]
    assert 'href="/feeds/en/lists/' in client.get(f"/lists/{name}").text
    assert "atom+xml" not in client.get("/check").text


def test_a_player_and_a_club_until_the_player_is_hidden(own: Served) -> None:
    office, client = replace(own.office, author="tests"), own.client()
    enter_club(office, "MI1", "Circolo <di> Milano", kind=UnitKind.CLUB, since=date(2022, 1, 1))
    row = client.get("/api/v1/lists/standard").json()["rows"][0]
    transfer(office, row["id"], "MI1", since=date(2022, 1, 1))
    player, club = f"/feeds/en/players/{row['id']}", "/feeds/en/clubs/MI1"

    assert row["name"] in read(client, player).feed.title
    assert any("→" in entry.title for entry in read(client, player).entries)
    assert any(entry.title.startswith("Tournament accepted") for entry in read(client, player).entries)
    feed = read(client, club)
    assert "Circolo <di> Milano" in feed.feed.title
    assert row["name"] in feed.entries[0].content[0].value
    assert '"/feeds/en/clubs/MI1"' in client.get("/clubs/MI1").text

    hide_player(office, row["id"], reason="asked")
    assert client.get(player).status_code == 404
    assert read(client, club).entries == []
    surname = row["name"].partition(",")[0]
    for path in (club, "/feeds/en/lists", "/feeds/it/lists/standard"):
        assert surname not in client.get(path).text


def test_links_lead_to_the_address_that_the_office_has_set(
    own: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it they lead to the host that the reader wrote."""
    monkeypatch.setattr(site_settings, "FRESH_SECONDS", -1.0)
    addresses = ("/feeds/en/lists", "/calendars/en/lists.ics", "/developers")
    elsewhere = own.client()
    elsewhere.headers["host"] = "elsewhere.example"
    assert all("http://elsewhere.example" in elsewhere.get(address).text for address in addresses)

    change_settings(replace(own.office, author="tests"), set_={"site_address": "https://ratings.example.org"})
    for address in addresses:
        text = elsewhere.get(address).text
        assert "https://ratings.example.org" in text, address
        assert "elsewhere.example" not in text, address
