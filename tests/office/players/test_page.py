"""The page of a player: every published number can be computed again from its text; no page of it is empty."""

import re
from html import unescape

import httpx
import pytest

from arpad.model.rules import CHESS_LISTS, ListName
from tests.builders.site_fixtures import Served
from tests.web.recomputed_page import ReadPeriod, plain, read_periods, recompute_chess, recompute_draughts

LINE = re.compile(r'<a href="(/players/[^"]*)" data-opens>(.*?)</a>', re.DOTALL)


def opened(page: str) -> list[ReadPeriod]:
    """Return the periods of the line that is open on a page."""
    return [*read_periods(page.partition('<div id="opened">')[2].partition("data-opens")[0])]


def lines_of(client: httpx.Client, number: int, on_list: str) -> list[tuple[str, list[ReadPeriod]]]:
    """Return each line of a player on a list, the latest first, with the periods that it opens."""
    first = client.get(f"/players/{number}?list={on_list}").text
    closed = [
        (plain(line), opened(client.get(unescape(address).partition("#")[0]).text))
        for address, line in LINE.findall(first)
    ]
    return [("", opened(first)), *closed]


def lists_of(page: str) -> list[ListName]:
    """Return the lists of a player's tabs."""
    tabs = page.partition('<ul class="tabs">')[2].partition("</ul>")[0]
    return [ListName(name) for name in re.findall(r"\?list=(\w+)", tabs)]


SPREAD = (12, 84, 95, 110)
"""A lift with games, a delisting, draughts down to the minimum, and a first rating with hypothetical opponents."""


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.deep] * (n not in SPREAD)) for n in range(1, 121)]
)
def test_every_published_number_can_be_computed_from_the_page(served: Served, number: int) -> None:
    client = served.client()
    first = client.get(f"/players/{number}").text
    for on_list in lists_of(first):
        lines = lines_of(client, number, on_list)
        periods = [period for _, of_line in lines for period in of_line]
        recompute = recompute_chess if on_list in CHESS_LISTS else recompute_draughts
        assert recompute(periods[::-1]) == len(periods) >= len(lines)
        for line, (period, *_) in lines[1:]:
            assert line.startswith(period.day)
            assert period.after is None or f"→ {period.after}" in line


def test_the_career_counts_what_the_whole_history_shows(served: Served) -> None:
    client = served.client()
    career = client.get("/players/5/career").text
    rows = dict(re.findall(r'<th scope="row">(\w+)</th>(.*?)</tr>', career, re.DOTALL))
    for on_list in ("standard", "rapid", "blitz"):
        whole = client.get(f"/players/5/whole?list={on_list}").text
        periods = whole.partition('id="tournaments"')[2]
        results = re.findall(r"Results: (\d+) wins?, (\d+) draws?, (\d+) loss", periods)
        wins, draws, losses = (sum(map(int, column)) for column in zip(*results, strict=True))
        row = plain(rows[on_list.capitalize()])
        assert row.startswith(f"{len(results)} {wins + draws + losses} {wins} {draws} {losses} ")
        performances = re.findall(
            r"performance (\d+): average opponent (\d+), [\d.]+ of (\d+) game", plain(periods)
        )
        best = max((int(rating) for rating, _, games in performances if int(games) >= 5), default=None)
        assert row.endswith("–") if best is None else f" {best} " in row
        rated = sum(int(games) for *_, games in performances)
        assert f" {rated} rated game" in row


def test_a_player_who_left_the_list_is_not_told_that_there_is_no_rating_yet(served: Served) -> None:
    page = plain(served.client().get("/players/84").text)
    assert "No rating at present" in page
    assert "A rating again: what is still needed" in page
    assert "yet" not in page


@pytest.mark.parametrize(("number", "on_list"), [(12, "standard"), (95, "italiana")])
def test_the_whole_history_is_one_page_for_printing(served: Served, number: int, on_list: str) -> None:
    client = served.client()
    lines = lines_of(client, number, on_list)
    whole = client.get(f"/players/{number}/whole?list={on_list}").text
    assert [*read_periods(whole)] == [period for _, of_line in lines for period in of_line]
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
