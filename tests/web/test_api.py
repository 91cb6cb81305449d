"""The API against its own document, with the requests nobody would think of; caching, limits, tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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

from arpad.accounts import issue_token
from tests.web import api_page
from tests.web.conftest import Served, copied, serving

OPEN = (Path(__file__).parents[2] / "src" / "arpad" / "examples" / "open.trf").read_bytes()
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
]  # fmt: skip


@pytest.fixture(scope="session")
def described(served: Served) -> Any:
    return schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")


def test_no_answer_is_outside_the_document(described: Any) -> None:
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
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
                if parameter["name"] != "limit":
                    assert "examples" in parameter or "number" in parameter["name"], (path, parameter["name"])


def test_the_page_about_the_api_is_fresh() -> None:
    assert api_page.PAGE.read_text(encoding="utf-8") == api_page.made(), "run python -m tests.web.api_page"


def test_the_figures_are_those_of_the_command_line(bare: Served) -> None:
    answer = bare.client().get(
        "/api/v1/calc/change",
        params={"rating": 1850, "k": 20, "edition": "fide-2017", "game": ["1900:1", "2000:0.5"]},
    )
    found = answer.json()

    assert (found["new_rating"], found["change"], found["change_rounded"]) == (1865, "15.4", 15)
    assert [game["expected"] for game in found["games"]] == ["0.43", "0.3"]


def test_published_data_carry_an_etag_that_spares_the_second_answer(served: Served) -> None:
    client = served.client()
    for address in (
        "/api/v1/lists/standard",
        "/lists/standard",
        "/players/1",
        "/api/v1/lists/standard/rows.csv",
    ):
        first = client.get(address)
        again = client.get(address, headers={"if-none-match": first.headers["etag"]})
        assert again.status_code == 304, address
        assert again.content == b""
        italian = client.get(
            address, headers={"if-none-match": first.headers["etag"], "accept-language": "it"}
        )
        assert italian.status_code == 200, address


def test_pages_of_a_list_do_not_overlap(served: Served) -> None:
    client = served.client()
    first = client.get("/api/v1/lists/standard", params={"cut": "all"}).json()

    assert first["total"] == sum(
        len(client.get("/api/v1/lists/standard", params={"cut": "all", "page": page}).json()["rows"])
        for page in range(1, first["pages"] + 1)
    )
    ratings = [row["rating"] for row in first["rows"]]
    assert ratings == sorted(ratings, reverse=True)


@pytest.fixture
def narrow(demo_folder: Path, tmp_path: Path) -> Iterator[Served]:
    with serving(copied(demo_folder, tmp_path), most_a_minute=30) as running:
        yield running


def test_whoever_asks_too_often_waits_a_minute(narrow: Served) -> None:
    client = narrow.client()
    answers = [client.get("/api/v1/editions/fide-2017").status_code for _ in range(45)]

    assert answers[:30] == [200] * 30
    assert answers[-1] == 429


def test_a_token_sends_reports_and_opens_nothing_else(own: Served) -> None:
    assert own.office is not None
    token = issue_token(replace(own.office, author="tests"), "arbiter", "club", ["submit"])
    client = own.client()
    client.headers["authorization"] = f"Bearer {token}"

    sent = client.post("/api/v1/submissions?name=open.trf", content=OPEN)
    assert sent.status_code == 201, sent.text
    number = sent.json()["report"]
    again = client.post("/api/v1/submissions?name=open.trf", content=OPEN)
    assert (again.json()["report"], again.json()["again"]) == (number, True)
    assert client.get(f"/api/v1/submissions/{number}").json()["status"] == "received"
    assert [entry["report"] for entry in client.get("/api/v1/submissions").json()["submissions"]] == [number]
    assert client.get("/desk").status_code == 401
    client.headers["authorization"] = "Bearer arpad_wrong"
    assert client.get("/api/v1/submissions").status_code == 401
