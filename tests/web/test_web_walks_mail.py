"""What people do with the links of mails, in a real browser: the forms behind them must reach the site."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from arpad.office.accounts.users import invite_user
from arpad.office.office import Office
from arpad.office.users import Role
from arpad.worker.kinds import KINDS
from arpad.worker.loop import work_once
from tests.builders.followers import followers_of
from tests.builders.mail_server import Mailbox, mail_server
from tests.builders.site_fixtures import Served
from tests.office.mail.mail_office import set_up_mail

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "corsa lenta verde 88"  # noqa: S105  of the test
SENT = {name: KINDS[name] for name in ("password-link", "mail")}


def link_of_mail(office: Office, box: Mailbox, to: str) -> str:
    """Send what is in the queue; return the path of the link in the last mail to an address."""
    work_once(office, kinds=SENT)
    work_once(office, kinds=SENT)  # the mail that a job of the first turn added
    text = [message for address, message in box.taken if address == to][-1].get_body(("plain",))
    assert text is not None
    address = re.search(r"https?://\S+", text.get_content())
    assert address is not None
    return "/" + address[0].split("/", 3)[3]


def choose_password(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button").click()
    page.get_by_text("La tua password è salvata.").wait_for()


def follow_and_stop(page: Page, office: Office, box: Mailbox) -> None:
    page.goto("/players/38")
    page.get_by_role("link", name="per e-mail").click()
    page.locator("input[name=address]").fill("anna@example.org")
    page.locator("main form button").click()
    page.locator("p[role=status]").wait_for()
    page.goto(link_of_mail(office, box, "anna@example.org"))
    page.get_by_role("button", name="Conferma").click()
    page.get_by_role("button", name="Smetti").wait_for()
    ((_, follows),) = followers_of(office)
    assert [bool(follow.confirmed) for follow in follows] == [True]
    page.get_by_role("button", name="Cancella il mio indirizzo").click()
    page.get_by_text("non è conservato nulla").wait_for()
    assert followers_of(office) == []


@pytest.mark.deep
def test_the_links_of_mails_lead_to_forms_that_work(browser: Browser, own: Served) -> None:
    office = replace(own.office, author="tests")
    context = browser.new_context(
        base_url=own.address, locale="it-IT", viewport={"width": 390, "height": 844}, has_touch=True
    )
    page = context.new_page()
    with mail_server() as box:
        set_up_mail(office, box.port, site_address=own.address)
        invite_user(office, "ivo", "ivo@example.org", role=[Role.ARBITER], name="Ivo", language="it")
        choose_password(page, link_of_mail(office, box, "ivo@example.org"))
        page.goto("/forgotten")
        page.locator("input[name=login]").fill("ivo@example.org")
        page.locator("main form button").click()
        page.locator("p[role=status]").wait_for()
        choose_password(page, link_of_mail(office, box, "ivo@example.org"))
        page.locator("input[name=login]").fill("ivo")
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("main form button").click()
        page.wait_for_url("**/desk")

        follow_and_stop(page, office, box)
    context.close()
