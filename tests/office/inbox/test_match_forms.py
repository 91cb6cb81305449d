"""Who is who, on the site and in the API: nothing is chosen beforehand, nothing undecided is accepted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from arpad.office.accounts.sessions import sign_in
from arpad.office.users import Grant, Role
from arpad.office.verbs import find_players, likely_duplicates, register_player, reports_on_file, submit
from arpad.office.verbs import player as office_player
from tests.builders.site_fixtures import PASSWORD, Served, proof, serving
from tests.builders.unsafe_reports import NATIONAL, NO_NUMBERS, WRONG_HOLDER, irish_office
from tests.builders.users import add_user, issue_token


@pytest.fixture
def irish(tmp_path: Path) -> Iterator[Served]:
    office = irish_office(tmp_path)
    admin = replace(office, author="admin")
    add_user(admin, "officer", "O. Fficer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    tokens = {"officer": sign_in(office, "officer", PASSWORD, "127.0.0.1")}
    with serving(office, tokens=tokens) as running:
        yield running


def filed(irish: Served, data: bytes) -> int:
    assert irish.office is not None
    return submit(irish.office, data, "open.trf").report


def status(irish: Served, report: int) -> str:
    assert irish.office is not None
    return {item.id: item.status for item in reports_on_file(irish.office)}[report]


def sent(client: httpx.Client, report: int, verb: str, **texts: str) -> httpx.Response:
    page = f"/desk/reports/{report}"
    return client.post(f"{page}/{verb}", data={"csrf": proof(client, page), **texts})


def token(irish: Served, *scopes: str) -> httpx.Client:
    assert irish.office is not None
    client = irish.client()
    secret = issue_token(replace(irish.office, author="x"), "officer", "p", scopes or ["decide"])
    client.headers["authorization"] = f"Bearer {secret}"
    return client


def people(irish: Served) -> int:
    assert irish.office is not None
    return len(find_players(irish.office, "a", 50)) + len(find_players(irish.office, "s", 50))


def test_one_click_on_accept_makes_no_duplicates(irish: Served) -> None:
    """B1: every doubtful entrant was preset to be new, and accepting made four duplicates."""
    report, before = filed(irish, NO_NUMBERS), people(irish)
    officer = irish.client("officer")
    page = officer.get(f"/desk/reports/{report}").text
    assert len(re.findall(r'<input type="radio"[^>]*name="match-1"', page)) == 3
    assert not re.search(r'<input type="radio"[^>]*checked', page)

    answer = sent(officer, report, "accept")

    assert answer.status_code == 422
    assert "choose a player" in answer.text
    assert (status(irish, report), people(irish)) == ("received", before)


def test_near_names_are_offered_first_and_saved_one_by_one(irish: Served) -> None:
    """B2: who is spelled otherwise was silently new."""
    report = filed(irish, NO_NUMBERS)
    officer = irish.client("officer")

    assert sent(officer, report, "matches", **{"match-1": "1", "seen-1": "0"}).status_code == 303
    assert sent(officer, report, "accept").status_code == 422
    rest = {"match-2": "2", "match-3": "other", "other-3": "3", "match-4": "4"}
    assert sent(officer, report, "matches", **rest).status_code == 303
    assert sent(officer, report, "accept").status_code == 303

    assert irish.office is not None
    assert [item.id for item in office_player(irish.office, 1).reports] == [report]
    assert status(irish, report) == "accepted"
    assert "Short, Nigel" in officer.get("/desk/aliases").text


def test_the_holder_of_the_number_is_offered_and_the_entrant_can_be_new(irish: Served) -> None:
    """The number of another made a dead end: the database refused, and the form had no way out."""
    report = filed(irish, WRONG_HOLDER)
    officer = irish.client("officer")
    page = officer.get(f"/desk/reports/{report}").text
    assert "has this number" in page
    assert 'value="4"' in page

    assert sent(officer, report, "matches", **{"match-4": "new"}).status_code == 303
    assert "stays with Daly, Colm" in officer.get(f"/desk/reports/{report}").text
    assert sent(officer, report, "accept").status_code == 303
    assert status(irish, report) == "accepted"


def test_national_numbers_are_not_fides(irish: Served) -> None:
    """B3: any number in the column was filed as FIDE's."""
    report = filed(irish, NATIONAL)
    officer = irish.client("officer")
    assert "not as FIDE" in officer.get(f"/desk/reports/{report}").text
    assert sent(officer, report, "accept").status_code == 303

    (orr,) = irish.client().get("/api/v1/search?q=Orr").json()["players"]
    assert orr["identifiers"] == {}
    assert "268" in officer.get(f"/desk/players/{orr['id']}").text


