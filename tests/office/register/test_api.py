"""The register for officers' programs: players, duplicates, aliases, number schemes, clubs and memberships."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from arpad.office.office import Office
from arpad.office.users import Grant, Role
from arpad.office.verbs import submit
from tests.builders.site_fixtures import PASSWORD, Served, serving
from tests.builders.unsafe_reports import NATIONAL, NO_NUMBERS, irish_office
from tests.builders.users import add_user, issue_token


@pytest.fixture(scope="module")
def irish(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An Irish office; its officer's program, and that of an officer of another federation."""
    office = irish_office(tmp_path_factory.mktemp("irish"))
    admin = replace(office, author="admin")
    add_user(admin, "officer", "O. Fficer", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    add_user(admin, "french", "F. Rench", PASSWORD, [Grant(Role.OFFICER, "FRA")], own_password=True)
    with serving(office) as running:
        yield running


def office_of(irish: Served) -> Office:
    assert irish.office is not None
    return replace(irish.office, author="officer")


@pytest.fixture(scope="module")
def program(irish: Served) -> httpx.Client:
    return signed(irish, "officer")


def signed(irish: Served, login: str) -> httpx.Client:
    client = irish.client()
    client.headers["authorization"] = (
        f"Bearer {issue_token(office_of(irish), login, 'p', ['register', 'decide'])}"
    )
    return client


def ask(client: httpx.Client, address: str, **params: Any) -> Any:
    """Send something and return the answer, which is no refusal."""
    answer = client.post(f"/api/v1{address}", params=params)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def refused(client: httpx.Client, address: str, content: Any = b"", **params: Any) -> tuple[int, str]:
    answer = client.post(f"/api/v1{address}", params=params, content=content)
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(answer.json()["detail"]) > 10
    return answer.status_code, answer.json()["code"]


def test_a_player_is_added_changed_merged_and_parted(irish: Served, program: httpx.Client) -> None:
    double = ask(
        program, "/players", name="Short, Nigel", federation="IRL", born="1965", identifier=["fide=99001"]
    )
    number = double["id"]
    assert (double["born"], double["identifiers"]) == (1965, {"fide": "99001"})
    assert refused(program, "/players", name="X, Y", identifier=["fide99"]) == (400, "bad-form")
    assert refused(program, "/players", name="X, Y", identifier=["fide=99001"])[0] == 400
    changed = ask(
        program, f"/players/{number}/facts", field="sex", value="M", since="2018-01-10", reason="letter"
    )
    assert changed["sex"] == "M"
    assert (
        refused(program, f"/players/{number}/facts", field="shoe", since="2018-01-10", reason="x")[1]
        == "player-field"
    )
    assert (
        refused(program, f"/players/{number}/facts", field="died", since="2018-01-10", reason="x")[1]
        == "player-field"
    )
    removed = {"scheme": "fide", "value": "99001", "remove": True, "reason": "a slip"}
    assert ask(program, f"/players/{number}/identifiers", **removed)["identifiers"] == {}
    assert refused(program, f"/players/{number}/identifiers", **removed) == (400, "no-identifier")

    (pair,) = program.get("/api/v1/duplicates").json()["duplicates"]
    assert (pair["keep"]["id"], pair["drop"]["id"]) == (1, number)
    apart = ask(program, "/players/1/two-people", other=number)
    listed = program.get("/api/v1/duplicates").json()
    assert (listed["duplicates"], listed["two_people"]) == ([], [apart])
    assert refused(program, "/players/1/two-people", other=number)[1] == "distinct-already"
    assert ask(program, f"/two-people/{apart['pair']}/revoke", reason="a slip") == apart
    assert refused(program, f"/two-people/{apart['pair']}/revoke", reason="again")[1] == "no-distinct"
    merged = ask(program, "/players/1/merge", dropped=number, reason="one person")
    assert (merged["kept"], merged["dropped"], merged["merged"]) == (1, number, True)
    assert refused(program, "/players/1/merge", dropped=number, reason="again")[0] == 400
    assert not ask(program, f"/merges/{merged['merge']}/undo", reason="two people")["merged"]
    assert refused(program, f"/merges/{merged['merge']}/undo", reason="again") == (400, "no-merge")
    ask(program, "/players/1/merge", dropped=number, reason="one person")
    assert program.get("/api/v1/duplicates").json()["duplicates"] == []


def test_two_people_are_merged_only_if_confirmed(irish: Served, program: httpx.Client) -> None:
    other = ask(program, "/players", name="King, Melvyn", federation="IRL")["id"]
    unsure = refused(program, "/players/1/merge", dropped=other, reason="one person")
    assert unsure == (400, "merge-differs")
    assert ask(program, "/players/1/merge", dropped=other, reason="one person", confirm=True)["merged"]


def test_an_alias_is_listed_and_revoked(irish: Served, program: httpx.Client) -> None:
    report = submit(office_of(irish), NO_NUMBERS, "open.trf").report
    ask(program, f"/submissions/{report}/matches", entrant=["1=1"])
    document = program.get("/api/v1/aliases", params={"q": "nigel"}).json()
    (alias,) = document["aliases"]
    assert (alias["name"], alias["player"], alias["author"], document["more"]) == (
        "Short, Nigel",
        1,
        "officer",
        False,
    )
    assert program.get("/api/v1/aliases", params={"after": document["next"]}).json()["aliases"] == []
    assert ask(program, f"/aliases/{alias['alias']}/revoke", reason="a slip") == alias
    assert refused(program, f"/aliases/{alias['alias']}/revoke", reason="again")[0] == 400
    assert program.get("/api/v1/aliases").json()["aliases"] == []


def test_national_numbers_are_declared_by_a_program(irish: Served, program: httpx.Client) -> None:
    """B3 for programs: what the numbers are is said before the report comes."""
    assert refused(program, "/number-schemes/icu", name="Irish", pattern="(9+)+")[0] == 400
    ask(program, "/number-schemes/icu", name="Irish Chess Union", pattern="9{1-5}", shown=["player"])
    rules = ask(program, "/number-sources", kind="federation", value="IRL", scheme="icu")
    assert rules["schemes"][0]["shown"] == ["player"]
    assert rules["sources"] == [{"kind": "federation", "value": "IRL", "scheme": "icu"}]
    report = submit(office_of(irish), NATIONAL, "national.trf").report
    ask(program, f"/submissions/{report}/accept")
    (orr,) = program.get("/api/v1/search?q=Orr").json()["players"]
    assert orr["identifiers"] == {"icu": "268"}
    assert refused(program, "/number-schemes/icu/withdraw", reason="x")[1] == "scheme-in-use"
    ask(program, "/number-sources", kind="federation", value="IRL")
    assert ask(program, "/number-schemes/icu/withdraw", reason="x")["schemes"] == []
    assert program.get("/api/v1/number-schemes").json() == {"schemes": [], "sources": []}


def test_clubs_and_memberships_are_imported_whole_or_not_at_all(irish: Served, program: httpx.Client) -> None:
    since = {"since": "2018-01-01"}
    ask(program, "/clubs", code="LEI", name="Leinster", kind="region", **since)
    assert ask(program, "/clubs", code="D1", name="Dublin", region="LEI", **since)["region"] == "LEI"
    assert refused(program, "/clubs", code="D2", name="Dublin", kind="pub", **since)[1] == "value-unknown"
    assert (
        refused(program, "/clubs/LEI", field="region", value="LEI", reason="x", **since)[1]
        == "unit-own-parent"
    )
    assert (
        ask(program, "/clubs/D1", field="name", value="Dublin CC", reason="x", **since)["name"] == "Dublin CC"
    )
    good = b"code,name,kind,region\nD3,Rathmines,club,LEI\n"
    bad = good + b"X,X,region,X\n"
    imports = "/api/v1/imports"
    assert refused(program, "/imports/clubs", bad, **since)[0] == 400
    assert {it["code"] for it in program.get("/api/v1/clubs").json()["clubs"]} == {"LEI", "D1"}
    assert program.post(f"{imports}/clubs", params=since, content=good).json() == {
        "rows": 1,
        "entered": 1,
        "changed": 0,
    }
    members = b"player,club,from\n1,D1,2018-01-01\n"
    assert refused(program, "/imports/members", members + b"2,NONE,2018-01-01\n")[0] == 400
    assert program.get("/api/v1/clubs/D1").json()["players"] == []
    assert program.post(f"{imports}/members", content=members).json() == {"rows": 1, "players": 1}
    people = b"name,federation,born\nKelly Anna,IRL,1980\nBaburin Alexander,IRL,1967\n"
    result = program.post(f"{imports}/register", params=since, content=people).json()
    assert (result["rows"], result["newcomers"], len(result["doubts"])) == (2, 1, 1)
    large = b"code,name,kind\n" + b"".join(b"N%d,Club %d,club\n" % (n, n) for n in range(5000))
    assert program.post(f"{imports}/clubs", params=since, content=large).json()["entered"] == 5000


def test_an_officer_of_another_federation_changes_nothing(irish: Served) -> None:
    french = signed(irish, "french")
    for address, params in (
        ("/players", {"name": "X, Y", "federation": "IRL"}),
        ("/players/1/facts", {"field": "title", "since": "2018-01-10", "reason": "x"}),
        ("/players/1/identifiers", {"scheme": "fide", "value": "5"}),
        ("/players/1/merge", {"dropped": 2, "reason": "x"}),
        ("/players/1/two-people", {"other": 2}),
        ("/clubs", {"code": "F1", "name": "F", "since": "2018-01-01"}),
        ("/number-schemes/ffe", {"name": "F", "pattern": "9{1-5}"}),
        ("/number-sources", {"kind": "federation", "value": "FRA", "scheme": "fide"}),
        ("/aliases/1/revoke", {"reason": "x"}),
        ("/imports/clubs", {"since": "2018-01-01"}),
    ):
        assert refused(french, address, **params)[0] == 403, address
