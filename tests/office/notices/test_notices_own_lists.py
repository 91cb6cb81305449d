"""Feeds, the calendar, cards and mails know the lists of the office's own, and merges say which to revise."""

from __future__ import annotations

from datetime import date

from arpad.explain.words import load_words
from arpad.model.rules import ListName
from arpad.office.corrections.acts import revise
from arpad.office.corrections.affected_lists import MERGES
from arpad.office.notices.acts import followed
from arpad.office.notices.pages import ListDay, list_days
from arpad.office.settings.acts import change_settings
from arpad.office.who_is_who.acts import merge
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk
from tests.builders.own_lists import ROUND_ROBIN, begun, ireland, taken_over
from tests.builders.site_fixtures import serving
from tests.builders.verbs import lists_to_revise

FEB = date(2018, 2, 1)


def published(desk: Desk, table: str = ROUND_ROBIN) -> ListName:
    """Return a list of the office's own with a publication."""
    begun(desk)
    own = ireland(desk)
    taken_over(desk, own)
    desk.report(event("Dublin", table, date(2018, 1, 5), date(2018, 1, 7)))
    desk.publish(FEB, own)
    return own


def test_a_merge_names_the_own_lists_to_revise(sqlite_desk: Desk) -> None:
    desk, own = sqlite_desk, published(sqlite_desk, WIN)
    merge(desk.office, 1, 3, reason="the same person", confirmed=True)
    assert {(it.list, it.first, it.cause) for it in lists_to_revise(desk.office)} >= {(own, FEB, MERGES)}
    revise(desk.office, own, reason="one person")
    assert own not in {it.list for it in lists_to_revise(desk.office)}


def test_the_calendar_has_the_first_day_of_each_month(sqlite_desk: Desk) -> None:
    own = published(sqlite_desk)
    with sqlite_desk.office.store.reading() as connection:
        days = [it for it in list_days(connection, FEB) if it.list == own]
        assert followed(connection, load_words("en"), "list", "ireland", sqlite_desk.office) is not None
        assert followed(connection, load_words("en"), "list", "wales", sqlite_desk.office) is None
    march = date(2018, 3, 1)
    assert len(days) == 19
    assert ListDay(own, march, march, march, "") in days


def test_feeds_and_cards_show_an_own_list(sqlite_desk: Desk) -> None:
    desk, own = sqlite_desk, published(sqlite_desk)
    change_settings(desk.office, set_={"card_sites": "https://club.example.org"})
    with serving(desk.office) as site:
        client = site.client()
        feed = client.get(f"/feeds/en/lists/{own}")
        assert "/lists/ireland-2018-02-01-r1" in feed.text
        assert "ireland" in client.get("/calendars/en/lists.ics").text
        assert client.get("/feeds/en/lists/wales").status_code == 404
        card = client.get(f"/cards/players/1/{own}.svg")
        assert card.status_code == 200
        assert "ireland" in card.text
        assert f"/cards/players/1/{own}.svg" in client.get(f"/cards/players/1?list={own}").text
        assert client.get("/cards/players/1/wales.svg").status_code == 404
