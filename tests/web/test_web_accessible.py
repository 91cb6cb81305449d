"""Every page of the site, found by its route, without a fault that axe knows, in both themes and both widths.

A new route is walked as soon as it exists. The walk takes minutes, so only deep runs do it; the walks of people
(tests/web/test_web_walks.py) judge the pages that they pass in every run.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from arpad.accounts import Grant, Role, add_user
from tests.web.conftest import PASSWORD, Served
from tests.web.every_route import routes
from tests.web.test_web_walks import Walk

NOT_PAGES = re.compile(
    r"/api/|/api$|/static/|/health/|/metrics|/robots\.txt|\{file:str\}|/file$|\.csv|\.png|\.svg|\.xml|\.ics|\.pdf"
    r"|/pictures/|/regulations/compare|/account/password"
)
VALUES = {
    "/calculators/{name:str}": [
        f"/calculators/{name}" for name in ("change", "entry", "k", "capital", "groups")
    ],
    "/lists/{name:str}": ["/lists/standard-2025-01-01-r1", "/lists/italiana-2024-12-31-r1"],
    "/lists/{name:str}/difference": [],
    "/guides/{who:str}": ["/guides/player", "/guides/officer"],
    "/regulations/{name:str}": ["/regulations/fide-2024", "/regulations/rubele-2021"],
    "/regulations/{old:str}/{new:str}": ["/regulations/fide-2017/fide-2024"],
    "/desk/draft": ["/desk/draft?list=standard&day=2025-02-01"],
    "/players/{number:int}": ["/players/1", "/players/89"],
    "/compare": ["/compare?player=1&player=2"],
    "/players": ["/players?q=ravistri", "/players?q=mar"],
}
"""Addresses for a route with parameters; a new one has the number 1, or the name x, whose error page is a page too."""


def addresses() -> list[str]:
    """Return an address for each page of the site."""
    pages = [path for method, path in routes() if method == "GET" and not NOT_PAGES.search(path)]
    return [
        address
        for path in pages
        for address in VALUES.get(path, [re.sub(r"\{\w+:int\}", "1", re.sub(r"\{\w+:str\}", "x", path))])
    ]


@pytest.mark.deep
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_page_is_accessible(browser: Browser, own: Served, width: int, *, dark: bool) -> None:
    assert own.office is not None
    office = replace(own.office, author="administrator")
    everything = [Grant(Role.ARBITER), Grant(Role.OFFICER), Grant(Role.ADMINISTRATOR)]
    add_user(office, "zoe", "Zoe Neri", PASSWORD, everything, own_password=True)
    walk = Walk(browser, own, "en", width, dark=dark)
    walk.sign_in("zoe")
    faults = {}
    for address in addresses():
        try:
            walk.go(address, re.sub(r"\W+", "-", address).strip("-") + ("-dark" if dark else ""))
        except AssertionError as error:
            faults[address] = str(error)[:400]
            walk.troubles.clear()
    walk.close()
    assert faults == {}


def test_every_page_has_an_address() -> None:
    assert {"/glossary", "/desk/ledger", "/regulations/fide-2024", "/players/1"} <= set(addresses())
    assert VALUES.keys() <= {path for _, path in routes()}
