"""The documentation site, built as ``make docs`` builds it: no warning, no dead link, nothing from the network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest

from tests.paths import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SPHINX = ROOT / ".venv" / "tools" / "bin" / "sphinx-build"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}
"""What a browser fetches by itself."""

pytestmark = pytest.mark.deep


class Page(HTMLParser):
    """The links, anchors and loaded files of a page, and its language."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.language = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"id", "name"} and value:
                self.anchors.add(value)
            elif (tag, name) == ("html", "lang"):
                self.language = value or ""
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)
            elif (tag, name) in LOADED and value:
                self.loaded.append(value)


@pytest.fixture(scope="module")
def site() -> Path:
    """Build the site."""
    if not SPHINX.is_file():
        pytest.skip("tools/setup tools installs Sphinx")
    command = [sys.executable, "-m", "tools.docs"]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (completed.returncode, completed.stderr) == (0, "")
    return Path(completed.stdout.strip()).parent


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html")) if "_static" not in path.parts}


def leads_somewhere(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    """Return whether a link of a page leads to a page and an anchor; of other sites, only the form counts."""
    parts = urlsplit(link)
    if parts.scheme:
        return bool(parts.netloc if parts.scheme in {"http", "https"} else parts.scheme == "mailto")
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target not in pages:
        return target.is_file() and not parts.fragment
    return not parts.fragment or unquote(parts.fragment) in pages[target].anchors


def test_every_link_leads_to_a_page_and_an_anchor(pages: dict[Path, Page]) -> None:
    wrong = {
        link for path, page in pages.items() for link in page.links if not leads_somewhere(path, link, pages)
    }
    assert wrong == set()


def test_every_page_can_be_reached(site: Path, pages: dict[Path, Page]) -> None:
    reached, waiting = set[Path](), [site / "index.html"]
    while waiting:
        path = waiting.pop()
        if path in pages and path not in reached:
            reached.add(path)
            links = [urlsplit(link) for link in pages[path].links]
            waiting += [(path.parent / unquote(link.path)).resolve() for link in links if not link.scheme]
    assert pages.keys() - reached <= {site / "search.html"}  # a form leads there


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        for address in page.loaded:
            parts = urlsplit(address)
            assert (parts.scheme, parts.netloc) == ("", ""), f"{path} loads {address}"
            assert (path.parent / unquote(parts.path)).exists(), f"{path} loads {address}"


def test_a_page_says_its_language(site: Path, pages: dict[Path, Page]) -> None:
    for path, page in pages.items():
        assert page.language == ("it" if path.name.endswith(".it.html") else "en"), path
    assert pages[site / "tutorials" / "small.it.html"].language == "it"


def test_every_edition_has_its_page_in_both_languages(site: Path) -> None:
    from arpad.regulations.all_editions import EVERY

    for edition in EVERY:
        for language in ("en", "it"):
            assert (site / "reference" / "editions" / f"{edition.id}.{language}.html").is_file()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.mark.parametrize(
    ("word", "title"), [("checkpoint", "How proofs work"), ("ricalcolare", "Per i giocatori")]
)
def test_search_works_from_files(browser: Browser, site: Path, word: str, title: str) -> None:
    page = browser.new_page()
    page.goto((site / "search.html").as_uri() + f"?q={word}")
    page.wait_for_selector("#search-results li a")
    assert title in page.inner_text("#search-results").replace("\u2019", "'")
    page.close()


@pytest.mark.parametrize(("width", "dark"), [(390, True), (1300, False)])
def test_pages_fit_the_screen_and_ask_the_network_for_nothing(
    browser: Browser, site: Path, pages: dict[Path, Page], width: int, dark: bool
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: asked.append(str(error)))
    for path in pages:
        if "editions" not in path.parts or "fide-2024" in path.name:
            page.goto(path.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    context.close()
