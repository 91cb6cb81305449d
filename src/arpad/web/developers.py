"""The API for people: contents, a page for each group of addresses, and a form to try what everybody may read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from arpad.web.auth import PUBLIC
from arpad.web.cache import settings_headers
from arpad.web.errors import TYPES
from arpad.web.requests import Refused, WebRequest, prefix_of
from arpad.web.site_settings import settings_of, site_address
from arpad.web.templates import page
from arpad.worker.kinds import OPEN_DATA

DEEPEST = 3
"""How far the fields of an answer are followed: fields of fields of fields."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an address, or the body of a request if it has no name."""

    name: str
    about: str
    required: bool = False
    type: str = ""
    default: str = ""
    example: str = ""
    in_path: bool = False

    @property
    def is_filled(self) -> bool:
        """Whether the form has the example in it: what must be given, and what is given once or more."""
        return self.required or self.type.endswith("[]")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an answer: ``players[].name``."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of an address."""

    id: str
    tag: str
    method: str
    path: str
    about: str
    needs_token: bool
    parameters: tuple[Parameter, ...]
    fields: tuple[Field, ...]
    example: str

    @property
    def can_be_tried(self) -> bool:
        """Whether everybody may read it."""
        return self.method == "GET" and not self.needs_token


def operations_by_tag(document: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """Return the operations of an OpenAPI document by tag."""
    by_tag: dict[str, list[Operation]] = {tag["name"]: [] for tag in document["tags"]}
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            (tag,) = operation["tags"]
            by_tag[tag].append(_operation(method.upper(), path, tag, operation, schemas))
    return by_tag


def _operation(
    method: str, path: str, tag: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]
) -> Operation:
    given = tuple(
        Parameter(
            it["name"], it.get("description", ""), it.get("required", False), _type(it["schema"]),
            _text(it["schema"].get("default")), _example_of(it), it["in"] == "path",
        )
        for it in operation.get("parameters", ())
    )  # fmt: skip
    answer: Mapping[str, Any] = next(
        (it for status, it in operation["responses"].items() if status.startswith("2")), {}
    )
    contents = list(answer.get("content", {}).values())
    about, _, _ = operation["description"].partition(" Example: arpad")
    fields = (it for content in contents[:1] for it in _fields(content.get("schema", {}), schemas))
    return Operation(
        operation["operationId"], tag, method, path, about,
        bool(operation.get("security")), (*given, *_of_body(operation)), tuple(dict.fromkeys(fields)),
        _example_answer(contents),
    )  # fmt: skip


def _of_body(operation: Mapping[str, Any]) -> Iterator[Parameter]:
    """Yield the parameters of a body: those of an act, or the file that the body is."""
    body = operation.get("requestBody")
    if body is None:
        return
    if "description" in body:
        yield Parameter("", body["description"], required=True)
        return
    (content,) = body["content"].values()
    needed = content["schema"].get("required", ())
    for name, schema in content["schema"].get("properties", {}).items():
        yield Parameter(name, schema.get("description", ""), name in needed, _type(schema))


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a value as JSON calls it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(_text, schema["enum"]))
    if "oneOf" in schema or "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema.get("oneOf") or schema["anyOf"])))
    if schema.get("type") == "array":
        return f"{_type(schema.get('items', {}))}[]"
    return str(schema.get("format") or schema.get("type", ""))


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _example_of(parameter: Mapping[str, Any]) -> str:
    """Return an example of a parameter; those of several values are separated by blanks."""
    values = [it["value"] for it in parameter.get("examples", {}).values()]
    if not values:
        return ""
    return " ".join(map(_text, values[0])) if isinstance(values[0], list) else _text(values[0])


def _fields(
    schema: Mapping[str, Any], schemas: Mapping[str, Any], above: str = "", depth: int = 1
) -> Iterator[Field]:
    """Yield the fields of an object, and of the objects in it, with the names that lead to them."""
    for kind in schema.get("oneOf", ()):
        yield from _fields(kind, schemas, above, depth)
    if "items" in schema:
        yield from _fields(schema["items"], schemas, f"{above}[]", depth)
        return
    if "$ref" in schema:
        schema = schemas[_type(schema)]
    for name, inner in schema.get("properties", {}).items():
        path = f"{above}.{name}".removeprefix(".")
        yield Field(path, _type(inner))
        if depth < DEEPEST:
            yield from _fields(inner, schemas, path, depth + 1)


def _example_answer(contents: list[Mapping[str, Any]]) -> str:
    examples = [entry["value"] for content in contents for entry in content.get("examples", {}).values()]
    if not examples or isinstance(examples[0], str):
        return examples[0] if examples else ""
    return json.dumps(examples[0], indent=1, ensure_ascii=False)


def _operations(request: WebRequest) -> dict[str, list[Operation]]:
    """Return the operations of the features that the office has; all of them are read once."""
    state = request.app.state
    if "operations" not in state:
        state["operations"] = operations_by_tag(request.app.openapi_schema.to_schema())
    off = settings_of(request).features_off
    return {tag: group for tag, group in state["operations"].items() if group and tag not in off}


@get("/developers", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def index(request: WebRequest) -> Response[str]:
    """Show how to begin, the groups of addresses, and the problems."""
    has_data = bool(os.environ.get(OPEN_DATA))
    return page(
        request, "api.html", headers=settings_headers(request, site_address(request), has_data),
        operations=lambda: _operations(request), problems=TYPES, origin=site_address(request),
        has_data=has_data,
    )  # fmt: skip


@get("/developers/{tag:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def group(request: WebRequest, tag: FromPath[str]) -> Response[str]:
    """Show the addresses of a group with their parameters, fields and examples."""
    groups = _operations(request)
    if tag not in groups:
        raise Refused(404, "no-page")
    return page(
        request, "api_group.html", headers=settings_headers(request, site_address(request)), tag=tag,
        operations=groups[tag], groups=list(groups), origin=site_address(request), prefix=prefix_of(request),
    )  # fmt: skip


@get("/developers/run/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def run(request: WebRequest, name: FromPath[str]) -> Redirect:
    """Redirect from the form of an address to its answer; an empty parameter of the path has its example."""
    every = (it for group in _operations(request).values() for it in group)
    operation = next((it for it in every if it.id == name and it.can_be_tried), None)
    if operation is None:
        raise Refused(404, "no-page")
    path, query = operation.path, list[tuple[str, str]]()
    for it in operation.parameters:
        value = request.query_params.get(it.name, "").strip()
        if it.in_path:
            path = path.replace(f"{{{it.name}}}", quote(value or it.example, safe=""))
        elif value:
            query += [(it.name, part) for part in (value.split() if it.type.endswith("[]") else [value])]
    return Redirect(f"{path}?{urlencode(query)}" if query else path, status_code=303)


ROUTES = (index, group, run)
