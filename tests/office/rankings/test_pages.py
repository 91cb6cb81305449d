"""Lists and players of an office: what moved, who came and went, which list is in force, more players than a page."""

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import httpx
import pytest

from arpad.model.rules import ListName
from arpad.office.players import compare_pages as player_search
from arpad.office.privacy.acts import hide_player
from arpad.office.tournaments import rows as tournament_rows
from arpad.office.users import Grant, Role
from arpad.web import cache
from tests.builders.chess import event as made_event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, Clock, Desk, listed
from tests.builders.site_fixtures import PASSWORD, Served, compact, proof, serving
from tests.builders.users import add_user
from tests.builders.verbs import find_players, ledger, revise, withdraw
from tests.builders.verbs import publish as office_publish

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
DRAW = """
1 2000 | 2w=
2 1900 | 1b=
"""


@pytest.fixture
def desk(sqlite_place: str, tmp_path: Path) -> Iterator[Desk]:
    made = Desk.made(sqlite_place, tmp_path, Clock())
    yield made
    made.office.close()


@pytest.mark.parametrize("cut", ["movers", "giants"])
def test_a_first_list_has_no_movers_and_no_list_has_giants(served: Served, cut: str) -> None:
    assert served.client().get(f"/lists/standard-2023-01-01-r1?cut={cut}").status_code == 404


def test_whoever_a_correction_takes_off_the_list_stands_in_its_difference(own: Served) -> None:
    """Report 35 alone brought player 110 onto the list of October 2024."""
    office = replace(own.office, author="tests")
    withdraw(office, 35, reason="the games were never played")
    revise(office, ListName.STANDARD, reason="report 35 withdrawn")
    client = own.client()
    corrected = re.search(r"/lists/(standard-2024-10-01-r\d)/difference", client.get("/lists").text)
    assert corrected is not None

    rows = compact(client.get(f"/lists/{corrected[1]}/difference").text).split("<tr>")
    gone = next(row for row in rows if 'href="/players/110?list=standard"' in row)

    assert re.search(r'<td class="r">\d{4}</td><td class="r">–</td><td class="r">–</td>', gone)
    assert 'href="/tournaments/35"' not in client.get("/players/110?list=standard").text


def test_a_newcomer_whose_only_tournament_is_withdrawn_has_played_nothing(desk: Desk) -> None:
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900))
    report = desk.report(
        made_event("Open", "1 2000 | 2w= 3w0\n2 1900 | 1b= .U\n3 0 | .U 1b1", date(2018, 1, 10))
    )
    office_publish(desk.office, STANDARD, FEBRUARY, desk.folder / "lists")
    newcomer = max(person.id for person in find_players(desk.office, "Player"))
    with serving(desk.office) as here:
        assert "/tournaments/" in here.client().get(f"/players/{newcomer}").text
        withdraw(desk.office, report, reason="never played")
        revise(desk.office, STANDARD, reason="withdrawn")
        assert "/tournaments/" not in here.client().get(f"/players/{newcomer}").text.partition("<main")[2]


def test_whom_a_revision_no_longer_shows_has_no_rating_in_its_column(desk: Desk) -> None:
    """Who is suspended is still computed, 1903, but not published."""
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900, federation="ARU"))
    desk.report(made_event("Open", DRAW, date(2018, 1, 10)))
    office_publish(desk.office, STANDARD, FEBRUARY, desk.folder / "lists")
    decide(desk.office, "suspended", federation="ARU", day=FEBRUARY, reason="general assembly")
    revise(desk.office, STANDARD, reason="a suspension")

    with serving(replace(desk.office, author="")) as running:
        text = running.client().get("/lists/standard-2018-02-01-r2/difference").text
        rows = [row for row in text.split("<tr>") if 'href="/players/2?' in row]

        assert [re.findall(r'<td class="r">(.*?)</td>', row) for row in rows] == [["1903", "–", "–"]]
        page = running.client().get("/players/2").text
        assert "1900" in page
        assert "1903" not in page
        told = running.client().get("/api/v1/players/2").text
        assert "1900" in told
        assert "1903" not in told


