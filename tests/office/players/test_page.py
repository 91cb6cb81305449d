"""The page of a player: every published number can be computed again from its text; no page of it is empty."""

from __future__ import annotations

import re

import httpx
import pytest

from arpad.model.rules import CHESS_LISTS, ListName
from tests.builders.site_fixtures import Served
from tests.web.recomputed_page import plain, read_periods, recompute_chess, recompute_draughts


def pages_of(client: httpx.Client, number: int, on_list: str) -> list[str]:
    """Return all pages of a player on a list."""
    pages: list[str] = []
    while not pages or 'rel="next"' in pages[-1]:
        address = f"/players/{number}?list={on_list}&page={len(pages) + 1}"
        pages.append(client.get(address).text)
    return pages


def lists_of(page: str) -> list[ListName]:
    """Return the lists of a player's tabs."""
    tabs = page.partition('<ul class="tabs">')[2].partition("</ul>")[0]
    return [ListName(name) for name in re.findall(r"\?list=(\w+)", tabs)]


def published(page: str) -> dict[str, int | None]:
    """Return the ratings of the table beside the curve, by day."""
    rows = re.findall(
        r'<th scope="row">\s*<a href="/lists/(\w+-[\d-]+-r\d+)">(.*?)</a>.*?<td class="r">(.*?)</td>',
        page,
        re.DOTALL,
    )
    return {plain(day): None if plain(rating) == "–" else int(plain(rating)) for _, day, rating in rows}


SPREAD = (12, 84, 95, 110)
"""A lift with games, a delisting, draughts down to the minimum, and a first rating with hypothetical opponents."""


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.deep] * (n not in SPREAD)) for n in range(1, 121)]
)
def test_every_published_number_can_be_computed_from_the_page(served: Served, number: int) -> None:
    client = served.client()
    first = client.get(f"/players/{number}").text
    for on_list in lists_of(first):
        pages = pages_of(client, number, on_list)
        periods = [period for page in pages for period in read_periods(page)]
        recompute = recompute_chess if on_list in CHESS_LISTS else recompute_draughts
        assert recompute(periods[::-1]) == len(periods)
        on_lists = {period.day: period.after for period in periods}
        # a list without a section is not in the table either: the rating stayed as it was
        assert {day: on_lists.get(day, rating) for day, rating in published(pages[0]).items()} == published(
            pages[0]
        )
        assert all('class="period"' in page for page in pages)


def test_a_page_without_a_curve_does_not_speak_of_one(served: Served) -> None:
    headings = {
        number: re.findall(
            r"<(?:h3|summary)>(.*?)</", served.client().get(f"/players/{number}").text, re.DOTALL
        )
        for number in (84, 12)
    }
    assert not [text for text in headings[84] if "curve" in text or "chart" in text]
    assert {"Events on the curve", "The figures of the chart"} <= {plain(text) for text in headings[12]}


@pytest.mark.parametrize(("number", "on_list"), [(12, "standard"), (95, "italiana")])
def test_the_whole_history_is_one_page_for_printing(served: Served, number: int, on_list: str) -> None:
    client = served.client()
    pages = pages_of(client, number, on_list)
    assert (f'href="/players/{number}/whole?list={on_list}#tournaments"' in pages[0]) == (len(pages) > 1)
    whole = client.get(f"/players/{number}/whole?list={on_list}").text
    assert [*read_periods(whole)] == [period for page in pages for period in read_periods(page)]
    tournaments = whole.partition('id="tournaments"')[2].partition('class="downloads"')[0]
    assert len(re.findall(r"<summary>\s*<b>", tournaments)) == tournaments.count("<details open>") > 0
    assert f'href="/players/{number}?list={on_list}"' in whole


def test_the_whole_history_goes_on_with_a_next_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arpad.office.players.page.PERIODS_OF_WHOLE_PAGE", 2)
    page = served.client().get("/players/12/whole?list=standard&page=1").text  # not the kept page
    assert 'href="/players/12/whole?list=standard&amp;page=2#tournaments"' in page


def test_the_page_has_its_day_for_paper_and_its_ratings_as_csv(served: Served) -> None:
    page = served.client().get("/players/12").text
    assert re.search(r'<p class="paper soft">As of \d+ January 2025 · http', page)
    assert 'href="/api/v1/players/12/history?format=csv"' in page
    assert served.client().get("/api/v1/players/12/history?format=csv").status_code == 200
