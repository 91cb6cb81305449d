"""Walks of every person in a real browser: each does a task without help and reaches its end.

The arbiter corrects, replaces and withdraws; the officer sees what would happen before each act that cannot be taken
back; the administrator asks what a rule would change; the developer reads an answer with a new token; the draughts
player reads a board. One office and one browser for all of them.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.builders.site_fixtures import Served
from tests.builders.walks import SIZES, Walk, january_open
from tests.builders.workbooks import workbook

pytestmark = pytest.mark.deep

BOARD = "Gara;Coppa\nData;2025-01-11\nN.;Nome;Elo;T1\n1;Bianchi Ada;3200;2b2\n2;Rossi Elio;3100;1n0\n"


@pytest.mark.parametrize("size", SIZES)
def test_every_person_does_a_task(
    browser: Browser, own: Served, size: tuple[str, int], tmp_path: Path
) -> None:
    number = _arbiter(Walk(browser, own, *size), own, tmp_path)
    other = january_open(own, broken=False).replace("Open di gennaio", "Open della Befana")
    (tmp_path / "good.trf").write_text(other, encoding="utf-8")
    _officer(Walk(browser, own, *size), number)
    _arbiter_again(Walk(browser, own, *size), number)
    _officer_acts(Walk(browser, own, *size))
    _officer_lists(Walk(browser, own, *size), tmp_path / "good.trf")
    _administrator(Walk(browser, own, *size))
    _developer(Walk(browser, own, *size))
    _draughts(Walk(browser, own, *size), tmp_path)


def _arbiter(walk: Walk, own: Served, folder: Path) -> str:
    """Correct a workbook and a TRF by one click, and send the TRF; return the number of the report."""
    page = walk.page
    page.set_default_timeout(120_000)  # a workbook is read in a limited process of its own
    walk.sign_in("arbiter")
    (folder / "open.xlsx").write_bytes(workbook())
    walk.go("/check", "a-check")
    page.set_input_files("input[type=file]", folder / "open.xlsx")
    page.wait_for_selector(".proposals")
    page.click(".findings a[href^='#cell-']")
    walk.check_page("a-workbook")
    with page.expect_download():
        page.click("button[formaction='/check/file']")
    text = january_open(own, broken=False)
    (folder / "open.trf").write_text(text.replace("062 4", "062 9"), encoding="utf-8")
    page.goto("/check")
    page.set_input_files("input[type=file]", folder / "open.trf")
    page.wait_for_selector(".proposals")
    walk.check_page("a-proposals")
    page.click(".proposals button >> nth=0")
    expect(page.locator(".done")).to_be_visible()
    walk.check_page("a-applied")
    page.click("button[formaction='/desk/send']")
    page.wait_for_url("**/desk/reports/*")
    number = page.url.rpartition("/")[2]
    expect(page.locator(".done")).to_contain_text(number)
    walk.check_page("a-sent")
    walk.go("/desk", "a-desk-sent")
    walk.close()
    return number


def _officer(walk: Walk, number: str) -> None:
    """Look at the inbox and send the report back."""
    page = walk.page
    walk.sign_in("officer")
    walk.check_page("o-inbox")
    page.goto(f"/desk/reports/{number}")
    walk.check_page("o-report")
    page.fill("form[action$='/return'] [name=reason]", "Round 3 is not signed.")
    page.click("form[action$='/return'] button")
    expect(page.locator(".done")).to_be_visible()
    walk.check_page("o-returned")
    walk.close()


def _arbiter_again(walk: Walk, number: str) -> None:
    """Find the report under To correct, send it again, replace it, and withdraw it."""
    page = walk.page
    walk.sign_in("arbiter")
    walk.go("/desk", "a-to-correct")
    page.click(f"a.button[href='/check?replaces={number}']")
    text = page.input_value("textarea[name=text]")
    page.fill("textarea[name=text]", text.replace("Bellariva", "Bellariva Alta"))
    walk.check_page("a-correcting")
    page.click("button[formaction='/desk/send']")
    page.wait_for_url("**/desk/reports/*")
    walk.check_page("a-sent-again")
    again = page.url
    page.goto("/check")
    page.set_input_files(
        "input[type=file]",
        {
            "name": "open.trf",
            "mimeType": "text/plain",
            "buffer": text.replace("Bellariva", "Bellariva Alta").encode(),
        },
    )
    page.wait_for_selector("button[formaction='/desk/send']")
    page.click("button[formaction='/desk/send']")
    page.wait_for_url(again)
    walk.check_page("a-already-sent")
    page.click("summary:has-text('" + walk.t("withdraw-report") + "')")
    page.fill("form[action$='/withdraw'] [name=reason]", "Sent by mistake.")
    page.click("form[action$='/withdraw'] button")
    expect(page.locator(".done")).to_be_visible()
    walk.check_page("a-withdrawn")
    walk.go("/desk", "a-desk-closed")
    walk.close()


def _officer_acts(walk: Walk) -> None:
    """See what merging, erasing and hiding would do, and hide a player."""
    page = walk.page
    walk.sign_in("officer")
    walk.go("/desk/players/2", "o-player")
    page.click("#more > summary")
    page.fill("form[action$='/merge'] input[data-pick]", "89")
    page.fill("form[action$='/merge'] [name=reason]", "The same person.")
    expect(page.locator("form[action$='/merge'] input[data-pick]")).to_have_value(re.compile("^89 · "))
    page.click("form[action$='/merge'] button")
    expect(page.locator(".asked")).to_be_visible()
    walk.check_page("o-merge")
    page.goto("/desk/players/2")
    page.click("#more > summary")
    page.click("summary:has-text('" + walk.t("erase-player") + "')")
    page.fill("form[action$='/erase'] [name=confirm]", "2")
    page.fill("form[action$='/erase'] [name=reason]", "Asked by letter.")
    page.click("form[action$='/erase'] button")
    walk.check_page("o-erase")
    page.goto("/desk/players/2")
    page.click("#more > summary")
    page.fill("form[action$='/hide'] [name=reason]", "Asked by letter.")
    page.click("form[action$='/hide'] button")
    walk.check_page("o-hide")
    page.click("button.danger")
    expect(page.locator(".done")).to_be_visible()
    walk.check_page("o-hidden")
    walk.close()


def _officer_lists(walk: Walk, file: Path) -> None:
    """See that a correction would change nothing; send and accept a report, and see what a draft would change."""
    page = walk.page
    walk.sign_in("officer")
    walk.go("/desk/corrections", "o-corrections")
    page.fill("form[action='/desk/corrections'] [name=reason]", "Nothing has changed.")
    page.click("button[formaction='/desk/corrections/preview']")
    walk.check_page("o-correction-none")
    page.goto("/check")
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector(".verdict")
    page.click("button[formaction='/desk/send']")
    page.wait_for_url("**/desk/reports/*")
    page.click("form[action$='/accept'] button")
    expect(page.locator(".lead .tag")).to_have_text(walk.t("status.accepted"))
    walk.check_page("o-accepted")
    page.goto("/desk/draft?list=standard&day=2025-02-01")
    page.wait_for_selector("form[action='/desk/publish']")
    walk.check_page("o-draft")
    walk.go("/desk/ledger", "o-ledger")
    walk.close()


def _administrator(walk: Walk) -> None:
    """Ask whether the ratings are reliable."""
    walk.sign_in("administrator")
    walk.go("/admin", "q-admin")
    walk.go("/admin/watching?list=standard", "q-watching")
    walk.close()


def _developer(walk: Walk) -> None:
    """Make a token and read the page of the API."""
    page = walk.page
    walk.sign_in("administrator")
    page.goto("/admin/programs")
    page.fill("form[action='/admin/programs/tokens'] input[name=name]", "pairing program")
    page.click("form[action='/admin/programs/tokens'] button")
    walk.check_page("d-token")
    walk.go("/developers", "d-api")
    walk.close()


def _draughts(walk: Walk, folder: Path) -> None:
    """Read the board of a draughts event."""
    page = walk.page
    (folder / "coppa.csv").write_text(BOARD, encoding="utf-8")
    page.goto("/check")
    page.click("summary:has-text('" + walk.t("facts-title") + "')")
    page.select_option("select[name=list]", "italiana")
    page.set_input_files("input[type=file]", folder / "coppa.csv")
    page.wait_for_selector(".verdict")
    walk.check_page("c-board")
    walk.close()
