"""The three doors of a declared act or query, each taking the same values and giving the same answer."""

import io
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from arpad.cli.declared_options import option_name
from arpad.model.declared import Parameter, Upload
from arpad.office.accounts.sessions import SCOPES
from arpad.office.declared import Declared
from arpad.web.declared_forms import act_address, file_address
from arpad.web.declared_routes import act_path
from tests.builders.site_fixtures import Served, proof
from tests.builders.users import issue_token
from tests.commands import run

NOW = "2025-01-15T09:00:00Z"


@dataclass(frozen=True)
class Answer:
    """What a door answers: whether it was done, the document or the sentence of the refusal, and its code."""

    done: bool
    document: Any
    sentence: str
    code: str = ""


def command(
    declared: Declared[..., Any],
    values: Mapping[str, Any],
    database: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> Answer:
    """Run the command with the values, in English, with JSON."""
    arguments, options = [], []
    secrets = ""
    for parameter in declared.parameters:
        if (value := values.get(parameter.name)) is None:
            continue
        texts = _texts(parameter, value, folder)
        if parameter.accepts.secret:
            secrets += f"{value}\n"
            options += [] if parameter.required else [option_name(parameter)]
        elif parameter.positional:
            arguments += texts
        elif parameter.type is bool:
            options += [option_name(parameter)] if value else []
        else:
            options += [word for text in texts for word in (option_name(parameter), text)]
    writes = ["--now", NOW, *(["--author", "officer"] if declared.is_act else [])]
    out = folder / "answer"
    writes += ["--out", str(out)] if declared.is_file else []
    whole = [*options, *writes, "--db", database, "--lang", "en", "--json", "--", *arguments]
    before, sys.stdin = sys.stdin, io.StringIO(secrets)
    try:
        status, printed, err = run(capsys, "office", *declared.name.split(), *whole)
    finally:
        sys.stdin = before
    if status == 2:
        return Answer(done=False, document=None, sentence=err.removeprefix("arpad: ").strip())
    document = json.loads(printed)
    document.pop("schema")
    if declared.is_file:
        document = {"data": out.read_bytes()}
    return Answer(done=True, document=document, sentence="")


def _texts(parameter: Parameter, value: Any, folder: Path) -> list[str]:
    if parameter.is_file and isinstance(value, str):
        value = Upload(f"{parameter.name}.txt", value.encode())
    if isinstance(value, Upload):
        path = folder / value.name
        path.write_bytes(value.data)
        return [str(path)]
    if isinstance(value, dict):
        return [f"{name}={text}" for name, text in value.items()]
    return [str(item) for item in value] if isinstance(value, list | tuple) else [str(value)]


def token_of(served: Served, login: str, scopes: list[str] | None = None) -> str:
    """Return a new token of a user."""
    return issue_token(replace(served.office, author="tests"), login, "surfaces", scopes or list(SCOPES))


def api(
    declared: Declared[..., Any], values: Mapping[str, Any], served: Served, token: str = ""
) -> httpx.Response:
    """Send the values to the route of the API."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    client = served.client()
    if not declared.is_act:
        path = declared.path.format_map({name: str(value) for name, value in values.items()})
        rest = {
            name: [f"{key}={text}" for key, text in value.items()] if isinstance(value, dict) else value
            for name, value in values.items()
            if f"{{{name}}}" not in declared.path
        }
        return client.get(f"/api/v1{path}", params=rest, headers=headers)
    address = f"/api/v1{act_path(declared)}"
    if any(it.type is Upload for it in declared.parameters):
        return client.post(address, headers=headers, **_multipart(values))
    return client.post(address, json=dict(values), headers=headers)


def file(declared: Declared[..., Any], values: Mapping[str, Any], client: httpx.Client) -> httpx.Response:
    """Ask for a file at the desk."""
    return client.get(file_address(declared), params=_texts_of(values))


def form(
    declared: Declared[..., Any], values: Mapping[str, Any], client: httpx.Client, page: str
) -> httpx.Response:
    """Send the form of an act."""
    hidden = {"csrf": proof(client, page), "from": page}
    return client.post(act_address(declared), **_multipart(_texts_of(values) | hidden))


def _texts_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as fields of a form."""
    texts: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            ((field, text),) = value.items() or (("", ""),)
            texts |= {f"{name}.field": field, f"{name}.value": text}
        else:
            texts[name] = value
    return texts


def _multipart(values: Mapping[str, Any]) -> dict[str, Any]:
    files = {
        name: (value.name, value.data, "application/octet-stream")
        for name, value in values.items()
        if isinstance(value, Upload)
    }
    texts = {name: value for name, value in values.items() if not isinstance(value, Upload)}
    return {"data": texts, "files": files} if files else {"data": texts}
