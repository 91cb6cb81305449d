"""The player's page in a real browser: the curve by keys and fingers, without a script, in print."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders.site_fixtures import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_the_curve_follows_keys_and_fingers(browser: Browser, served: Served) -> None:
    context = browser.new_context(
        base_url=served.address, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page = context.new_page()
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    page.goto("/players/38?lang=en")
    slider, output = page.locator("figure.curve input[type=range]"), page.locator("figure.curve output")
    now = output.inner_text()
    assert now.startswith("1 January 2025: Standard 1839")
    slider.focus()
    page.keyboard.press("Home")
    assert output.inner_text().startswith("1 January 2023: Standard 1712")
    assert slider.get_attribute("aria-valuetext") == output.inner_text()
    assert "at=2023-01-01#opened" in str(page.get_by_text("See this list").get_attribute("href"))
    page.get_by_label("1 year", exact=True).check()
    page.keyboard.press("Tab")
    page.locator("figure.curve").get_by_label("Rapid").check()
    assert "Rapid 1952" in output.inner_text()
    assert page.locator("figure.curve svg g.line").count() == 2
    picture = page.locator("figure.curve svg")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.locator("figure.curve output", has_not_text="1 January 2025").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert troubles == []
    page.emulate_media(media="print")
    assert not slider.is_visible()
    context.close()


def test_a_list_opens_in_its_line_and_the_career_is_put_in_place(browser: Browser, served: Served) -> None:
    page = browser.new_page(base_url=served.address)
    page.goto("/players/5?lang=en")
    page.get_by_role("heading", name="Career").scroll_into_view_if_needed()
    page.locator("#career table").wait_for()
    assert page.locator("#career tbody tr").count() == 3
    line = page.get_by_role("link", name="1 May 2024")
    line.press("Enter")
    page.get_by_text("Festival di aprile 2024").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "List of 1 May 2024"
    assert page.locator(".lists .period").count() == 2
    assert "at=" not in page.url
    page.close()


def test_the_curve_and_the_lists_remain_without_a_script(browser: Browser, served: Served) -> None:
    plain = browser.new_context(base_url=served.address, java_script_enabled=False)
    still = plain.new_page()
    still.goto("/players/38?lang=en")
    assert still.locator("figure.curve svg path.curve").count() == 1
    assert still.locator("figure.curve input").count() == 0
    line = still.locator("a[data-opens]").first
    day = line.locator("span").first.inner_text()
    line.click()
    assert still.locator("#opened h3 a").first.inner_text() == f"List of {day}"
    plain.close()


def test_the_line_of_a_small_curve_is_never_an_area(browser: Browser, served: Served) -> None:
    """A rating that ended where it began has neither the colour of a gain nor that of a loss."""
    context = browser.new_context(base_url=served.address)
    page = context.new_page()
    page.goto("/lists/standard")
    assert page.locator(".trend polyline.none").count() > 0
    fills = "lines => [...new Set(lines.map(line => getComputedStyle(line).fill))]"
    assert page.locator(".trend polyline").evaluate_all(fills) == ["none"]
    context.close()
