"""Walks through the site with a browser."""

import os
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from arpad.explain.words import load_words
from tests.builders.site_fixtures import PASSWORD, Served

AXE_OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "selectors": False,
    "iframes": False,
}

HIDE_REPEATS = """() => {
    const seen = new Map();
    for (const part of document.querySelectorAll('main tr, main li, main details, main dd, main td')) {
        const shape = part.parentElement.tagName + part.outerHTML
            .replace(/ ([\\w-]+)="([^"]*)"/g, (all, name, value) => name === 'class' ? all : ` ${name}=${!!value}`)
            .replace(/>[^<]*/g, text => text.trim().length > 1 ? '>x' : '>');
        const times = (seen.get(shape) ?? 0) + 1;
        seen.set(shape, times);
        if (times > 3) part.classList.add('repeated');
    }
    const style = new CSSStyleSheet();
    style.replaceSync('.repeated { visibility: hidden !important } li.repeated, tr.repeated { display: none }');
    document.adoptedStyleSheets = [style];
}"""
"""Hide rows and items of the same tags and classes as three before them: axe would judge the same thing again."""

SHOW_REPEATS = """() => {
    document.adoptedStyleSheets = [];
    for (const part of document.querySelectorAll('.repeated')) part.classList.remove('repeated');
}"""


class Walk:
    """One person's way through the site; axe judges the pages of a long one only with the deep tests."""

    def __init__(
        self,
        browser: Browser,
        served: Served,
        language: str,
        width: int,
        *,
        dark: bool = False,
        judged: bool = True,
    ) -> None:
        self.judged = judged or bool(os.environ.get("ARPAD_DEEP"))
        self.words = load_words(language)
        self.label = f"{language}-{width}"
        self.context = browser.new_context(
            base_url=served.address,
            viewport={"width": width, "height": 844},
            locale={"it": "it-IT", "fr": "fr-FR"}.get(language, "en-GB"),
            color_scheme="dark" if dark else "light",
        )
        self.page: Page = self.context.new_page()
        self.width = width
        self.troubles: list[str] = []
        self.page.on("console", self._note_error)
        self.page.on("request", lambda request: self._note_foreign(request, served))

    def _note_error(self, message: Any) -> None:
        if message.type == "error" and "status of 4" not in message.text:
            self.troubles.append(message.text)

    def _note_foreign(self, request: Any, served: Served) -> None:
        if not request.url.startswith((served.address, "data:")):
            self.troubles.append(f"asked elsewhere: {request.url}")

    def t(self, key: str, **facts: Any) -> str:
        return self.words.text(key if "." in key else f"site.{key}", **facts)

    def go(self, address: str, name: str) -> None:
        self.page.goto(address)
        self.check_page(name)

    def check_page(self, name: str) -> None:
        """Assert that the page is in the right language, fits and has no fault; photograph it."""
        page = self.page
        assert page.get_attribute("html", "lang") == self.words.language, name
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= self.width, f"{name} is {wide} wide on {self.width}"
        assert not self.judged or self._faults() == [], name
        assert self.troubles == [], name
        if folder := os.environ.get("ARPAD_SHOTS"):
            page.screenshot(path=Path(folder) / f"{name}-{self.label}.png", full_page=True)

    def _faults(self) -> list[tuple[str, list[str]]]:
        """Return what axe finds on the page; rows and items that repeat others are judged in deep runs only."""
        hide = not os.environ.get("ARPAD_DEEP")
        if hide:
            self.page.evaluate(HIDE_REPEATS)
        results = Axe().run(self.page, options=AXE_OPTIONS)
        if hide:
            self.page.evaluate(SHOW_REPEATS)
        return [
            (fault["id"], [node["html"][:120] for node in fault["nodes"][:2]])
            for fault in results.response["violations"]
        ]

    def sign_in(self, login: str) -> None:
        self.page.goto("/sign-in")
        self.page.fill("input[name=login]", login)
        self.page.fill("input[name=password]", PASSWORD)
        self.page.click("main button")
        self.page.wait_for_url(lambda address: "sign-in" not in address)

    def close(self) -> None:
        self.context.close()


SIZES = [
    pytest.param(("it", 390), id="it-390"),
    pytest.param(("en", 1280), id="en-1280"),
    pytest.param(("it", 1280), id="it-1280", marks=pytest.mark.deep),
    pytest.param(("en", 390), id="en-390", marks=pytest.mark.deep),
]

FOR_LONG_WALKS = [SIZES[0], *(pytest.param(*it.values, id=it.id, marks=pytest.mark.deep) for it in SIZES[1:])]
"""A walk of half a minute is done on a telephone every time, otherwise with the deep tests."""


def january_open(served: Served, *, broken: bool) -> str:
    """Three rounds of four rated players, perhaps with a result that contradicts itself."""
    rows = served.client().get("/api/v1/lists/standard").json()["rows"][10:14]
    client = served.client()
    people = [client.get(f"/api/v1/players/{row['id']}").json()["player"] for row in rows]
    pairs = {1: {1: 4, 2: 3}, 2: {4: 3, 1: 2}, 3: {2: 4, 3: 1}}
    cells: dict[int, list[str]] = {number: [] for number in range(1, 5)}
    for pairing in pairs.values():
        for white, black in pairing.items():
            cells[white].append(f"{black:4d} w 1")
            cells[black].append(f"{white:4d} b 0")
    lines = [
        "012 Open di gennaio", "022 Bellariva", "032 ITA", "042 2025/01/03", "052 2025/01/05", "062 4", "072 4",
        "092 Individual: Round-Robin", "102 IA Verdi, Tullio",
        "122 90 min/40 moves + 30 min + 30 sec per move from move one",
        "132" + " " * 88 + "  ".join(f"{day:8s}" for day in ("25/01/03", "25/01/04", "25/01/05")),
    ]  # fmt: skip
    for number, (row, person) in enumerate(zip(rows, people, strict=True), start=1):
        points = sum(cell.endswith("1") for cell in cells[number])
        fide = person["identifiers"].get("fide", "")
        lines.append(
            f"001 {number:4d} {'w' if person['sex'] == 'F' else 'm'}{row['title']:>3} {row['name']:<33} "
            f"{row['rating']:4d} {row['federation']:3} {fide:>11} {row['born']}/00/00 {points:4.1f} {number:4d}  "
            + "  ".join(cells[number])
        )
    text = "\n".join(lines) + "\n"
    return text.replace("   1 b 0", "   1 b 1", 1) if broken else text
