"""Routes of the API for declared acts and queries, with their entries in the OpenAPI document.

An act is ``POST /api/v1/office/<words of its command>`` with a JSON body, or a form if it takes a file; a query is
``GET`` at the address that it declares. Everything else is the same for all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_type_hints
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import UploadFile
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import (
    Example,
    OpenAPIFormat,
    OpenAPIMediaType,
    OpenAPIResponse,
    OpenAPIType,
    Operation,
    Reference,
    RequestBody,
    Schema,
)
from litestar.openapi.spec import Parameter as OpenAPIParameter

from arpad.explain.documents import worded_document
from arpad.explain.words import load_words
from arpad.model.declared import File, Parameter, Upload
from arpad.model.errors import BadInput
from arpad.model.typed_values import check_among
from arpad.office.declared import MOST_ROWS, Declared, perform
from arpad.office.users import EVERYBODY
from arpad.system.spreadsheet_cells import rows_csv
from arpad.web.api.responses import answers, etagged
from arpad.web.reader import COSTLY, caller_of, permitted, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import forget_settings

ACTS = "/office"
"""Acts are below this path of the API."""

MEDIA_TYPES = {"json": "application/json", "ndjson": "application/x-ndjson", "csv": "text/csv"}
FORMATS = tuple(MEDIA_TYPES)
LIST_ASKED = "list-asked"
"""The word of a parameter that names a published list, which may have been taken back since."""

LANGUAGE = "lang"
"""Every address takes the language of its sentences."""

_PATH_PART = re.compile(r"\{(\w+)\}")


def address_of(declared: Declared[..., Any]) -> str:
    """Return the method and the address of an act or a query, as ``POST /api/v1/office/club/enter``."""
    return f"POST /api/v1{act_path(declared)}" if declared.is_act else f"GET /api/v1{declared.path}"


def act_path(declared: Declared[..., Any]) -> str:
    """Return the path of an act below ``/api/v1``."""
    return f"{ACTS}/{declared.name.replace(' ', '/')}"


def route_of(declared: Declared[..., Any]) -> HTTPRouteHandler:
    """Return the route of an act or a query."""
    return _act_route(declared) if declared.is_act else _query_route(declared)


def _description(declared: Declared[..., Any]) -> dict[str, Any]:
    """Return what the routes of acts and queries have in common."""
    text = " ".join((declared.__doc__ or "").split())
    first, _, _ = text.partition(".")
    return {
        "opt": permitted(declared.who) | {"declared": declared} | (COSTLY if declared.costly else {}),
        "operation_id": declared.key.replace("-", "_"),
        "operation_class": partial(_operation, declared),
        "summary": first,
        "description": text,
        "security": [{"token": []}] if declared.who != EVERYBODY else None,
    }


# ------------------------------------------------------------------------------------------------------- acts


def _act_route(declared: Declared[..., Any]) -> HTTPRouteHandler:
    path = act_path(declared)

    async def act(request: WebRequest) -> Response[Any]:
        values = await body_values(request, declared.parameters)
        return await sync_to_thread(_perform, declared, request, values)

    responses = answers(_result_type(declared), address_of(declared), 400, 401, 403, 404)
    return post(path, status_code=200, responses=responses, **_description(declared))(act)


def _perform(declared: Declared[..., Any], request: WebRequest, values: Mapping[str, Any]) -> Response[Any]:
    result = perform(declared, require_office(request), caller_of(request), values)
    forget_settings(request)
    return Response(worded_document(result, words_for(request)), media_type="application/json")


async def body_values(request: WebRequest, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the values of a body: a JSON object, or a form with a file."""
    if request.content_type[0] == "multipart/form-data" or any(it.type is Upload for it in parameters):
        return await form_body(request, parameters)
    data = await request.body()
    try:
        values = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        raise BadInput("body-not-json") from None
    if not isinstance(values, dict):
        raise BadInput("body-not-json")
    return values


