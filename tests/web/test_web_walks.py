"""Walks through the site in a real browser: a player, an arbiter, an officer; both languages, phone and desk.

Every page is checked for accessibility, and photographed into the folder that ARPAD_SHOTS names, if it names one.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from arpad.office.users import Grant, Role
from tests.builders.site_fixtures import PASSWORD, Served
from tests.builders.users import add_user
from tests.builders.walks import FOR_LONG_WALKS, SIZES, Walk, january_open
from tests.paths import EXAMPLES


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> tuple[str, int]:
    language_and_width: tuple[str, int] = request.param
    return language_and_width


@pytest.mark.parametrize("size", FOR_LONG_WALKS, indirect=True)
def test_a_player_finds_their_page_and_follows_a_change(
    browser: Browser, served: Served, size: tuple[str, int]
) -> None:
    walk = Walk(browser, served, *size)
    row = served.client().get("/api/v1/lists/standard").json()["rows"][0]
    walk.go("/", "home")
    walk.page.fill("main input[type=search]", row["name"].partition(",")[0])
    walk.page.click("main form[role=search] button")
    if "/players/" not in walk.page.url:
        walk.check_page("search")
        walk.page.click(f"main a:has-text('{row['name']}')")
    expect(walk.page.locator("h1")).to_contain_text(row["name"])
    expect(walk.page.locator(".card .figure").first).to_have_text(str(row["rating"]))
    expect(walk.page.locator("svg.chart")).to_be_visible()
    walk.check_page("player")
    link = walk.page.locator(".period .steps a").first
    article = link.inner_text()
    link.click()
    expect(walk.page.locator("h1")).to_contain_text("FIDE, ")
    assert article[0].isdigit()
    walk.check_page("edition")
    walk.page.go_back()
    walk.page.locator("form[action='/calculators/change'] input[name=opponent]").first.fill("2000")
    walk.page.click("form[action='/calculators/change'] button:has-text('" + walk.t("calculate") + "')")
    expect(walk.page.locator(".figure.big")).to_be_visible()
    walk.check_page("what-if")
    walk.close()


EVERY_TIME = frozenset({"list", "board", "compared", "guide"})
"""Of the public pages, one of each form; all of them go with the deep tests."""


@pytest.mark.parametrize(
    ("size", "chosen"),
    [
        pytest.param(*SIZES[0].values, "some", id="it-390"),
        *(pytest.param(*it.values, "all", id=f"{it.id}-all", marks=pytest.mark.deep) for it in SIZES),
    ],
    indirect=["size"],
)
def test_every_public_page_reads_well(
    browser: Browser, served: Served, size: tuple[str, int], chosen: str
) -> None:
    walk = Walk(browser, served, *size)
    events = served.client().get("/api/v1/tournaments").json()["tournaments"]
    chess = next(event["id"] for event in events if event["list"] == "standard")
    draughts = next(event["id"] for event in events if event["list"] == "italiana")
    corrected = next(
        entry["name"] for entry in served.client().get("/api/v1/lists").json()["lists"] if entry["corrects"]
    )
    pages = {
        "lists": "/lists", "list": "/lists/standard", "women": "/lists/standard?cut=women",
        "movers": "/lists/standard?cut=movers", "federation": "/lists/standard?federation=ITA",
        "draughts-list": "/lists/italiana", "difference": f"/lists/{corrected}/difference",
        "tournaments": "/tournaments", "tournament": f"/tournaments/{chess}", "board": f"/tournaments/{draughts}",
        "verify": "/verify", "calculators": "/calculators",
        "capital": "/calculators/capital?capital=3479&scored=14&expected=9.30",
        "groups": "/calculators/groups?players=62&rounds=6&groups=4", "regulations": "/regulations",
        "compared": "/regulations/fide-2017/fide-2024", "not-found": "/nowhere", "sign-in": "/sign-in",
        "developers": "/developers", "guides": "/guides", "guide": "/guides/player",
    }  # fmt: skip
    assert pages.keys() >= EVERY_TIME
    for name, address in pages.items():
        if chosen == "all" or name in EVERY_TIME:
            walk.go(address, name)
    walk.close()


def test_dark_mode_has_enough_contrast(browser: Browser, served: Served) -> None:
    walk = Walk(browser, served, "en", 1280, dark=True)
    for name, address in {"dark-home": "/", "dark-check": "/check"}.items():
        walk.go(address, name)
    walk.close()


@pytest.mark.parametrize("size", FOR_LONG_WALKS, indirect=True)
def test_a_report_becomes_a_list_that_is_corrected(  # noqa: PLR0915  a month is long
    browser: Browser, own: Served, size: tuple[str, int], tmp_path: Path
) -> None:
    broken, good = january_open(own, broken=True), january_open(own, broken=False)
    assert broken != good
    file = tmp_path / "gennaio.trf"
    file.write_text(broken, encoding="utf-8")

    # the arbiter
    walk = Walk(browser, own, *size, judged=False)
    page = walk.page
    walk.sign_in("arbiter")
    walk.check_page("desk-empty")
    walk.go("/check", "check")
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector(".editor.live mark.error")
    walk.check_page("findings")
    page.click(".findings .error a[data-line]")
    marked = page.evaluate("[document.activeElement.name, String(document.activeElement.selectionStart)]")
    assert marked[0] == "text"
    assert int(marked[1]) > 0
    page.fill("textarea[name=text]", good)
    page.click("summary:has-text('" + walk.t("facts-title") + "')") if not page.is_visible(
        "input[name=registered]"
    ) else None
    page.fill("input[name=registered]", "2024-12-01")
    page.select_option("select[name=licensed_arbiters]", "yes")
    page.locator("button[formaction='/check']:not([name]):visible").click()
    page.wait_for_selector(".verdict:not(.error)")
    walk.check_page("mended")
    page.click("button[formaction='/desk/send']")
    page.wait_for_url("**/desk/reports/*")
    expect(page.locator(".lead .tag")).to_have_text(walk.t("status.received"))
    walk.check_page("sent")
    report = page.url.rpartition("/")[2]
    walk.close()

    # the officer
    walk = Walk(browser, own, *size, judged=False)
    page = walk.page
    walk.sign_in("officer")
    walk.check_page("inbox")
    page.click("main a:has-text('Open di gennaio')")
    walk.check_page("report")
    page.click("button:has-text('" + walk.t("accept") + "')")
    expect(page.locator(".lead .tag")).to_have_text(walk.t("status.accepted"))
    walk.go("/desk/lists", "periods")
    page.click("main a[href='/desk/draft?day=2025-02-01']")
    expect(page.locator("main")).to_contain_text("Open di gennaio")
    walk.check_page("draft")
    page.click("form[action='/desk/publish'] button")
    expect(page.locator("main a[href='/lists/standard-2025-02-01-r1']")).to_be_visible()
    page.click("main a[href='/lists/standard-2025-02-01-r1']")
    walk.check_page("published")

    # it was all a mistake
    page.goto(f"/desk/reports/{report}")
    page.click("summary:has-text('" + walk.t("withdraw-report") + "')")
    page.fill("form[action$='/withdraw'] input[name=reason]", "played without an arbiter")
    page.click("form[action$='/withdraw'] button")
    walk.go("/desk/corrections", "corrections")
    page.fill("form[action='/desk/corrections'] input[name=reason]", "the January open is withdrawn")
    page.click("button[formaction='/desk/corrections/preview']")
    page.wait_for_selector(".asked tbody tr")
    walk.check_page("correction-preview")
    page.click(".asked button")
    expect(page.locator(".done")).to_contain_text(walk.t("done-corrected"))
    page.click("main a[href='/lists/standard-2025-02-01-r2/difference']")
    expect(page.locator("main")).to_contain_text("the January open is withdrawn")
    assert page.locator("tbody tr").count() == 4
    walk.check_page("correction")
    for name, address in {
        "decisions": "/desk/decisions",
        "register": "/desk/players?q=a",
        "person": "/desk/players/1",
        "ledger": "/desk/ledger",
    }.items():
        walk.go(address, name)
    page.goto("/desk/ledger")
    page.click("form[action='/desk/verify'] button")
    expect(page.locator("main .notice")).to_have_text(walk.t("all-intact"))
    walk.close()

    walk = Walk(browser, own, *size, judged=False)
    walk.sign_in("administrator")
    for name in ("", "/site", "/mail", "/people", "/programs", "/editions"):
        walk.go(f"/admin{name}", f"admin{name}".replace("/", "-"))
    walk.close()


@pytest.mark.parametrize("size", FOR_LONG_WALKS, indirect=True)
def test_a_user_replaces_the_first_password(browser: Browser, own: Served, size: tuple[str, int]) -> None:
    office = replace(own.office, author="administrator")
    add_user(office, "bea", "Bea Neri", PASSWORD, [Grant(Role.ARBITER)])
    walk = Walk(browser, own, *size)
    page = walk.page
    walk.sign_in("bea")
    expect(page.locator("main .lead")).to_have_text(walk.t("own-password-about"))
    walk.check_page("own-password")
    page.goto("/lists")
    expect(page.locator("h1")).to_have_text(walk.t("own-password"))
    page.fill("input[name=old]", PASSWORD)
    page.fill("input[name=password]", PASSWORD)
    page.click("main button")
    expect(page.locator("input[name=password]")).to_be_focused()
    walk.check_page("own-password-refused")
    page.fill("input[name=old]", PASSWORD)
    page.fill("input[name=password]", "fen-otto-lume-19")
    page.click("main button")
    page.wait_for_url("**/desk")
    walk.check_page("own-password-chosen")
    add_user(office, "carla", "Carla Neri", PASSWORD, [Grant(Role.OFFICER, "ITA")])
    if page.locator("header .unfold").is_visible():  # the menu is folded on a phone
        page.click("header .unfold")
    page.click('header form[action="/sign-out"] button')
    walk.sign_in("administrator")
    page.goto("/admin/people")
    page.click("summary:has-text('carla')")
    walk.check_page("admin-given-password")
    walk.close()


def test_a_refused_form_focuses_the_wrong_field(browser: Browser, served: Served) -> None:
    walk = Walk(browser, served, "it", 390, dark=True)
    page = walk.page
    walk.sign_in("officer")
    page.goto("/desk/players/1")
    page.fill("form[action$='/change'] input[name='set.name']", "Neri, Ada")
    page.fill("form[action$='/change'] input[name=reason]", " ")
    page.click("form[action$='/change'] button")
    field = page.locator("[aria-invalid=true]")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("name", "reason")
    expect(page.locator("#refused")).to_have_text(walk.t("reason-needed"))
    expect(page.locator("input[name='set.name']")).to_have_value("Neri, Ada")
    walk.check_page("refused")
    walk.go("/desk/events", "events")
    page.goto("/desk/decisions")
    page.click("main a[href='/desk/decisions/new/k']")
    expect(page.locator("input[name=player]")).to_be_visible()
    assert page.locator("input[name=report]").count() == 0
    walk.check_page("decision-of-k")
    walk.close()


def test_tables_fit_a_telephone_and_a_note_is_not_coloured_like_an_error(
    browser: Browser, served: Served
) -> None:
    walk = Walk(browser, served, "it", 390)
    page = walk.page
    within = "[...document.querySelectorAll('.wide')].filter(it => it.scrollWidth > it.clientWidth).length"
    page.goto("/players/1")
    assert page.locator(".period table").count() > 0
    assert page.evaluate(within) == 0
    page.goto("/check")
    page.set_input_files("input[type=file]", EXAMPLES / "open.trf")
    page.wait_for_selector(".verdict")
    page.locator("summary", has_text=walk.t("game-by-game")).click()
    assert page.evaluate(within) == 0

    page.locator("details[data-lines] summary").click()
    note = page.locator(".lines li.hit.info").first
    colour = "it => getComputedStyle(it).backgroundColor"
    colour_of_a_note = note.evaluate(colour)
    note.evaluate("it => it.classList.replace('info', 'error')")
    assert page.locator(".lines li.hit.error").first.evaluate(colour) != colour_of_a_note
    walk.close()


def test_triangles_are_in_one_column(browser: Browser, served: Served) -> None:
    walk = Walk(browser, served, "it", 390)
    walk.page.goto("/tournaments/40")
    edges = """(selector) => [...document.querySelectorAll(selector)].map(part => part.getBoundingClientRect())
        .map(box => [Math.round(box.left), Math.round(box.right)])"""
    openers = walk.page.evaluate(edges, ".opens tbody summary")
    assert len(openers) > 10
    assert len({left for left, _ in openers}) == 1
    points = walk.page.evaluate(edges, ".opens tr > :nth-child(3)")
    assert len({right for _, right in points}) == 1
    names = walk.page.evaluate(edges, ".opens tbody th > a")
    titles = walk.page.evaluate(edges, ".opens tbody th > a + :not(details)")
    assert titles
    assert all(any(0 <= left - end <= 16 for _, end in names) for left, _ in titles)
    walk.page.goto("/lists/standard")
    arrows = walk.page.evaluate(edges, "td :is(.up, .down) > [aria-hidden]")
    assert len(arrows) > 5
    assert len({left for left, _ in arrows}) == 1
    walk.close()


def test_the_first_tab_stop_leads_to_the_content(browser: Browser, served: Served) -> None:
    walk = Walk(browser, served, "en", 1280)
    walk.page.goto("/lists/standard")
    walk.page.keyboard.press("Tab")
    assert walk.page.evaluate("document.activeElement.getAttribute('href')") == "#content"
    walk.close()


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.deep)])
def test_a_player_page_is_small(served: Served, step: int) -> None:
    client = served.client()
    for number in range(1, 40, step):
        answer = client.get(f"/players/{number}")
        if answer.status_code == 200:
            assert len(answer.content) < 50_000, number
