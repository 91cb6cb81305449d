"""A federation's own edition on the site: adopted on the settings page, read like any other, followed by its links."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from arpad.explain.editions import edition_name
from arpad.explain.words import load_words
from arpad.model.rules import ListName
from arpad.office.editions.acts import editions_here
from arpad.office.inbox.jobs import check_upload
from arpad.regulations.editions import ALL, CHESS_EDITIONS
from arpad.reports.event_facts import EventFacts
from arpad.web.limited_process import bounds
from arpad.web.regulations import and_above
from arpad.web.uploads import Upload
from tests.builders.chess import event as made_event
from tests.builders.offices import trf
from tests.builders.site_fixtures import Served, compact, copied, serving
from tests.builders.verbs import own_editions, publications, ratings_in_force
from tests.web.test_forms import sent

OWN = """
id = "circolo-2025"
base = "fide-2024-12"
effective = 2025-02-01
source = "Decision of the board"

[every]
k_usual = { value = 25, article = "own 3" }
"""


def adopted(own: Served, **more: str) -> None:
    client = own.client("administrator")
    form = {"text": OWN, "since": "2030-01-01", "reason": "board", **more}
    assert sent(client, "/admin/editions", "/desk/acts/edition/adopt", **form).status_code == 303


@pytest.fixture(scope="module")
def at_home(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An office with an own edition, for tests that leave it as it is."""
    with serving(copied(demo_folder, tmp_path_factory.mktemp("own-editions"))) as running:
        adopted(running, lists="standard", since=TODAY)
        yield running


def test_an_own_edition_is_adopted_shown_and_revoked(own: Served) -> None:
    adopted(own, lists="standard")
    client = own.client("administrator")
    page = client.get("/admin/editions").text
    assert "own 3" in page
    assert "since 1 January 2030" in page
    (one,) = own_editions(own.office).editions
    assert (one.edition, one.list, str(one.since)) == ("circolo-2025", ListName.STANDARD, "2030-01-01")

    visitor = own.client(language="en")
    shown = visitor.get("/regulations/circolo-2025").text
    assert 'id="art-own-3"' in shown
    assert "Decision of the board" in shown
    assert "circolo-2025" in visitor.get("/regulations").text
    assert "own 3" in visitor.get("/regulations/fide-2024-12/circolo-2025").text
    rules = visitor.get("/api/v1/editions/circolo-2025").json()["rules"]
    assert rules["standard"]["k_usual"]["article"] == "own 3"
    answer = visitor.get("/calculators/k?edition=circolo-2025&rating=1900&games=40")
    assert (answer.status_code, "own 3" in answer.text) == (200, True)
    assert re.search(r'href="/regulations/circolo-2025#art-own-3"', answer.text)

    assert (
        sent(
            client,
            "/admin/editions",
            "/desk/acts/edition/revoke",
            adoption=str(one.adoption),
            reason="a slip",
        ).status_code
        == 303
    )
    assert own_editions(own.office).editions == ()
    assert visitor.get("/regulations/circolo-2025").status_code == 404


def test_every_article_on_a_players_page_leads_to_its_sentence(at_home: Served) -> None:
    visitor = at_home.client(language="it")
    links = {
        link
        for player, name in ((1, "standard"), (38, "standard"), (84, "rapid"), (89, "italiana"))
        for link in re.findall(
            r'<a href="(/regulations/[^"]+)"(?: title="([^"]*)")?>((?:RB )?\d[^<]*)</a>',
            visitor.get(f"/players/{player}?list={name}").text,
        )
    }
    assert {article for _, _, article in links} >= {"8.3.2d", "8.3.3"}
    assert [link for link in links if "#art-" not in link[0] or not link[1]] == []
    addresses = {address.partition("#")[0] for address, _, _ in links}
    pages = {address: visitor.get(address).text for address in addresses}
    for address, _, _ in links:
        page, _, anchor = address.partition("#")
        assert f'id="{anchor}"' in pages[page], address


