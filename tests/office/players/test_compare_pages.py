"""Comparing players: who is chosen, the games between them, the opponents they share."""

import re
from dataclasses import replace
from datetime import date
from fractions import Fraction

from arpad.office.players.compare_pages import Meeting, Record, between, common_opponents, record
from arpad.office.privacy.acts import hide_player
from tests.builders.site_fixtures import Served, compact

ONE = Fraction(1)


def meeting(opponent: int, score: Fraction | int, day: date = date(2024, 1, 1), round_: int = 1) -> Meeting:
    return Meeting(opponent, f"N{opponent}", round_, day, "Open", 1, "w", Fraction(score), ONE)


def test_games_against_one_opponent_are_the_latest_first() -> None:
    old, new, other = meeting(2, 1), meeting(2, 0, date(2025, 1, 1)), meeting(3, 1)
    assert between([old, other, new], 2) == [new, old]
    assert record([old, new]) == Record(ONE, 2, Fraction(2))


def test_common_opponents_are_met_by_two_and_are_neither_compared_nor_hidden() -> None:
    meetings = {
        1: [meeting(2, 1), meeting(5, 1), meeting(5, 0), meeting(6, 1), meeting(7, 1)],
        2: [meeting(1, 0), meeting(5, Fraction(1, 2)), meeting(6, 0)],
    }
    assert common_opponents(meetings, frozenset({6})) == [
        (5, "N5", {1: Record(ONE, 2, Fraction(2)), 2: Record(Fraction(1, 2), 1, ONE)})
    ]


def test_players_are_added_by_name_and_the_page_keeps_the_list(served: Served) -> None:
    client = served.client()
    form = compact(client.get("/players/1").text).partition('action="/compare"')[2].partition("</form>")[0]
    assert (
        '<input type="hidden" name="players" value="1"><input type="hidden" name="list" value="standard">'
        in form
    )
    alone = client.get("/compare?players=1&list=rapid")
    assert 'name="list" value="rapid"' in alone.text
    added = client.get("/compare?players=1&list=rapid&add=Bellalgoni, Ugo")
    assert (added.status_code, added.headers["location"]) == (303, "/compare?players=1,2&list=rapid")
    several = client.get("/compare?players=1&add=Fald").text
    assert several.count('href="/compare?players=1,') > 1
    assert "No player called" in client.get("/compare?players=1&add=0000000").text
    assert client.get("/compare?players=1,999999").status_code == 404
    assert client.get("/compare").status_code == 200


def test_the_two_sides_of_a_game_agree(served: Served) -> None:
    """What the first wins of the second, the second loses to the first; in both languages."""
    for language, title in (("en", "Games between them"), ("it", "Partite fra loro")):
        client = served.client(language=language)
        page, turned = (compact(client.get(f"/compare?players={p}").text) for p in ("1,2", "2,1"))
        assert title in page
        score = re.search(r"<h3>Ravistri, Sandro – Bellalgoni, Ugo: ([\d.,]+)–([\d.,]+)</h3>", page)
        back = re.search(r"<h3>Bellalgoni, Ugo – Ravistri, Sandro: ([\d.,]+)–([\d.,]+)</h3>", turned)
        assert score is not None
        assert back is not None
        assert score.groups() == back.groups()[::-1]
        assert page.count("<g class='line ") == 2


def test_at_most_four_players_and_a_hidden_one_is_not_found(own: Served) -> None:
    client = own.client()
    assert "Four players at most" in client.get("/compare?players=1,2,3,4,5").text
    page = client.get("/players/1").text
    picture = client.get("/players/1/picture.png")
    assert picture.content.startswith(b"\x89PNG")
    assert f'content="{own.address}/players/1/picture.png"' in page
    again = client.get("/players/1/picture.png", headers={"if-none-match": picture.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    hide_player(replace(own.office, author="tests"), 2, reason="asked")
    assert client.get("/compare?players=1,2").status_code == 404
    assert client.get("/players/2/picture.png").status_code == 404
    assert "Bellalgoni" not in client.get("/compare?players=1,3").text


def test_a_game_says_whose_colour_it_shows(served: Served) -> None:
    page = compact(served.client().get("/compare?players=1,2").text)
    assert "<h3>Ravistri, Sandro – Bellalgoni, Ugo: 2–1</h3>" in page
    assert '<th scope="col">Colour<br><small>Ravistri</small></th>' in page
