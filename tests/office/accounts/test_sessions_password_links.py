"""Links to choose a password: random, stored as a digest, valid for a while, used once; nobody learns who has one."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

from arpad.model.errors import BadInput
from arpad.office.accounts.mail_choices import choice_of, choose_mails
from arpad.office.accounts.sessions import (
    LINK_HOURS,
    ask_for_link,
    choose_password,
    login_of_link,
    new_link,
    sign_in,
)
from arpad.office.accounts.users import change_user, invite_user
from arpad.office.office import Office
from arpad.office.users import Role
from arpad.store import tables
from arpad.store.declared_tables import all_tables
from arpad.worker.loop import work_once
from tests.builders.mail_server import Mailbox, mail_server
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import open_office
from tests.office.mail.mail_office import PASSWORD, add_person, set_up_mail

NEW = "battery horse correct 9"


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, clock: Clock) -> Iterator[Office]:
    folder = tmp_path_factory.mktemp("office")
    made = Desk.made(str(folder / "office.db"), folder, clock).office
    set_up_mail(made, 25)
    add_person(made, "anna")
    yield made
    made.close()


@pytest.fixture
def box(office: Office) -> Iterator[Mailbox]:
    with mail_server() as mailbox:
        set_up_mail(office, mailbox.port)
        yield mailbox


def link_in(box: Mailbox) -> str:
    body = box.taken[-1][1].get_body(("plain",))
    assert body is not None
    (secret,) = re.findall(r"/password/(\S+)", body.get_content())
    return str(secret)


def stored(office: Office) -> str:
    """Return everything that the database has, as text."""
    with office.store.reading() as connection:
        return "\n".join(str(row) for table in all_tables() for row in tables.rows(connection, table))


def user_number(office: Office, login: str) -> int:
    choice = choice_of(office, login)
    assert choice is not None
    return choice.user


def test_a_new_user_is_invited_and_chooses_a_password_once(office: Office, box: Mailbox) -> None:
    invite_user(office, "ivo", "ivo@example.org", role=[Role.ARBITER], name="Ivo", language="it")
    work_once(office)
    secret = link_in(box)
    assert str(box.taken[-1][1]["Subject"]) == "Federazione: il tuo account"
    assert secret not in stored(office)
    assert login_of_link(office, secret) == "ivo"
    with pytest.raises(BadInput, match="easy-password"):
        choose_password(office, secret, "password123")

    choose_password(office, secret, NEW)

    assert sign_in(office, "ivo", NEW, "127.0.0.1")
    with pytest.raises(BadInput, match="link-ended"):
        choose_password(office, secret, NEW + "x")


def test_without_a_mail_server_nobody_is_invited(office: Office) -> None:
    set_up_mail(office, 25, mail_host="")
    with pytest.raises(BadInput, match="mail-not-set"):
        invite_user(office, "eva", "eva@example.org", role=[Role.ARBITER], name="Eva")
    with pytest.raises(BadInput, match="mail-not-set"):
        ask_for_link(office, "anna", "127.0.0.1")
    set_up_mail(office, 25)


@pytest.mark.parametrize("asked", ["anna", "ANNA ", "anna@example.org"])
def test_a_forgotten_password_is_replaced_by_login_or_address(
    office: Office, box: Mailbox, asked: str
) -> None:
    ask_for_link(office, asked, "10.0.0.1")
    work_once(office)
    work_once(office)
    assert [to for to, _ in box.taken] == ["anna@example.org"]
    assert choose_password(office, link_in(box), PASSWORD) == "anna"


def test_a_question_about_nobody_is_answered_alike_and_sends_nothing(office: Office, box: Mailbox) -> None:
    ask_for_link(office, "nobody", "10.0.0.2")
    work_once(office)
    assert box.taken == []
    assert "nobody" not in stored(office)


@pytest.mark.parametrize("asked", ["anna", "nobody"])
def test_questions_are_limited_whether_or_not_there_is_a_user(office: Office, asked: str) -> None:
    answers = set()
    for _ in range(10):
        try:
            ask_for_link(office, asked, "10.0.0.3")
        except BadInput as error:
            answers.add(error.code)
    assert answers == {"locked-out"}


def test_a_link_ends_with_time_and_with_the_account(office: Office, clock: Clock) -> None:
    number = user_number(office, "anna")
    link = new_link(office, number, "forgotten")
    later = open_office(office.store.address, now=lambda: clock() + timedelta(hours=LINK_HOURS["forgotten"]))
    with pytest.raises(BadInput, match="link-ended"):
        login_of_link(later, link)
    later.close()
    assert login_of_link(office, link) == "anna"
    add_person(office, "ugo")
    link = new_link(office, user_number(office, "ugo"), "invitation")
    change_user(office, "ugo", active="no")
    with pytest.raises(BadInput, match="link-ended"):
        login_of_link(office, link)
    assert "ugo@example.org" not in stored(office)


def test_an_address_is_deleted_with_every_mail_to_it(office: Office) -> None:
    add_person(office, "mia")
    choose_mails(office, "mia", address="mia@example.org", language="it", without=["deadline"])
    ask_for_link(office, "mia", "10.0.0.4")
    work_once(office)
    assert "mia@example.org" in stored(office)
    assert choose_mails(office, "mia", address="").address is None
    assert "mia@example.org" not in stored(office)