def test_a_list_taken_back_is_no_longer_served_and_the_site_says_so(desk: Desk) -> None:
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900))
    desk.report(made_event("Open", DRAW, date(2018, 1, 10)))
    add_user(desk.office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    published = desk.publish(FEBRUARY)
    name = published.name
    with serving(replace(desk.office, author="")) as running:
        visitor, anna = running.client(), running.client("anna")
        files = [f"/lists/{name}/files/{name}.{kind}" for kind in ("csv", "canonical.txt", "public.zip")]
        for address in (f"/lists/{name}", *files, f"/api/v1/lists/{name}"):
            assert visitor.get(address).status_code == 200, address
        form = {
            "list": "standard",
            "day": str(FEBRUARY),
            "from": "/desk/lists",
            "csrf": proof(anna, "/desk/lists"),
        }
        refused = anna.post("/desk/acts/take-back", data=form)
        assert refused.status_code == 422
        assert "Enter a reason." in refused.text

        form = {**form, "csrf": proof(anna, "/desk/lists"), "reason": "wrong month"}
        assert anna.post("/desk/acts/take-back", data=form).headers["location"] == "/desk/lists"

        for address in (
            f"/lists/{name}",
            *files,
            f"/api/v1/lists/{name}",
            f"/api/v1/lists/{name}?format=csv",
        ):
            gone = visitor.get(address)
            assert gone.status_code == 410, address
            assert "wrong month" in gone.text
            assert published.digest in gone.text
        assert "ritirata il 1° febbraio 2018" in running.client(language="it").get("/lists").text
        assert published.digest in visitor.get("/lists").text
        assert "1997" not in visitor.get("/players/1").text
        assert [one["name"] for one in visitor.get("/api/v1/lists").json()["lists"]] == [
            "standard-2018-01-01-r1"
        ]
        assert "list unpublished" in anna.get("/desk/ledger").text
        draft = anna.get(f"/desk/draft?list=standard&day={FEBRUARY}").text  # the changes are a picture, too
        assert "aria-label='Changes of 2 players with the list of 1 February 2018: losses on the" in draft
        assert "class='gain'" in draft


def test_a_mistyped_year_is_published_only_as_a_special_list_with_a_reason(desk: Desk) -> None:
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900))
    add_user(desk.office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    with serving(replace(desk.office, author="")) as running:
        anna = running.client("anna")
        draft = anna.get("/desk/draft?list=standard&day=2020-02-01").text
        assert "This is not the date of the next list" in draft
        form = {"list": "standard", "day": "2020-02-01", "csrf": proof(anna, "/desk/lists")}
        for field in ("standard.digest", "standard.inputs"):
            form[field] = re.findall(f'name="{field}" value="([0-9a-f]+)"', draft)[0]

        def publish(**more: str) -> httpx.Response:
            return anna.post("/desk/publish", data={**form, **more, "csrf": proof(anna, "/desk/lists")})

        refused = publish()
        assert refused.status_code == 422
        assert "The next standard list is that of 1 February 2018" in refused.text
        assert publish(special="yes").status_code == 422
        answer = publish(special="yes", reason="a league of its own")
        assert answer.headers["location"] == "/desk/lists"
        assert "Published for 1 February 2020: standard." in anna.get("/desk/lists").text
        assert ledger(desk.office)[-1].reason == "a league of its own"


def test_a_list_that_is_out_but_not_in_force_yet_is_not_official(desk: Desk) -> None:
    """K 20, 100 points apart: a draw costs the favourite (0.5 - 0.64) x 20 = -2.8, and brings the other as much."""
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900))
    desk.report(made_event("Open", DRAW, date(2018, 1, 10)))
    office_publish(desk.office, STANDARD, FEBRUARY, desk.folder / "lists")
    assert desk.clock.day < FEBRUARY

    with serving(replace(desk.office, author="")) as running:
        for day, rating in ((date(2018, 1, 31), "2000"), (FEBRUARY, "1997")):
            desk.on(day)
            text = running.client().get("/players/1").text
            assert re.findall(r'<span class="figure">(\d+)</span>', text) == [rating]
            assert f'name="rating" value="{rating}"' in text


def test_what_was_expected_is_written_as_the_reader_writes_it(served: Served) -> None:
    """Tournament 41 is of Italian draughts."""
    cells = {
        language: re.findall(
            r"<br><small>([^<]+)</small>", served.client(language=language).get("/tournaments/41").text
        )
        for language in ("it", "en")
    }
    assert len(cells["en"]) > 50
    assert all(re.fullmatch(r"[012]\.\d\d", text) for text in cells["en"])
    assert cells["it"] == [text.replace(".", ",") for text in cells["en"]]


