"""Refusals of the API: problem documents (RFC 9457) in the reader's language, the framework's own too."""

import re
from unittest.mock import patch

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.web import errors
from arpad.web.api import regulations
from tests.builders.site_fixtures import Served

MEMBERS = {"type", "title", "status", "detail", "instance", "code"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/players/99999", 404),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/v1/players/1", 405),
        ("GET", "/api/v1/players/1/what-if", 400),  # a parameter is missing
        ("GET", "/api/v1/changes?after=x", 400),
        ("POST", "/api/v1/office/register/death", 401),
        ("GET", "/api/v1/players/caf%C3%A9/1", 404),
    ],
)
def test_every_refusal_is_a_problem_document(served: Served, method: str, path: str, status: int) -> None:
    for language in LANGUAGES:
        answer = served.client(language=language).request(method, path)
        problem = answer.json()
        assert answer.headers["content-type"] == "application/problem+json"
        assert problem.keys() == MEMBERS
        assert (answer.status_code, problem["status"]) == (status, status)
        name = problem["type"].removeprefix("/developers#problem-")
        assert problem["title"] == load_words(language).text(f"problem.{name}")
        assert problem["detail"]
        assert problem["instance"] == path.partition("?")[0]


def test_a_body_that_is_too_large_is_a_problem_document(bare: Served) -> None:
    answer = bare.client().post("/api/v1/check", content=b" " * (9 << 20))
    assert (answer.status_code, answer.json()["type"]) == (413, "/developers#problem-too-large")


def test_a_failure_is_a_problem_document_without_a_word_about_its_cause(bare: Served) -> None:
    with patch.object(regulations, "every_edition", side_effect=RuntimeError("secret")):
        answer = bare.client().get("/api/v1/editions")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert answer.json()["type"] == "/developers#problem-failure"
    assert "secret" not in answer.text


def test_the_page_about_the_api_explains_every_type(served: Served) -> None:
    for language in LANGUAGES:
        text = served.client(language=language).get("/developers").text
        assert re.findall(r'id="problem-([\w-]+)"', text) == list(errors.TYPES.values())


def test_a_status_that_arpad_does_not_use_has_a_type_nevertheless() -> None:
    assert errors.problem_type(431) == "bad-request"
    assert errors.problem_type(507) == "failure"


def test_a_missing_parameter_is_named(served: Served) -> None:
    for language, sentence in (
        ("en", "scored is missing"),
        ("it", "manca «scored»"),
    ):
        answer = served.client(language=language).get("/api/v1/rubele/change?capital=3479")
        assert (answer.status_code, answer.json()["detail"]) == (400, sentence)
