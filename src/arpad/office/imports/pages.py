"""The desk's page for taking over a list: what it would do is shown first, then it is done; taking back undoes it."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread

from arpad.model.errors import ArpadError, BadInput
from arpad.model.typed_values import parse_day
from arpad.office.imports.jobs import ListArguments, take_over
from arpad.office.inbox.jobs import run_job
from arpad.web.errors import COST_STATUS
from arpad.web.forms import Done, act_and_redirect, done_words, form_texts, list_in, list_names, refuse
from arpad.web.limited_process import bounds
from arpad.web.reader import COSTLY, OFFICER_OF_ALL, office_as_user
from arpad.web.requests import Refused, WebRequest
from arpad.web.templates import page
from arpad.web.uploads import Upload, uploaded_report

MOST_SHOWN = 100
LARGEST = 5 * 1024 * 1024
"""Bytes of a file: the page repeats it in base 64, within the 8 MiB of a form."""

FIELDS = ("list", "day", "columns", "last_event", "reason")


@get("/desk/import", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def import_page(request: WebRequest) -> Response[str]:
    """Show the form for a list to take over."""
    return _page(request)


def _page(
    request: WebRequest, texts: Mapping[str, str] | None = None, upload: Upload | None = None, preview: Any = None
) -> Response[str]:  # fmt: skip
    return page(
        request, "imports/desk.html", lists=list_names(request), texts=texts or {}, upload=upload, preview=preview,
        fields=FIELDS, most=MOST_SHOWN,
    )  # fmt: skip


def _arguments(request: WebRequest, texts: dict[str, str], *, preview: bool) -> ListArguments:
    played = texts.get("last_event", "")
    return ListArguments(
        list_in(request, texts), parse_day(texts.get("day", ""), "day"), texts.get("columns", "").strip(),
        parse_day(played, "last_event") if played else None, texts.get("reason", ""),
        None if preview else texts.get("follows", ""), preview,
    )  # fmt: skip


def _taken(request: WebRequest, upload: Upload | None, arguments: ListArguments) -> dict[str, Any]:
    """Take a list over, or see what it would do."""
    if upload is None:
        raise BadInput("value-missing", option="file")
    if len(upload.data) > LARGEST:
        raise Refused(413, "too-large", most="5 MiB")
    return run_job(bounds("signed_in"), upload, office_as_user(request), take_over, arguments)


@post("/desk/import/preview", opt=OFFICER_OF_ALL | COSTLY, include_in_schema=False, status_code=200)
async def preview_import(request: WebRequest) -> Response[str]:
    """Show what taking over a list would do; nothing is stored, the page repeats the file."""
    texts = await form_texts(request)
    upload = await uploaded_report(await request.form())

    def work() -> Response[str]:
        try:
            preview = _taken(request, upload, _arguments(request, texts, preview=True))
        except ArpadError as error:
            if error.code in COST_STATUS:
                raise
            refuse(request, error, {name: [text] for name, text in texts.items()}, "/desk/import")
            return _page(request, texts)
        return _page(request, texts, upload, preview)

    return await sync_to_thread(work)


@post("/desk/import", opt=OFFICER_OF_ALL | COSTLY, include_in_schema=False, status_code=200)
async def import_list(request: WebRequest) -> Response[Any]:
    """Take over the list that a preview showed, if the list before it is still the same."""
    texts = await form_texts(request)
    upload = await uploaded_report(await request.form())

    def act() -> Done:
        document = _taken(request, upload, _arguments(request, texts, preview=False))
        return Done("/desk/lists", done_words(request, "import-again" if document["again"] else "imported"))

    return await act_and_redirect(request, act, lambda: _page(request, texts))
