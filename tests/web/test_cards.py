"""Cards for other sites: closed by default, framed only by the sites that the office named, never of hidden players."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arpad.explain.cards import STYLE_DIGEST
from arpad.model.errors import BadInput
from arpad.office.office import Office
from arpad.office.privacy.acts import hide_player
from tests.builders.site_fixtures import Served, compact, serving_copy
from tests.builders.verbs import change_settings

CLUB, OTHER = "https://club.example.org", "https://other.example.org:8443"
ADDRESSES = (
    "/cards/players/1",
    "/cards/players/1/card.svg",
    "/cards/tournaments/1",
    "/cards/tournaments/1/card.svg",
)


@pytest.fixture(scope="module")
def site(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_copy(demo_folder, tmp_path_factory.mktemp("cards")) as running:
        yield running


@pytest.fixture
def opened(site: Served) -> Iterator[Office]:
    """The office while two sites may frame its cards."""
    office = replace(site.office, author="tests")
    change_settings(office, set_={"card_sites": f"{CLUB}/ {OTHER}"})
    site.client().get("/")  # the site learns of a setting with the next page, or within seconds
    yield office
    change_settings(office, set_={"card_sites": ""})


def test_without_named_sites_there_are_no_cards(site: Served) -> None:
    for address in ADDRESSES:
        assert site.client().get(address).status_code == 404
    assert "/cards/" not in site.client().get("/players/1").text


def test_only_the_named_sites_may_frame_a_card_and_nothing_else(site: Served, opened: Office) -> None:
    visitor = site.client()
    for address in ADDRESSES:
        answer = visitor.get(address, params={"lang": "it"})
        assert answer.status_code == 200, address
        policy = answer.headers["content-security-policy"].split("; ")
        assert f"frame-ancestors {CLUB} {OTHER}" in policy
        assert "default-src 'none'" in policy
        assert "x-frame-options" not in answer.headers
        assert "set-cookie" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        if address.endswith(".svg"):
            assert f"style-src '{STYLE_DIGEST}'" in policy
            assert answer.headers["content-type"].startswith("image/svg+xml")
            ET.fromstring(answer.text)  # noqa: S314  our own
            again = visitor.get(address, headers={"if-none-match": visitor.get(address).headers["etag"]})
            assert again.status_code == 304
    for address in ("/", "/players/1", "/tournaments/1", "/running", "/cards/players/999999"):
        answer = visitor.get(address)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"
    assert opened is not None


@pytest.mark.parametrize("event", ["draughts", "teams", "open"])
def test_a_card_ranks_as_the_page_of_the_tournament(site: Served, opened: Office, event: str) -> None:
    visitor = site.client()
    names = {
        "draughts": "Trofeo dell’Equinozio",
        "teams": "Campionato a squadre",
        "open": "Open di Ognissanti",
    }
    tournaments = visitor.get("/api/v1/tournaments").json()["tournaments"]
    number = next(it["id"] for it in tournaments if it["name"].startswith(names[event]))
    page = compact(visitor.get(f"/tournaments/{number}").text).partition("<tbody>")[2]
    card = visitor.get(f"/cards/tournaments/{number}/card.svg").text
    rows = re.findall(r'<tr><td class="r">(\d+)</td><th scope="row">(?:<a[^>]*>)?([^<]+)', page)[:3]
    points = re.findall(r'<td class="r"><b>([^<]+)</b>', page)[:3]
    for (rank, name), scored in zip(rows, points, strict=True):
        assert f"{rank}. {name}" in card
        assert f">{scored}</text>" in card
    assert opened is not None


def test_a_hidden_player_has_no_card(site: Served, opened: Office) -> None:
    visitor = site.client()
    tournament = visitor.get("/cards/tournaments/1/card.svg").text
    name = ET.fromstring(tournament).findall("{http://www.w3.org/2000/svg}text")[2].text or ""  # noqa: S314  our own
    number = next(
        entrant["id"]
        for entrant in visitor.get("/api/v1/tournaments/1").json()["players"]
        if name.endswith(entrant["name"])
    )
    hide_player(opened, number, reason="asked")
    for address in (f"/cards/players/{number}", f"/cards/players/{number}/card.svg"):
        assert visitor.get(address).status_code == 404
    assert name not in visitor.get("/cards/tournaments/1/card.svg").text


def test_the_pages_say_how_to_put_a_card_elsewhere(site: Served, opened: Office) -> None:
    player = site.client().get("/players/2").text
    assert '&lt;iframe src="https://…/cards/players/2?lang=en"' in player
    assert "/cards/tournaments/1/card.svg" in site.client().get("/tournaments/1").text
    assert opened is not None


@pytest.mark.parametrize(
    "text", ["club.example.org", "https://x.org/path", "https://*", "*", "https://a b;", "'self'"]
)
def test_a_text_that_is_no_site_is_refused(opened: Office, text: str) -> None:
    with pytest.raises(BadInput, match="setting-sites"):
        change_settings(opened, set_={"card_sites": text})


def test_what_is_shared_has_a_description_and_a_picture(served: Served) -> None:
    client = served.client()
    for address, said in (
        ("/", "Every list"),
        ("/lists/standard", "98 players"),
        ("/tournaments/40", "players"),
        ("/players/1", "Ravistri"),
    ):
        page = client.get(address).text
        (about,) = re.findall(r'<meta name="description" content="([^"]+)"', page)
        assert said in about, address
        (picture,) = re.findall(r'<meta property="og:image" content="([^"]+)"', page)
        answer = client.get(picture)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), address
        assert answer.content.startswith(b"\x89PNG")
        again = client.get(picture, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
    assert client.get("/tournaments/9999/picture.png").status_code == 404
    assert client.get("/lists/nothing/picture.png").status_code == 404
