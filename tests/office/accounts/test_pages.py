"""One's own account: passwords that are not guessed, sessions that end, a second factor."""

import base64
import json
import logging
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from litestar import get
from litestar.testing import TestClient

from arpad.model.errors import BadInput
from arpad.office.accounts import second_factor
from arpad.office.accounts.passwords import LOCKED_MINUTES, check_password
from arpad.office.accounts.second_factor import has_factor
from arpad.office.accounts.sessions import sign_in
from arpad.office.accounts.users import change_own_password, change_user
from arpad.office.office import Office
from arpad.office.settings.acts import all_settings
from arpad.office.users import user_of_session
from arpad.system.event_log import JsonLines
from arpad.web.app import create
from arpad.web.reader import PUBLIC
from tests.builders.site_fixtures import PASSWORD, SETTINGS, Served, january, proof, settings_form
from tests.builders.users import add_user

SECRET = base64.b32encode(b"12345678901234567890").decode()
"""The secret of RFC 6238, appendix B."""


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert second_factor.code_at(SECRET, seconds // 30) == code
    assert second_factor.counter_of(SECRET, code, seconds, 0) == seconds // 30


def test_a_code_holds_half_a_minute_around_and_once() -> None:
    counter = 1234567890 // 30
    code = second_factor.code_at(SECRET, counter)

    assert second_factor.counter_of(SECRET, code, 1234567890 + 30, 0) == counter
    assert second_factor.counter_of(SECRET, code, 1234567890 - 30, 0) == counter
    assert second_factor.counter_of(SECRET, code, 1234567890 + 60, 0) is None
    assert second_factor.counter_of(SECRET, code, 1234567890, counter) is None


def code_now(secret: str, half_minutes: int = 0) -> str:
    return second_factor.code_at(secret, int(january().timestamp()) // 30 + half_minutes)


def office_of(served: Served) -> Office:
    return replace(served.office, author="tests")


def test_with_a_second_factor_the_password_alone_opens_nothing(own: Served) -> None:
    office = office_of(own)
    secret = second_factor.new_secret()
    recovery = second_factor.turn_on(office, "officer", PASSWORD, secret, code_now(secret, -1))

    for code in ("", "000000", "otto è", code_now(secret, -1)):
        with pytest.raises(BadInput, match="wrong-password"):
            sign_in(office, "officer", PASSWORD, "::1", code=code)
    assert sign_in(office, "officer", PASSWORD, "::1", code=code_now(secret))
    assert sign_in(office, "officer", PASSWORD, "::1", code=recovery[0].upper())
    with pytest.raises(BadInput, match="wrong-password"):
        sign_in(office, "officer", PASSWORD, "::1", code=recovery[0])

    change_user(office, "officer", without_factor=True)
    assert sign_in(office, "officer", PASSWORD, "::1")


def test_the_second_factor_on_the_page(own: Served) -> None:
    client = own.client("officer")
    text = client.get("/account").text
    secret = re.search(r'name="secret" value="([A-Z2-7]{32})"', text)
    assert secret
    assert "<svg" in text
    form = {"csrf": proof(client, "/account"), "secret": secret[1], "password": PASSWORD}

    wrong = client.post("/account/factor", data=form | {"code": "000000"})
    assert wrong.status_code == 422
    assert secret[1] in wrong.text
    right = client.post("/account/factor", data=form | {"code": code_now(secret[1])})

    assert right.status_code == 200
    assert len(re.findall(r"<li>[0-9a-f]{10}-[0-9a-f]{10}</li>", right.text)) == second_factor.RECOVERY_CODES
    assert has_factor(office_of(own), "officer")
    again = client.post("/account/factor", data=form | {"code": code_now(secret[1])})
    assert "already on" in again.text
    end = {"csrf": form["csrf"], "password": PASSWORD}
    assert client.post("/account/factor/end", data=end | {"code": "000000"}).status_code == 422
    assert has_factor(office_of(own), "officer")
    kept = re.findall(r"<li>([0-9a-f]{10}-[0-9a-f]{10})</li>", right.text)[0]
    assert client.post("/account/factor/end", data=end | {"code": kept}).status_code == 303
    assert not has_factor(office_of(own), "officer")


@pytest.mark.parametrize("secret", ["", "A" * 31, "1" * 32, "è" * 32, "a" * 32])
def test_a_secret_that_no_authenticator_has_is_refused(own: Served, secret: str) -> None:
    client = own.client("officer")
    form = {"csrf": proof(client, "/account"), "secret": secret, "password": PASSWORD, "code": "000000"}
    answer = client.post("/account/factor", data=form)

    assert answer.status_code == 422
    assert re.search(r'name="secret" value="[A-Z2-7]{32}"', answer.text)  # another is offered


def test_an_office_may_demand_the_second_factor(own: Served) -> None:
    admin, again = own.client("administrator"), own.client("officer")
    assert again.get("/desk").status_code == 200
    form = all_settings(office_of(own)) | {"second_factor": "demanded", "csrf": proof(admin, "/admin")}
    assert admin.post(SETTINGS, data=settings_form(form | {"languages": ["it", "en"]})).status_code == 303

    refused = again.get("/desk")
    assert refused.status_code == 403
    assert "two-step sign-in" in refused.text
    assert 'href="/account#factor"' in refused.text
    bundle = "/lists/standard-2024-08-01-r2/files/standard-2024-08-01-r2.bundle.zip"
    assert again.get(bundle).status_code == 403
    assert led(own, "officer") == "/account#factor"
    assert again.get("/account").status_code == 200
    secret = second_factor.new_secret()
    second_factor.turn_on(office_of(own), "officer", PASSWORD, secret, code_now(secret))
    assert again.get("/desk").status_code == 200
    assert again.get(bundle).status_code == 200


@pytest.mark.parametrize(
    "password", ["password12", "qwertyuiop", "1234567890", "arpadarpad", "officer2025", "aaaaaaaaaaaa"]
)
def test_a_password_that_everybody_tries_is_refused(password: str) -> None:
    with pytest.raises(BadInput, match="easy-password"):
        check_password(password, ("officer",))


@pytest.mark.parametrize(
    "password", ["fen-otto-lume-19", "però la neve scende", "x" * 60 + "Qz7!", "Zw9#kfLq2m"]
)
def test_any_kind_of_letters_makes_a_password(password: str) -> None:
    check_password(password)


def test_a_new_password_needs_the_old_one_and_ends_the_other_sessions(own: Served) -> None:
    office = office_of(own)
    client = own.client("officer")
    other = sign_in(office, "officer", PASSWORD, "::1")
    form = {"csrf": proof(client, "/account"), "password": "fen-otto-lume-19"}

    assert client.post("/account/password", data=form | {"old": "wrong"}).status_code == 422
    assert user_of_session(office, other) is not None
    assert client.post("/account/password", data=form | {"old": PASSWORD}).status_code == 303

    assert user_of_session(office, other) is None
    assert client.get("/account").status_code == 200
    with pytest.raises(BadInput, match="wrong-password"):
        sign_in(office, "officer", PASSWORD, "::1")
    assert sign_in(office, "officer", "fen-otto-lume-19", "::1")


def test_a_new_password_is_not_made_from_ones_name(own: Served) -> None:
    office = office_of(own)
    add_user(office, "bn", "Ermenegilda", PASSWORD, [], own_password=True)
    session = sign_in(office, "bn", PASSWORD, "::1")

    with pytest.raises(BadInput, match="easy-password"):
        change_own_password(office, "bn", PASSWORD, "ermenegilda", session)
    with pytest.raises(BadInput, match="easy-password"):
        change_user(office, "bn", password="ermenegilda")  # noqa: S106


def test_an_administrator_changes_his_own_password_only_where_the_present_one_is_asked_for(
    own: Served,
) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, "/admin"), "role": "administrator", "active": "yes"}
    form |= {"login": "administrator", "from": "/admin"}

    for field in ({"password": "fen-otto-lume-19"}, {"without_factor": "true"}):
        refused = client.post("/desk/acts/user/change", data=form | field)
        assert refused.status_code == 422
        assert "two-step sign-in under Your account" in refused.text
    assert sign_in(office_of(own), "administrator", PASSWORD, "::1")