def test_more_players_of_a_name_than_a_page_holds(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_search, "PLAYERS_PER_PAGE", 5)
    client = served.client()

    def names(page: int) -> list[str]:
        text = client.get(f"/players?q=a&page={page}").text
        assert ('rel="next"' in text) == (page < 4)
        return re.findall(r'<th scope="row">\s*<a href="/players/(\d+)[?"]', text)

    found = [*names(1), *names(2), *names(3)]
    assert len(found) == len(set(found)) == 15
    assert client.get("/players?q=a&page=99").status_code == 200


def test_another_version_is_another_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    client = served.client(language="it")
    before = client.get("/players/2").headers["etag"]
    monkeypatch.setattr(cache, "__version__", "99.0")
    own = client.get("/players/2?list=rapid&page=1").headers["etag"]
    monkeypatch.undo()

    assert own not in (before, client.get("/players/2?list=rapid&page=01").headers["etag"])


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/static/site.css",
        "/static/site.js",
        "/api/v1/lists/standard?format=csv",
        "csv",
        "txt",
        "canonical.txt",
    ],
)
def test_the_type_of_a_text_names_its_letters_once(served: Served, address: str) -> None:
    client = served.client()
    if not address.startswith("/"):
        address = f"/lists/standard-2025-01-01-r1/files/standard-2025-01-01-r1.{address}"
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[2] == " charset=utf-8"


def test_who_had_no_rating_and_has_none_is_told_so_in_words(served: Served) -> None:
    """Dondognoli of the demo plays and never scores half a point."""
    client = served.client(language="it")
    (found,) = client.get("/api/v1/search?q=Dondognoli").json()["players"]
    text = compact(client.get(f"/players/{found['id']}").text)
    assert "senza rating</h3>" in text
    assert "– → –" not in text


def test_a_federation_has_its_name_and_a_guest_a_frame(served: Served) -> None:
    text = served.client(language="fr").get("/lists/standard?cut=all").text
    assert '<abbr class="fed" title="Italie">ITA</abbr>' in text
    assert '<abbr class="fed guest" title="France">FRA</abbr>' in text
    assert 'class="fed guest" title="Italie"' not in text


def test_a_list_of_draughts_speaks_of_capitals_and_categories(served: Served) -> None:
    page = compact(served.client(language="it").get("/lists/italiana").text)
    assert page.count("Come si distribuiscono i capitali: dama italiana") == 2
    assert "Capitali per età: dama italiana" in page
    assert 'Categoria<select name="title"><option value="">tutte</option>' in page
    assert (
        "Come si distribuiscono gli Elo: standard" in served.client(language="it").get("/lists/standard").text
    )


@pytest.mark.parametrize("on_list", ["standard", "italiana"])
def test_the_change_on_a_list_is_the_one_that_the_page_of_the_player_explains(
    served: Served, on_list: str
) -> None:
    """In draughts a list of December is counted from that of the December before, not from June."""
    client = served.client()
    rows = compact(client.get(f"/lists/{on_list}").text).split("<tr>")
    found = [re.search(r'"/players/(\d+)\?list=.*?([▲▼])\D*(\d+)', row) for row in rows]
    changed = {it[1]: int(it[3]) * (-1 if it[2] == "▼" else 1) for it in found if it}
    assert len(changed) > 3
    for player, change in [*changed.items()][:6]:
        why = compact(client.get(f"/players/{player}?list={on_list}").text).partition("List of ")[2]
        before, after = re.findall(r"\d{3,4}(?= →|</b>)", why)[:2]
        assert int(after) - int(before) == change, player


@pytest.mark.parametrize("on_list", ["standard", "blitz", "italiana"])
def test_home_list_and_file_say_one_number_of_players(served: Served, on_list: str) -> None:
    client = served.client()
    page = compact(client.get(f"/lists/{on_list}").text)
    (name,) = {*re.findall(r"/lists/([\w-]+)/files/", page)}
    players = len(client.get(f"/lists/{name}/files/{name}.csv").text.splitlines()) - 1
    rated = re.search(rf">{players} players(?:, (\d+) with a rating)? ·", page)
    assert rated is not None
    assert re.search(rf">All ?<small>{rated[1] or players}</small>", page)
    home = compact(client.get("/").text)
    assert re.search(rf'href="/lists/{on_list}">[^<]*</a><small>{players} players</small>', home)


