"""Values with which the acts about users and tokens work in the office of the demo."""

from arpad.office.accounts.sessions import issue_token
from arpad.office.accounts.users import invite_user
from arpad.office.office import Office
from tests.office.mail.mail_office import set_up_mail

GIVEN = {
    "user add": {"login": "nadia", "role": ["officer"], "password": "fen-otto-lume-19"},
    "user invite": {"login": "ivo", "role": ["arbiter"]},
    "user invite-again": {"login": "ugo"},
    "user change": {"login": "arbiter", "active": "yes"},
    "user mails": {"login": "officer", "address": "officer@example.org", "language": "en"},
    "token issue": {"login": "officer", "name": "pairing program"},
    "token withdraw": {"token": 1},
}
VARIES = {"token issue": ("id", "ends", "secret"), "token list": ("tokens",)}


def prepare(office: Office) -> None:
    """Let the office send mails, invite a user, and make the token that the examples withdraw."""
    set_up_mail(office, 25)
    invite_user(office, "ugo", "ugo@example.org")
    issue_token(office, "officer", "pairing program", scope=["submit"])
