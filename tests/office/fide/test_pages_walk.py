"""The officer's walk for FIDE: a tournament from its registration to the certificate of a norm and the reconciliation.

One office and one browser: everything is done in Italian on a wide screen, then read in English on a phone.
"""

from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from arpad.web.cookies import SESSION_COOKIE
from tests.builders.norm_reports import TRF
from tests.builders.reference import row, write_reference
from tests.builders.site_fixtures import Served
from tests.builders.verbs import find_players
from tests.builders.walks import Walk

NAME = next(line[4:] for line in TRF.splitlines() if line.startswith("012"))
DAY = "2024-12-20"
LARGE = 8_000
"""Players who make a list longer than 1 MiB."""


def walk_as(browser: Browser, own: Served, login: str, language: str, width: int) -> Walk:
    """Begin a walk of somebody who is signed in."""
    walk = Walk(browser, own, language, width)
    walk.context.add_cookies([{"name": SESSION_COOKIE, "value": own.tokens[login], "url": own.address}])
    return walk


def upload_fide_lists(walk: Walk, own: Served, folder: Path) -> None:
    """Upload two lists of FIDE; on the second a player of ours has gained what no report of ours explains.

    They are large, so they are sent with a bar, and the answer takes the place of the page.
    """
    page = walk.page
    people = [find_players(own.office, str(number))[0] for number in (1, 2, 3)]
    for name, day, gain in (("december", date(2024, 12, 1), 0), ("january", date(2025, 1, 1), 25)):
        lines = [
            row(int(dict(person.identifiers)["fide"]), person.name, rating=2000 + (gain if index == 0 else 0))
            for index, person in enumerate(people)
        ]
        lines += [row(70_000_000 + number, f"Strangers, N. {number}") for number in range(LARGE)]
        page.goto("/desk/reconciliation")
        page.set_input_files("input[name=file]", write_reference(folder, f"{name}.txt", *lines))
        page.fill("form[enctype] [name=day]", str(day))
        page.evaluate("window.sentFromHere = true")
        page.click("form[enctype] button")
        expect(page.locator(".done")).to_contain_text(
            str(LARGE + len(people)).replace("8", "8.", 1), timeout=120_000
        )
        assert page.evaluate("window.sentFromHere"), "without another page"
    walk.close()


def register(walk: Walk) -> None:
    """The officer registers the tournament."""
    page = walk.page
    page.goto("/desk/events/new")
    form = page.locator("form[action='/desk/acts/tournament/register']")
    values = {"name": NAME, "city": "Roma", "federation": "ITA", "first_day": DAY, "last_day": DAY}
    for field, value in values.items():
        form.locator(f"[name={field}]").fill(value)
    form.locator("button").last.click()
    expect(page.locator("main")).to_contain_text(NAME)
    walk.check_page("fide-registered")
    walk.close()


def certify(walk: Walk, file: Path) -> None:
    """The arbiter checks the report at the tournament, without a login, and gets the certificate of a norm."""
    page = walk.page
    page.goto("/check")
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector("#norms")
    walk.check_page("fide-norms")
    with page.expect_download() as certificate:
        page.locator("button[name=paper][value='1:GM']").click()
    assert certificate.value.suggested_filename == "it1-1gm.pdf"
    assert Path(certificate.value.path()).read_bytes().startswith(b"%PDF")
    walk.close()


def send(walk: Walk, file: Path) -> str:
    """The arbiter sends the report; return its number."""
    page = walk.page
    page.goto("/check")
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector(".verdict")
    page.click("button[formaction='/desk/send']")
    page.wait_for_selector(".done")
    report = page.url.rpartition("/")[2]
    expect(page.locator(".done")).to_contain_text(walk.t("done-sent", about=report))
    walk.close()
    return report


def accept(walk: Walk, report: str) -> None:
    """The officer says that the players are new, sets the errors aside and accepts the report."""
    page = walk.page
    page.goto(f"/desk/reports/{report}")
    while page.locator("button[value=new]").count():  # nobody of them is in the register
        page.locator("button[value=new]").first.click()
        expect(page.locator(".done")).to_be_visible()
    for box in page.locator("input[name=overrule]").all():
        box.check()
    form = page.locator("form[action='/desk/acts/accept']")
    form.locator("[name=reason]").fill("torneo di prova")
    form.locator("button").click()
    expect(page.locator(".done")).to_contain_text(report)
    walk.close()


@pytest.mark.deep
def test_a_tournament_from_registration_to_certificate_and_reconciliation(
    browser: Browser, own: Served, tmp_path: Path
) -> None:
    file = tmp_path / "norm.trf"
    file.write_text(TRF, encoding="utf-8")
    register(walk_as(browser, own, "officer", "it", 1280))
    certify(Walk(browser, own, "it", 1280), file)
    report = send(walk_as(browser, own, "arbiter", "it", 1280), file)
    accept(walk_as(browser, own, "officer", "it", 1280), report)
    upload_fide_lists(walk_as(browser, own, "officer", "it", 1280), own, tmp_path)

    for language, width in (("it", 1280), ("en", 390)):
        walk = walk_as(browser, own, "officer", language, width)
        walk.go("/desk/events", "fide-events")
        expect(walk.page.locator("main")).to_contain_text(NAME)
        walk.go(f"/desk/reports/{report}", "fide-report")
        expect(walk.page.locator("main .findings").first).to_contain_text(walk.t("set-aside"))
        walk.go(f"/desk/reports/{report}/norms", "fide-certificates")
        expect(walk.page.locator("button[name=norm][value='1:GM']")).to_be_visible()
        walk.go("/desk/titles", "fide-titles")
        walk.go("/desk/fees", "fide-fees")
        walk.go("/desk/reconciliation", "fide-reconciliation")
        published = walk.page.locator("main td:text-is('2025')").first  # 2000 and 25 more
        expect(published).to_be_visible()
        walk.close()
