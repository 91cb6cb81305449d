"""Reference lists of FIDE to add, for officers' programs."""

from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Annotated, Any
from urllib.parse import unquote

from litestar import post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.model.rules import LISTS, ListName
from arpad.model.typed_values import check_among, parse_day
from arpad.office.fide.acts import KeptReference, kept_reference
from arpad.office.fide.reference import AddedReference, add_reference
from arpad.office.imports.api import IMPORTS, SECURED, Columns, Day, Described, FileName, imported
from arpad.office.imports.jobs import ListArguments, written_upload
from arpad.office.inbox.jobs import run_job
from arpad.office.office import Office
from arpad.reports.formats.lists.layouts import parse_columns
from arpad.web.api.responses import Note, answers
from arpad.web.limited_process import Bounds, OfficeLocation, bounds, opened_office
from arpad.web.requests import WebRequest
from arpad.web.uploads import Upload


def add_reference_upload(
    _bounds: Bounds, upload: Upload, office: Office | OfficeLocation | None, arguments: ListArguments
) -> AddedReference:
    """Add an uploaded list of another body as a reference."""
    assert office is not None  # noqa: S101  the guard admits only staff of an office
    with TemporaryDirectory(prefix="arpad-list-") as folder, opened_office(office) as desk:
        return add_reference(
            desk, written_upload(folder, upload), arguments.day, on_list=arguments.list, fewer=arguments.fewer,
            columns=parse_columns(arguments.columns) if arguments.columns else None, reason=arguments.reason,
        )  # fmt: skip


def _query(description: str, example: str, most: int = 200) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


Fewer = Annotated[
    bool,
    QueryParameter(
        description="Accept far fewer players than in the list before.", examples=[Example(value=False)]
    ),
]
OnlyRatings = Annotated[
    str | None, _query("Whose ratings they are, if the file has only those of one list.", "standard", 40)
]


@dataclass
class AddedReferenceOut:
    """A reference list that was added; ``again`` if it was there already."""

    reference: KeptReference
    again: bool


@post(
    "/imports/reference", status_code=201, operation_class=Described, summary="Add a reference list",
    responses=answers(AddedReferenceOut, f"POST {IMPORTS}/reference", 400, 401, 403, 404, 422, 503, status=201),
    **SECURED,
)  # fmt: skip
async def import_reference(
    request: WebRequest, date: Day, name: FileName = "list.txt", columns: Columns = "",
    list: OnlyRatings = None,  # noqa: A002  the name that programs rely on
    *,
    fewer: Fewer = False,
    reason: Note = "",
) -> AddedReferenceOut:  # fmt: skip
    """Add FIDE's list of a day as a reference; nobody enters the register."""
    arguments = ListArguments(
        ListName(check_among(list, "list", LISTS)) if list else None,
        parse_day(date, "date"),
        columns,
        reason=unquote(reason),
        fewer=fewer,
    )
    added = await imported(
        request,
        name,
        lambda office, it: run_job(bounds("signed_in"), it, office, add_reference_upload, arguments),
    )
    return AddedReferenceOut(kept_reference(added.reference), added.again)
