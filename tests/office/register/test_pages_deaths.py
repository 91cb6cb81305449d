"""Deaths on the site and through the API: for officers of the player's federation."""

from __future__ import annotations

from dataclasses import replace

import httpx

from tests.builders.site_fixtures import Served, proof
from tests.builders.users import issue_token

DEATH = "/api/v1/players/1/death"


def test_an_officer_enters_a_death_and_takes_it_back(own: Served) -> None:
    officer, visitor = own.client("officer"), own.client()
    page = "/desk/players/1"
    form = {"csrf": proof(officer, page), "day": "2024-12-20", "reason": "the club wrote"}
    assert officer.post(f"{page}/death", data=form).status_code == 303
    assert "20 December 2024" in officer.get(page).text
    assert "deceased 2024" in visitor.get("/players/1").text
    assert "20 December 2024" not in visitor.get("/players/1").text
    assert visitor.get("/api/v1/players/1").json()["player"]["deceased"] is True
    late = officer.post(f"{page}/death", data=form | {"day": "2025-01-16"})
    assert late.status_code == 422
    assert "still to come" in late.text
    assert officer.post(f"{page}/alive", data=form).status_code == 303
    assert visitor.get("/api/v1/players/1").json()["player"]["deceased"] is False


def test_a_program_enters_a_death_with_an_officers_token(own: Served) -> None:
    assert own.office is not None

    def asked(login: str, scope: str, **query: str) -> httpx.Response:
        assert own.office is not None
        token = issue_token(replace(own.office, author="tests"), login, "club", [scope])
        headers = {"authorization": f"Bearer {token}"}
        return own.client().post(DEATH, params={"reason": "letter", **query}, headers=headers)

    assert own.client().post(DEATH, params={"reason": "letter", "day": "2024-12-20"}).status_code == 401
    assert asked("officer", "submit", day="2024-12-20").status_code == 403
    for login in ("arbiter", "bound"):
        assert asked(login, "register", day="2024-12-20").status_code == 403, login
    answer = asked("officer", "register", day="2024-12-20")
    assert (answer.status_code, answer.json()["deceased"]) == (200, True)
    assert asked("officer", "register", day="2025-02-30").status_code == 400
    assert asked("officer", "register").json()["deceased"] is False
    refused = asked("officer", "register")
    assert (refused.status_code, refused.json()["code"]) == (400, "not-dead")
