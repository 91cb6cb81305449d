"""The users of an office: passwords, roles, sessions, second factor, tokens, lock-out.

Everything is in the office's database, because several workers serve it; of passwords, sessions and tokens only
digests. A change of a user or a token is an act in the ledger; signing in and out is not.
"""

from __future__ import annotations

from arpad.accounts.lockout import LOCKED_MINUTES, MOST_FAILURES, MOST_FAILURES_PER_ADDRESS, count_requests
from arpad.accounts.passwords import GIVEN_PASSWORD_DAYS, LONGEST_PASSWORD, SHORTEST_PASSWORD
from arpad.accounts.second_factor import has_factor
from arpad.accounts.sessions import (
    IDLE_HOURS,
    SESSION_HOURS,
    Session,
    end_other_sessions,
    minutes_left,
    sessions_of,
    sign_in,
    sign_out,
    user_of_session,
)
from arpad.accounts.tokens import (
    SCOPES,
    TOKEN_DAYS,
    Token,
    all_tokens,
    issue_token,
    user_of_token,
    withdraw_token,
)
from arpad.accounts.users import add_user, all_users, change_own_password, change_user
from arpad.office.users import Grant, Role, User

__all__ = [
    "GIVEN_PASSWORD_DAYS", "IDLE_HOURS", "LOCKED_MINUTES", "LONGEST_PASSWORD", "MOST_FAILURES",
    "MOST_FAILURES_PER_ADDRESS", "SCOPES", "SESSION_HOURS", "SHORTEST_PASSWORD", "TOKEN_DAYS", "Grant", "Role",
    "Session", "Token", "User", "add_user", "all_tokens", "all_users", "change_own_password", "change_user",
    "count_requests", "end_other_sessions", "has_factor",
    "issue_token", "minutes_left", "sessions_of", "sign_in", "sign_out",
    "user_of_session", "user_of_token", "withdraw_token",
]  # fmt: skip
