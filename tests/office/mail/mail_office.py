"""An office that can send mails, with users who get them."""

from typing import Any

from arpad.office.accounts.mail_choices import choose_mails
from arpad.office.office import Office
from arpad.office.settings.acts import change_settings
from arpad.office.users import Grant, Role
from arpad.store import jobs
from arpad.store.jobs import Job
from tests.builders.offices import Desk
from tests.builders.users import add_user

PASSWORD = "correct horse battery"  # noqa: S105  of the tests
SITE = "https://ratings.example.org"


def set_up_mail(office: Office, port: int, **more: str) -> None:
    values = {
        "mail_host": "127.0.0.1", "mail_port": str(port), "mail_tls": "none", "mail_sender": "office@example.org",
        "site_address": SITE, "name": "Federazione", **more,
    }  # fmt: skip
    change_settings(office, set_=values)


def add_person(office: Office, login: str, role: Role = Role.ARBITER, **more: Any) -> int:
    user = add_user(office, login, login.title(), PASSWORD, [Grant(role)], own_password=True)
    choose_mails(office, login, **{"address": f"{login}@example.org", "language": "en", **more})
    return user.id


def with_mail(desk: Desk, login: str) -> Desk:
    """Return an office that can send mails and has an arbiter who gets them."""
    set_up_mail(desk.office, 25)
    add_person(desk.office, login)
    return desk


def mails_of(office: Office) -> list[Job]:
    """Return all mails, in the order of their keys' times."""
    with office.store.reading() as connection:
        return sorted(jobs.all_jobs(connection, ["mail"]), key=lambda job: (job.due, job.key))


def make_due(office: Office) -> None:
    """Let every mail that waits for its next attempt be tried at once."""
    with office.store.unlogged_writing() as connection:
        jobs.retry(connection, "mail")
