"""Tokens of one's own: scopes that fit the roles, and nobody else's tokens."""

from dataclasses import replace

from arpad.office.accounts.sessions import scopes_for, tokens_of
from arpad.office.users import Grant, Role, User
from tests.builders.site_fixtures import Served, proof
from tests.builders.users import issue_token


def test_scopes_fit_the_roles() -> None:
    def scopes(*roles: Role) -> tuple[str, ...]:
        return scopes_for(User(1, "anna", "Anna", tuple(map(Grant, roles))))

    assert scopes() == ()
    assert scopes(Role.ARBITER) == ("submit", "running")
    assert scopes(Role.OFFICER) == ("submit", "running", "decide", "register", "lists", "office")
    assert scopes(Role.ADMINISTRATOR) == ("administer",)


def test_an_arbiter_makes_and_withdraws_tokens_that_fit_the_role(own: Served) -> None:
    client = own.client("arbiter")
    form = {"csrf": proof(client, "/account"), "login": "arbiter", "name": "pairing"}
    made = client.post("/account/tokens", data=form | {"scope": ["submit", "running"]})
    assert made.status_code == 200
    assert "arpad_" in made.text
    (token,) = tokens_of(own.office, "arbiter")
    assert token.scopes == ("submit", "running")
    assert "pairing" in client.get("/account").text

    assert client.post("/account/tokens", data=form | {"scope": "register"}).status_code == 403
    assert (
        client.post("/account/tokens", data=form | {"login": "officer", "scope": "submit"}).status_code == 403
    )
    assert client.post("/account/tokens", data=form).status_code == 422, "no scope"

    other = own.client("officer")
    withdrawn = {"csrf": proof(other, "/account"), "from": "/account", "token": str(token.id)}
    assert other.post("/desk/acts/token/withdraw", data=withdrawn).status_code == 403
    withdrawn["csrf"] = form["csrf"]
    assert client.post("/desk/acts/token/withdraw", data=withdrawn).headers["location"] == "/account"
    assert tokens_of(own.office, "arbiter") == []


def test_a_token_does_no_more_than_the_role_of_its_owner(own: Served) -> None:
    office = replace(own.office, author="administrator")
    secret = issue_token(office, "arbiter", "too much", ["register", "administer"])
    headers = {"authorization": f"Bearer {secret}"}
    client = own.client()
    user = {"login": "eve", "password": "fen-otto-lume-19", "role": ["officer"]}
    assert client.post("/api/v1/office/user/add", json=user, headers=headers).status_code == 403
    wider = {"login": "arbiter", "scope": ["lists"]}
    assert client.post("/api/v1/office/token/issue", json=wider, headers=headers).status_code == 403
    assert client.get("/api/v1/office/users", headers=headers).status_code == 403
    listed = client.get("/api/v1/office/tokens", headers=headers).json()["tokens"]
    assert {token["login"] for token in listed} == {"arbiter"}
