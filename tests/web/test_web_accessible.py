"""Every page of the site, found by its route, without a fault that axe knows, in both themes and both widths.

A new route is walked as soon as it exists. The walk of all pages takes minutes, so only deep runs do it; every run
judges the pages that most people open, and the walks of people (tests/web/test_web_walks.py) those that they pass.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from arpad.model.clubs import UnitKind
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.users import Grant, Role
from tests.builders.site_fixtures import OPEN, PASSWORD, Served, proof, serving_copy
from tests.builders.users import add_user
from tests.builders.verbs import change_settings
from tests.builders.walks import Walk
from tests.web.every_route import routes

NOT_PAGES = re.compile(
    r"/api/|/api$|/static/|/health/|/metrics|/robots\.txt|\{file:str\}|/file$|\.csv|\.png|\.svg|\.xml|\.ics|\.pdf"
    r"|/pictures/|/desk/files/|/regulations/compare|/account/password|/checkpoint|/players/suggestions|/desk/choices/|/logo|/receipt$|/feeds/"
)
VALUES = {
    "/calculators/{name:str}": [
        f"/calculators/{name}" for name in ("change", "entry", "k", "norm", "capital", "groups")
    ],
    "/lists/{name:str}": [
        "/lists/standard-2025-01-01-r1", "/lists/italiana-2024-12-31-r1", "/lists/standard?here=38",
        "/lists/standard?cut=movers", "/lists/standard?sort=-change&federation=ITA&from=1800",
    ],
    "/lists/{name:str}/difference": [],
    "/rankings/{name:str}": ["/rankings/standard"],
    "/developers/{tag:str}": ["/developers/players", "/developers/calculators"],
    "/developers/run/{name:str}": [],
    "/guides/{who:str}": ["/guides/player", "/guides/officer"],
    "/regulations/{name:str}": ["/regulations/fide-2024", "/regulations/rubele-2021"],
    "/regulations/{old:str}/{new:str}": ["/regulations/fide-2017/fide-2024"],
    "/desk/draft": ["/desk/draft?list=standard&day=2025-02-01"],
    "/players/{number:int}": ["/players/1", "/players/38", "/players/84", "/players/89"],
    "/players/{number:int}/whole": ["/players/38/whole"],
    "/players/{number:int}/career": ["/players/38/career"],
    "/players/{number:int}/proof/{name:str}": [],
    "/compare": ["/compare?players=1,2,3", "/compare?players=1"],
    "/players": ["/players?q=ravistri", "/players?q=mar", "/players?q=zzzz"],
    "/tournaments": ["/tournaments", "/tournaments?q=open&year=2024"],
    "/tournaments/{number:int}": ["/tournaments/40?round=3", "/tournaments/37", "/tournaments/29"],
    "/clubs/{code:str}": ["/clubs/MI1"],
    "/regions/{code:str}": ["/regions/LOM"],
    "/desk/clubs/{code:str}": ["/desk/clubs/MI1"],
    "/running/{name:str}": ["/running/club-night"],
    "/live/{name:str}": ["/live/standard"],
    "/cards/running/{name:str}": ["/cards/running/club-night"],
}  # fmt: skip
"""Addresses for a route with parameters; a new one has the number 1, or the name x, whose error page is a page too."""

LOOKS = [("en", 1280, False), ("fr", 1280, True), ("it", 390, False), ("fr", 390, True)]
"""Language, width and dark theme: each theme with each width, and each language at least once."""

MOST_READ = ("/players/38", "/lists/standard?here=38", "/tournaments/40?round=3", "/compare?players=1,2")


def addresses() -> list[str]:
    """Return the addresses of the pages of the site, at least one for each route."""
    pages = [path for method, path in routes() if method == "GET" and not NOT_PAGES.search(path)]
    return [
        address
        for path in pages
        for address in VALUES.get(path, [re.sub(r"\{\w+:int\}", "1", re.sub(r"\{\w+:str\}", "x", path))])
    ]


@pytest.fixture(scope="module")
def furnished(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo with clubs, cards, a tournament in progress and a user who may do everything."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("furnished")) as running:
        office = replace(running.office, author="administrator")
        everything = [Grant(Role.ARBITER), Grant(Role.OFFICER), Grant(Role.ADMINISTRATOR)]
        add_user(office, "zoe", "Zoe Neri", PASSWORD, everything, own_password=True)
        since = date(2024, 1, 1)
        enter_club(office, "LOM", "Lombardia", kind=UnitKind.REGION, since=since)
        enter_club(office, "MI1", "Circolo di Milano", kind=UnitKind.CLUB, region="LOM", since=since)
        transfer(office, 1, "MI1", since=since)
        change_settings(office, set_={"card_sites": "https://club.example"})
        desk = running.client("arbiter")
        form = {"csrf": proof(desk, "/desk/running"), "address": "club-night"}
        sent = desk.post("/desk/running", data=form, files={"file": ("open.trf", OPEN)})
        assert sent.status_code == 303, sent.text
        yield running


@pytest.mark.deep
@pytest.mark.parametrize(("language", "width", "dark"), LOOKS)
def test_every_page_is_accessible(
    browser: Browser, furnished: Served, language: str, width: int, *, dark: bool
) -> None:
    walk = Walk(browser, furnished, language, width, dark=dark)
    walk.sign_in("zoe")
    faults = {}
    for address in addresses():
        try:
            walk.go(address, re.sub(r"\W+", "-", address).strip("-") + ("-dark" if dark else ""))
        except AssertionError as error:
            faults[address] = str(error)[:400]
            walk.troubles.clear()
    walk.close()
    assert not faults, "\n".join(f"{address}: {fault}" for address, fault in faults.items())


def test_the_pages_that_most_people_open_are_accessible(browser: Browser, served: Served) -> None:
    for (language, width, dark), address in zip(LOOKS, MOST_READ, strict=True):
        walk = Walk(browser, served, language, width, dark=dark)
        walk.go(address, re.sub(r"\W+", "-", address).strip("-") + ("-dark" if dark else ""))
        walk.close()


def test_every_page_has_an_address() -> None:
    assert {"/glossary", "/desk/ledger", "/regulations/fide-2024", "/players/1"} <= set(addresses())
    assert VALUES.keys() <= {path for _, path in routes()}
