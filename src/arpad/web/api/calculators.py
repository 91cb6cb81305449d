"""The calculators for programs: the same names as on the command line."""

from __future__ import annotations

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

from arpad.explain.calculations import OF_CHESS, Calculation
from arpad.explain.draughts_documents import (
    CapitalDocument,
    ConversionDocument,
    GroupsDocument,
    capital_document,
    conversion_document,
    groups_document,
)
from arpad.explain.event_documents import event_document
from arpad.explain.norm_documents import NORM
from arpad.explain.words import LANGUAGES
from arpad.model.declared import Parameter
from arpad.model.errors import BadInput
from arpad.office.inbox.jobs import event_answer, norm_answer
from arpad.rating import draughts_calculator
from arpad.rating.calculator import Answer, Question
from arpad.web.api.responses import answers
from arpad.web.calculators import EVENT_EXAMPLE, question_of
from arpad.web.declared_routes import LANGUAGE, parameters_in, schema_of
from arpad.web.limited_process import bounds
from arpad.web.reader import COSTLY, PUBLIC, words_for
from arpad.web.requests import WebRequest

SHORT, LONG = 40, 2000


def _text(description: str, example: str, *, longest: int = SHORT) -> Any:
    return QueryParameter(
        description=description, examples=[Example(summary=example, value=example)], max_length=longest
    )


Day = Annotated[str | None, _text("Instead of edition: the one in force on that day.", "2018-03-01")]
Lang = Annotated[str | None, _text(f"{' or '.join(LANGUAGES)}; default by Accept-Language.", "en")]
Discipline = Annotated[str | None, _text("italiana or internazionale.", "italiana")]


@get(
    "/rubele/change", opt=PUBLIC, sync_to_thread=True, summary="Draughts capital",
    responses=answers(CapitalDocument, "GET /api/v1/rubele/change", 400, 404),
)  # fmt: skip
def calculate_capital(
    request: WebRequest,
    capital: Annotated[str, _text("The capital before the event.", "3479")],
    scored: Annotated[str, _text("The points scored, two for a win.", "14")],
    expected: Annotated[str | None, _text("The points expected.", "9.30")] = None,
    opponents: Annotated[str | None, _text("Or the opponents' capitals.", "4000 3482", longest=LONG)] = None,
    games: Annotated[str | None, _text("How many games, as a check.", "12")] = None,
    weight: Annotated[str | None, _text("How much the event counts, in percent.", "100")] = None,
    first_of_year: Annotated[str | None, _text("1 for the first event of the year.", "1")] = None,
    discipline: Discipline = None,
    edition: Annotated[str | None, _text("rubele-2008 or rubele-2021.", "rubele-2008")] = None,
    date: Day = None,
    lang: Lang = None,
) -> CapitalDocument:
    """The capital after an event (tables 14, 16, 17, 19)."""
    return capital_document(draughts_calculator.answer_capital(question_of(request)), words_for(request))


@get(
    "/rubele/convert", opt=PUBLIC, sync_to_thread=True, summary="Conversion",
    responses=answers(ConversionDocument, "GET /api/v1/rubele/convert", 400, 404),
)  # fmt: skip
def convert_capital(
    request: WebRequest,
    to: Annotated[str | None, _text("The list on which the player begins.", "italiana")] = None,
    held: Annotated[
        str | None,
        QueryParameter(
            name="from", description="Category or title on the other list.",
            examples=[Example(summary="maestro", value="maestro")], max_length=SHORT,
        ),
    ] = None,
    fmjd: Annotated[str | None, _text("Or the FMJD rating of a foreign player.", "2100")] = None,
    edition: Annotated[str | None, _text("rubele-2008 or rubele-2021.", "rubele-2008")] = None,
    date: Day = None,
    lang: Lang = None,
) -> ConversionDocument:  # fmt: skip
    """Category and capital with which a player begins (tables 20, 21, 22)."""
    return conversion_document(
        draughts_calculator.answer_conversion(question_of(request)), words_for(request)
    )


@get(
    "/rubele/groups", opt=PUBLIC, sync_to_thread=True, summary="Groups",
    responses=answers(GroupsDocument, "GET /api/v1/rubele/groups", 400, 404),
)  # fmt: skip
def split_groups(
    request: WebRequest,
    players: Annotated[str, _text("How many players.", "62")],
    rounds: Annotated[str, _text("How many rounds.", "6")],
    groups: Annotated[str, _text("How many groups, 2 to 6.", "4")],
    minimum: Annotated[str | None, _text("Fewest players of a group.", "8")] = None,
    discipline: Discipline = None,
    edition: Annotated[str | None, _text("rubele-2008 or rubele-2021.", "rubele-2008")] = None,
    date: Day = None,
    lang: Lang = None,
) -> GroupsDocument:
    """The split of an event's players into groups (table 23)."""
    return groups_document(draughts_calculator.answer_groups(question_of(request)))


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
    system: Annotated[str, _text("The rating system.", "icu")],
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

    def calculate(request: WebRequest) -> Response[Any]:
        found = (answer or calculator)(question_of(request))
        document = calculation.document(found, words_for(request))
        return Response(document, media_type="application/json")

    path = f"/{calculation.name.replace(' ', '/')}"
    text = " ".join((calculator.__doc__ or "").partition("Example:")[0].split())
    operation: Any = partial(_operation, calculator.parameters)
    return get(
        path,
        opt=PUBLIC
        | (COSTLY if answer else {})
        | {"parameters": tuple(it.name for it in calculator.parameters)},
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
    about = f"{' or '.join(LANGUAGES)}; default by Accept-Language."
    language = Schema(type=OpenAPIType.STRING, max_length=SHORT, examples=["en"], description=about)
    schemas = {it.name: schema_of(it) for it in parameters} | {LANGUAGE: language}
    operation.parameters = parameters_in(schemas, [it.name for it in parameters if it.required])
    return operation


ROUTES = (
    calculate_event,
    *map(route_of, OF_CHESS),
    route_of(NORM, lambda question: norm_answer(bounds("visitor"), question)),
    calculate_capital,
    convert_capital,
    split_groups,
)
