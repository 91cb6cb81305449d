"""Every page under the strict policy, nothing from elsewhere, and everything essential without JavaScript."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders.site_fixtures import PASSWORD, Served
from tests.builders.walks import january_open
from tests.paths import EXAMPLES
from tests.web.test_web_accessible import addresses, furnished

__all__ = ["furnished"]

LOADS = re.compile(
    r"<(?:script|img|iframe|source|audio|video|object|embed|form|button|input)\b[^>]*\s"
    r"(?:src|srcset|data|action|formaction)=[\"']?([^\"'\s>]+)"
    r"|<link\b(?=[^>]*rel=[\"'](?:stylesheet|icon|preload|manifest))[^>]*\shref=[\"']?([^\"'\s>]+)"
)
"""The addresses that a page loads or sends forms to."""

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style\b|\son[a-z]+=|\sstyle=|href=[\"']?javascript:")
ALONE = "/verify/receipts"
"""A page to be saved and opened without the site: its script is in it, and the policy names its digest."""


def test_every_page_is_under_the_strict_policy_and_loads_nothing_from_elsewhere(furnished: Served) -> None:
    client = furnished.client("zoe")
    pages = 0
    for address in addresses():
        answer = client.get(address)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy, address
        assert "unsafe" not in policy, address
        assert "http:" not in policy.replace(furnished.address, ""), address
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        pages += 1
        loaded = [one or other for one, other in LOADS.findall(answer.text)]
        assert loaded or address == ALONE or address.startswith("/cards/"), address
        assert [url for url in loaded if not re.match(r"/(?!/)|data:", url)] == [], address
        if address != ALONE:
            assert INLINE.findall(answer.text) == [], address
    assert pages > 80


@contextmanager
def page_without_scripts(browser: Browser, served: Served, login: str = "") -> Iterator[Page]:
    """Open a page of a browser without JavaScript, which may ask nothing but the site."""
    context = browser.new_context(base_url=served.address, java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    if login:
        page.goto("/sign-in")
        page.fill("input[name=login]", login)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button")
        page.wait_for_url("**/desk")
    yield page
    assert [url for url in asked if not url.startswith(served.address)] == []
    context.close()


def test_a_visitor_calculates_checks_searches_and_filters(browser: Browser, served: Served) -> None:
    with page_without_scripts(browser, served) as page:
        page.goto("/calculators/change")
        page.fill("input[name=rating]", "1850")
        page.fill("input[name=k]", "20")
        page.select_option("select[name=edition]", "fide-2017")
        page.locator("input[name=opponent]").first.fill("1900")
        page.click("main button:has-text('Calculate')")
        expect(page.locator(".figure.big")).to_contain_text("1861")  # 20 × 0.57 = 11.4
        page.goto("/check")
        page.set_input_files("input[type=file]", EXAMPLES / "open.trf")
        page.click("main button:has-text('Check')")
        expect(page.locator("h2", has_text="Preview")).to_be_visible()
        page.goto("/tournaments/40")
        page.fill("header input[type=search]", "ravistri")
        page.press("header input[type=search]", "Enter")
        expect(page.locator("h1")).to_contain_text("Ravistri, Sandro")
        expect(page.locator("svg.chart")).to_be_visible()
        page.goto("/lists/standard")
        everybody = page.locator("main tbody tr[id], main .wide tbody tr").count()
        page.click("summary:has-text('Filter the list')")
        page.fill("input[name=from]", "1900")
        page.select_option("select[name=sex]", "F")
        page.click(".filters button")
        assert "from=1900" in page.url
        assert 0 < page.locator("main .wide tbody tr").count() < everybody
        page.click("th a:has-text('Born')")
        assert "sort=-born" in page.url
        assert "from=1900" in page.url


@pytest.mark.deep
def test_staff_send_accept_publish_and_correct(browser: Browser, own: Served, tmp_path: Path) -> None:
    (tmp_path / "open.trf").write_text(january_open(own, broken=False), encoding="utf-8")
    with page_without_scripts(browser, own, "arbiter") as page:
        page.goto("/check")
        page.set_input_files("input[type=file]", tmp_path / "open.trf")
        page.click("main button:has-text('Check')")
        page.click("button[formaction='/desk/send']")
        page.wait_for_url("**/desk/reports/*")
        expect(page.locator(".done")).to_be_visible()
        report = page.url.rpartition("/")[2]
    with page_without_scripts(browser, own, "officer") as page:
        _accept_and_publish(page, report)
        _decide_and_correct(page, report)


def _accept_and_publish(page: Page, report: str) -> None:
    page.click(f"a[href='/desk/reports/{report}']")
    page.click("form[action$='/accept'] button")
    expect(page.locator(".lead .tag")).to_have_text("accepted")
    page.goto("/desk/draft?list=standard&day=2025-02-01")
    page.click("form[action='/desk/publish'] button")
    expect(page.locator("main a[href='/lists/standard-2025-02-01-r1']")).to_be_visible()


def _decide_and_correct(page: Page, report: str) -> None:
    page.goto(f"/desk/decisions?report={report}")
    page.click("main a[href^='/desk/decisions/new/not-rated']")
    page.fill("form[action^='/desk/decisions'] [name=reason]", "No arbiter was there.")
    page.click("form[action^='/desk/decisions'] button")
    page.click("form[action='/desk/acts/decide'] button")
    expect(page.locator(".done")).to_be_visible()
    page.goto("/desk/corrections")
    page.fill("form[action='/desk/corrections'] [name=reason]", "The open does not count.")
    page.click("button[formaction='/desk/corrections/preview']")
    expect(page.locator("main")).to_contain_text("February 2025")
    page.goto("/desk/players/2")
    page.click("#more > summary")
    page.fill("form[action$='/merge'] [name=dropped]", "89")
    page.fill("form[action$='/merge'] [name=reason]", "The same person.")
    page.click("form[action$='/merge'] button")
    expect(page.locator(".asked")).to_be_visible()
