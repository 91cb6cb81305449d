"""The acts and queries about users and the tokens of their programs."""

from arpad.office.accounts.mail_choices import choose_mails
from arpad.office.accounts.sessions import issue_token, list_tokens, withdraw_token
from arpad.office.accounts.users import add_user, change_user, invite_again, invite_user, list_users

__all__ = [
    "add_user",
    "change_user",
    "choose_mails",
    "invite_again",
    "invite_user",
    "issue_token",
    "list_tokens",
    "list_users",
    "withdraw_token",
]