def test_a_password_is_kept_as_the_administrator_typed_it(own: Served) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, "/admin"), "login": "bea", "password": " fen otto lume "}
    assert client.post("/desk/acts/user/add", data=form).status_code == 303

    assert sign_in(office_of(own), "bea", " fen otto lume ", "::1")
    with pytest.raises(BadInput, match="wrong-password"):
        sign_in(office_of(own), "bea", "fen otto lume", "::1")


def test_signing_in_once_more_ends_the_session_before(own: Served) -> None:
    client = own.client("officer")
    before = client.cookies["arpad_session"]
    form = {"csrf": proof(client, "/desk/players"), "login": "arbiter", "password": PASSWORD}
    assert client.post("/sign-in", data=form).status_code == 303

    assert user_of_session(office_of(own), before) is None
    now = user_of_session(office_of(own), client.cookies["arpad_session"])
    assert now is not None
    assert now.login == "arbiter"


def test_sessions_are_shown_and_can_be_ended(own: Served) -> None:
    office = office_of(own)
    client = own.client("arbiter")
    token = sign_in(office, "arbiter", PASSWORD, "::1", browser="Lynx on a teletype")

    assert "Lynx on a teletype" in client.get("/account").text
    assert client.post("/account/sessions", data={"csrf": proof(client, "/account")}).status_code == 303

    assert user_of_session(office, token) is None
    assert client.get("/account").status_code == 200


