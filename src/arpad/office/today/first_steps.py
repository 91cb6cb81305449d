"""The first steps of an office: what to do until it has published a list of its own, each ticked when done."""

from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.office.lists.rows import all_publications
from arpad.office.lists.tables import IMPORTED
from arpad.office.mails import mail_is_set_up
from arpad.office.register.rows import next_player
from arpad.office.reports.rows import count
from arpad.office.settings.logo import read_logo
from arpad.office.users import Role
from arpad.store.accounts import all_users
from arpad.store.settings import read_setting


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One of the first steps; its words are ``first-step.<step>`` and ``first-step.<step>-about``."""

    step: str
    address: str
    role: Role
    """Who does it."""

    is_done: bool


def first_steps(connection: Connection) -> tuple[FirstStep, ...]:
    """Return the first steps of an office; none once it has published a list of its own."""
    publications = all_publications(connection)
    if any(it.kind != IMPORTED for it in publications):
        return ()
    has_players = bool(publications) or next_player(connection) > 1
    has_contact = bool(read_setting(connection, "contact"))
    return (
        FirstStep("list", "/desk/import", Role.OFFICER, has_players),
        FirstStep("people", "/admin/people", Role.ADMINISTRATOR, len(all_users(connection)) > 1),
        FirstStep("mail", "/admin/mail", Role.ADMINISTRATOR, mail_is_set_up(connection)),
        FirstStep("contact", "/admin", Role.ADMINISTRATOR, has_contact and read_logo(connection) is not None),
        FirstStep("report", "/check", Role.OFFICER, count(connection, "accepted") > 0),
        FirstStep("draft", "/desk/lists", Role.OFFICER, is_done=False),
    )
