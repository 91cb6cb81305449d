"""The guides with their pictures: the demo is built and served, a browser visits it, the pages go to build/guides."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from arpad.explain.words import LANGUAGES, load_words
from arpad.web.guides import PEOPLE, PICTURES, TAKEN, guide_html, picture_name, with_pictures
from tests.web.conftest import PASSWORD, copied, serving

EXAMPLE = Path(__file__).parents[1] / "src" / "arpad" / "examples" / "open.trf"
STYLE = "body { max-width: 52rem; margin: 2rem auto; font: 1rem/1.5 Georgia, serif } img { max-width: 100% }"


def main() -> int:
    """Take the pictures and write a page for each guide."""
    from arpad.demo.build import build

    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser_path is None:
        sys.stderr.write("The pictures need a browser: install the package chromium and run make again.\n")
        return 2
    TAKEN.mkdir(parents=True, exist_ok=True)
    for old in (*TAKEN.glob("*.png"), *TAKEN.glob("*.html")):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        built = Path(folder) / "demo"
        build(built)
        browser = running.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        with serving(copied(built, Path(folder))) as site:
            for language in LANGUAGES:
                for who in PEOPLE:
                    page = browser.new_page(
                        base_url=site.address,
                        viewport={"width": 1100, "height": 760},
                        locale=load_words(language).text("form.locale").replace("_", "-"),
                    )
                    write(page, who, language)
                    page.close()
        browser.close()
    sys.stdout.write(f"{TAKEN}\n")
    return 0


def write(page: Page, who: str, language: str) -> None:
    """One guide with its pictures."""
    if who != "player":
        page.goto("/sign-in")
        page.fill("input[name=login]", who)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button")
    for section, address in PICTURES[who].items():
        page.goto(address)
        if address == "/check":
            page.set_input_files("input[type=file]", EXAMPLE)
            page.wait_for_selector(".cards")
        page.screenshot(path=TAKEN / picture_name(who, section, language))
    body = with_pictures(guide_html(who, language), who, load_words(language))
    head = f"<!doctype html>\n<html lang='{language}'><meta charset='utf-8'><title>Arpad</title>"
    html = f"{head}<style>{STYLE}</style>\n{body}</html>\n"
    (TAKEN / f"guide-{who}.{language}.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
