"""Take the pictures of the guides: build and serve the demo, visit it with a browser, keep them beside the guides."""

from __future__ import annotations

import shutil
import sys
import tempfile
from base64 import b64decode
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from arpad.web.guides import PEOPLE, TAKEN, picture_name, pictures
from tests.builders.site_fixtures import PASSWORD, copied, serving

EXAMPLE = Path(__file__).parents[1] / "src" / "arpad" / "examples" / "open.trf"
SMALL = {"format": "webp", "quality": 40}
"""Pictures of 20 to 40 kB, since the package contains them."""

LOCALES = {"en": "en-GB", "it": "it-IT", "fr": "fr-FR"}
"""The languages of the guides, with what a browser asks for."""


def take_pictures() -> bool:
    """Take all pictures anew; return whether there is a browser to take them."""
    from arpad.demo.build import build

    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser_path is None:
        return False
    TAKEN.mkdir(exist_ok=True)
    for old in TAKEN.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        built = Path(folder) / "demo"
        build(built)
        browser = running.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        with serving(copied(built, Path(folder))) as site:
            for language, locale in LOCALES.items():
                for who in PEOPLE:
                    size = {"width": 1100, "height": 760}
                    page = browser.new_page(base_url=site.address, viewport=size, locale=locale)
                    visit(page, who, language)
                    page.close()
        browser.close()
    return True


def visit(page: Page, who: str, language: str) -> None:
    """Take the pictures of one guide."""
    if who != "player":
        page.goto("/sign-in")
        page.fill("input[name=login]", who)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button")
    for section, address in pictures(who).items():
        page.goto(address)
        if address == "/check":
            page.set_input_files("input[type=file]", EXAMPLE)
            page.wait_for_selector(".verdict")
        taken = page.context.new_cdp_session(page).send("Page.captureScreenshot", SMALL)
        (TAKEN / picture_name(who, section, language)).write_bytes(b64decode(taken["data"]))