def led(served: Served, login: str, wanted: str = "/desk") -> str:
    """Where signing in leads."""
    client = served.client()
    form = {"csrf": proof(client, "/sign-in"), "login": login, "password": PASSWORD, "next": wanted}
    return client.post("/sign-in", data=form).headers["location"]


def test_signing_in_leads_where_one_may_go(own: Served) -> None:
    add_user(office_of(own), "guest", "Guest", PASSWORD, [], own_password=True)

    assert led(own, "arbiter") == "/desk"
    assert led(own, "administrator") == "/admin"
    assert led(own, "guest") == "/account"
    assert led(own, "officer", "/check") == "/check"


def test_addresses_of_failures_are_kept_no_longer_than_they_count(own: Served) -> None:
    office = office_of(own)

    def tried_from(office: Office, place: str) -> None:
        with pytest.raises(BadInput, match="wrong-password"):
            sign_in(office, "nobody", "wrong", place)

    tried_from(office, "10.0.0.7")
    tried_from(replace(office, now=lambda: january() + timedelta(minutes=LOCKED_MINUTES + 1)), "10.0.0.8")
    with office.store.reading() as connection:
        kept = {key for (key,) in connection.exec_driver_sql("SELECT key FROM failures")}

    assert kept == {"login nobody", "place 10.0.0.8"}


def test_a_session_that_nobody_uses_ends(own: Served) -> None:
    office = office_of(own)
    token = sign_in(office, "officer", PASSWORD, "::1")

    def after(**time: int) -> Office:
        return replace(office, now=lambda: january() + timedelta(**time))

    assert user_of_session(after(minutes=119), token) is not None  # and is now known to be in use
    assert user_of_session(after(minutes=119 + 119), token) is not None
    assert user_of_session(after(minutes=119 + 119 + 121), token) is None


def test_what_concerns_security_is_logged_without_secrets(
    own: Served, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("arpad.security").propagate = True
    with caplog.at_level(logging.INFO, logger="arpad.security"):
        sign_in(office_of(own), "officer", PASSWORD, "10.0.0.1")
        with pytest.raises(BadInput):
            sign_in(office_of(own), "of\nficer", "not the password", "10.0.0.1")
        own.client("arbiter").get("/admin")
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]

    assert {"signed in", "sign-in failed", "refused"} <= {line["event"] for line in lines}
    refused = next(line for line in lines if line["event"] == "refused")
    assert (refused["login"], refused["path"], refused["why"]) == ("arbiter", "/admin", "not-yours")
    written = "\n".join(JsonLines().format(record) for record in caplog.records)
    assert len(written.splitlines()) == len(caplog.records)
    assert PASSWORD not in written
    assert "not the password" not in written


@pytest.mark.parametrize("address", ["/", "/lists", "/desk", "/account"])
def test_pages_of_a_user_are_kept_by_nobody(served: Served, address: str) -> None:
    kept = served.client("officer").get(address).headers

    assert kept["cache-control"] == "private, no-store"
    assert "etag" not in kept


def test_a_failure_of_ours_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("arpad.web").addHandler(caplog.handler)

    @get("/broken", opt=dict(PUBLIC), sync_to_thread=False)
    def broken() -> str:
        secret = "the password of the database"  # noqa: S105
        raise RuntimeError(secret)

    application = create()
    application.register(broken)
    with TestClient(application, raise_server_exceptions=False) as client:
        answer = client.get("/broken")

    assert answer.status_code == 500
    assert "password" not in answer.text
    assert "Traceback" not in answer.text
    logging.getLogger("arpad.web").removeHandler(caplog.handler)
    assert "the password of the database" in caplog.text  # where only the administrator looks
