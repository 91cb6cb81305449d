"""Rankings of a list: equal ratings, pages, federations."""

from datetime import date

import pytest

from arpad.lists.cuts import RANKED
from arpad.lists.published import ListedPlayer, PublishedList
from arpad.lists.rankings import compute_rankings
from arpad.model.rules import ListName
from arpad.office.lists import page_rows as rankings
from tests.builders.offices import Desk, listed
from tests.builders.published_lists import table_of_list

JANUARY = date(2018, 1, 1)


def test_equal_ratings_share_a_rank_across_pages(desk: Desk) -> None:
    """150 players of 2000, then 100 of 1900; of the latter ten are inactive, and fifty are from France."""
    rows = [listed(number, 2000, name=f"A{999 - number}", sex="F") for number in range(150)]
    rows += [
        listed(
            number, 1900, name=f"B{number}", federation="FRA" if number < 200 else "ITA",
            flag="i" if number >= 240 else "", born=2005 if number % 2 else 1960,
        )
        for number in range(150, 250)
    ]  # fmt: skip
    desk.list(JANUARY, *rows)
    with desk.office.store.reading() as connection:
        totals = {
            cut: rankings.ranking_size(connection, 1, cut) for cut in (*RANKED, "federation-FRA", "none")
        }
        pages = [rankings.ranking_page(connection, 1, "all", page) for page in (1, 2, 3, 4)]
        active = rankings.ranking_page(connection, 1, "active", 3)
        bands = rankings.ranking_bands(connection, 1, "all")
        federations = rankings.federations(connection, 1)

    assert totals == {
        "active": 240, "all": 250, "women": 150, "juniors": 45, "seniors": 45, "federation-FRA": 50, "none": None,
    }  # fmt: skip
    assert [(rank, before, len(players)) for rank, before, players in pages] == [
        (1, 0, 100), (1, 100, 100), (151, 200, 50), (1, 0, 0),
    ]  # fmt: skip
    assert pages[0].players[:3] == [150, 149, 148], "A850 before A851: by name, where ratings are equal"
    assert pages[1].players[50:] == list(range(151, 201))
    assert (active.rank, active.ranked_before, len(active.players)) == (151, 200, 40)
    assert bands == {2000: 150, 1900: 100}
    assert federations == [("FRA", 50), ("ITA", 200)]


@pytest.mark.parametrize(("leave", "shown"), [(True, 2), (False, 3)])
def test_the_inactive_leave_their_federations_ranking_if_the_edition_says_so(
    *, leave: bool, shown: int
) -> None:
    """2009 7.23b; the edition of 2017 has no such article, and the complete ranking shows them in any case."""
    rows = tuple(
        ListedPlayer(number, "A", "FRA", rating=2000, inactive=number == 1) for number in range(1, 4)
    )
    published = PublishedList(
        ListName.STANDARD, date(2010, 1, 1), 1, "fide-2009", rows=rows, inactive_leave_federation=leave
    )
    totals = {cut: total for cut, total, _ in compute_rankings(table_of_list(published)).totals}
    assert [totals[cut] for cut in ("federation-FRA", "all", "active")] == [shown, 3, 2]
