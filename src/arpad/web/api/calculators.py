"""The calculators for programs: the same names as on the command line."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import Example, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import QueryParameter

from arpad.explain.calculations import OF_CHESS
from arpad.explain.documents import Calculation
from arpad.explain.draughts_documents import OF_DRAUGHTS
from arpad.explain.event_documents import event_document
from arpad.explain.norm_documents import NORM
from arpad.explain.words import LANGUAGES
from arpad.model.declared import Parameter
from arpad.model.errors import BadInput
from arpad.office.inbox.jobs import event_answer, norm_answer
from arpad.rating.arguments import SHORT
from arpad.rating.calculator import Answer, Question
from arpad.web.api.responses import answers
from arpad.web.calculators import EVENT_EXAMPLE, question_of
from arpad.web.declared_routes import LANGUAGE, parameters_in, schema_of
from arpad.web.limited_process import bounds
from arpad.web.reader import COSTLY, PUBLIC, words_for
from arpad.web.requests import WebRequest

ABOUT_LANGUAGE = f"{' or '.join(LANGUAGES)}; default by Accept-Language."
Lang = Annotated[
    str | None, QueryParameter(description=ABOUT_LANGUAGE, examples=[Example(value="en")], max_length=SHORT)
]


@dataclass
class EventBody(Operation):
    """The body is the event as JSON."""

    def __post_init__(self) -> None:
        """Describe it in the OpenAPI document."""
        example = OpenAPIMediaType(schema=Schema(type="object"), example=json.loads(EVENT_EXAMPLE))  # type: ignore[arg-type]  # the library writes the example as it is
        self.request_body = RequestBody(
            description="The event: edition, players, games (see the reference).",
            content={"application/json": example},
            required=True,
        )


@dataclass
class EventOut:
    """An event rated under a rating system; the fields of a player are in the reference."""

    system: str
    edition: str
    players: dict[str, dict[str, Any]]
    findings: list[dict[str, Any]]


@post(
    "/calc/event", opt=PUBLIC | COSTLY, status_code=200, operation_class=EventBody, summary="One event",
    responses=answers(EventOut, "POST /api/v1/calc/event", 400, 404, 422, 503),
)  # fmt: skip
async def calculate_event(
    request: WebRequest,
    system: Annotated[
        str,
        QueryParameter(description="The rating system.", examples=[Example(value="icu")], max_length=SHORT),
    ],
    lang: Lang = None,
) -> EventOut:
    """One event or period rated under any rating system."""
    data = await request.body()
    words = words_for(request)

    def rated() -> EventOut:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadInput("not-json", line=1, column=1) from error
        return EventOut(**event_document(event_answer(bounds("visitor"), system, text), words))

    return await sync_to_thread(rated)


def route_of(
    calculation: Calculation, answer: Callable[[Question], Answer[Any]] | None = None
) -> HTTPRouteHandler:
    """Return the address of a calculator, with its entry in the OpenAPI document.

    ``answer`` answers in its stead where that may take long.
    """
    calculator = calculation.calculator
    statuses = (400, 404, 422, 503) if answer else (400, 404)
    parameters = [it for it in calculator.parameters if it.name not in calculation.local]

    def calculate(request: WebRequest) -> Response[Any]:
        found = (answer or calculator)(question_of(request))
        document = calculation.document(found, words_for(request))
        return Response(document, media_type="application/json")

    path = f"/{calculation.name.replace(' ', '/')}"
    text = " ".join((calculator.__doc__ or "").partition("Example:")[0].split())
    operation: Any = partial(_operation, parameters)
    return get(
        path,
        opt=PUBLIC | (COSTLY if answer else {}) | {"parameters": tuple(it.name for it in parameters)},
        sync_to_thread=True,
        operation_id=calculator.function.__name__,
        operation_class=operation,
        summary=text.partition(" (")[0],
        description=text,
        responses=answers(calculation.kind, f"GET /api/v1{path}", *statuses),
    )(calculate)


def _operation(parameters: Sequence[Parameter], /, **entry: Any) -> Operation:
    """Return the entry of the OpenAPI document with the parameters of a calculator, and the language."""
    operation = Operation(**entry)
    language = Schema(type=OpenAPIType.STRING, max_length=SHORT, examples=["en"], description=ABOUT_LANGUAGE)
    schemas = {it.name: schema_of(it) for it in parameters} | {LANGUAGE: language}
    operation.parameters = parameters_in(schemas, [it.name for it in parameters if it.required])
    return operation


ROUTES = (
    calculate_event,
    *map(route_of, (*OF_CHESS, *OF_DRAUGHTS)),
    route_of(NORM, lambda question: norm_answer(bounds("visitor"), question)),
)
