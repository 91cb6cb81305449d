"""A tournament that counts on several lists: its page has the results of its own list, and names the others once."""

from datetime import date

from arpad.office.drafts.procedures import next_lists
from arpad.office.lists.acts import add_list
from arpad.office.tournaments.page import read_tournament
from arpad.store.settings import list_named
from tests.builders.chess import event
from tests.builders.offices import Desk
from tests.builders.own_lists import ROUND_ROBIN, begun, taken_over
from tests.builders.site_fixtures import serving


def test_the_page_has_the_results_of_fide_and_names_each_own_list_once(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    begun(desk)
    add_list(desk.office, "wales", system="icu", since=date(2018, 1, 1))
    with desk.office.store.reading() as connection:
        own = list_named(connection, "wales")
    taken_over(desk, own)
    number = desk.report(event("Cardiff", ROUND_ROBIN, date(2018, 1, 5), date(2018, 1, 7)))
    with desk.office.store.reading() as connection:
        counts = {it.list: (it.accepted, it.waiting) for it in next_lists(connection, date(2018, 1, 8))}
    assert counts[own] == (1, 0)
    desk.publish(date(2018, 2, 1))
    for month in (2, 3, 4):
        desk.publish(date(2018, month, 1), own)
    with desk.office.store.reading() as connection:
        played = read_tournament(connection, number)
        assert [it.name for it in played.rated] == ["wales-2018-02-01-r1", "standard-2018-02-01-r1"]
        result = played.result_at(0)
        assert result is not None
        assert result.k == 20, "of FIDE's list"
        assert {it.list: it.accepted for it in next_lists(connection, date(2018, 4, 8))}[own] == 0
    with serving(desk.office) as site:
        page = site.client().get(f"/tournaments/{number}").text
    assert "Wales, 1 February 2018" in " ".join(page.split())
