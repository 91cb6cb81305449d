"""The API as a whole: tags and names of operations, and what pages of other sites may read."""

from __future__ import annotations

import re

from tests.builders.site_fixtures import Served
from tests.surfaces.doors import token_of

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
