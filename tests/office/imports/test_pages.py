"""Taking over a list on the site and in the API: what it would do is shown first, and it can be undone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from arpad.office.accounts.sessions import sign_in
from arpad.office.users import Grant, Role
from arpad.store import ledger, tables
from tests.builders.offices import Desk, list_bytes, listed
from tests.builders.site_fixtures import PASSWORD, Served, compact, proof, serving
from tests.builders.users import add_user, issue_token
from tests.builders.verbs import publications
from tests.builders.wrong_list import MAR, WRONG, own_list_office

PREVIEW = {"list": "standard", "day": "2018-03-01", "reason": "test"}
ASKED = {"list": "standard", "date": "2018-03-01"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return own_list_office(tmp_path_factory.mktemp("wrong-list"))


@pytest.fixture(scope="module")
def site(desk: Desk) -> Iterator[Served]:
    admin = replace(desk.office, author="admin")
    tokens = {}
    for login, grants in (("officer", [Grant(Role.OFFICER)]), ("bound", [Grant(Role.OFFICER, "FRA")])):
        add_user(admin, login, login, PASSWORD, grants, own_password=True)
        tokens[login] = sign_in(desk.office, login, PASSWORD, "127.0.0.1")
    with serving(desk.office, tokens=tokens) as running:
        yield running


def program(desk: Desk, site: Served, login: str = "officer", *scopes: str) -> httpx.Client:
    secret = issue_token(replace(desk.office, author="x"), login, "p", scopes or ["lists", "register"])
    client = site.client()
    client.headers["authorization"] = f"Bearer {secret}"
    return client


def counted(desk: Desk) -> tuple[int, int, int]:
    """Lists, players and facts."""
    with desk.office.store.reading() as connection:
        players, facts = (len(list(tables.rows(connection, name))) for name in ("players", "player_facts"))
    return len(publications(desk.office)), players, facts


def sent(client: httpx.Client, address: str, data: Any = WRONG, **more: str) -> httpx.Response:
    values = {"csrf": proof(client, "/desk/import"), **PREVIEW, **more}
    return client.post(
        address, data=values, files={"file": ("march.txt", data)} if data is not None else None
    )


def hidden_fields(page: str) -> dict[str, str]:
    """The fields of the form that takes over what was shown."""
    form = page[page.index('action="/desk/import" ') :]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))


def test_the_site_shows_who_leaves_and_whose_rating_is_replaced_and_undoes_it(
    site: Served, desk: Desk
) -> None:
    """B5: a list was taken over without a word about who vanishes, and could not be undone."""
    before, officer = counted(desk), site.client("officer")
    page = sent(officer, "/desk/import/preview").text
    shown = compact(page)
    assert (
        "1 player leaves the list (standard-2018-02-01-r1 has a rating for them, this one has none)" in page
    )
    assert '<th scope="row">Player 3</th><td class="r">1800</td>' in shown
    assert "1 player gets the rating of the file instead of the office&#39;s own" in page
    assert '<th scope="row">Player 1</th><td class="r">2007</td><td class="r">2010</td>' in shown
    assert "Player 4" in page
    assert "Another, Name" in page
    assert counted(desk) == before

    assert officer.post("/desk/import", data=hidden_fields(page)).status_code == 303
    assert counted(desk) == (before[0] + 1, before[1] + 1, before[2] + 1)
    again = sent(officer, "/desk/import/preview").text
    assert "This file was already imported" in again
    form = {
        "csrf": proof(officer, "/desk/lists"),
        "list": "standard",
        "day": "2018-03-01",
        "reason": "wrong file",
    }
    assert officer.post("/desk/acts/take-back", data=form).status_code == 303
    assert counted(desk) == before
    assert desk.rating(1, MAR) == 2007


def test_the_site_takes_over_only_what_was_shown(site: Served, desk: Desk) -> None:
    officer, before = site.client("officer"), counted(desk)
    for more, words in (
        ({"follows": "standard-2018-01-01-r1"}, "as the preview said"),
        ({"follows": ""}, "as the preview said"),
        ({"follows": "standard-2018-02-01-r1", "day": "1.3."}, "1.3."),
        ({"follows": "standard-2018-02-01-r1", "columns": "shoe=1-2"}, "shoe"),
    ):
        answer = sent(officer, "/desk/import", **more)
        assert (answer.status_code, words in answer.text) == (422, True), words
    assert sent(officer, "/desk/import/preview", None).status_code == 422
    cut = sent(officer, "/desk/import/preview", WRONG[:-60])
    assert (cut.status_code, "cut" in cut.text) == (422, True)
    twice = sent(officer, "/desk/import/preview", list_bytes(MAR, listed(1, 2000), listed(1, 2000)))
    assert "Player 1 (9001)" in twice.text
    assert sent(site.client("bound"), "/desk/import").status_code == 403
    assert sent(officer, "/desk/import/preview", b"x" * (5 << 20) + b"y").status_code == 413
    assert counted(desk) == before


def test_the_api_previews_takes_over_and_takes_back(site: Served, desk: Desk) -> None:
    """B5 for programs."""
    before, client = counted(desk), program(desk, site)
    seen = client.post("/api/v1/imports/list/preview", params=ASKED, content=WRONG).json()
    assert (seen["imported"], seen["own"], seen["before"]) == (False, True, "standard-2018-02-01-r1")
    assert seen["leaving"] == [{"player": 3, "name": "Player 3", "rating": 1800}]
    assert seen["replaced"] == [{"player": 1, "name": "Player 1", "before": 2007, "after": 2010}]
    assert [it["name"] for it in seen["new"]] == ["Player 4"]
    assert seen["changes"] == [
        {"player": 2, "name": "Player 2", "field": "name", "before": "Player 2", "after": "Another, Name"}
    ]
    assert counted(desk) == before

    other = client.post(
        "/api/v1/imports/list", params={**ASKED, "follows": "standard-2018-01-01-r1"}, content=WRONG
    )
    assert (other.status_code, other.json()["code"]) == (400, "import-follows")
    named = client.post("/api/v1/imports/list", params={**ASKED, "reason": "of Ada Neri"}, content=WRONG)
    assert (named.status_code, named.json()["code"]) == (400, "unknown-parameter")
    done = client.post(
        "/api/v1/imports/list",
        params={**ASKED, "follows": seen["before"]},
        content=WRONG,
        headers={"Arpad-Reason": "lista%20perch%C3%A9"},
    )
    assert (done.status_code, done.json()) == (201, {**seen, "imported": True})
    assert client.post("/api/v1/imports/list", params=ASKED, content=WRONG).json()["again"]
    name = publications(desk.office)[-1].name
    with desk.office.store.reading() as connection:
        assert "lista perché" in [act.reason for act in ledger.acts(connection)]
    address, body = (
        "/api/v1/office/take-back",
        {"list": "standard", "day": "2018-03-01", "reason": "wrong file"},
    )
    older = client.post(address, json=body | {"day": "2018-02-01"})
    assert older.json()["code"] == "taken-back-followed"
    (taken,) = client.post(address, json=body).json()["taken_back"]
    assert f"{taken['list']}-{taken['date']}-r{taken['revision']}" == name
    assert client.post(address, json=body).json()["code"] == "no-publication"
    assert counted(desk) == before


def test_the_api_refuses_with_a_problem_and_writes_nothing(site: Served, desk: Desk) -> None:
    before, client = counted(desk), program(desk, site)
    address = "/api/v1/imports/list"
    for params, data, code in (
        (ASKED, b"", "value-missing"),
        (ASKED, list_bytes(MAR, listed(1, 2000), listed(1, 2000)), "player-listed-twice"),
        ({**ASKED, "list": "bullet"}, WRONG, "value-unknown"),
        ({**ASKED, "date": "2018-02-01"}, WRONG, "list-there"),
        ({**ASKED, "last_event": "2018-01-01"}, WRONG, "last-event-draughts-only"),
    ):
        answer = client.post(address, params=params, content=data)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
        assert answer.headers["content-type"] == "application/problem+json"
    assert (
        program(desk, site, "officer", "decide").post(address, params=ASKED, content=WRONG).status_code == 403
    )
    assert program(desk, site, "bound").post(address, params=ASKED, content=WRONG).status_code == 403
    assert counted(desk) == before


def test_the_api_adds_a_reference_list_that_reaches_no_register(site: Served, desk: Desk) -> None:
    before, client = counted(desk), program(desk, site)
    asked = {"date": "2018-03-01", "list": "standard", "name": "fide.txt"}
    added = client.post("/api/v1/imports/reference", params=asked, content=WRONG)
    assert (added.status_code, added.json()["again"], added.json()["reference"]["players"]) == (201, False, 3)
    assert client.post("/api/v1/imports/reference", params=asked, content=WRONG).json()["again"]
    assert [it["file"] for it in client.get("/api/v1/references").json()["references"]] == ["fide.txt"]
    later = {**asked, "date": "2018-04-01"}
    for data, code in (
        (WRONG[:-60], "list-cut"),
        (WRONG + WRONG.splitlines(keepends=True)[-1], "reference-twice"),
    ):
        bad = client.post("/api/v1/imports/reference", params=later, content=data)
        assert (bad.status_code, bad.json()["code"]) == (400, code)
    fewer = client.post("/api/v1/imports/reference", params=later, content=list_bytes(MAR, listed(1, 2000)))
    assert fewer.json()["code"] == "reference-fewer"
    assert counted(desk) == before
