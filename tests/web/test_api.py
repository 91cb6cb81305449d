"""The API: what it answers, tags and names of operations, and what pages of other sites may read."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tools import api_page

from arpad.model.exact import decimal_text
from arpad.office.accounts.users import change_user
from arpad.office.declarations import all_declared
from arpad.office.privacy.acts import hide_player
from arpad.web.app import create
from arpad.web.declared_routes import address_of
from tests.builders.site_fixtures import OPEN, Served, compact, copied, serving
from tests.builders.users import issue_token
from tests.builders.verbs import return_
from tests.surfaces.doors import token_of
from tests.web import api_examples

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
]  # fmt: skip


@pytest.fixture(scope="session")
def described(served: Served) -> Any:
    return schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")


def test_what_takes_a_report_says_that_the_body_is_the_file(served: Served) -> None:
    document = served.client().get("/api/openapi.json").json()["paths"]
    taking = {
        path: methods["post"]["requestBody"]
        for path, methods in document.items()
        if "application/octet-stream" in methods.get("post", {}).get("requestBody", {}).get("content", {})
    }
    assert taking
    for body in taking.values():
        assert body["required"]
        assert body["content"].keys() == {"application/octet-stream"}
    event = document["/api/v1/calc/event"]["post"]["requestBody"]
    assert event["content"].keys() == {"application/json"}
    italian = served.client(language="it")
    pages = {methods["post"]["tags"][0] for methods in document.values() if "post" in methods}
    bodies = sum(italian.get(f"/developers/{tag}").text.count("il corpo *") for tag in pages)
    assert bodies == len([*taking, event])


@pytest.mark.parametrize("examples", [1, pytest.param(25, marks=pytest.mark.deep)])
def test_every_answer_conforms_to_the_document(described: Any, examples: int) -> None:
    operations = [operation.ok() for operation in described.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        def answers(case: Any) -> None:
            case.call_and_validate(checks=CHECKS)

        answers()


def test_every_address_has_an_example_and_says_how_it_refuses(served: Served) -> None:
    document = served.client().get("/api/openapi.json").json()

    assert document["openapi"].startswith("3.")
    for path, methods in document["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in methods.values():
            assert {"408", "413", "429"} <= operation["responses"].keys()
            for parameter in operation.get("parameters", []):
                assert "examples" in parameter, (path, parameter["name"])
            (answer,) = (
                found for status, found in operation["responses"].items() if status in ("200", "201")
            )
            content = next(iter(answer["content"].values()))
            assert content["examples"], path


def test_every_field_of_an_example_is_in_the_document(bare: Served) -> None:
    document = bare.client().get("/api/openapi.json").json()
    examples = api_examples.kept()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            answers = operation["responses"]
            content = answers.get("200", answers.get("201"))["content"].get("application/json")
            if content is not None:
                example = examples[f"{method.upper()} {path}"]
                assert not [*_undescribed(example, content["schema"], document)], path


def _undescribed(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of a value that its schema lacks."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        lacking = [[*_undescribed(value, it, document)] for it in schema["oneOf"]]
        yield from min(lacking, key=len)
    elif isinstance(value, list):
        for item in value:
            yield from _undescribed(item, schema.get("items", {}), document)
    elif isinstance(value, dict) and "properties" in schema:
        yield from value.keys() - schema["properties"].keys()
        for name in value.keys() & schema["properties"].keys():
            yield from _undescribed(value[name], schema["properties"][name], document)


def test_a_list_is_described_in_its_three_formats(bare: Served) -> None:
    paths = bare.client().get("/api/openapi.json").json()["paths"]
    lists = [
        operation
        for methods in paths.values()
        for operation in methods.values()
        if any(it["name"] == "format" for it in operation.get("parameters", ()))
    ]
    assert len(lists) > 20
    for operation in lists:
        found = operation["responses"]["200"]["content"].keys()
        assert found == {"application/json", "application/x-ndjson", "text/csv"}, operation["operationId"]


def test_the_examples_are_what_the_demo_answers(own: Served) -> None:
    declared = {address_of(it) for it in all_declared().values()}  # tests/surfaces compare those
    kept = {address: answer for address, answer in api_examples.kept().items() if address not in declared}
    found = api_examples.collected(own)

    assert found.keys() == kept.keys()
    for address, answer in found.items():
        again = "run python -m tests.web.api_examples"
        assert api_examples.shape(answer) == api_examples.shape(kept[address]), f"{address}: {again}"


def test_what_the_next_games_would_bring_a_player(served: Served) -> None:
    client = served.client()
    row = client.get("/api/v1/lists/standard").json()["rows"][0]
    found = client.get(
        f"/api/v1/players/{row['id']}/what-if",
        params={"game": [f"{row['rating']}:1", f"{row['rating']}:0.5"]},
    ).json()

    assert (found["rating"], found["k"], found["player"]) == (row["rating"], row["k"], row["id"])
    assert found["sum"] == "0.5"  # a win and a draw against equals: 1.5 scored, 1 expected
    assert found["change"] == decimal_text(Fraction(row["k"], 2))
    assert [game["expected"] for game in found["games"]] == ["0.5", "0.5"]


def test_a_tournament_by_its_number_adds_up(served: Served) -> None:
    client = served.client()
    events = client.get("/api/v1/tournaments").json()["tournaments"]
    number = next(event["id"] for event in events if event["list"] == "standard" and event["rated_with"])
    found = client.get(f"/api/v1/tournaments/{number}").json()

    assert found["tournament"]["id"] == number
    assert all(len(player["games"]) == found["rounds"] for player in found["players"])
    by_number = {player["number"]: player for player in found["players"]}
    for player in found["players"]:
        for game in player["games"]:
            if game["opponent"]:
                other = by_number[game["opponent"]]["games"][game["round"] - 1]
                assert other["opponent"] == player["number"]
    table = client.get(f"/api/v1/tournaments/{number}?format=csv").text.splitlines()
    assert len(table) == len(found["players"]) + 1
    assert client.get("/api/v1/tournaments/99999").status_code == 404


def test_a_hidden_player_is_hidden_in_tournaments_too(own: Served) -> None:
    client = own.client()
    events = client.get("/api/v1/tournaments").json()["tournaments"]
    found = client.get(f"/api/v1/tournaments/{events[0]['id']}").json()
    who = found["players"][0]
    hide_player(replace(own.office, author="tests"), who["id"], reason="asked")

    again = client.get(f"/api/v1/tournaments/{events[0]['id']}")
    assert again.json()["players"][0]["id"] is None
    assert who["name"] not in again.text
    assert who["name"] not in client.get(f"/api/v1/tournaments/{events[0]['id']}?format=csv").text
    assert client.get(f"/api/v1/players/{who['id']}/what-if", params={"game": "2000:1"}).status_code == 404


def test_the_page_about_the_api_names_every_operation_once() -> None:
    page = api_page.page()
    paths = create(None).openapi_schema.to_schema()["paths"]
    for path, methods in paths.items():
        named = page.count(f"`{path}`") + len(
            re.findall(rf"^### [A-Z]+ {re.escape(path)}(?: |$)", page, re.MULTILINE)
        )
        assert named == len(methods), path
    for meaning in ("- `edition`: Edition by name", "- `date`: The edition in force"):
        assert page.count(meaning) == 1


def test_published_data_carry_an_etag_that_spares_the_second_answer(served: Served) -> None:
    client = served.client()
    for address in (
        "/api/v1/lists/standard",
        "/lists/standard",
        "/players/1",
        "/api/v1/lists/standard?format=csv",
        "/api/v1/editions/fide-2017",
        "/tournaments/1",
    ):
        first = client.get(address)
        again = client.get(address, headers={"if-none-match": first.headers["etag"]})
        assert again.status_code == 304, address
        assert again.content == b""
        italian = client.get(
            address, headers={"if-none-match": first.headers["etag"], "accept-language": "it"}
        )
        assert italian.status_code == 200, address


@pytest.mark.parametrize(
    "address",
    [
        "players/1", "players/1/history", "players/1/history?format=csv", "lists", "lists/standard", "tournaments",
        "tournaments?format=csv", "tournaments/1", "tournaments/1?format=csv", "editions",
        "editions/fide-2014/fide-2017",
    ],
)  # fmt: skip
def test_every_published_answer_has_its_etag(served: Served, address: str) -> None:
    client = served.client()
    first = client.get(f"/api/v1/{address}")
    again = client.get(f"/api/v1/{address}", headers={"if-none-match": first.headers["etag"]})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert first.headers["cache-control"] == "public, no-cache"  # asked again, mostly answered with 304


@pytest.fixture
def narrow(demo_folder: Path, tmp_path: Path) -> Iterator[Served]:
    with serving(copied(demo_folder, tmp_path), most_a_minute=30) as running:
        yield running


def test_a_client_that_asks_too_often_waits_a_minute(narrow: Served) -> None:
    client = narrow.client()
    answers = [client.get("/api/v1/editions/fide-2017").status_code for _ in range(45)]

    assert answers[:30] == [200] * 30
    assert answers[-1] == 429


def test_a_token_sends_reports_and_opens_nothing_else(own: Served) -> None:
    token = issue_token(replace(own.office, author="tests"), "arbiter", "club", ["submit"])
    client = own.client()
    client.headers["authorization"] = f"Bearer {token}"

    sent = client.post("/api/v1/reports?name=open.trf", content=OPEN)
    assert sent.status_code == 201, sent.text
    number = sent.json()["report"]
    again = client.post("/api/v1/reports?name=open.trf", content=OPEN)
    assert (again.json()["report"], again.json()["again"]) == (number, True)
    assert client.get(f"/api/v1/reports/{number}").json()["status"] == "received"
    assert [entry["report"] for entry in client.get("/api/v1/reports").json()["reports"]] == [number]
    preview = client.get(f"/api/v1/reports/{number}/preview").json()
    assert preview["players"]
    assert preview["edition"].startswith("fide-")
    assert [entry["status"] for entry in sent.json()["history"]] == ["received"]
    returned = replace(own.office, author="officer")
    return_(returned, number, reason="the arbiter's name is missing")
    told = client.get(f"/api/v1/reports/{number}").json()["history"][-1]
    assert (told["status"], told["reason"]) == ("returned", "the arbiter's name is missing")
    mended = client.post(f"/api/v1/reports?name=open.trf&replaces={number}", content=OPEN + b"\n")
    assert mended.json()["replaces"] == number
    assert client.post("/api/v1/reports?replaces=1", content=OPEN + b"\n\n").status_code == 404
    assert client.get("/api/v1/reports/1").status_code == 404  # somebody else's
    assert client.get("/api/v1/reports/1/preview").status_code == 404
    assert client.get("/desk").status_code == 401
    change_user(replace(own.office, author="tests"), "arbiter", role=["administrator"])
    assert client.get("/api/v1/reports").json()["code"] == "token-without-role"
    assert client.post("/api/v1/reports", content=OPEN + b"\n\n\n").status_code == 403
    client.headers["authorization"] = "Bearer arpad_wrong"
    assert client.get("/api/v1/reports").status_code == 401


ALLOWED = "access-control-allow-origin"
ELSEWHERE = {"origin": "https://club.example"}


def test_every_operation_has_a_tag_and_a_readable_name(bare: Served) -> None:
    document = bare.client().get("/api/openapi.json").json()
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+[0-9]?(_[a-z]+[0-9]?)*", name) for name in names)
    tags = {tag["name"] for tag in document["tags"]}
    assert {tag for operation in operations for tag in operation["tags"]} == tags
    assert all(len(operation["tags"]) == 1 for operation in operations)


def every_address(served: Served) -> list[tuple[str, str]]:
    """Return method and address of every operation, with a value for each part of the path."""
    document = served.client().get("/api/openapi.json").json()
    return [
        (method.upper(), re.sub(r"\{\w+\}", "1", path))
        for path, methods in document["paths"].items()
        for method in methods
    ]


def test_an_unknown_parameter_is_refused_at_every_address(served: Served) -> None:
    client = served.client()
    headers = {"authorization": f"Bearer {token_of(served, 'officer')}"}
    administrators = {"authorization": f"Bearer {token_of(served, 'administrator')}"}
    asked = every_address(served)
    assert len(asked) > 100
    for method, address in asked:
        answer = client.request(method, address, params={"surprise": "x"}, headers=headers)
        if answer.status_code == 403:
            answer = client.request(method, address, params={"surprise": "x"}, headers=administrators)
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown-parameter"), (method, address)
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert "surprise" in answer.json()["detail"]


def test_a_parameter_is_known_by_its_name_in_the_address(served: Served) -> None:
    asked = {"from": "maestro", "to": "internazionale"}
    assert served.client().get("/api/v1/rubele/convert", params=asked).status_code == 200


def test_every_address_says_what_it_accepts(served: Served) -> None:
    client = served.client()
    for method, address in every_address(served):
        answer = client.options(address)
        assert answer.status_code == 204, address
        assert method in answer.headers["allow"].split(", "), address
        assert not answer.content


def test_other_sites_read_what_everybody_may_read(served: Served) -> None:
    client = served.client()
    for address in (
        "/api/openapi.json",
        "/api/v1/lists/standard",
        "/api/v1/players/99999",
        "/api/v1/changes",
    ):
        assert client.get(address, headers=ELSEWHERE).headers[ALLOWED] == "*", address


def test_other_sites_read_nothing_else(served: Served) -> None:
    client = served.client("officer")  # a session does not open the API, and "*" allows no cookies
    token = {**ELSEWHERE, "authorization": "Bearer x"}
    asked = {
        **ELSEWHERE,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
    }
    for answer in (
        client.get("/api/v1/reports", headers=ELSEWHERE),
        client.get("/api/v1/changes", headers=token),
        client.options("/api/v1/changes", headers=asked),
        client.options("/api/v1/reports", headers=asked),
        client.post("/api/v1/check", headers=ELSEWHERE, content=b"x"),
        client.get("/lists/standard", headers=ELSEWHERE),
        client.get("/desk", headers=ELSEWHERE),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")], answer.url


def test_the_page_of_the_api_begins_with_requests_that_work(served: Served) -> None:
    page = served.client().get("/developers").text
    begin = page.partition("<h2>Get started</h2>")[2].partition("<h2")[0]
    asked = [it.replace("&amp;", "&") for it in re.findall(r'curl "?(http[^"\s<]+)', begin)]
    assert len(asked) == 3
    for address in asked:
        assert served.client().get(address).status_code == 200, address
    (sent,) = re.findall(r'--data-binary @open.trf "(http[^"]+)"', begin)
    assert served.client().post(sent, content=b"x").json()["code"] == "token-needed"
    assert page.index("Get started") < page.index('id="rankings"') < page.index(">Problems</h2>")


def test_the_page_of_a_group_has_types_fields_and_a_form_that_answers(served: Served) -> None:
    client = served.client()
    groups = set(re.findall(r'href="/developers/(\w+)"', client.get("/developers").text))
    tried = 0
    for tag in groups:
        page = compact(client.get(f"/developers/{tag}").text)
        for action, form in re.findall(
            r'<form method="get" action="(/developers/run/\w+)">(.*?)</form>', page
        ):
            needed = dict(re.findall(r'<input name="(\w+)" aria-label="[^"]+" value="([^"]+)"', form))
            answer = client.get(action, params=needed, follow_redirects=True)
            refused = answer.json().get("code", "") if answer.status_code in (400, 404) else ""
            assert answer.status_code == 200 or refused, action  # an example may be one that the demo lacks
            assert refused not in ("missing-parameter", "unknown-parameter"), action
            tried += answer.status_code == 200
    assert tried > 20
    player = compact(client.get("/developers/players").text)
    assert "<code>integer</code>" in player
    assert "<code>standings[].rating</code></th><td><code>integer | null</code>" in player
    assert client.get("/developers/run/get_player?number=1").headers["location"] == "/api/v1/players/1"
    assert client.get("/developers/run/submit").status_code == 404
    assert client.get("/developers/nobody").status_code == 404
