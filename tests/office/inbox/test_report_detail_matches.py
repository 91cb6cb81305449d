"""Who is who, on the site and in the API: nothing is chosen beforehand, nothing undecided is accepted."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from arpad.office.accounts.sessions import sign_in
from arpad.office.users import Grant, Role
from tests.builders.site_fixtures import PASSWORD, Served, proof, serving
from tests.builders.unsafe_reports import NATIONAL, NO_NUMBERS, WRONG_HOLDER, irish_office
from tests.builders.users import add_user, issue_token
from tests.builders.verbs import find_players, register_player, reports_on_file, submit
from tests.builders.verbs import player as office_player


@pytest.fixture
def irish(tmp_path: Path) -> Iterator[Served]:
    office = irish_office(tmp_path)
    admin = replace(office, author="admin")
    add_user(admin, "officer", "O. Fficer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    tokens = {"officer": sign_in(office, "officer", PASSWORD, "127.0.0.1")}
    with serving(office, tokens=tokens) as running:
        yield running


def filed(irish: Served, data: bytes) -> int:
    return submit(irish.office, data, "open.trf").report


def status(irish: Served, report: int) -> str:
    return {item.id: item.status for item in reports_on_file(irish.office)}[report]


def sent(client: httpx.Client, report: int, verb: str, **texts: str) -> httpx.Response:
    page = f"/desk/reports/{report}"
    form = {"csrf": proof(client, page), "from": page, "report": str(report), **texts}
    return client.post(f"/desk/acts/{verb}", data=form)


def ask(client: httpx.Client, act: str, **values: object) -> httpx.Response:
    return client.post(f"/api/v1/office/{act}", json=values)


def token(irish: Served, *scopes: str) -> httpx.Client:
    client = irish.client()
    secret = issue_token(replace(irish.office, author="x"), "officer", "p", scopes or ["decide"])
    client.headers["authorization"] = f"Bearer {secret}"
    return client


def people(irish: Served) -> int:
    return len(find_players(irish.office, "a", 50)) + len(find_players(irish.office, "s", 50))


def test_one_click_on_accept_makes_no_duplicates(irish: Served) -> None:
    """B1: every doubtful entrant was preset to be new, and accepting made four duplicates."""
    report, before = filed(irish, NO_NUMBERS), people(irish)
    officer = irish.client("officer")
    page = officer.get(f"/desk/reports/{report}").text
    assert re.findall(r'<button[^>]*name="matches.1" value="(\w+)"', page) == ["1", "new"]

    answer = sent(officer, report, "accept")

    assert answer.status_code == 422
    assert "choose a player" in answer.text
    assert (status(irish, report), people(irish)) == ("received", before)


def test_near_names_are_offered_first_and_saved_one_by_one(irish: Served) -> None:
    """B2: who is spelled otherwise was silently new."""
    report = filed(irish, NO_NUMBERS)
    officer = irish.client("officer")

    assert sent(officer, report, "match", **{"matches.1": "1", "seen.1": "0"}).status_code == 303
    assert sent(officer, report, "accept").status_code == 422
    rest = {"matches.2": "2", "matches.3": "3", "matches.4": "4"}
    assert sent(officer, report, "match", **rest).status_code == 303
    assert sent(officer, report, "accept").status_code == 303

    assert [item.report for item in office_player(irish.office, 1).reports] == [report]
    assert status(irish, report) == "accepted"
    assert "Short, Nigel" in officer.get("/desk/aliases").text


def test_one_button_says_that_all_who_are_in_doubt_are_new(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    officer, before = irish.client("officer"), people(irish)
    page = officer.get(f"/desk/reports/{report}").text
    (form,) = [part for part in page.split("<form") if "All 4 players are new" in part]
    answers = dict(re.findall(r'type="hidden" name="((?:matches|seen)[^"]+)" value="(\w+)"', form))

    assert sent(officer, report, "match", **answers).status_code == 303
    assert "All 4 players are new" not in officer.get(f"/desk/reports/{report}").text
    assert people(irish) == before, "nobody is registered before the report is accepted"
    assert sent(officer, report, "accept").status_code == 303
    assert people(irish) > before


def test_an_entrant_is_searched_for_by_name_and_a_sentence_says_what_was_saved(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    officer = irish.client("officer")
    unclear = sent(officer, report, "match", **{"matches.1": "short", "seen.1": "0"})
    assert unclear.status_code == 422
    (offered,) = re.findall(r'type="radio" name="matches.1" value="([^"]+)"', unclear.text)
    assert offered == "1 · Short, Nigel D."
    assert "nothing is called zzzz" in sent(officer, report, "match", **{"matches.1": "zzzz"}).text
    another = sent(officer, report, "match", **{"matches.field": "1", "matches.value": "short"})
    assert 'type="radio" name="matches.value"' in another.text

    done = sent(officer, report, "match", **{"matches.1": offered, "seen.1": "0"})
    assert done.headers["location"] == f"/desk/reports/{report}", "where the sentence is in sight"
    assert "1 entrant decided, 3 still doubtful" in officer.get(done.headers["location"]).text


def test_the_holder_of_the_number_is_offered_and_the_entrant_can_be_new(irish: Served) -> None:
    """The number of another made a dead end: the database refused, and the form had no way out."""
    report = filed(irish, WRONG_HOLDER)
    officer = irish.client("officer")
    page = officer.get(f"/desk/reports/{report}").text
    assert "has this number" in page
    assert 'value="4"' in page

    assert sent(officer, report, "match", **{"matches.4": "new"}).status_code == 303
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
    assert sent(first, report, "match", **{"matches.1": "1", "seen.1": "0"}).status_code == 303

    answer = sent(second, report, "match", **{"matches.1": "new", "seen.1": "0"})

    assert answer.status_code == 422
    assert "decided already by officer" in answer.text


def test_choosing_nobody_is_refused(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    answer = sent(irish.client("officer"), report, "match", **{"seen.1": "0"})

    assert (answer.status_code, "Who they are" in answer.text) == (422, True)


def test_the_api_gives_candidates_as_data_and_accepts_nothing_undecided(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    address, program = f"/api/v1/reports/{report}", token(irish)
    document = program.get(f"{address}/matches").json()
    short = document["matches"][0]
    assert (document["undecided"], short["outcome"], short["player"]) == (4, "doubtful", None)
    assert short["candidates"][0] | {"score": 0} == {
        "player": 1, "fide": None, "name": "Short, Nigel D.", "federation": "IRL", "born": None, "title": "",
        "rating": 2400, "score": 0, "reasons": ["near-name", "same-federation", "near-rating"],
    }  # fmt: skip

    refused = ask(program, "accept", report=report)
    assert (refused.status_code, refused.json()["code"]) == (400, "who-not-overruled")
    decided = ask(program, "match", report=report, matches={"1": "1", "2": 2, "3": 3})
    assert (decided.status_code, decided.json()["undecided"]) == (200, [4])
    again = ask(program, "match", report=report, matches={"1": "new"})
    assert again.json()["code"] == "match-decided-already"
    same = ask(program, "match", report=report, matches={"4": 3})
    assert same.json()["code"] == "match-same-player"
    changed = ask(program, "match", report=report, matches={"1": "new", "4": 4}, change=True)
    assert changed.json()["undecided"] == []
    assert ask(program, "accept", report=report).json()["report"] == report


def test_the_api_keeps_the_number_of_another_and_national_numbers_apart(irish: Served) -> None:
    wrong, national = filed(irish, WRONG_HOLDER), filed(irish, NATIONAL)
    program = token(irish)
    matches = program.get(f"/api/v1/reports/{wrong}/matches").json()["matches"]
    assert [match["outcome"] for match in matches] == ["certain", "certain", "certain", "doubtful"]
    assert matches[3]["candidates"][0]["reasons"][0] == "number"
    ask(program, "match", report=wrong, matches={"4": "new"})
    assert ask(program, "accept", report=wrong).status_code == 200
    assert ask(program, "accept", report=national).status_code == 200

    found = program.get("/api/v1/search?q=Heidenfeld").json()["players"]
    assert [player["identifiers"] for player in found] == [{}]


def test_a_token_without_the_scope_decides_nothing(irish: Served) -> None:
    report = filed(irish, NO_NUMBERS)
    program = token(irish, "submit")

    assert ask(program, "accept", report=report).status_code == 403
    assert program.get(f"/api/v1/reports/{report}/matches").status_code == 403


def test_the_desk_lists_duplicates(irish: Served) -> None:
    double = register_player(irish.office, "Short, Nigel", federation="IRL").id
    officer = irish.client("officer")
    assert "Short, Nigel D." in officer.get("/desk/duplicates").text
    pair = {"csrf": proof(officer, "/desk/duplicates"), "player": "1", "other": str(double)}
    assert officer.post("/desk/acts/duplicate/two-people", data=pair).status_code == 303
    assert "No likely duplicates" in officer.get("/desk/duplicates").text