def test_the_next_games_of_a_player_are_counted_under_it(own: Served) -> None:
    day = own.office.now().date()
    (last,) = {p.day for p in publications(own.office, ListName.STANDARD)[-1:]}
    assert last < day
    adopted(own, lists="standard", since=str(day))
    player = next(iter(ratings_in_force(own.office, ListName.STANDARD, day)))
    visitor = own.client(language="en")
    answer = visitor.get(f"/api/v1/players/{player}/what-if?game=1900:1").json()
    assert answer["edition"] == "circolo-2025"
    assert 'name="edition" value="circolo-2025"' in visitor.get(f"/players/{player}?list=standard").text


DAMA = """
id = "dama-2025"
base = "rubele-2008"
effective = 2030-01-01

[italiana]
starting_capital = { value = 400, article = "own 1" }
"""


def test_calculators_offer_the_own_editions_of_their_game_alone(own: Served) -> None:
    adopted(own, text=DAMA, lists="italiana")
    visitor = own.client(language="en")
    assert "dama-2025" not in visitor.get("/calculators/change").text
    assert 'value="dama-2025"' in visitor.get("/calculators/capital").text
    answer = visitor.get("/calculators/capital?edition=dama-2025&capital=400&scored=2&opponents=400+400")
    assert answer.status_code == 200
    assert 'href="/regulations/dama-2025"' in answer.text


def test_a_draughts_report_is_looked_at_under_the_edition_of_its_office(own: Served) -> None:
    adopted(own, text=DAMA, lists="italiana")
    with own.office.store.reading() as connection:
        here = editions_here(connection)
    report = made_event("Dama", "1 0 | 2w1\n2 0 | 1b0\n", date(2030, 1, 10))
    sent_in, facts = Upload("dama.trf", trf(report)), EventFacts(list=ListName.ITALIANA)
    boards = [
        check_upload(bounds("visitor"), sent_in, None, facts, "en", editions).board
        for editions in (ALL, here)
    ]
    told = [" ".join(board.facts) for board in boards if board]
    assert ["dama-2025" in text for text in told] == [False, True]


def test_an_edition_that_cannot_be_comes_back_with_its_sentence(own: Served) -> None:
    client = own.client("administrator")
    answer = sent(
        client,
        "/admin/editions",
        "/desk/acts/edition/adopt",
        text=OWN.replace("k_usual", "k_usuel"),
        reason="board",
    )
    assert answer.status_code == 422
    assert "k_usuel" in answer.text
    answer = sent(
        client, "/admin/editions", "/desk/acts/edition/adopt", text=OWN, since="2024-01-01", reason="board"
    )
    assert answer.status_code == 422
    assert "is out" in answer.text
    answer = sent(
        client,
        "/admin/editions",
        "/desk/acts/edition/adopt",
        text=OWN,
        since="2030-01-01",
        lists="all",
        reason="board",
    )
    assert answer.status_code == 422  # not for every list, since none of that name is there
    assert own_editions(own.office).editions == ()


# ------------------------------------------------------------------------------------ found by the day, not the name

TODAY = "2025-01-15"
"""Of the office under test. On its standard list K is 25 from then on; under fide-2024-12 it is 20."""

K = "rating=1900&games=40"


@pytest.mark.parametrize(
    ("asked", "edition", "k"),
    [
        ("", "circolo-2025", 25),
        ("&date=2025-01-15", "circolo-2025", 25),
        ("&date=2026-03-01", "circolo-2025", 25),  # fide-2026 is in force when the federation adopts it
        ("&date=2025-01-14", "fide-2024-12", 20),
        ("&list=rapid", "fide-2024-12", 20),
        ("&list=rapid&date=2026-03-01", "fide-2026", 20),
        ("&on=2025-03-01", "circolo-2025", 25),
        ("&edition=fide-2024-12", "fide-2024-12", 20),
        ("&edition=circolo-2025&list=rapid", "circolo-2025", 25),
    ],
)
def test_a_calculator_goes_by_the_editions_of_its_office(
    at_home: Served, asked: str, edition: str, k: int
) -> None:
    visitor = at_home.client(language="en")
    found = visitor.get(f"/api/v1/calc/k?{K}{asked}").json()
    assert (found["edition"], found["k"]) == (edition, k)
    assert f'href="/regulations/{edition}"' in visitor.get(f"/calculators/k?{K}{asked}").text


