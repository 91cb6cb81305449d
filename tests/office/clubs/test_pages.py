"""Clubs and regions on the site, at the desk and for programs: pages, rankings, transfers, privacy."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.rules import ListName
from arpad.office.categories.acts import player_categories
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.privacy.acts import hide_player
from tests.builders.site_fixtures import SETTINGS, Served, compact, proof, serving_copy, settings_form
from tests.builders.verbs import adopt_edition, publish

SINCE = date(2023, 1, 1)


@pytest.fixture(scope="module")
def town(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo with two clubs in one region: players 1, 2 and 4 in Milan, player 3 in Turin; player 4 is hidden."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("clubs")) as running:
        office = replace(running.office, author="tests")
        enter_club(office, "NORD", "Nord", kind=UnitKind.REGION, since=SINCE)
        enter_club(office, "LOM", "Lombardia", kind=UnitKind.REGION, region="NORD", since=SINCE)
        enter_club(office, "MI1", "Circolo di Milano", kind=UnitKind.CLUB, region="LOM", since=SINCE)
        enter_club(office, "TO1", "Circolo di Torino", kind=UnitKind.CLUB, region="NORD", since=SINCE)
        for player, club in ((1, "MI1"), (2, "MI1"), (3, "TO1"), (4, "MI1")):
            transfer(office, player, club, since=SINCE)
        hide_player(office, 4, reason="asked")
        yield running


def players_of(page: str) -> set[int]:
    return {number for number in range(1, 60) if re.search(rf'href="/players/{number}["?]', page)}


def test_a_club_has_a_page_with_its_players(town: Served) -> None:
    visitor = town.client()
    assert "Circolo di Milano" in visitor.get("/clubs").text
    club = visitor.get("/clubs/mi1")
    assert club.status_code == 200
    assert players_of(club.text) == {1, 2}
    assert "2 members" in club.text
    region = visitor.get("/regions/NORD").text
    assert "3 members" in region
    assert "/regions/LOM" in region
    assert 'href="/clubs/MI1"' in visitor.get("/players/1").text
    for wrong in ("/clubs/LOM", "/regions/MI1", "/clubs/XX"):
        assert visitor.get(wrong).status_code == 404
    assert "Circoli e regioni" in town.client(language="it").get("/clubs").text


@pytest.mark.parametrize(
    ("query", "players"),
    [
        ("club=MI1", {1, 2}),
        ("region=NORD", {1, 2, 3}),
        ("region=LOM", {1, 2}),
        ("region=LOM&club=TO1", set()),
    ],
)
def test_a_list_is_ranked_by_club_and_region(town: Served, query: str, players: set[int]) -> None:
    visitor = town.client()
    rows = visitor.get(f"/api/v1/lists/standard?cut=all&{query}").json()
    assert {row["id"] for row in rows["rows"]} <= players
    page = visitor.get(f"/lists/standard?{query}")
    assert page.status_code == 200
    assert players_of(page.text) == {row["id"] for row in rows["rows"]}
    assert rows["total"] == len(rows["rows"])


def test_age_groups_are_cut_by_year_of_birth(town: Served) -> None:
    visitor = town.client()
    rows = visitor.get("/api/v1/lists/standard?group=u20").json()
    juniors = visitor.get("/api/v1/lists/standard?cut=juniors").json()
    year = int(rows["list"]["day"][:4])
    assert rows["rows"]
    assert all(row["born"] >= year - 20 for row in rows["rows"])
    assert {row["id"] for row in rows["rows"]} == {row["id"] for row in juniors["rows"]} - {None}
    seniors = visitor.get("/api/v1/lists/standard?group=s50").json()
    assert all(row["born"] <= year - 50 for row in seniors["rows"])
    csv = visitor.get("/api/v1/lists/standard?format=csv&group=u20").text
    assert len(csv.splitlines()) == len(rows["rows"]) + 1
    assert visitor.get("/lists/standard?group=u13").status_code == 404
    assert visitor.get("/lists/standard?club=XX").status_code == 404
    women = visitor.get("/api/v1/lists/standard?cut=women&group=u20").json()
    assert {row["id"] for row in women["rows"]} <= {row["id"] for row in rows["rows"]}


def test_an_officer_enters_changes_and_imports_clubs(own: Served) -> None:
    officer = own.client("officer")
    form = {"csrf": proof(officer, "/desk/clubs"), "from": "/desk/clubs"}
    club = {"kind": "club", "code": "mi1", "name": "Milano", "since": "2023-01-01"}
    assert officer.post("/desk/acts/club/enter", data=form | club).status_code == 303
    again = officer.post("/desk/acts/club/enter", data=form | club)
    assert again.status_code == 422
    assert "taken" in again.text
    members = {"file": ("members.csv", b"player,club,from\n1,MI1,2023-01-01\n", "text/csv")}
    assert officer.post("/desk/acts/club/import-members", data=form, files=members).status_code == 303
    change = {"code": "MI1", "set.field": "name", "set.value": "Milano Scacchi", "since": "2024-01-01"}
    done = officer.post("/desk/acts/club/change", data=form | change | {"reason": "new name"})
    assert (done.status_code, done.headers["location"]) == (303, "/desk/clubs/MI1")
    assert "MI1 (Milano Scacchi) is changed." in officer.get("/desk/clubs/MI1").text
    assert players_of(own.client().get("/clubs/MI1").text) == {1}
    assert "Milano Scacchi" in own.client().get("/players/1").text
    leave = {"player": "1", "club": "", "since": "2024-06-01", "reason": "left"}
    assert officer.post("/desk/acts/club/transfer", data=form | leave).status_code == 303
    assert players_of(own.client().get("/clubs/MI1").text) == set()


def test_the_settings_choose_age_groups(own: Served) -> None:
    administrator = own.client("administrator")
    form = {
        "csrf": proof(administrator, "/admin"), "name": "B", "federation": "ITA", "time_zone": "Europe/Rome",
        "language": "en", "languages": "en", "age_groups": "u13 60+", "age_day": "12-31",
    }  # fmt: skip
    assert administrator.post(SETTINGS, data=settings_form(form)).status_code == 303
    page = own.client().get("/lists/standard?group=u13")
    assert page.status_code == 200
    assert '<option value="s60">60+</option>' in page.text
    assert own.client().get("/lists/standard?group=u20").status_code == 404
    assert administrator.post(SETTINGS, data=settings_form(form | {"age_groups": "kids"})).status_code == 422


CATEGORIES = """
id = "own-2025"
base = "fide-2024"