async def form_body(request: WebRequest, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the values of a form: texts, lists of texts, and files."""
    many = {it.name for it in parameters if it.many or it.type is dict}
    values: dict[str, Any] = {}
    for name, value in (await request.form()).multi_items():
        if isinstance(value, UploadFile):
            values[name] = Upload(value.filename, await value.read()) if value.filename else None
        elif name in many:
            values.setdefault(name, []).append(value)
        else:
            values[name] = value
    return values


# ----------------------------------------------------------------------------------------------------- queries


def _query_route(declared: Declared[..., Any]) -> HTTPRouteHandler:
    types = {it.name: "int" if it.type is int else "str" for it in declared.parameters}
    path = _PATH_PART.sub(lambda part: f"{{{part[1]}:{types[part[1]]}}}", declared.path)

    def query(request: WebRequest) -> Response[Any]:
        return answer(declared, request)

    address, is_public = address_of(declared), declared.who == EVERYBODY
    statuses = (401, 403, 404, *((410,) if any(it.word == LIST_ASKED for it in declared.parameters) else ()))
    kind, file = _result_type(declared), ("", "")
    if declared.is_file:
        kind, file = bytes, ((declared.answer.__doc__ or "").rstrip("."), declared.answer.media_type)
    responses = answers(kind, address, *statuses, etag=is_public, file=file)
    return get(path, sync_to_thread=True, responses=responses, **_description(declared))(query)


def answer(declared: Declared[..., Any], request: WebRequest) -> Response[Any]:
    """Return the answer to a query as JSON, NDJSON or CSV, whole or a page of its rows."""
    asked = {name: text for name, text in request.query_params.items() if name != LANGUAGE}
    shape = _Shape.of(asked, by_cursor=_is_by_cursor(declared)) if declared.columns else None
    many = {it.name for it in declared.parameters if it.many or it.type is dict}
    values = {
        **{name: request.query_params.getall(name) if name in many else text for name, text in asked.items()},
        **request.path_params,
    }
    caller = caller_of(request)
    found = perform(declared, require_office(request), caller, values)
    headers: dict[str, str] = {}
    if isinstance(found, File):
        out, media = found.data, found.media_type
    else:
        out, media = worded_document(found, words_for(request)), MEDIA_TYPES["json"]
    if shape is not None:
        out, following = shape.cut(out)
        headers, media = _next_page(request, following), MEDIA_TYPES[shape.format]
    if caller.user is None:
        return etagged(request, out, headers, media)
    return Response(out, headers=headers | {"Cache-Control": "private, no-store"}, media_type=media)


def _next_page(request: WebRequest, following: Mapping[str, Any]) -> dict[str, str]:
    """Return the header with the address of the next page (RFC 8288), if there is one."""
    if not following:
        return {}
    query = [(name, value) for name, value in request.query_params.multi_items() if name not in following]
    address = urlencode([*query, *following.items()])
    return {"Link": f'<?{address}>; rel="next"'}


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a table is answered: its format, and which of its rows."""

    format: str
    size: int = 0
    """0: the query has taken its page itself."""

    page: int = 1

    @classmethod
    def of(cls, asked: dict[str, str], *, by_cursor: bool) -> _Shape:
        """Return the shape that a query asks for, and take its parameters out of the others.

        A query by cursor reads only the rows of its page, so that it takes the size itself.
        """
        shape = check_among(asked.pop("format", "json"), "format", FORMATS)
        if by_cursor:
            return cls(shape)
        numbers = []
        for name, usual, most in (("size", MOST_ROWS, MOST_ROWS), ("page", 1, 10**6)):
            text = asked.pop(name, str(usual))
            if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= most):
                raise BadInput("out-of-range", option=name, value=text[:20], low=1, high=most)
            numbers.append(int(text))
        return cls(shape, *numbers)

    def cut(self, result: Any) -> tuple[Any, dict[str, Any]]:
        """Return the asked page of a document that has one list of rows, in the asked format.

        Also return the parameters of the next page, if there is one.
        """
        name, rows = _list_in(result)
        if self.size:
            last = self.page * self.size
            shown = rows[last - self.size : last]
            following = {"page": self.page + 1} if len(rows) > last else {}
        else:
            shown, following = rows, {"after": result["next"]} if result["more"] else {}
        if self.format == "ndjson":
            return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in shown), following
        if self.format == "csv":
            return rows_csv(shown), following
        return {**result, name: shown} if name else shown, following


def _is_by_cursor(declared: Declared[..., Any]) -> bool:
    """Whether a query is answered in pages by cursor."""
    return any(it.name == "after" for it in declared.parameters)


def _list_in(result: Any) -> tuple[str, list[Any]]:
    if isinstance(result, list):
        return "", result
    return next((name, value) for name, value in result.items() if isinstance(value, list))


# ------------------------------------------------------------------------------------------- the OpenAPI document


def _result_type(declared: Declared[..., Any]) -> Any:
    """Return the type of the answer: of the result, or of what its method ``document`` returns."""
    result = declared.answer
    return get_type_hints(result.document)["return"] if hasattr(result, "document") else result


