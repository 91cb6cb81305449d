"""The page of people: renamed, with another address, invited, and invited again."""

from dataclasses import replace
from datetime import timedelta

from arpad.office.accounts.mail_choices import choice_of
from arpad.office.accounts.sessions import login_of_link, new_link
from arpad.office.accounts.users import all_users, known_user
from arpad.office.verify.acts import verify
from arpad.store import jobs
from tests.builders.site_fixtures import PASSWORD, Served, january, proof
from tests.office.mail.mail_office import set_up_mail

PEOPLE = "/admin/people"


def act(own: Served, act_name: str, **form: str | list[str]) -> int:
    client = own.client("administrator")
    address = f"/desk/acts/user/{act_name}"
    return client.post(address, data={"csrf": proof(client, PEOPLE), "from": PEOPLE, **form}).status_code


FORM: dict[str, str | list[str]] = {
    "login": "arbiter",
    "role": ["none", "arbiter"],
    "active": "yes",
    "federation": "",
}
"""The form of a user on whom nothing is changed."""


def test_a_user_is_renamed_keeps_the_user_name_and_stays_signed_in(own: Served) -> None:
    arbiter = own.client("arbiter")
    assert act(own, "change", **FORM, name="Anna Neri", address="") == 303
    (user,) = (it for it in all_users(own.office) if it.login == "arbiter")
    assert (user.name, [str(grant.role) for grant in user.grants]) == ("Anna Neri", ["arbiter"])
    assert "Anna Neri" in own.client("administrator").get(PEOPLE).text
    assert "Anna Neri" not in own.client("officer").get("/desk/ledger").text
    assert arbiter.get("/desk").status_code == 200
    assert act(own, "change", **FORM | {"role": "none"}, name="Anna Neri", address="") == 303
    assert arbiter.get("/desk").status_code == 401


def test_a_user_gets_another_address(own: Served) -> None:
    for address in ("old@example.org", "new@example.org"):
        assert act(own, "change", **FORM, name="Arbiter", address=address) == 303
        choice = choice_of(own.office, "arbiter")
        assert choice is not None
        assert choice.address == address
    assert act(own, "change", **FORM, name="Arbiter", address="nobody") == 422
    assert act(own, "change", **FORM, name="Arbiter", address="") == 303
    assert choice_of(own.office, "arbiter") is None
    assert verify(own.office, recompute=False).intact


def test_an_invitation_is_valid_as_long_as_its_link_and_can_be_sent_again(own: Served) -> None:
    set_up_mail(replace(own.office, author="tests"), 25)
    assert act(own, "invite", login="ivo", address="ivo@example.org", role="arbiter") == 303
    page = own.client("administrator").get(PEOPLE).text
    last = january() + timedelta(days=7)
    assert f"has not chosen a password yet; can do so until {last.day} January 2025" in page
    assert "Invite again" in page
    with own.office.store.reading() as connection:
        number = known_user(connection, "ivo").id
    earlier = new_link(own.office, number, "invitation")
    assert login_of_link(own.office, earlier) == "ivo"

    assert act(own, "invite-again", login="ivo") == 303
    said = own.client("administrator").get(f"{PEOPLE}?form=user-{number}-again").text
    assert f'<details id="user-{number}" open>' in said
    with own.office.store.reading() as connection:
        mails = jobs.all_jobs(connection, ["mail"])
        assert connection.exec_driver_sql("SELECT count(*) FROM password_links").scalar() == 0
    assert [job.payload["mail"] for job in mails if job.payload["to"] == "ivo@example.org"] == [
        "invitation"
    ] * 2


def test_who_has_a_password_or_no_address_is_not_invited_again(own: Served) -> None:
    set_up_mail(replace(own.office, author="tests"), 25)
    assert act(own, "invite-again", login="arbiter") == 422
    assert act(own, "add", login="bea", password=PASSWORD, role="arbiter") == 303
    assert act(own, "invite-again", login="bea") == 422


def test_two_tokens_can_be_made_one_after_the_other(own: Served) -> None:
    client = own.client("administrator")
    form = {
        "csrf": proof(client, "/admin/programs"),
        "login": "arbiter",
        "name": "pairing",
        "scope": "submit",
    }
    page = client.post("/admin/programs/tokens", data=form).text
    assert 'action="/admin/programs/tokens"' in page
    assert "send reports and see their status" in page


def test_what_was_saved_in_the_account_is_said_above_its_form(own: Served) -> None:
    client = own.client("arbiter")
    form = {
        "csrf": proof(client, "/account"),
        "address": "arbiter@example.org",
        "language": "en",
        "kinds": "deadline",
    }
    answer = client.post("/account/mail", data=form)
    assert answer.headers["location"] == "/account?form=mail#mail"
    page = client.get("/account?form=mail").text
    assert page.count("Saved: this is how you get mails from now on.") == 1
    assert page.index('id="mail"') < page.index("Saved: this is how") < page.index('action="/account/mail"')