def test_a_list_goes_to_a_rank_and_to_the_last_page(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    client = served.client()
    text = compact(client.get("/lists/standard?rank=7").text)
    rows = re.findall(r'<tr( class="changed" id="here")?><td class="r">(\d+)</td>', text)
    assert [int(rank) for here, rank in rows if here] == [6], "the seventh shares the sixth rank"
    assert client.get("/lists/standard?rank=999999").status_code == 200
    assert client.get("/lists/standard?rank=-1").status_code == 200
    monkeypatch.setattr(tournament_rows, "PAGE", 5)
    text = compact(client.get("/tournaments?page=4").text)
    assert '?page=1">first</a>' in text
    assert re.search(r'\?page=([89]|\d\d)">last</a>', text)
    assert "first</a>" not in client.get("/tournaments?page=2").text


def test_age_groups_are_tabs_with_the_years_of_birth(served: Served) -> None:
    text = compact(served.client().get("/lists/standard?group=u16").text)
    assert '?group=u16" title="born in 2009 or later" aria-current="page">U16</a>' in text
    assert 'title="born in 1975 or earlier">50+</a>' in text
    assert "cut=juniors" not in text
    assert text.count('aria-current="page"') == 2, "the menu and the group"


def test_short_rankings_are_pages_files_and_pictures(served: Served) -> None:
    client = served.client()
    text = compact(client.get("/rankings/standard").text)
    names = re.findall(r'<section id="([\w-]+)"><h2>', text)
    assert names[:2] == ["best", "women"]
    assert {"u16", "s50", "gains", "year-gains", "games"} < {*names}
    address = re.search(r'href="(/rankings/[\w-]+/)best.csv"', text)
    assert address is not None
    for name in names:
        rows = list(csv.DictReader(client.get(f"{address[1]}{name}.csv").text.splitlines()))
        column = {"gains": "change", "year-gains": "change", "games": "games"}.get(name, "rating")
        figures = [int(row[column]) for row in rows]
        assert 0 < len(rows) <= 10
        assert figures == sorted(figures, reverse=True), name
        assert [int(row["place"]) for row in rows] == [1 + sum(it > own for it in figures) for own in figures]
        picture = client.get(f"{address[1]}{name}.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert rows[0]["name"] in picture.text
        assert rows[-1]["name"].partition(",")[0] in picture.text
    assert client.get(f"{address[1]}best.pdf").status_code == 404
    assert client.get(f"{address[1]}nobody.csv").status_code == 404
    assert client.get("/rankings/italiana").status_code == 200
    assert client.get("/rankings/none").status_code == 404
    assert "I primi dieci" in served.client(language="it").get("/rankings/standard").text


def test_games_and_gains_of_a_year_are_those_of_its_lists(served: Served) -> None:
    """The most active and the largest gain of a year, from the lists of that year themselves."""
    client = served.client()
    year = ["2024-01-01", *(f"2024-{month:02}-01" for month in range(2, 13)), "2025-01-01"]
    lists: list[dict[str, dict[str, str]]] = []
    for day in year:
        name = f"standard-{day}-r1"
        text = client.get(f"/lists/{name}/files/{name}.csv").text
        lists.append({row["id"]: row for row in csv.DictReader(text.splitlines())})
    played = {
        player: sum(int(it[player]["games"] or 0) for it in lists[1:] if player in it) for player in lists[-1]
    }
    shown = list(csv.DictReader(client.get("/rankings/standard/games.csv").text.splitlines()))
    assert [int(row["games"]) for row in shown] == sorted(played.values(), reverse=True)[:10]
    gained = {
        player: int(row["rating"]) - int(lists[0][player]["rating"])
        for player, row in lists[-1].items()
        if row["rating"] and player in lists[0] and lists[0][player]["rating"] and not row["inactive"]
    }
    shown = list(csv.DictReader(client.get("/rankings/standard/year-gains.csv").text.splitlines()))
    assert [int(row["change"]) for row in shown] == sorted(gained.values(), reverse=True)[:10]


def test_a_hidden_player_has_no_name_in_short_rankings(own: Served) -> None:
    client = own.client()
    first = next(csv.DictReader(client.get("/rankings/standard/best.csv").text.splitlines()))
    hide_player(replace(own.office, author="tests"), int(first["id"]), reason="asked")
    for address in ("", "/best.csv", "/best.svg", "/games.csv", "/year-gains.csv"):
        assert first["name"] not in client.get(f"/rankings/standard{address}").text, address
