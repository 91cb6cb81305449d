"""The guides with their pictures: the demo is built and served, a browser visits it, the pages go to build/guides."""

from __future__ import annotations

import shutil
import sys
import tempfile
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from arpad.explain import LANGUAGES
from arpad.web.guides import PEOPLE, guide_html
from tests.web.conftest import PASSWORD, copied, serving

OUT = Path(__file__).parents[1] / "build" / "guides"
EXAMPLE = Path(__file__).parents[1] / "src" / "arpad" / "examples" / "open.trf"
PICTURES = {
    "player": ("/", "/players/1", "/calculators/change?rating=1850&k=20&game=1900:1&game=2000:0.5"),
    "arbiter": ("/check", "/desk"),
    "officer": (
        "/desk",
        "/desk/lists",
        "/desk/draft?list=standard&day=2025-02-01",
        "/desk/corrections",
        "/desk/ledger",
    ),
    "administrator": ("/admin",),
}


def main() -> int:
    """Take the pictures and write a page for each guide."""
    from arpad.demo.build import build

    browser_path = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser_path is None:
        sys.stderr.write("The pictures need a browser: install the package chromium and run make again.\n")
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
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
                        locale="it-IT" if language == "it" else "en-GB",
                    )
                    write(page, who, language)
                    page.close()
        browser.close()
    sys.stdout.write(f"{OUT}\n")
    return 0


def write(page: Page, who: str, language: str) -> None:
    """One guide with its pictures."""
    if who != "player":
        page.goto("/sign-in")
        page.fill("input[name=login]", who)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button")
    names = []
    for number, address in enumerate(PICTURES[who], start=1):
        page.goto(address)
        if address == "/check":
            page.set_input_files("input[type=file]", EXAMPLE)
            page.wait_for_selector(".cards")
        names.append(f"{who}-{number}.{language}.png")
        page.screenshot(path=OUT / names[-1])
    shown = "\n".join(f'<p><img src="{escape(name)}" alt="" width="800"></p>' for name in names)
    head = f"<!doctype html>\n<html lang='{language}'><meta charset='utf-8'>\n"
    html = f"{head}{guide_html(who, language)}\n{shown}\n</html>\n"
    (OUT / f"guide-{who}.{language}.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
