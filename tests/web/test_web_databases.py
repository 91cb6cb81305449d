"""The site on an office that has just been made, on SQLite and on PostgreSQL: empty pages are friendly, work begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arpad.model.errors import BadInput
from arpad.office.accounts.tokens import withdraw_token
from arpad.office.office import init
from arpad.office.register.acts import register_player
from arpad.office.sessions import user_of_token
from arpad.office.users import Grant, Role
from arpad.web.api.limits import count_requests
from tests.builders.site_fixtures import PASSWORD, january, proof, serving
from tests.builders.users import add_user, issue_token


def test_a_new_office_opens_its_doors(place: str) -> None:
    office = init(place, federation="ITA", name="Nuova federazione", now=january, author="tests")
    roles = [Grant(Role.OFFICER), Grant(Role.ADMINISTRATOR)]
    add_user(office, "anna", "Anna", PASSWORD, roles, own_password=True)
    with serving(replace(office, author="")) as running:
        visitor = running.client()
        assert "No list has been published yet." in visitor.get("/").text
        for address in ("/lists", "/tournaments", "/players?q=nobody", "/verify", "/api/v1/lists"):
            assert visitor.get(address).status_code == 200, address
        assert visitor.get("/lists/standard").status_code == 404

        anna = running.client("anna")
        for address in (
            "/desk",
            "/desk/lists",
            "/desk/corrections",
            "/desk/decisions",
            "/desk/draughts",
            "/desk/ledger",
            "/admin",
        ):
            assert anna.get(address).status_code == 200, address
        form = {
            "csrf": proof(anna, "/desk/players"),
            "name": "Rossi, Mario",
            "federation": "ITA",
            "born": "2001",
        }
        assert anna.post("/desk/acts/register/enter", data=form).headers["location"] == "/desk/players/1"
        assert visitor.get("/api/v1/search?q=rossi").json()["players"][0]["born"] == 2001
        user = {"csrf": proof(anna, "/admin"), "login": "bea", "password": PASSWORD, "role": "arbiter"}
        assert anna.post("/desk/acts/user/add", data=user).status_code == 303
        bea = running.client("bea")
        assert bea.get("/desk").headers["location"] == "/account/password"
        chosen = {"csrf": proof(bea, "/account/password"), "old": PASSWORD, "password": "fen-otto-lume-19"}
        assert bea.post("/account/password", data=chosen).headers["location"] == "/desk"
        assert bea.get("/desk").status_code == 200
        verified = anna.post("/desk/verify", data={"csrf": proof(anna, "/desk/ledger")})
        assert "Nothing has been altered." in verified.text

        assert [count_requests(office, "somebody", 1, 3) for _ in range(2)] == [3, 6]
        assert count_requests(office, "somebody", 2, 1) == 1
        token = issue_token(office, "bea", "club", ["submit"])
        assert user_of_token(office, token) is not None
        withdraw_token(office, 1)
        assert user_of_token(office, token) is None
        with pytest.raises(BadInput, match="login-taken"):
            add_user(office, "Bea", "", PASSWORD, [])


def test_a_nul_in_what_is_asked_is_no_failure_of_the_database(place: str) -> None:
    office = init(place, federation="ITA", name="Test", now=january, author="tests")
    add_user(office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    number = register_player(office, "Rossi, Mario", federation="ITA").id
    with serving(replace(office, author="")) as running:
        visitor, anna = running.client(), running.client("anna")
        assert visitor.get("/players?q=ross%00i").status_code in (200, 303)
        assert visitor.get("/api/v1/search?q=%00").status_code == 400
        form = {"csrf": proof(visitor, "/sign-in"), "login": "an\0na", "password": PASSWORD}
        assert visitor.post("/sign-in", data=form).status_code == 400
        form = {"csrf": proof(anna, "/desk/players"), "reason": "a\0b", "scheme": "fide", "value": "1\0"}
        answer = anna.post("/desk/acts/register/number", data={**form, "player": str(number)})
        assert answer.status_code in (303, 422)
        form = {
            "csrf": form["csrf"],
            "name": "Op\0en",
            "city": "",
            "federation": "ITA",
            "first_day": "2025-03-01",
            "last_day": "2025-03-02",
        }
        assert anna.post("/desk/acts/tournament/register", data=form).status_code == 303