def _operation(declared: Declared[..., Any], **entry: Any) -> Operation:
    """Return the entry of the OpenAPI document with the parameters of the declaration."""
    operation = Operation(**entry)
    schemas: dict[str, Any] = {
        it.name: schema_of(it) if declared.is_act or it.type is not dict else _pairs_schema(it)
        for it in declared.parameters
    }
    required = [it.name for it in declared.parameters if it.required]
    if declared.is_act:
        body = Schema(type=OpenAPIType.OBJECT, properties=schemas, required=required or None)
        has_file = any(it.type is Upload for it in declared.parameters)
        media = "multipart/form-data" if has_file else "application/json"
        operation.request_body = RequestBody({media: OpenAPIMediaType(schema=body)}, required=bool(required))
        return operation
    in_path = set(_PATH_PART.findall(declared.path))
    shaped = {
        name: schema
        for name, schema in _SHAPES.items()
        if declared.columns and (name == "format" or not _is_by_cursor(declared))
    }
    operation.parameters = parameters_in(schemas | shaped, required, in_path)
    if declared.columns:
        add_media_types(operation)
    return operation


def add_media_types(operation: Operation) -> None:
    """Say that a list is answered in every format."""
    answer = (operation.responses or {})["200"]
    assert isinstance(answer, OpenAPIResponse)  # noqa: S101  what the framework makes of an answer
    table = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
    answer.content = (answer.content or {}) | {MEDIA_TYPES[name]: table for name in ("ndjson", "csv")}


def parameters_in(
    schemas: Mapping[str, Any], required: Collection[str], in_path: Collection[str] = ()
) -> list[OpenAPIParameter | Reference]:
    """Return the parameters of an address as the OpenAPI document describes them."""
    return [
        OpenAPIParameter(
            name=name,
            param_in="path" if name in in_path else "query",
            schema=schema,
            description=schema.description,
            examples={name: Example(value=_example(schema))},
            required=name in in_path or name in required,
        )
        for name, schema in schemas.items()
    ]


def _example(schema: Schema) -> Any:
    """Return the example of a parameter; of several values, a list."""
    if isinstance(schema.items, Schema):
        return list(schema.items.examples or [None])
    return schema.examples[0] if schema.examples else None


def _pairs_schema(parameter: Parameter) -> Schema:
    """Return pairs of texts as an address has them, NAME=VALUE once for each."""
    accepts = parameter.accepts
    pair = Schema(type=OpenAPIType.STRING, max_length=accepts.longest, examples=[accepts.example])
    schema = Schema(type=OpenAPIType.ARRAY, items=pair)
    schema.description = load_words("en").parameter(parameter.word)[1]
    return schema


_SHAPES = {
    "format": Schema(
        type=OpenAPIType.STRING, enum=list(FORMATS), description="The form of the answer.", examples=["json"]
    ),
    "size": Schema(
        type=OpenAPIType.INTEGER,
        minimum=1,
        maximum=MOST_ROWS,
        description="At most so many rows.",
        examples=[100],
    ),
    "page": Schema(type=OpenAPIType.INTEGER, minimum=1, description="The page of the rows.", examples=[1]),
}


def schema_of(parameter: Parameter) -> Schema:
    """Return a parameter as the OpenAPI document describes it."""
    accepts = parameter.accepts
    schema = Schema(type=OpenAPIType.STRING, max_length=accepts.longest)
    if parameter.type is int:
        schema = Schema(type=OpenAPIType.INTEGER, minimum=accepts.low, maximum=accepts.high)
    elif parameter.type is bool:
        schema = Schema(type=OpenAPIType.BOOLEAN, examples=[accepts.example != "false"])
    elif parameter.type is dict:
        schema = Schema(type=OpenAPIType.OBJECT, additional_properties=Schema(type=OpenAPIType.STRING))
    elif parameter.type is Upload:
        schema = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
    elif parameter.choices:
        schema = Schema(type=OpenAPIType.STRING, enum=list(parameter.choices))
    elif getattr(parameter.type, "__name__", "") == "date" and accepts.read is None:
        schema = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.DATE)
    if accepts.example and parameter.type not in (bool, dict, Upload):
        examples = accepts.example.split() if parameter.many and accepts.form else [accepts.example]
        schema.examples = [int(text) if parameter.type is int else text for text in examples]
    if parameter.many:
        schema = Schema(type=OpenAPIType.ARRAY, items=schema, max_items=accepts.longest)
    schema.description = load_words("en").help(parameter.help)
    if accepts.form and not accepts.form.isalpha():  # a form of several parts
        schema.description = f"{accepts.form}: {schema.description}"
    return schema
