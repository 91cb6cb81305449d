"""Forgotten passwords, links and mail choices on the site; the answer to a stranger is always the same."""

import re

from arpad.office.accounts.mail_choices import choice_of
from arpad.office.accounts.sessions import new_link
from arpad.office.office import Office
from arpad.store import jobs
from tests.builders.site_fixtures import SETTINGS, Served, proof, settings_form
from tests.office.mail.mail_office import SITE, set_up_mail

NEW = "battery horse correct 9"


def without_proof(text: str) -> str:
    return re.sub(r'name="csrf" value="[^"]*"', "", text)


def test_mails_are_set_up_chosen_and_a_forgotten_password_is_replaced(own: Served) -> None:
    _set_up_and_choose(own, own.office)
    _replace_password(own, own.office)


def _set_up_and_choose(own: Served, office: Office) -> None:
    administrator, arbiter, visitor = own.client("administrator"), own.client("arbiter"), own.client()
    ask = {"csrf": proof(visitor, "/forgotten"), "login": "arbiter"}
    assert "cannot send mails" in visitor.post("/forgotten", data=ask).text

    settings = {
        "csrf": proof(administrator, "/admin"), "name": "Bellariva", "federation": "ITA", "time_zone": "UTC",
        "language": "en", "languages": ["it", "en"], "site_address": SITE, "mail_host": "127.0.0.1",
        "mail_sender": "office@example.org", "mail_port": "25", "mail_tls": "none", "mail_user": "",
    }  # fmt: skip
    assert administrator.post(SETTINGS, data=settings_form(settings)).status_code == 303
    refused = administrator.post(SETTINGS, data=settings_form({**settings, "mail_port": "x"}))
    assert refused.status_code == 422
    form = {
        "csrf": proof(arbiter, "/account"),
        "address": "arbiter@example.org",
        "language": "it",
        "kinds": "deadline",
    }
    assert arbiter.post("/account/mail", data=form).status_code == 303
    choice = choice_of(office, "arbiter")
    assert choice is not None
    assert (choice.address, choice.language, "deadline" in choice.unwanted) == (
        "arbiter@example.org",
        "it",
        False,
    )
    assert "sign-in" in choice.unwanted
    assert arbiter.post("/account/mail", data={**form, "address": "x"}).status_code == 422
    assert 'value="arbiter@example.org"' in arbiter.get("/account").text


def _replace_password(own: Served, office: Office) -> None:
    arbiter, visitor = own.client("arbiter"), own.client()
    choice = choice_of(office, "arbiter")
    assert choice is not None
    ask = {"csrf": proof(visitor, "/forgotten"), "login": "arbiter"}
    known = visitor.post("/forgotten", data=ask)
    unknown = visitor.post("/forgotten", data={**ask, "login": "nobody"})
    assert known.status_code == unknown.status_code == 200
    assert without_proof(known.text) == without_proof(unknown.text)
    with office.store.reading() as connection:
        assert len(jobs.all_jobs(connection, ["password-link"])) == 2

    page = f"/password/{new_link(office, choice.user, 'forgotten')}"
    opened = visitor.get(page)
    assert opened.headers["referrer-policy"] == "same-origin"
    assert "no-store" in opened.headers["cache-control"]
    chosen = {"csrf": proof(visitor, page), "password": "password123"}
    assert visitor.post(page, data=chosen).status_code == 422
    assert visitor.post(page, data={**chosen, "password": NEW}).headers["location"] == "/sign-in?chosen=1"
    assert "Your password is saved" in visitor.get("/sign-in?chosen=1").text
    assert arbiter.get("/account").status_code != 200
    assert visitor.get(page).status_code == visitor.post(page, data=chosen).status_code == 410
    signing = {"csrf": proof(visitor, "/sign-in"), "login": "arbiter", "password": NEW}
    assert visitor.post("/sign-in", data=signing).status_code == 303


def test_a_user_is_invited_from_the_administration(own: Served) -> None:
    office = own.office
    administrator = own.client("administrator")
    set_up_mail(type(office)(office.store, office.now, "test"), 25)
    form = {
        "csrf": proof(administrator, "/admin"), "login": "ivo", "name": "Ivo", "role": "arbiter", "from": "/admin",
        "address": "ivo@example.org",
    }  # fmt: skip
    assert administrator.post("/desk/acts/user/invite", data=form).status_code == 303
    with office.store.reading() as connection:
        (mail,) = jobs.all_jobs(connection, ["mail"])
    assert (mail.payload["mail"], mail.payload["to"]) == ("invitation", "ivo@example.org")
    assert (
        administrator.post("/desk/acts/user/invite", data={**form, "login": "eva", "address": ""}).status_code
        == 422
    )
