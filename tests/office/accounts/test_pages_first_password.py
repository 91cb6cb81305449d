"""A password that somebody else chose opens one door only, and not for long."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from arpad.model.errors import BadInput
from arpad.office.accounts.passwords import GIVEN_PASSWORD_DAYS
from arpad.office.accounts.sessions import sign_in
from arpad.office.accounts.users import all_users, change_own_password
from arpad.office.backup.acts import backup, restore
from arpad.office.office import Office, init, open_office
from arpad.office.settings.acts import all_settings
from arpad.office.users import Grant, Role
from tests.builders.site_fixtures import PASSWORD, SETTINGS, Served, copied, january, proof, settings_form
from tests.builders.users import add_user
from tests.commands import run, run_json
from tests.web.every_route import routes
from tests.web.test_reader import filled

OWN = "fen-otto-lume-19"
CHOOSE = "/account/password"


@pytest.fixture
def office(demo_folder: Path, tmp_path: Path) -> Iterator[Office]:
    opened = replace(copied(demo_folder, tmp_path), author="administrator")
    yield opened
    opened.close()


def after(office: Office, **time: int) -> Office:
    return replace(office, now=lambda: january() + timedelta(**time))


def chosen(client: httpx.Client, old: str = PASSWORD, new: str = OWN) -> httpx.Response:
    return client.post(CHOOSE, data={"csrf": proof(client, CHOOSE), "old": old, "password": new})


def entered(served: Served, *roles: str) -> httpx.Client:
    """Bea, entered by the administrator, signed in with what he typed."""
    admin = served.client("administrator")
    form = {"csrf": proof(admin, "/admin"), "login": "bea", "name": "Bea", "password": PASSWORD}
    assert admin.post("/desk/acts/user/add", data=form | {"role": list(roles)}).status_code == 303
    return served.client("bea")


# -------------------------------------------------------------------------------------------------- on the site


def test_nothing_opens_before_ones_own_password(own: Served) -> None:
    bea = entered(own, "arbiter", "officer", "administrator")

    open_still = {("GET", CHOOSE), ("POST", CHOOSE), ("POST", "/sign-out"), ("GET", "/logo")}
    for method, path in routes():
        if path.startswith(("/api", "/static")) or (method, path) in open_still:
            continue
        answer = bea.request(method, filled(path))
        assert (answer.status_code, answer.headers.get("location")) == (303, CHOOSE), f"{method} {path}"
    page = bea.get(CHOOSE)
    assert page.status_code == 200
    assert "You signed in with a temporary password." in page.text
    assert "<nav" not in page.text
    assert bea.get(re.findall(r"/static/site\.css[^\"]*", page.text)[0]).status_code == 200
    assert "Hai usato una password provvisoria" in bea.get("/desk?lang=it", follow_redirects=True).text


def test_after_choosing_everything_opens_and_the_given_one_opens_nothing(own: Served) -> None:
    bea = entered(own, "officer")
    before = bea.cookies["arpad_session"]
    elsewhere = own.client("bea")

    assert chosen(bea).headers["location"] == "/desk"
    assert bea.get("/desk").status_code == 200
    assert bea.get(CHOOSE).headers["location"] == "/account#password"
    assert elsewhere.get("/desk").status_code == 401
    assert bea.cookies["arpad_session"] != before
    stolen = own.client()
    stolen.cookies.set("arpad_session", before, domain="127.0.0.1")
    assert stolen.get("/desk").status_code == 401
    with pytest.raises(BadInput, match="wrong-password"):
        sign_in(own.office, "bea", PASSWORD, "::1")


def test_what_is_not_ones_own_is_refused_on_the_same_page(own: Served) -> None:
    bea = entered(own, "officer")

    for answer, sentence in (
        (chosen(bea, new=PASSWORD), "This is your current password: choose another."),
        (chosen(bea, old="not this one"), "This is not your current password."),
        (chosen(bea, new="short"), "A password must have 10 to 200 characters."),
    ):
        assert answer.status_code == 422
        assert sentence in answer.text
        assert "Choose your own password" in answer.text
        assert PASSWORD not in answer.text
    assert bea.get("/desk").headers["location"] == CHOOSE
    assert bea.post("/sign-out", data={"csrf": proof(bea, CHOOSE)}).headers["location"] == "/"
    assert bea.get(CHOOSE).status_code == 401


def test_a_demanded_second_factor_comes_after_it(own: Served) -> None:
    bea, admin = entered(own, "officer"), own.client("administrator")
    form = all_settings(own.office) | {"second_factor": "demanded", "csrf": proof(admin, "/admin")}
    assert admin.post(SETTINGS, data=settings_form(form | {"languages": ["it", "en"]})).status_code == 303

    assert bea.get("/desk").headers["location"] == CHOOSE
    assert chosen(bea).headers["location"] == "/account#factor"


def test_the_administrator_sees_who_has_not_chosen_and_gives_a_new_one(own: Served) -> None:
    bea, admin = entered(own, "officer"), own.client("administrator")

    assert "has not chosen a password yet; can do so until 29 January 2025" in admin.get("/admin/people").text
    assert chosen(bea).status_code == 303
    assert "not chosen" not in admin.get("/admin/people").text
    form = {
        "csrf": proof(admin, "/admin"),
        "login": "bea",
        "role": "officer",
        "active": "yes",
        "password": PASSWORD,
    }
    assert admin.post("/desk/acts/user/change", data=form).status_code == 303
    assert bea.get("/desk").status_code == 401
    assert own.client("bea").get("/desk").headers["location"] == CHOOSE
    form = {"csrf": proof(admin, "/admin"), "login": "bea", "scope": "submit", "from": "/admin/programs"}
    refused = admin.post("/admin/programs/tokens", data=form)
    assert refused.status_code == 422
    assert "Bea must first choose their own password." in refused.text


# ---------------------------------------------------------------------------------------------------- its time


def test_a_given_password_ends_after_two_weeks_and_says_whom_to_ask(own: Served) -> None:
    assert GIVEN_PASSWORD_DAYS == 14
    long_ago = replace(after(own.office, days=-14), author="administrator")
    add_user(long_ago, "bea", "Bea", PASSWORD, [Grant(Role.OFFICER)])
    client = own.client()
    form = {"csrf": proof(client, "/sign-in"), "login": "bea", "password": PASSWORD}

    ended = client.post("/sign-in", data=form)
    assert ended.status_code == 400
    assert "expired on 15 January 2025: ask an administrator for a new one." in ended.text
    guessed = client.post("/sign-in", data=form | {"password": "wrong"})
    assert "Wrong user name or password." in guessed.text  # a stranger learns nothing
    sign_in(after(own.office, seconds=-1), "bea", PASSWORD, "::1")


def test_ones_own_password_does_not_end(office: Office) -> None:
    add_user(office, "bea", "Bea", PASSWORD, [])
    session = sign_in(office, "bea", PASSWORD, "::1")
    change_own_password(office, "bea", PASSWORD, OWN, session)

    assert sign_in(after(office, days=4000), "bea", OWN, "::1")


# --------------------------------------------------------------------------------------------- at the machine


def test_only_the_first_administrator_keeps_the_password_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "office.db")
    init(db, federation="ITA", name="Nuova", now=january, author="tests").close()

    def user(login: str, role: str) -> object:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{OWN}\n"))
        when = ("--db", db, "--now", "2025-01-15T09:00:00Z")
        return run_json(capsys, "office", "user", "add", login, "--role", role, *when)["password_ends"]

    assert user("carlo", "officer") == "2025-01-29T09:00:00+00:00"
    assert user("anna", "administrator") is None
    assert user("bea", "administrator") == "2025-01-29T09:00:00+00:00"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{OWN}\n"))
    now = ("--now", "2025-01-15T09:00:00Z", "--lang", "en")
    _, out, _ = run(capsys, "office", "user", "add", "dora", "--role", "arbiter", "--db", db, *now)
    assert out == (
        "User “dora” created. The temporary password expires on 29 January 2025 "
        "and must be changed at the first sign-in.\n"
    )


# ------------------------------------------------------------------------------------------------- in the store


def test_a_backup_keeps_who_has_not_chosen(place: str, tmp_path: Path) -> None:
    office = init(place, federation="ITA", name="Nuova", now=january, author="tests")
    add_user(office, "bea", "Bea", PASSWORD, [])
    backup(office, tmp_path / "office.zip")
    office.close()
    restore(tmp_path / "office.zip", str(tmp_path / "again.db"))
    again = open_office(str(tmp_path / "again.db"))

    assert all_users(again)[0].password_ends.startswith("2025-01-29T09:00:00")
    again.close()
