"""Who gets in where: every route with every role and none; sessions, forged forms, lock-outs."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from arpad.model.errors import BadInput
from arpad.office.accounts.passwords import LOCKED_MINUTES, MOST_FAILURES
from arpad.office.accounts.sessions import SESSION_HOURS, sign_in
from arpad.office.accounts.users import all_users, change_user
from arpad.office.users import EVERYBODY, user_of_session
from tests.builders.site_fixtures import PASSWORD, Served, january, proof
from tests.builders.users import issue_token
from tests.thinning import one_in
from tests.web.every_route import application, declared_routes, routes

# Everything that is not open to everybody, and whom it admits: a(rbiter), o(fficer), b(ound officer), s(ystem admin).
CLOSED = {
    "GET /desk": "aob",
    "POST /desk/send": "aob",
    "GET /desk/reports": "aob",
    "GET /desk/reports/{number:int}": "aob",
    "GET /desk/reports/{number:int}/contents": "aob",
    "GET /desk/reports/{number:int}/file": "aob",
    "GET /desk/reports/{number:int}/receipt": "aob",
    "GET /desk/duplicates": "ob",
    "GET /desk/aliases": "ob",
    "GET /desk/numbers": "ob",
    "POST /desk/reports/{number:int}/facts": "ob",
    "GET /desk/lists": "o",
    "GET /desk/draft": "o",
    "POST /desk/publish": "o",
    "GET /desk/import": "o",
    "POST /desk/import": "o",
    "POST /desk/import/preview": "o",
    "GET /desk/corrections": "o",
    "POST /desk/corrections": "o",
    "POST /desk/corrections/preview": "o",
    "GET /desk/choices/{kind:str}": "ob",
    "GET /desk/decisions": "ob",
    "GET /desk/decisions/new/{kind:str}": "ob",
    "POST /desk/decisions/new/{kind:str}": "ob",
    "GET /desk/draughts": "o",
    "GET /desk/players": "ob",
    "GET /desk/players/{number:int}": "o",
    "POST /desk/players/{number:int}/change": "ob",
    "POST /desk/players/{number:int}/merge": "ob",
    "POST /desk/players/{number:int}/hide": "ob",
    "POST /desk/players/{number:int}/erase": "ob",
    "POST /desk/players/{number:int}/data": "ob",
    "GET /desk/events": "ob",
    "GET /desk/events/new": "ob",
    "GET /desk/events/{number:int}": "o",
    "GET /desk/upload": "aob",
    "POST /desk/upload": "aob",
    "GET /desk/running": "aob",
    "POST /desk/running": "aob",
    "GET /desk/clean": "ob",
    "POST /desk/clean": "ob",
    "GET /desk/clubs": "ob",
    "GET /desk/clubs/{code:str}": "ob",
    "GET /desk/arbiters": "ob",
    "GET /desk/reconciliation": "ob",
    "POST /desk/reconciliation/lists": "o",
    "GET /desk/fees": "ob",
    "POST /desk/fees": "o",
    "GET /desk/invoices": "ob",
    "GET /desk/titles": "ob",
    "GET /desk/reports/{number:int}/norms": "o",
    "GET /desk/reports/{number:int}/it1.pdf": "ob",
    "GET /desk/ledger": "ob",
    "GET /desk/ledger/acts.csv": "o",
    "POST /desk/verify": "o",
    "GET /admin": "s",
    "GET /admin/watching": "s",
    "GET /admin/site": "s",
    "GET /admin/mail": "s",
    "GET /admin/people": "s",
    "GET /admin/programs": "s",
    "POST /admin/programs/tokens": "s",
    "GET /admin/editions": "s",
    "POST /account/tokens": "aobs",
    "GET /admin/webhooks": "s",
    "POST /admin/webhooks": "s",
    "POST /sign-out": "aobs",
    "GET /account": "aobs",
    "GET /account/password": "aobs",
    "POST /account/password": "aobs",
    "POST /account/sessions": "aobs",
    "POST /account/mail": "aobs",
    "POST /account/factor": "aobs",
    "POST /account/factor/end": "aobs",
    "POST /api/v1/running/{name:str}": "",
    "POST /api/v1/imports/list": "",
    "POST /api/v1/imports/list/preview": "",
    "POST /api/v1/imports/reference": "",
    "GET /api/v1/inbox": "",
    "GET /api/v1/inbox/clean": "",
    "GET /api/v1/reconciliation": "",
    "GET /api/v1/reconciliation.csv": "",
    "GET /api/v1/title-proposals": "",
    "GET /api/v1/references": "",
    "GET /api/v1/reports": "",
    "POST /api/v1/reports": "",
    "GET /api/v1/reports/{number:int}": "",
    "GET /api/v1/reports/{number:int}/preview": "",
    "GET /api/v1/reports/{number:int}/receipt": "",
}
LETTERS = {"": "-", "arbiter": "a", "officer": "o", "bound": "b", "administrator": "s"}


def filled(path: str) -> str:
    values = {
        "number": "1",
        "decision": "1",
        "year": "2025",
        "sequence": "1",
        "code": "MI1",
        "name": "x",
        "login": "x",
        "verb": "x",
        "file": "x",
        "old": "x",
        "new": "x",
        "path": "x",
        "who": "x",
        "language": "en",
        "token": "x",
        "kind": "player",
        "link": "x",
        "size": "1",
        "first": "1",
        "later": "1",
        "scheme": "fide",
        "value": "1",
        "norm": "1",
        "on_list": "standard",
        "entrant": "1",
        "title": "GM",
        "words": "no/act",
        "tag": "lists",
        "start": "1",
    }
    return re.sub(r"\{(\w+):\w+\}", lambda part: values[part[1]], path)


def test_every_closed_route_is_in_the_table_and_every_other_is_open() -> None:
    for route in application().routes:
        for handler in getattr(route, "route_handlers", ()):
            for method in handler.http_methods:
                if method == "OPTIONS" or (method, route.path) in declared_routes():
                    continue
                open_to_all = handler.opt.get("access") == EVERYBODY
                assert open_to_all != (f"{method} {route.path}" in CLOSED), f"{method} {route.path}"


@pytest.fixture(scope="module")
def people(served: Served) -> dict[str, httpx.Client]:
    return {login: served.client(login) for login in LETTERS}


@pytest.mark.parametrize(
    ("method", "path"), one_in(6, [it for it in routes() if it not in declared_routes()])
)
def test_every_route_with_every_role_and_none(
    people: dict[str, httpx.Client], method: str, path: str
) -> None:
    admitted = CLOSED.get(f"{method} {path}")
    for login, client in people.items():
        answer = client.request(method, filled(path), follow_redirects=False)
        turned_away = answer.status_code in (401, 403) and (
            "role does not give access" in answer.text
            or "limited to one federation" in answer.text
            or "Sign in to see this page" in answer.text
            or "token" in answer.text
        )
        assert turned_away == (admitted is not None and LETTERS[login] not in admitted), (
            login,
            answer.status_code,
        )
        assert answer.status_code < 500, (login, path)
        if method == "POST" and not turned_away and not path.startswith("/api/"):
            assert answer.status_code == 403, (login, path)  # no form was sent along


# ------------------------------------------------------------------------------------------------------- forms


def test_a_form_needs_its_proof_and_must_not_come_from_elsewhere(own: Served) -> None:
    client = own.client("administrator")
    good = proof(client, "/admin")
    fields = {"login": "eve", "password": PASSWORD, "role": "administrator"}

    assert client.post("/desk/acts/user/add", data=fields).status_code == 403
    assert client.post("/desk/acts/user/add", data=fields | {"csrf": "0" * 64}).status_code == 403
    theirs = proof(own.client("officer"), "/desk/players")
    assert client.post("/desk/acts/user/add", data=fields | {"csrf": theirs}).status_code == 403
    elsewhere = {"origin": "https://evil.example"}
    assert (
        client.post("/desk/acts/user/add", data=fields | {"csrf": good}, headers=elsewhere).status_code == 403
    )
    crossing = {"sec-fetch-site": "cross-site"}
    assert (
        client.post("/desk/acts/user/add", data=fields | {"csrf": good}, headers=crossing).status_code == 403
    )
    for unknown in ({"origin": "null"}, {"origin": "null", "sec-fetch-site": "cross-site"}):
        assert (
            client.post("/desk/acts/user/add", data=fields | {"csrf": good}, headers=unknown).status_code
            == 403
        )
    assert "eve" not in [user.login for user in all_users(own.office)]

    # a browser that tells no site where it comes from
    shy = {"origin": "null", "sec-fetch-site": "same-origin"}
    assert client.post("/desk/acts/user/add", data=fields | {"csrf": good}, headers=shy).status_code == 303


def test_signing_in_makes_a_new_session_whatever_cookie_came(served: Served) -> None:
    client = served.client()
    client.cookies.set("arpad_session", "planted-by-somebody-else", domain="127.0.0.1")
    form = {"csrf": proof(client, "/sign-in"), "login": "officer", "password": PASSWORD}
    answer = client.post("/sign-in", data=form)

    assert answer.status_code == 303
    assert "arpad_session=planted" not in answer.headers["set-cookie"]
    planted = served.client()
    planted.cookies.set("arpad_session", "planted-by-somebody-else", domain="127.0.0.1")
    assert planted.get("/desk").status_code == 401


def test_the_session_cookie_is_for_the_browser_alone(served: Served) -> None:
    client = served.client()
    form = {"csrf": proof(client, "/sign-in"), "login": "officer", "password": PASSWORD}
    cookie = client.post("/sign-in", data=form).headers["set-cookie"]

    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_cookies_travel_over_https_only_unless_the_browser_is_on_this_machine(served: Served) -> None:
    client = served.client()

    abroad = client.get("/sign-in", headers={"host": "ratings.example"}).headers["set-cookie"]
    assert "Secure" in abroad
    assert abroad.startswith("__Host-arpad_form=")
    assert "Secure" not in served.client().get("/sign-in").headers["set-cookie"]


def test_signing_out_ends_the_session_in_the_store_too(served: Served) -> None:
    client = served.client("officer")
    token = client.cookies["arpad_session"]

    assert client.post("/sign-out", data={"csrf": proof(client, "/desk")}).status_code == 303
    again = served.client()
    again.cookies.set("arpad_session", token, domain="127.0.0.1")
    assert again.get("/desk").status_code == 401


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_signing_in_leads_nowhere_else(served: Served, wanted: str) -> None:
    client = served.client()
    form = {"csrf": proof(client, "/sign-in"), "login": "officer", "password": PASSWORD, "next": wanted}

    assert client.post("/sign-in", data=form).headers["location"] == "/desk"


# ---------------------------------------------------------------------------------------------------- accounts


def test_repeated_failures_lock_a_login_for_a_while(own: Served) -> None:
    office = own.office
    assert office is not None
    for _ in range(MOST_FAILURES):
        with pytest.raises(BadInput, match="wrong-password"):
            sign_in(office, "officer", "wrong", "10.0.0.1")
    with pytest.raises(BadInput, match="locked-out"):
        sign_in(office, "officer", PASSWORD, "10.0.0.2")

    later = replace(office, now=lambda: january() + timedelta(minutes=LOCKED_MINUTES + 1))
    assert sign_in(later, "officer", PASSWORD, "10.0.0.2")


def test_a_session_ends_with_its_hours_and_with_its_account(own: Served) -> None:
    office = own.office
    assert office is not None
    token = sign_in(office, "officer", PASSWORD, "::1")
    late = replace(office, now=lambda: january() + timedelta(hours=SESSION_HOURS, seconds=1))

    assert user_of_session(office, token) is not None
    assert user_of_session(late, token) is None
    change_user(replace(office, author="tests"), "officer", active="no")
    assert user_of_session(office, token) is None
    with pytest.raises(BadInput, match="wrong-password"):
        sign_in(office, "officer", PASSWORD, "::1")


def test_no_secret_is_kept_as_it_is(own: Served) -> None:
    office = own.office
    assert office is not None
    session = sign_in(office, "officer", PASSWORD, "::1")
    token = issue_token(replace(office, author="tests"), "arbiter", "club", ["submit"])
    with office.store.reading() as connection:
        dumped: list[Any] = []
        for table in ("users", "sessions", "tokens", "ledger"):
            dumped += connection.exec_driver_sql(f"SELECT * FROM {table}").all()  # noqa: S608  our own names
    text = repr(dumped)

    assert session not in text
    assert token not in text
    assert PASSWORD not in text
    assert "$argon2id$" in text


def test_an_administrator_cannot_lock_himself_out(own: Served) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, "/admin"), "active": "no", "role": "administrator"}
    form |= {"login": "administrator", "from": "/admin"}

    assert client.post("/desk/acts/user/change", data=form).status_code == 422


def test_an_officer_bound_to_one_federation_leaves_the_others_alone(served: Served) -> None:
    client = served.client("bound")

    assert client.get("/desk/reports/1").status_code == 403
    form = {"csrf": proof(client, "/desk/players"), "list": "standard", "day": "2025-02-01"}
    assert client.post("/desk/publish", data=form).status_code == 403
    own, number = {"player": "1", "reason": "asked"}, {"scheme": "fsi", "value": "990001"}
    merge = {"kept": "1", "dropped": "2", "reason": "asked"}
    for words, fields in (
        ("acts/register/change", {**own, "set.field": "name", "set.value": "X, Y", "since": "2025-01-01"}),
        ("acts/register/death", {**own, "day": "2024-12-20"}),
        ("acts/register/withdraw-death", own),
        ("acts/register/number", own | number),
        ("acts/register/remove-number", own | number),
        ("acts/merge", merge),
        ("acts/privacy/hide", own),
        ("players/1/merge", merge),
        ("players/1/hide", own),
        ("players/1/erase", {**own, "confirm": "1"}),
        ("acts/register/enter", {"name": "X, Y", "federation": "ITA"}),
    ):
        sent = client.post(f"/desk/{words}", data={"csrf": form["csrf"], **fields})
        assert sent.status_code == 403, words
    days = {"first_day": "2025-03-01", "last_day": "2025-03-02"}
    event = {"csrf": form["csrf"], "name": "Open", "federation": "ITA", **days}
    assert client.post("/desk/acts/tournament/register", data=event).status_code == 403
    assert client.get("/desk/players/1").status_code == 403


def test_an_arbiter_sees_only_what_he_sent(served: Served) -> None:
    client = served.client("arbiter")

    assert client.get("/desk/reports/1").status_code == 403
    assert client.get("/desk/reports/1/contents").status_code == 403
    assert client.get("/desk/reports/1/file").status_code == 403