[standard]
categories = { article = "own 4", value = [{ name = "1N", rating = 1800 }, { name = "CM", rating = 2000 }] }
"""


def test_national_categories_are_on_list_player_and_api(own: Served) -> None:
    office = replace(own.office, author="tests", now=lambda: datetime(2025, 1, 15, 9, tzinfo=UTC))
    adopt_edition(office, CATEGORIES, lists=[ListName.STANDARD], since=date(2025, 1, 10), reason="board")
    visitor = own.client()
    assert '<th scope="col">Category</th>' not in compact(visitor.get("/lists/standard").text)
    february = datetime(2025, 2, 1, 9, tzinfo=UTC)
    publication = publish(replace(office, now=lambda: february), ListName.STANDARD, date(2025, 2, 1))
    rows = visitor.get(f"/api/v1/lists/{publication.name}").json()["rows"]
    held = {row["rating"] >= 2000: row["category"] for row in rows if row["rating"] >= 1800}
    assert set(held.values()) <= {"1N", "CM"}
    assert held[True] == "CM"
    best = next(row for row in rows if row["rating"] >= 2000 and row["id"])
    page = compact(visitor.get(f"/lists/{publication.name}").text)
    assert "<td>CM</td>" in page
    csv = visitor.get(f"/lists/{publication.name}/files/{publication.name}.csv").text
    assert "category" in csv.splitlines()[0]
    with own.office.store.reading() as connection:
        steps = player_categories(connection, best["id"], ListName.STANDARD, date(2025, 2, 1))
    assert [(step.category, step.article) for step in steps] == [("CM", "own 4")]
