"""The header: the menus fold behind a button on a phone, without a script; the desk says how many reports wait."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from arpad.web.cookies import SESSION_COOKIE
from tests.web.conftest import OPEN, Served, compact, proof
from tests.web.test_sender_desk import send


def test_the_menu_counts_the_reports_that_wait(own: Served) -> None:
    arbiter, officer = own.client("arbiter"), own.client("officer")
    assert 'class="count"' not in officer.get("/desk").text
    number = send(arbiter, OPEN.decode())
    counted = '<span class="count" aria-hidden="true">1</span><span class="vh">1 report waits for you</span>'
    assert counted in compact(officer.get("/lists").text)
    assert counted not in compact(arbiter.get("/lists").text)
    reason = {"csrf": proof(officer, f"/desk/reports/{number}"), "reason": "Round 7 is missing."}
    officer.post(f"/desk/reports/{number}/return", data=reason)
    assert counted in compact(arbiter.get("/lists").text)
    assert counted not in compact(officer.get("/lists").text)


@pytest.mark.deep
def test_the_menus_fold_on_a_phone_without_a_script(served: Served, browser: Browser) -> None:
    served.client("officer")
    context = browser.new_context(
        base_url=served.address,
        viewport={"width": 390, "height": 800},
        locale="it-IT",
        java_script_enabled=False,
    )
    context.add_cookies(
        [{"name": SESSION_COOKIE, "value": served.tokens["officer"], "domain": "127.0.0.1", "path": "/"}]
    )
    page = context.new_page()
    page.goto("/desk/upload")
    assert page.get_by_role("button", name="Ufficio: In arrivo").is_visible()
    page.goto("/desk/titles")
    menu, sections = page.locator("#menu"), page.locator("#sections")
    assert not menu.is_visible()
    assert not sections.is_visible()
    page.get_by_role("button", name="Menu").click()
    assert menu.get_by_role("link", name="Giocatori").is_visible()
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    page.get_by_role("button", name="Ufficio: Titoli").click()
    sections.get_by_role("link", name="Decisioni").click()
    page.wait_for_url("**/desk/decisions")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not page.get_by_role("button", name="Menu").is_visible()
    assert menu.get_by_role("link", name="Giocatori").is_visible()
    assert sections.get_by_role("link", name="Titoli").is_visible()
    context.close()
