"""Templates, and what is around every page: menus, what waits at the desk, keys, the end of a session."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from arpad.explain.words import load_words
from arpad.office.accounts.users import all_users
from arpad.office.users import minutes_left
from arpad.web.cache import FragmentCache
from arpad.web.cookies import SESSION_COOKIE
from arpad.web.templates import environment
from tests.builders.site_fixtures import OPEN, Served, compact, january, proof
from tests.builders.verbs import change_settings
from tests.office.inbox.test_report_pages_sender import send
from tests.paths import template_files

TEMPLATES = template_files()
LONGEST_LINE = 140


def test_no_line_of_a_template_is_longer_than_140_characters() -> None:
    lines = [
        f"{name}:{number}"
        for name, path in TEMPLATES.items()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]

    assert TEMPLATES
    assert lines == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles(name: str) -> None:
    assert environment().get_template(name).name == name


def test_a_label_has_the_colon_of_its_language() -> None:
    """``{{ colon }}``: French has a blank before it. The board prints numbers, not words."""
    written = re.compile(r"\}\}(</\w+>)?:( |$|<)", re.MULTILINE)
    wrong = [name for name, path in TEMPLATES.items() if written.search(path.read_text(encoding="utf-8"))]
    assert wrong == ["board.html"]


def test_a_part_that_is_written_once_is_written_anew_in_another_language_and_for_another_key() -> None:
    template = environment().from_string(
        '{% once "part", key %}{{ words.language }}{{ count() }}<{% endonce %}'
    )
    texts = FragmentCache()
    counts = iter(range(10))

    def shown(language: str, key: int) -> str:
        return template.render(
            words=load_words(language), key=key, count=lambda: next(counts), fragments=texts
        )

    assert texts.size == 0
    assert [shown("en", 1), shown("en", 1), shown("fr", 1), shown("en", 2), shown("en", 1)] == [
        "en0<",
        "en0<",
        "fr1<",
        "en2<",
        "en0<",
    ]
    assert texts.size > 0


def test_a_part_without_a_key_is_written_each_time() -> None:
    template = environment().from_string("{% once none %}{{ count() }}{% endonce %}")
    counts, texts = iter(range(10)), FragmentCache()
    shown = [
        template.render(words=load_words("en"), count=lambda: next(counts), fragments=texts) for _ in range(3)
    ]
    assert shown == ["0", "1", "2"]
    assert texts.size == 0


def test_parts_and_pages_share_one_bounded_memory() -> None:
    texts = FragmentCache(most_bytes=100)
    texts.add("a", 1, 60)
    texts.add("b", 2, 30)
    assert texts.get("a") == 1
    texts.add("c", 3, 40)
    assert [texts.get(key) for key in "abc"] == [1, None, 3], "the least recently used goes first"
    assert texts.size == 100
    texts.add("c", 4, 10)
    assert (texts.get("c"), texts.size) == (4, 70)
    texts.add("d", 5, 101)
    assert texts.size == 0, "what is too large is not kept"


def test_the_menu_counts_the_reports_that_wait(own: Served) -> None:
    arbiter, officer = own.client("arbiter"), own.client("officer")
    assert 'class="count"' not in officer.get("/desk").text
    number = send(arbiter, OPEN.decode())
    counted = '<span class="count" aria-hidden="true">1</span><span class="vh">1 report waits for you</span>'
    assert counted in compact(officer.get("/lists").text)
    assert counted not in compact(arbiter.get("/lists").text)
    reason = {"csrf": proof(officer, f"/desk/reports/{number}"), "reason": "Round 7 is missing."}
    officer.post("/desk/acts/return", data=reason | {"report": str(number)})
    assert counted in compact(arbiter.get("/lists").text)
    assert counted not in compact(officer.get("/lists").text)


def test_nothing_leads_an_administrator_to_a_desk_that_is_closed_to_them(own: Served) -> None:
    for login, opened in (("administrator", False), ("officer", True), ("arbiter", True)):
        client = own.client(login)
        assert ('href="/desk"' in client.get("/lists").text) == opened, login
    refused = own.client("administrator").get("/desk")
    assert refused.status_code == 403
    assert "An administrator can give you another role." in refused.text


def test_the_name_of_the_federation_is_marked_with_a_chosen_language_only(own: Served) -> None:
    visitor = own.client(language="it")
    marks = re.compile(r'<(?:a class="mark" href="/"|b|span) lang="(\w+)">')
    assert marks.findall(visitor.get("/").text) == []  # nobody said that the name is English
    office = replace(own.office, author="anna")
    for language, marked in (("fr", ["fr"] * 2), ("it", [])):
        change_settings(office, set_={"language": language})
        visitor.get("/")  # the site learns of a setting with the next page
        assert marks.findall(visitor.get("/").text) == marked


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
    assert page.get_by_role("button", name="Area riservata").is_visible()
    page.goto("/desk/titles")
    menu, sections = page.locator("#menu"), page.locator("#sections")
    assert not menu.is_visible()
    assert not sections.is_visible()
    page.get_by_role("button", name="Menu").click()
    assert menu.get_by_role("link", name="Giocatori").is_visible()
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    page.get_by_role("button", name="Area riservata: Titoli").click()
    sections.get_by_role("link", name="Decisioni").click()
    page.wait_for_url("**/desk/decisions")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not page.get_by_role("button", name="Menu").is_visible()
    assert menu.get_by_role("link", name="Giocatori").is_visible()
    assert sections.get_by_role("link", name="Titoli").is_visible()
    context.close()


def signed_in(served: Served, browser: Browser, login: str) -> Page:
    context = browser.new_context(base_url=served.address)
    context.add_cookies(
        [{"name": SESSION_COOKIE, "value": served.tokens[login], "domain": "127.0.0.1", "path": "/"}]
    )
    return context.new_page()


def test_keys_lead_to_pages_and_rows_and_can_be_switched_off(served: Served, browser: Browser) -> None:
    page = signed_in(served, browser, "officer")
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/desk")
    page.goto("/desk/reports")
    rows = page.locator(".inbox tbody tr a[href^='/desk/reports/']")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(rows.nth(0)).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("header input[type=search]")).to_be_focused()
    page.keyboard.type("gl")
    assert page.input_value("header input[type=search]") == "gl"
    page.click(".keys summary")
    page.click(".keys input")
    page.reload()
    page.keyboard.press("/")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    page.context.close()


def test_a_session_that_is_not_used_warns_before_it_ends(served: Served, browser: Browser) -> None:
    page = signed_in(served, browser, "officer")
    page.clock.install()
    page.goto("/desk/reports")
    page.clock.fast_forward("01:35:00")
    assert page.locator(".session p").count() == 0
    page.clock.fast_forward("00:10:00")
    expect(page.locator(".session p")).to_be_visible()
    page.click("[data-stay]")
    expect(page.locator(".session p")).to_have_count(0)
    page.clock.fast_forward("01:35:00")
    assert page.locator(".session p").count() == 0
    page.clock.fast_forward("00:10:00")
    expect(page.locator(".session p")).to_be_visible()
    page.context.close()


def test_the_end_of_a_long_session_is_announced_without_a_script(own: Served) -> None:
    late = replace(own.office, now=lambda: january() + timedelta(hours=2) - timedelta(minutes=1))
    officer = next(user for user in all_users(own.office) if user.login == "officer")
    soon = replace(officer, session_ends=(january() + timedelta(hours=2, minutes=4)).isoformat())
    assert minutes_left(late, soon) == (5, False)
    assert minutes_left(own.office, soon) == (110, True)
    page = own.client("officer").get("/desk").text
    assert 'data-session="110"' in page
    assert '<template><p class="notice warning">' in compact(page)
