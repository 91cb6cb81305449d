"""The calculators for programs: the same names as on the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import get, post
from litestar.concurrency import sync_to_thread
from litestar.openapi.spec import Example, OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import QueryParameter

from arpad.explain.calculator_documents import (
    ChangeDocument,
    CoefficientDocument,
    EntryDocument,
    ExpectedDocument,
    PerformanceDocument,
    RoundRobinDocument,
    change_document,
    coefficient_document,
    entry_document,
    expected_document,
    performance_document,
    round_robin_document,
)
from arpad.explain.documents import StepDocument, step_documents
from arpad.explain.draughts_documents import (
    ConversionDocument,
    GroupsDocument,
    capital_figures,
    conversion_document,
    groups_document,
)
from arpad.explain.event_documents import event_document
from arpad.explain.norm_documents import NormDocument, norm_document
from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.office.inbox.jobs import event_answer, norm_answer
from arpad.rating import calculator, draughts_calculator
from arpad.rating.norm_arguments import GAME_FORM
from arpad.rating.round_robin import FORM
from arpad.web.api.responses import answers, to_schema
from arpad.web.auth import COSTLY, PUBLIC
from arpad.web.calculators import EVENT_EXAMPLE, question_of
from arpad.web.cost_limits import bounds
from arpad.web.language import words_for
from arpad.web.requests import WebRequest

SHORT, LONG = 40, 2000


def _text(description: str, example: str, *, longest: int = SHORT) -> Any:
    return QueryParameter(
        description=description, examples=[Example(summary=example, value=example)], max_length=longest
    )


Rating = Annotated[str, _text("The player's rating, 0 to 4000.", "1850")]
Edition = Annotated[
    str | None, _text("An edition by name; default that of today, without an office the newest.", "fide-2017")
]
Day = Annotated[str | None, _text("Instead of edition: the one in force on that day.", "2018-03-01")]
ListParam = Annotated[str | None, _text("standard, rapid or blitz.", "standard")]
Peak = Annotated[str | None, _text("The highest rating ever published.", "2410")]
Born = Annotated[str | None, _text("Date or year of birth.", "2001-05-05")]
On = Annotated[str | None, _text("The first day of the period.", "2017-09-01")]
FromStandard = Annotated[
    str | None, _text("1 if the rating is the standard one and there is none on this list (RB 7.2.1).", "0")
]
Lang = Annotated[str | None, _text(f"{' or '.join(LANGUAGES)}; default by Accept-Language.", "en")]
Discipline = Annotated[str | None, _text("italiana or internazionale.", "italiana")]


@dataclass
class CapitalOut:
    """A draughts capital after an event."""

    discipline: str
    edition: str
    capital: int
    final: int
    change: int
    scored: str
    expected: str
    deviation: str
    s: int
    variation: str
    added: int
    steps: Sequence[StepDocument]


@get(
    "/calc/change", opt=PUBLIC, sync_to_thread=True, summary="Rating change",
    responses=answers(ChangeDocument, "GET /api/v1/calc/change", 400, 404),
)  # fmt: skip
def calculate_change(
    request: WebRequest,
    rating: Rating,
    game: Annotated[
        list[str],
        QueryParameter(
            description="OPPONENT:SCORE[:OWN[:EVENT]], once for each game.",
            examples=[Example(value=["1900:1", "2000:0.5"])],
            min_items=1,
            max_items=200,
        ),
    ],
    k: Annotated[str | None, _text("K; default from the facts.", "20")] = None,
    games: Annotated[str | None, _text("Games rated so far, for K.", "40")] = None,
    peak: Peak = None,
    born: Born = None,
    on: On = None,
    from_standard: FromStandard = None,
    edition: Edition = None,
    date: Day = None,
    list: ListParam = None,  # noqa: A002  the name that programs rely on
    lang: Lang = None,
) -> ChangeDocument:
    """The change of a rated player over one period (8.5)."""
    answer = calculator.answer_change(question_of(request))
    return change_document(answer, words_for(request), notes=True)


@get(
    "/calc/initial", opt=PUBLIC, sync_to_thread=True, summary="Entry rating",
    responses=answers(EntryDocument, "GET /api/v1/calc/initial", 400, 404),
)  # fmt: skip
def calculate_entry_rating(
    request: WebRequest,
    event: Annotated[
        list[str],
        QueryParameter(
            description="R,R,…:SCORE[@YYYY-MM-DD], once for each Swiss.",
            examples=[Example(value=["2220,2220,2220:1", "2150,2150,2150,2150,2150:3"])],
            min_items=1,
            max_items=50,
        ),
    ],
    affiliated: Annotated[str | None, _text("1 for a member of IBCA, ICSC or IPCA.", "1")] = None,
    edition: Edition = None,
    date: Day = None,
    list: ListParam = None,  # noqa: A002  the parameter's name in the address
    lang: Lang = None,
) -> EntryDocument:
    """The entry rating of an unrated player (8.2, 8.3, 7.14)."""
    return entry_document(calculator.answer_entry(question_of(request)), words_for(request))


@get(
    "/calc/round-robin", opt=PUBLIC, sync_to_thread=True, summary="Round robin",
    responses=answers(RoundRobinDocument, "GET /api/v1/calc/round-robin", 400, 404),
)  # fmt: skip
def calculate_round_robin(
    request: WebRequest,
    player: Annotated[
        list[str],
        QueryParameter(
            description=f"{FORM}, once for each player; - is unrated, results are points or a row as x1=0.",
            examples=[Example(value=["2000:3", "1900:2.5", "1850:2", "1800:1.5", "-:1"])],
            min_items=1,
            max_items=60,
        ),
    ],
    edition: Annotated[
        str | None, _text("An edition to 2021; default the last that has the articles.", "fide-2017")
    ] = None,
    date: Day = None,
    list: ListParam = None,  # noqa: A002  the parameter's name in the address
    double: Annotated[str | None, _text("1 where everybody met everybody twice.", "0")] = None,
    counted_before: Annotated[
        str | None, _text("Unrated players with an earlier event that counts, by place.", "5", longest=LONG)
    ] = None,
    lang: Lang = None,
) -> RoundRobinDocument:
    """A round robin with unrated players (8.21b, 8.25, 8.58)."""
    return round_robin_document(calculator.answer_round_robin(question_of(request)), words_for(request))


@get(
    "/calc/k", opt=PUBLIC, sync_to_thread=True, summary="Coefficient K",
    responses=answers(CoefficientDocument, "GET /api/v1/calc/k", 400, 404),
)  # fmt: skip
def calculate_k(
    request: WebRequest,
    rating: Rating,
    games: Annotated[str, _text("Games rated so far on this list.", "40")],
    peak: Peak = None,
    born: Born = None,
    on: On = None,
    from_standard: FromStandard = None,
    edition: Edition = None,
    date: Day = None,
    list: ListParam = None,  # noqa: A002  the parameter's name in the address
    lang: Lang = None,
) -> CoefficientDocument:
    """The development coefficient K of a player (8.56)."""
    return coefficient_document(calculator.answer_coefficient(question_of(request)), words_for(request))


@get(
    "/calc/performance", opt=PUBLIC, sync_to_thread=True, summary="Performance rating",
    responses=answers(PerformanceDocument, "GET /api/v1/calc/performance", 400, 404),
)  # fmt: skip
def calculate_performance(
    request: WebRequest,
    opponents: Annotated[
        str, _text("The ratings of the opponents, one a game, with commas.", "2400,2350,2300")
    ],
    score: Annotated[str, _text("The points scored.", "2")],
    edition: Edition = None,
    date: Day = None,
    list: ListParam = None,  # noqa: A002  the parameter's name in the address
    lang: Lang = None,
) -> PerformanceDocument:
    """The rating that a score shows: the average of the opponents plus dp (8.1a)."""
    return performance_document(calculator.answer_performance(question_of(request)), words_for(request))


@get(
    "/calc/expected", opt=PUBLIC, sync_to_thread=True, summary="Expected score",
    responses=answers(ExpectedDocument, "GET /api/v1/calc/expected", 400, 404),
)  # fmt: skip
def calculate_expected_score(
    request: WebRequest,
    rating: Rating,
    opponent: Annotated[str, _text("The opponent's rating.", "2000")],
    edition: Edition = None,
    date: Day = None,
    list: ListParam = None,  # noqa: A002  the parameter's name in the address
    lang: Lang = None,
) -> ExpectedDocument:
    """The score that a player may expect against an opponent (8.1b, 8.54)."""
    return expected_document(calculator.answer_expected(question_of(request)), words_for(request))


@get(
    "/rubele/change", opt=PUBLIC, sync_to_thread=True, summary="Draughts capital",
    responses=answers(CapitalOut, "GET /api/v1/rubele/change", 400, 404),
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
) -> CapitalOut:
    """The capital after an event (tables 14, 16, 17, 19)."""
    answer = draughts_calculator.answer_capital(question_of(request))
    document = {
        "discipline": str(answer.list),
        "edition": answer.edition.id,
        **vars(capital_figures(answer.result)),
        "steps": step_documents(answer.steps, words_for(request)),
    }
    return to_schema(CapitalOut, document)


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


@get(
    "/calc/norm", opt=PUBLIC | COSTLY, sync_to_thread=True, summary="Title norm",
    responses=answers(NormDocument, "GET /api/v1/calc/norm", 400, 404, 422, 503),
)  # fmt: skip
def calculate_norm(
    request: WebRequest,
    title: Annotated[str, _text("The title sought: GM, IM, WGM or WIM.", "IM")],
    federation: Annotated[str, _text("The player's federation.", "HUN")],
    game: Annotated[
        list[str],
        QueryParameter(
            description=f"{GAME_FORM}, once for each round; RESULT as in TRF: 1 = 0 + - U H Z.",
            examples=[Example(value=["1:1:GM:2500:GER", "2:=:IM:2450:FRA:7"])],
            min_items=1,
            max_items=100,
        ),
    ],
    sex: Annotated[str | None, _text("m or f, for norms of women.", "f")] = None,
    system: Annotated[
        str | None, _text("swiss, round-robin, double-round-robin, team or knockout.", "swiss")
    ] = None,
    rounds: Annotated[str | None, _text("The rounds of the event.", "9")] = None,
    host: Annotated[str | None, _text("The federation of the event.", "GER")] = None,
    kind: Annotated[
        str | None, _text("world-team, world-cup, national-championship, national-team or zonal.", "zonal")
    ] = None,
    strong_field: Annotated[str | None, _text("1 if every round has the field of 1.4.3d.", "0")] = None,
    edition: Annotated[str | None, _text("A title edition; default the newest.", "titles-2024")] = None,
    date: Annotated[
        str | None, _text("Instead of edition: the first day of the event.", "2024-03-01")
    ] = None,
    lang: Lang = None,
) -> NormDocument:
    """Whether a player made a title norm, article by article (B.01 1.4)."""
    return norm_document(norm_answer(bounds("visitor"), question_of(request)).result, words_for(request))


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


ROUTES = (
    calculate_event,
    calculate_change,
    calculate_entry_rating,
    calculate_round_robin,
    calculate_k,
    calculate_expected_score,
    calculate_performance,
    calculate_norm,
    calculate_capital,
    convert_capital,
    split_groups,
)