def test_without_an_office_a_calculator_goes_by_the_printed_editions(bare: Served) -> None:
    client = bare.client(language="en")
    assert client.get(f"/api/v1/calc/k?{K}").json()["edition"] == CHESS_EDITIONS[-1].id
    assert client.get(f"/api/v1/calc/k?{K}&date=2025-01-15").json()["edition"] == "fide-2024-12"
    asked = "capital=3479&scored=14&expected=9.30"
    assert client.get(f"/api/v1/rubele/change?{asked}").json()["edition"] == "rubele-2021"
    assert "in force today" not in client.get("/calculators/k").text


def test_a_draughts_calculator_goes_by_the_edition_of_the_date_asked_for(own: Served) -> None:
    text = DAMA.replace("dama-2025", "dama-2024")
    adopted(own, text=text, lists="italiana", since="2025-01-10")
    visitor, asked = own.client(language="en"), "/api/v1/rubele/change?capital=3479&scored=14&expected=9.30"
    dated = asked + "&date=2025-01-15"
    found = [visitor.get(dated + f"&discipline={name}").json() for name in ("italiana", "internazionale")]
    assert [one["edition"] for one in found] == ["dama-2024", "rubele-2021"]
    # without a date the edition in force today (reading 20)
    assert visitor.get(asked).json()["edition"] == "dama-2024"


def test_the_menu_begins_with_what_is_in_force_on_each_list(own: Served) -> None:
    adopted(own, lists="blitz", since=TODAY)
    adopted(own, text=OWN.replace("circolo-2025", "circolo-2026"), lists="blitz", since="2026-01-01")
    text = own.client(language="en").get("/calculators/change").text
    offered = re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)', text.partition('name="edition"')[2])
    assert offered[:4] == [
        ("", "in force today"), ("circolo-2026", "circolo-2026"), ("circolo-2025", "circolo-2025"),
        (CHESS_EDITIONS[-1].id, edition_name(CHESS_EDITIONS[-1].id, load_words("en"))),
    ]  # fmt: skip
    assert '<option value="" selected>' in text
    both = own.client(language="en").get(f"/calculators/k?{K}&edition=").text
    assert 'href="/regulations/fide-2024-12"' in both
    assert '<option value="" selected>' in both, "another list may have another edition in force"


def test_a_visitors_report_is_rated_under_the_edition_of_the_office(own: Served, bare: Served) -> None:
    adopted(own, lists="standard", since=TODAY)
    match = trf(made_event("Match", "1 2000 | 2w1\n2 1900 | 1b0\n", date(2025, 2, 10)))
    for served, edition, k in ((own, "circolo-2025", 25), (bare, "fide-2024-12", 20)):
        visitor = served.client(language="en")
        rated = visitor.post("/api/v1/rate", content=match).json()
        assert (rated["edition"], rated["players"][0]["k"]) == (edition, k)
        assert visitor.post("/api/v1/check", content=match).json()["edition"] == edition
        page = sent(visitor, "/check", "/check", text=match.decode(), name="match.trf").text
        assert edition in page


def test_a_page_that_was_kept_is_made_anew_for_a_new_adoption(own: Served) -> None:
    """The same edition on one more list: its name was known already."""
    player = next(iter(ratings_in_force(own.office, ListName.STANDARD, date(2025, 1, 15))))
    visitor, here = own.client(language="en"), f"/players/{player}?list=standard"
    adopted(own, lists="rapid", since=TODAY)
    assert 'name="edition" value="fide-2024-12"' in visitor.get(here).text
    adopted(own, lists="standard", since=TODAY)
    assert 'name="edition" value="circolo-2025"' in visitor.get(here).text


