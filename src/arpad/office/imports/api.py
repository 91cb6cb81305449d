"""Lists to take over, for officers' programs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar
from urllib.parse import unquote

from litestar import post
from litestar.concurrency import sync_to_thread
from litestar.openapi.spec import Example, OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import QueryParameter

from arpad.model.errors import BadInput
from arpad.model.rules import LISTS, ListName
from arpad.model.typed_values import check_among, parse_day
from arpad.office.imports.common_lists import ColumnRead
from arpad.office.imports.jobs import ListArguments, take_over
from arpad.office.inbox.jobs import run_job
from arpad.office.office import Office
from arpad.office.users import officer_of_all
from arpad.web.api.responses import Note, answers, to_schema
from arpad.web.limited_process import bounds
from arpad.web.reader import COSTLY, permitted, permitted_office
from arpad.web.requests import WebRequest
from arpad.web.uploads import Upload, clean_name

T = TypeVar("T")
IMPORTS = "/api/v1/imports"


WHO = officer_of_all("lists")
SECURED: dict[str, Any] = {"opt": permitted(WHO) | COSTLY, "security": [{"token": []}]}
"""The options of every route here: who may use it, and that it is costly."""


@dataclass
class Described(Operation):
    """The body is the file itself."""

    def __post_init__(self) -> None:
        """Describe it in the OpenAPI document."""
        example = "code,name,kind\nMI1,Circolo di Milano,club\n"
        text = OpenAPIMediaType(schema=Schema(type="string", format="binary"), example=example)  # type: ignore[arg-type]  # the library writes the example as it is
        self.request_body = RequestBody(
            description="The file itself, as it is, at most 8 MiB.",
            content={"application/octet-stream": text},
            required=True,
        )


def _text(description: str, example: str, most: int = 40) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


FileName = Annotated[str, _text("The file's name.", "list.txt", 120)]
TakenList = Annotated[str, _text("The list: standard, rapid, blitz, or a list of draughts.", "standard")]
Day = Annotated[str, _text("The day of the list.", "2025-06-01")]
Columns = Annotated[
    str,
    QueryParameter(
        description="The columns of a list without a header, as id=1-8,name=11-44, or fide-2004.",
        max_length=400,
        examples=[Example(value="fide-2004")],
    ),
]
LastEvent = Annotated[str, _text("Draughts: the last event, if the list has none.", "2025-05-01")]
Follows = Annotated[
    str | None,
    _text(
        "The list before it as the preview named it, empty for none; refused if it is another one by now.",
        "standard-2025-01-01-r1",
        60,
    ),
]


@dataclass
class NamedOut:
    """A player."""

    player: int
    name: str


@dataclass
class FactOut:
    """A fact that the register gets."""

    player: int
    name: str
    field: str
    before: str
    after: str


@dataclass
class LeavingOut:
    """A player with a rating on the list before, and none on this one."""

    player: int
    name: str
    rating: int


@dataclass
class ReplacedOut:
    """A player whose rating is replaced."""

    player: int
    name: str
    before: int
    after: int


@dataclass
class TakenOverOut:
    """The effects of taking over a list; ``own`` says that the replaced ratings are the office's own.

    ``no_federations`` are codes in the column of federations that are no federations' and were left out.
    """

    rows: int
    newcomers: int
    changed: int
    again: bool
    undated: int
    no_federations: list[str]
    imported: bool
    columns: Sequence[ColumnRead] = ()
    """The columns of a chess list as they were read."""

    other_month: str | None = None
    """The month that the file names, as 2014-09, if it is not that of the list's day."""

    own: bool = False
    before: str | None = None
    new: Sequence[NamedOut] = ()
    changes: Sequence[FactOut] = ()
    leaving: Sequence[LeavingOut] = ()
    replaced: Sequence[ReplacedOut] = ()


async def imported(request: WebRequest, name: str, work: Callable[[Office, Upload], T]) -> T:
    """Do something with the file of a request, for an officer of all federations."""
    upload = Upload(clean_name(name), await request.body())

    def act() -> T:
        office = permitted_office(request, WHO)
        if not upload.data:
            raise BadInput("value-missing", option="file")
        return work(office, upload)

    return await sync_to_thread(act)


def _arguments(name: str, day: str, columns: str, last_event: str, **others: Any) -> ListArguments:
    """Return the typed arguments of an address."""
    played = parse_day(last_event, "last_event") if last_event else None
    on_list = ListName(check_among(name, "list", LISTS))
    return ListArguments(on_list, parse_day(day, "date"), columns, played, **others)


async def _take_over(request: WebRequest, name: str, arguments: ListArguments) -> TakenOverOut:
    document = await imported(
        request, name, lambda office, it: run_job(bounds("signed_in"), it, office, take_over, arguments)
    )
    return to_schema(TakenOverOut, document)


@post(
    "/imports/list/preview", status_code=200, operation_class=Described, summary="What taking over a list would do",
    responses=answers(TakenOverOut, f"POST {IMPORTS}/list/preview", 400, 401, 403, 404, 422, 503),
    **SECURED,
)  # fmt: skip
async def preview_list(
    request: WebRequest,
    list: TakenList,  # noqa: A002  the name that programs rely on
    date: Day, name: FileName = "list.txt", columns: Columns = "", last_event: LastEvent = "",
) -> TakenOverOut:  # fmt: skip
    """Show what taking over a list would do: who is new, changed or leaves it, whose rating it replaces."""
    return await _take_over(request, name, _arguments(list, date, columns, last_event, preview=True))


@post(
    "/imports/list", status_code=201, operation_class=Described, summary="Take over a list",
    responses=answers(TakenOverOut, f"POST {IMPORTS}/list", 400, 401, 403, 404, 422, 503, status=201),
    **SECURED,
)  # fmt: skip
async def import_list(
    request: WebRequest,
    list: TakenList,  # noqa: A002  the name that programs rely on
    date: Day, name: FileName = "list.txt", columns: Columns = "", last_event: LastEvent = "",
    follows: Follows = None, reason: Note = "",
) -> TakenOverOut:  # fmt: skip
    """Take over a list that another office published; the same file twice changes nothing.

    `/office/take-back` undoes it as long as no list was built on it.
    """
    arguments = _arguments(list, date, columns, last_event, reason=unquote(reason), follows=follows)
    return await _take_over(request, name, arguments)
