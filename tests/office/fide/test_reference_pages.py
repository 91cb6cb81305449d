"""Reference lists on the site: looked up at the desk, beside the own rating of a player, our own players first."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.office.fide.reference import add_reference
from arpad.office.register.acts import known_player
from tests.builders.reference import REFERENCE, row, write_reference
from tests.builders.site_fixtures import Served, proof, serving_copy
from tests.builders.verbs import add_identifier, all_settings, change_settings


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo with a reference list that also has its player 1."""
    folder = tmp_path_factory.mktemp("reference-site")
    with serving_copy(demo_folder, folder) as running:
        office = replace(running.office, author="tests")
        with office.store.reading() as connection:
            one = known_player(connection, 1)
        if not one.identifier("fide"):
            add_identifier(office, 1, "fide", "77000001")
        number = int(one.identifier("fide") or 77000001)
        lines = [*REFERENCE, row(number, one.name, rating=2345, blitz=2222, born="")]
        add_reference(office, write_reference(folder, "fide.txt", *lines), date(2024, 12, 1))
        yield running


def test_an_officer_fills_the_form_from_the_reference_list(site: Served) -> None:
    officer = site.client("officer")
    found = officer.get("/desk/players", params={"fide": "short nigel"}).text
    assert "/desk/players?number=400025#new" in found
    form = officer.get("/desk/players", params={"number": "400025"}).text
    for text in ('value="Short, Nigel D"', 'value="ENG"', 'value="1965"', 'value="400025"'):
        assert text in form
    assert "nobody" not in officer.get("/desk/players", params={"number": "12"}).text.lower()
    values = {
        "csrf": proof(officer, "/desk/players"),
        "name": "Short, Nigel D",
        "federation": "ENG",
        "identifiers.fide": "400025",
    }
    assert officer.post("/desk/acts/register/enter", data=values).status_code == 303


@pytest.mark.parametrize(("language", "words"), [("en", "On FIDE’s list"), ("it", "Nella lista FIDE")])
def test_a_players_page_shows_own_and_fide_ratings(site: Served, language: str, words: str) -> None:
    page = site.client().get("/players/1", params={"lang": language}).text
    assert words.replace("’", "&#39;") in page or words.replace("’", "'") in page
    assert "<b>2345</b>" in page
    assert "<b>2222</b>" in page


def test_the_home_page_shows_our_own_players_first(site: Served) -> None:
    office = replace(site.office, author="tests")
    before = site.client().get("/").text
    federation = all_settings(office)["federation"]
    other = "FRA" if federation != "FRA" else "ITA"
    change_settings(office, set_={"federation": other, "owned_standard": "home"})
    after = site.client().get("/").text
    change_settings(office, set_={"federation": federation, "owned_standard": "all"})
    assert before != after
