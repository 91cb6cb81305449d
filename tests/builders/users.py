"""Users and tokens of tests: users who chose their own password, and the secret of a token."""

from collections.abc import Sequence
from typing import cast

from arpad.office.accounts import sessions
from arpad.office.accounts.sessions import Scope
from arpad.office.accounts.users import check_login, enter_user
from arpad.office.office import Office, record_act
from arpad.office.users import Grant, User


def add_user(
    office: Office,
    login: str,
    name: str,
    password: str,
    grants: Sequence[Grant],
    *,
    own_password: bool = False,
) -> User:
    """Add a user, perhaps with a password that need not be replaced."""
    with record_act(office, "add-user") as act:
        return enter_user(act, check_login(login), name, password, grants, own_password=own_password)


def issue_token(office: Office, login: str, name: str, scopes: Sequence[str]) -> str:
    """Make a token and return its secret."""
    return sessions.issue_token(office, login, name, scope=cast("list[Scope]", list(scopes))).secret
