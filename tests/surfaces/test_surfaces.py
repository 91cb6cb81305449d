"""Every declared act and query on every surface: missing, too long, wrong, not permitted, and its example."""

import html
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.declared import Parameter, Upload
from arpad.office.accounts.sessions import SCOPES
from arpad.office.declarations import all_declared
from arpad.office.declared import Declared, said
from arpad.office.users import EVERYBODY, Role
from arpad.office.verify.acts import verify
from arpad.web.declared_routes import MEDIA_TYPES, address_of
from tests.builders.site_fixtures import Served, compact, copied, serving_again, serving_copy
from tests.surfaces.doors import api, command, file, form, token_of
from tests.surfaces.examples import example_of, prepare, without_varying
from tests.web import api_examples

ALL = all_declared()
ACTS = [it for it in ALL.values() if it.is_act]


def page_of(declared: Declared[..., Any]) -> str:
    """Return a page with a form that those who may do an act can read, for its proof."""
    return "/admin" if declared.who.role == Role.ADMINISTRATOR else "/desk/players"


named = pytest.mark.parametrize("declared", ALL.values(), ids=list(ALL))
CLOSED = [it for it in ALL.values() if it.who != EVERYBODY and (it.is_act or it.path)]
"""What not everybody may ask for, with a route."""

TABLES = [it for it in ALL.values() if it.columns and it.path]
closed = pytest.mark.parametrize("declared", CLOSED, ids=[it.name for it in CLOSED])
tables = pytest.mark.parametrize("declared", TABLES, ids=[it.name for it in TABLES])


