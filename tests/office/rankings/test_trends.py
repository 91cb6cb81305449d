"""A list beside its figures: the last two years of each player, and the ratings by age."""

import re
from dataclasses import replace
from statistics import median_low

from arpad.lists.canonical import parse_line
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists.history_rows import player_history
from arpad.office.lists.page_rows import rating_ages
from arpad.office.lists.published import publication_named, ranking
from arpad.office.privacy.acts import hide_player
from arpad.office.rankings.trends import recent_lists, trends
from tests.builders.site_fixtures import Served, compact

NAME = "standard-2025-01-01-r1"


def test_the_curve_of_a_player_is_that_of_the_lists_on_which_the_list_is_built(served: Served) -> None:
    with served.office.store.reading() as connection:
        publication = publication_named(connection, NAME)
        assert publication is not None
        lists = recent_lists(connection, publication)
        assert [p.base for p in lists[1:]] == [p.id for p in lists[:-1]]
        assert (lists[0].day.year, lists[-1]) == (2023, publication)
        shown = ranking(connection, publication, "active", 1)
        assert shown is not None
        drawn = trends(connection, publication, shown.rows)
        changed = 0
        for row in shown.rows:
            history = player_history(connection, row.player)
            known = [history[p.id].rating for p in lists if p.id in history and history[p.id].shown == 2]
            assert f"aria-label='{known[0]} → {row.rating}'" in drawn[row.player], row.name
            points = len(re.findall(r"\d+,\d+", drawn[row.player]))
            assert (points == 2) == (len(set(known)) == 1), row.name
            changed += len(set(known)) > 1
        assert changed > 20


def test_the_ages_of_a_list_are_those_of_its_active_players(served: Served) -> None:
    with served.office.store.reading() as connection:
        publication = publication_named(connection, NAME)
        assert publication is not None
        shown = ranking(connection, publication, "active", 1)
        assert shown is not None
        assert shown.pages == 1
        spreads = rating_ages(connection, publication, ())
        assert sum(spread.players for spread in spreads) == shown.total
        sixties = sorted(row.rating or 0 for row in shown.rows if row.born and 60 <= 2025 - row.born <= 69)
        spread = next(spread for spread in spreads if spread.first == 60)
        assert (spread.lowest, spread.median, spread.highest) == (
            sixties[0],
            median_low(sixties),
            sixties[-1],
        )
        without = rating_ages(connection, publication, [row.player for row in shown.rows if row.born == 1957])
        line = list_rows.lines(connection, publication.id, [38])[38]
        assert parse_line(line).born == 1957
        assert sum(spread.players for spread in without) < shown.total


def test_a_list_shows_both_and_no_curve_of_a_hidden_player(own: Served) -> None:
    page = own.client().get(f"/lists/{NAME}?here=38").text
    assert page.count("class='picture trend'") == 88
    assert "<circle class='here'" in page
    assert '<th scope="row">60–69</th>' in compact(page)
    assert "trend" not in own.client().get(f"/lists/{NAME}?cut=movers").text
    assert "Ratings by age" not in own.client().get(f"/lists/{NAME}?cut=women").text
    hide_player(replace(own.office, author="tests"), 38, reason="asked")
    assert own.client().get(f"/lists/{NAME}").text.count("class='picture trend'") == 87