def test_every_link_to_an_article_of_an_own_edition_leads_somewhere(at_home: Served) -> None:
    """Steps name articles that no rule of the page has: they lead to the nearest one above, or to the page."""
    visitor = at_home.client(language="en")
    answer = visitor.get("/calculators/change?rating=1900&game=2000:1&game=1800:0.5").text
    linked = set(re.findall(r'href="/regulations/circolo-2025#([^"]+)"', answer))
    anchors = set(re.findall(r'id="(art-[^"]+)"', visitor.get("/regulations/circolo-2025").text))
    assert "art-own-3" in linked
    assert linked <= anchors


@pytest.mark.parametrize(
    ("article", "above"),
    [
        ("7.14b", ["7.14b", "7.14", "7.1", "7"]),
        ("8.3.10", ["8.3.10", "8.3", "8"]),
        ("12.1", ["12.1", "12"]),
        ("6", ["6"]),
        ("Tab. 19", ["Tab. 19"]),
        ("RB 2012", ["RB 2012"]),
        ("RB 7.3.2b", ["RB 7.3.2b", "RB 7.3.2", "RB 7.3", "RB 7"]),
        ("B.01 1.1.1", ["B.01 1.1.1"]),
    ],
)
def test_an_article_is_part_of_those_above_it(article: str, above: list[str]) -> None:
    assert list(and_above(article)) == above


@pytest.mark.parametrize("name", ["compare", "circolo.toml", "con", "nul.2018"])
def test_a_name_that_means_something_else_is_refused(served: Served, name: str) -> None:
    text = OWN.replace("circolo-2025", name)
    answer = sent(
        served.client("administrator"),
        "/admin/editions",
        "/desk/acts/edition/adopt",
        text=text,
        reason="board",
    )
    assert answer.status_code == 422
    assert f"he name {name} means something else already" in answer.text
    assert own_editions(served.office).editions == ()


def test_two_editions_to_compare_are_chosen_and_no_day_is_said_twice(served: Served) -> None:
    page = compact(served.client(language="it").get("/regulations").text)
    newest = CHESS_EDITIONS[-1]
    assert re.findall(r'<option value="([^"]+)" selected>', page) == [newest.base, newest.id]
    assert "FIDE, 1° marzo 2024</b></a><br>" in page
    assert 'Elo-Rubele, 2021</b></a><span class="soft">dal 1° gennaio 2021</span>' in page


@pytest.mark.parametrize(
    ("language", "chapter", "badge"),
    [
        ("en", "8 How the system works", "In force today"),
        ("it", "8 Il funzionamento del sistema", "In vigore oggi"),
    ],
)
def test_an_edition_has_chapters_and_says_whether_it_is_in_force(
    served: Served, language: str, chapter: str, badge: str
) -> None:
    visitor = served.client(language=language)
    newest, older = (
        compact(visitor.get(f"/regulations/{name}").text) for name in ("fide-2024-12", "fide-2017")
    )
    linked = re.findall(r'<a href="#(chapter-\d+)">([^<]+)', newest)
    assert chapter in [title.strip() for _, title in linked]
    headed = re.findall(r'<h2 id="(chapter-\d+)" class="chapter">([^<]+)', newest)
    assert linked == headed
    # the lists stand in a chapter's heading, and beside a sentence only if it is about others
    sentences = re.findall(r"<dd>(.*?)</dd>", newest)
    marked = [sentence for sentence in sentences if "(standard)" in sentence]
    assert len(marked) == 1, "of the last chapter, where notices about different lists stand together"
    assert "<small>(standard)</small></h2>" in newest
    assert badge in newest
    assert badge not in older
    listed = compact(visitor.get("/regulations").text)
    assert len(re.findall(badge, listed)) == 3, "one each for chess, titles and draughts"