@pytest.fixture(scope="module")
def prepared(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo with what the examples name; tests leave it as it is."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("surfaces")) as running:
        prepare(replace(running.office, author="tests"))
        yield running


@pytest.fixture(scope="module")
def token(prepared: Served) -> str:
    return token_of(prepared, "officer")


@pytest.fixture(scope="module")
def administrators(prepared: Served) -> str:
    return token_of(prepared, "administrator")


def signed(declared: Declared[..., Any]) -> str:
    """Return the login of a user who may do it."""
    return "administrator" if declared.who.role == Role.ADMINISTRATOR else "officer"


def place(served: Served) -> str:
    return str(served.office.store.engine.url.database)


def sentence_of(answer: Any) -> str:
    return str(answer.json()["detail"])


def wrong_values(parameter: Parameter) -> Iterator[tuple[str, Any]]:
    """Yield what a parameter refuses, with the code of the refusal."""
    if parameter.many or parameter.type in (dict, Upload, bool):
        return
    if parameter.choices:
        yield "value-unknown", "no such choice"
    elif parameter.type is int:
        yield "not-a-number", "many"
        if parameter.accepts.high < 10**8:
            yield "out-of-range", str(parameter.accepts.high + 1)
    elif parameter.type is str or parameter.accepts.read is not None:
        yield "text-too-long", "x" * (parameter.accepts.longest + 1)
        yield "text-not-printable", "a\x07b"
    else:
        yield "not-a-date", "soon"


def refused_calls(declared: Declared[..., Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield wrong calls: the code, the parameter that the sentence must name, and the values."""
    example = example_of(declared)
    for parameter in declared.parameters:
        if parameter.required:
            rest = {name: value for name, value in example.items() if name != parameter.name}
            yield "value-missing", parameter.name, rest
        for code, value in wrong_values(parameter):
            yield code, parameter.name, example | {parameter.name: value}


@named
def test_wrong_values_are_refused_alike(
    declared: Declared[..., Any], prepared: Served, token: str, administrators: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    words = load_words("en")
    client = prepared.client(signed(declared))
    used = administrators if signed(declared) == "administrator" else token
    in_path = [it.name for it in declared.parameters if f"{{{it.name}}}" in declared.path]
    for code, name, values in refused_calls(declared):
        parameter = next(it for it in declared.parameters if it.name == name)
        if declared.has_command:
            asked = command(declared, values, place(prepared), tmp_path, capsys)
            assert not asked.done, (code, name)
        if name not in in_path and (declared.is_act or declared.path):
            sent = api(declared, values, prepared, used)
            assert (sent.status_code, sent.json()["code"]) == (400, code), (name, sent.text)
            assert name in sentence_of(sent)
        if declared.is_act and declared.page:
            shown = form(declared, values, client, page_of(declared))
            assert shown.status_code == 422, (code, name, shown.status_code)
            assert words.parameter(parameter.word)[0] in html.unescape(compact(shown.text)), (code, name)


@named
def test_an_unknown_parameter_is_refused_by_name(
    declared: Declared[..., Any], prepared: Served, token: str
) -> None:
    if not declared.is_act and not declared.path:
        return
    answer = api(declared, example_of(declared) | {"surprise": "x"}, prepared, token)
    if answer.status_code not in (401, 403):
        assert answer.json()["code"] == "unknown-parameter"
        assert "surprise" in sentence_of(answer)


def test_an_act_has_an_author() -> None:
    assert [it.name for it in ACTS if it.who == EVERYBODY] == []


@closed
def test_only_those_who_may_do_it(declared: Declared[..., Any], prepared: Served) -> None:
    values = example_of(declared)
    visitor = api(declared, values, prepared)
    assert visitor.status_code == 401
    without = [scope for scope in SCOPES if scope != declared.who.scope]
    lacking = api(declared, values, prepared, token_of(prepared, "officer", without))
    assert lacking.status_code == 403
    role = declared.who.role
    for login, own in (
        ("arbiter", Role.ARBITER),
        ("officer", Role.OFFICER),
        ("administrator", Role.ADMINISTRATOR),
    ):
        if role in (own, Role.ARBITER) and login != "administrator":
            continue
        if role == own or declared.who.signed_in:
            continue
        refused = form(declared, values, prepared.client(login), "/account") if declared.page else None
        assert refused is None or refused.status_code == 403, login


@tables
def test_a_list_answers_in_three_forms(
    declared: Declared[..., Any], prepared: Served, token: str, administrators: str
) -> None:
    used = administrators if signed(declared) == "administrator" else token
    for shape, media_type in MEDIA_TYPES.items():
        answer = api(declared, example_of(declared) | {"format": shape, "size": 1}, prepared, used)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].partition(";")[0] == media_type
        assert shape == "json" or len(answer.text.splitlines()) <= (2 if shape == "csv" else 1)
    for name, value, code in (("format", "xml", "value-unknown"), ("size", 10**6, "out-of-range")):
        answer = api(declared, example_of(declared) | {name: value}, prepared, used)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
        assert name in sentence_of(answer)


def doors_of(declared: Declared[..., Any]) -> Iterator[str]:
    """Yield the doors that an act or a query has."""
    if declared.has_command:
        yield "command"
    if declared.is_act or declared.path:
        yield "api"
    if declared.is_file or (declared.is_act and declared.page):
        yield "form"


LONG = {"privacy erase"}
"""Acts that compute all lists of the demo again: in the quick run at one door."""


def answer_at(
    door: str, declared: Declared[..., Any], own: Served, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Return the answer to the example at a door; None for a form, which leads to a page."""
    values = example_of(declared)
    if door == "command":
        asked = command(declared, values, place(own), folder, capsys)
        assert asked.done, asked.sentence
        return asked.document
    if door == "api":
        answer = api(declared, values, own, token_of(own, signed(declared)))
        assert answer.status_code == 200, answer.text
        known = api_examples.kept().get(address_of(declared))
        again = f"{address_of(declared)}: run python -m tests.web.api_examples"
        assert api_examples.shape(known) == api_examples.shape(api_examples.shown(answer)), again
        return {"data": answer.content} if declared.is_file else answer.json()
    client = own.client(signed(declared))
    if declared.is_file:
        paper = file(declared, values, client)
        assert paper.status_code == 200, paper.text
        assert "attachment" in paper.headers["content-disposition"]
        return {"data": paper.content}
    done = form(declared, values, client, page_of(declared))
    assert done.status_code == 303, done.text
    assert client.get(done.headers["location"]).status_code == 200
    return None


@named
def test_the_example_works_alike(
    declared: Declared[..., Any], demo_folder: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("arpad.office.privacy.acts.verify", partial(verify, recompute=False))  # it takes long
    documents = []
    begun = tmp_path / "begun"
    begun.mkdir()
    with closing(copied(demo_folder, begun)) as office:
        prepare(replace(office, author="tests"), declared)
    doors = ["api"] if declared.name in LONG and not os.environ.get("ARPAD_DEEP") else doors_of(declared)
    for door in doors:
        with serving_again(begun, demo_folder, tmp_path / door) as own:
            if (document := answer_at(door, declared, own, tmp_path / door, capsys)) is not None:
                documents.append(document)
    first, *others = [without_varying(declared, document) for document in documents]
    assert all(document == first for document in others)


@named
def test_it_is_described_in_every_language(declared: Declared[..., Any]) -> None:
    for language in LANGUAGES:
        words = load_words(language)
        for parameter in declared.parameters:
            label, about = words.parameter(parameter.word)
            assert label
            assert about.endswith("."), (parameter.word, language)
        if declared.says and "{" not in declared.says:
            assert words.has(declared.says)
        for column in declared.columns:
            assert words.has(f"column.{column}"), column


def test_what_is_said_has_the_facts_of_the_arguments_and_the_result() -> None:
    declared = ALL["club enter"]
    key, facts = said(declared, {"code": "MI1", "kind": "club", "until": None}, None)
    assert (key, facts) == ("clubs.entered-club", {"code": "MI1", "kind": "club"})