def test_two_officers_decide_at_once(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    first, second = irish.client("officer"), irish.client("officer")
    assert sent(first, report, "matches", **{"match-1": "1", "seen-1": "0"}).status_code == 303

    answer = sent(second, report, "matches", **{"match-1": "new", "seen-1": "0"})

    assert answer.status_code == 422
    assert "decided already by officer" in answer.text


def test_choosing_nobody_is_refused(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    answer = sent(irish.client("officer"), report, "matches", **{"seen-1": "0"})

    assert (answer.status_code, "Nobody was chosen" in answer.text) == (422, True)


def test_the_api_gives_candidates_as_data_and_accepts_nothing_undecided(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    address, program = f"/api/v1/submissions/{report}", token(irish)
    document = program.get(f"{address}/matches").json()
    short = document["matches"][0]
    assert (document["undecided"], short["outcome"], short["player"]) == (4, "doubtful", None)
    assert short["candidates"][0] | {"score": 0} == {
        "player": 1, "fide": None, "name": "Short, Nigel D.", "federation": "IRL", "born": None, "title": "",
        "rating": 2400, "score": 0, "reasons": ["near-name", "same-federation", "near-rating"],
    }  # fmt: skip

    refused = program.post(f"{address}/accept")
    assert (refused.status_code, refused.json()["code"]) == (400, "who-not-overruled")
    decided = program.post(f"{address}/matches", params={"entrant": ["1=1", "2=2", "3=3"]})
    assert (decided.status_code, decided.json()["undecided"]) == (201, 1)
    again = program.post(f"{address}/matches", params={"entrant": ["1=new"]})
    assert again.json()["code"] == "match-decided-already"
    same = program.post(f"{address}/matches", params={"entrant": ["4=3"]})
    assert same.json()["code"] == "match-same-player"
    changed = program.post(f"{address}/matches", params={"entrant": ["1=new", "4=4"], "change": "true"})
    assert changed.json()["undecided"] == 0
    assert program.post(f"{address}/accept").json()["status"] == "accepted"


def test_the_api_keeps_the_number_of_another_and_national_numbers_apart(irish: Served) -> None:
    wrong, national = filed(irish, WRONG_HOLDER), filed(irish, NATIONAL)
    program = token(irish)
    matches = program.get(f"/api/v1/submissions/{wrong}/matches").json()["matches"]
    assert [match["outcome"] for match in matches] == ["certain", "certain", "certain", "doubtful"]
    assert matches[3]["candidates"][0]["reasons"][0] == "number"
    program.post(f"/api/v1/submissions/{wrong}/matches", params={"entrant": ["4=new"]})
    assert program.post(f"/api/v1/submissions/{wrong}/accept").status_code == 201
    assert program.post(f"/api/v1/submissions/{national}/accept").status_code == 201

    found = program.get("/api/v1/search?q=Heidenfeld").json()["players"]
    assert [player["identifiers"] for player in found] == [{}]


def test_a_token_without_the_scope_decides_nothing(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    program = token(irish, "submit")

    assert program.post(f"/api/v1/submissions/{report}/accept").status_code == 403
    assert program.get(f"/api/v1/submissions/{report}/matches").status_code == 403


def test_the_desk_lists_duplicates_and_numbers(irish: Served) -> None:
    assert irish.office is not None
    double = register_player(irish.office, "Short, Nigel", federation="IRL").id
    officer = irish.client("officer")
    page = officer.get("/desk/duplicates")
    assert "Short, Nigel D." in page.text
    pair = {"csrf": proof(officer, "/desk/duplicates"), "player": "1", "other": str(double)}
    assert officer.post("/desk/acts/duplicate/two-people", data=pair).status_code == 303
    assert likely_duplicates(irish.office) == []
    revoke = {"csrf": pair["csrf"], "pair": "1", "reason": "a slip"}
    assert officer.post("/desk/acts/duplicate/revoke", data=revoke).status_code == 303
    merge = {"csrf": pair["csrf"], "kept": "1", "dropped": str(double), "reason": "likely duplicates"}
    assert officer.post("/desk/acts/merge", data=merge).status_code == 303
    assert "No likely duplicates" in officer.get("/desk/duplicates").text

    scheme = {
        "csrf": proof(officer, "/desk/numbers"),
        "code": "icu",
        "name": "Irish Chess Union",
        "pattern": "(9+)+",
    }
    assert officer.post("/desk/acts/number/scheme", data=scheme).status_code == 422
    assert officer.post("/desk/acts/number/scheme", data={**scheme, "pattern": "9{1-5}"}).status_code == 303
    rule = {"csrf": scheme["csrf"], "kind": "federation", "value": "IRL", "scheme": "icu"}
    assert officer.post("/desk/acts/number/source", data=rule).status_code == 303
    assert "Irish Chess Union" in officer.get("/desk/numbers").text
    del rule["scheme"]
    assert officer.post("/desk/acts/number/withdraw-source", data=rule).status_code == 303
    report = filed(irish, NATIONAL)
    assert report
