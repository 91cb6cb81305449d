"""The inbox of the desk: reports on file with filters, the clean ones accepted together, several files sent at once."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import UploadFile
from sqlalchemy import Connection

from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import LISTS
from arpad.office.declared import perform
from arpad.office.inbox.accept import MOST_ACCEPTED, AcceptedReports, accept_reports
from arpad.office.inbox.acts import FindingCounts, finding_counts, list_clean_reports
from arpad.office.inbox.incoming_files import ARCHIVES, IncomingFiles
from arpad.office.inbox.report_pages import send_upload
from arpad.office.office import Office, today
from arpad.office.parts import days_due
from arpad.office.reports import rows
from arpad.office.reports.fact_forms import fact_fields, facts_of
from arpad.office.reports.page_rows import UNDECIDED, ReportFilter, ReportsPage, reports_page
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import STATUSES
from arpad.office.users import Caller, User
from arpad.reports.event_facts import EventFacts
from arpad.store.accounts import user_names
from arpad.web.forms import act_and_redirect, as_sentence, form_texts
from arpad.web.reader import ARBITER, COSTLY, OFFICER, caller_of, signed_in_user, words_for
from arpad.web.requests import Refused, WebRequest, last_seal, page_number, require_office
from arpad.web.templates import page
from arpad.web.uploads import Upload, clean_name

MOST_SHOWN = 50
MOST_FILES = 500
"""Files that one upload may contain."""

LONGEST_FILTER = 80


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A report of the inbox, with its sender and what is wrong with it."""

    filed: Filed
    sender: str
    counts: FindingCounts
    age: int
    due: date | None = None
    """The day by which it must be with FIDE."""

    left: int = 0
    """Days until then; less than zero if they are over."""

    @property
    def about(self) -> str:
        """Return its federation, its file and its sender, as far as there are any."""
        return " · ".join(filter(None, (self.filed.federation, self.filed.file, self.sender)))


@dataclass(frozen=True, slots=True)
class InboxPage:
    """A page of the reports of the inbox."""

    rows: list[InboxRow]
    page: int
    pages: int


@get("/desk/reports", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def all_reports(request: WebRequest) -> Response[str]:
    """Show the reports that have arrived to an officer, and their own reports to an arbiter."""
    office, user = require_office(request), signed_in_user(request)
    asked = {
        item.name: request.query_params.get(item.name, "").replace("\0", "").strip()[:LONGEST_FILTER]
        for item in fields(ReportFilter)
    }
    # a value that no choice offers restricts nothing
    accepted = {"status": STATUSES, "list": (*LISTS, UNDECIDED), "errors": ("yes", "no")}
    chosen = ReportFilter(
        **{name: value if value in accepted.get(name, (value,)) else "" for name, value in asked.items()}
    )
    first, second = (page_number(request.query_params.get(name, "1")) for name in ("waiting", "page"))
    kept = {name: value for name, value in asdict(chosen).items() if value}

    def address(name: str, to: int) -> str:
        return f"/desk/reports?{urlencode({**kept, name: to})}"

    return page(
        request, "inbox/desk.html", seal=last_seal(office),
        asked=(user.login, user.grants, chosen, first, second, MOST_SHOWN),
        read=lambda: _inbox_reports(office, user, chosen, first, second), chosen=chosen, filtered=bool(kept),
        to_waiting=lambda to: address("waiting", to), to_others=lambda to: address("page", to),
        statuses=STATUSES, lists=(*LISTS, UNDECIDED),
    )  # fmt: skip


def _inbox_reports(
    office: Office, user: User, chosen: ReportFilter, first: int, second: int
) -> tuple[InboxPage | None, InboxPage]:
    """Return a page of the reports that wait, and one of the others; with a chosen status only the second."""
    with office.store.reading() as connection:
        waiting = None if chosen.status else _reports_of(connection, user, first, chosen, waiting=True)
        others = _reports_of(connection, user, second, chosen, waiting=None if chosen.status else False)
        shown = [*(waiting.reports if waiting else ()), *others.reports]
        counts = finding_counts(connection, [filed for filed, _ in shown])
        due = days_due(connection, [filed for filed, _ in waiting.reports] if waiting else ())
        day, names = today(office, connection), user_names(connection)

    def row(filed: Filed, sender: str) -> InboxRow:
        until = due.get(filed.id)
        left = (until - day).days if until else 0
        return InboxRow(
            filed, names.get(sender, sender), counts[filed.id], (day - filed.received).days, until, left
        )

    def with_rows(reports: ReportsPage) -> InboxPage:
        return InboxPage([row(*report) for report in reports.reports], reports.page, reports.pages)

    return with_rows(waiting) if waiting else None, with_rows(others)


def _reports_of(
    connection: Connection, user: User, page: int, chosen: ReportFilter, *, waiting: bool | None
) -> ReportsPage:
    """Return the reports that a user may see: an officer those of the federation, or all; others their own."""
    federations = Caller(user).federations
    author = None if "" in federations else user.login
    return reports_page(
        connection, page, MOST_SHOWN, author=author, federations=federations, waiting=waiting, chosen=chosen
    )


@get("/desk/clean", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def clean(request: WebRequest) -> Response[str]:
    """Show which waiting reports could be accepted as they are, before they are accepted together."""
    return _clean_page(request)


def _clean_page(request: WebRequest, done: AcceptedReports | None = None) -> Response[str]:
    clean = perform(list_clean_reports, require_office(request), caller_of(request), {})
    return page(
        request, "inbox/clean.html", reports=clean.reports, most=MOST_ACCEPTED,
        accepted=done.accepted if done else (),
        left=[as_sentence(words_for(request).error(it.detail)) for it in done.left] if done else (),
    )  # fmt: skip


@post("/desk/clean", opt=OFFICER, include_in_schema=False, status_code=200)
async def accept_clean(request: WebRequest) -> Response[Any]:
    """Accept the reports that the page showed; one that has errors or doubts by now stays in the inbox."""
    form = await request.form()
    texts = await form_texts(request)
    numbers = sorted({int(text) for text in form.getall("report", []) if str(text).isdecimal()})

    def work() -> Response[str]:
        given = {"reports": numbers, "reason": texts.get("reason")}
        return _clean_page(
            request, perform(accept_reports, require_office(request), caller_of(request), given)
        )

    if not numbers or len(numbers) > MOST_ACCEPTED:
        return await act_and_redirect(request, _nothing_chosen, lambda: _clean_page(request))
    return await sync_to_thread(work)


def _nothing_chosen() -> str:
    raise BadInput("nothing-chosen", most=MOST_ACCEPTED)


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """The outcome of an uploaded file: the report on file, or why there is none."""

    name: str
    filed: Filed | None = None
    again: bool = False
    sentence: str = ""


@get("/desk/upload", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def upload_form(request: WebRequest) -> Response[str]:
    """Show the form for several files."""
    return _upload_page(request, ())


def _upload_page(request: WebRequest, outcomes: Iterable[FileOutcome]) -> Response[str]:
    list_field = [field for field in fact_fields(words_for(request)) if field.name == "list"]
    return page(
        request,
        "inbox/upload.html",
        outcomes=tuple(outcomes),
        list_field=list_field,
        most=MOST_FILES,
        archives=ARCHIVES,
    )


@post("/desk/upload", opt=ARBITER | COSTLY, include_in_schema=False, status_code=200)
async def upload(request: WebRequest) -> Response[str]:
    """Put several files on file, also those in archives; the page names what became of each."""
    form = await request.form()
    files = [file for file in form.getall("file", []) if isinstance(file, UploadFile)]
    uploads = [Upload(clean_name(file.filename), await file.read()) for file in files]
    facts = facts_of({"list": str(form.get("list") or "")})

    def work() -> Response[str]:
        outcomes = [
            _submit(request, name, item, facts)
            for name, item in _unpacked(upload for upload in uploads if upload.data)
        ]
        return _upload_page(request, outcomes)

    return await sync_to_thread(work)


def _unpacked(uploads: Iterable[Upload]) -> Iterator[tuple[str, Upload | ArpadError]]:
    """Yield each file by its name; for an archive, the files in it."""
    for item in uploads:
        if not item.name.lower().endswith(ARCHIVES):
            yield item.name, item
            continue
        with TemporaryDirectory(prefix="arpad-upload-") as folder:
            path = Path(folder) / item.name
            path.write_bytes(item.data)
            with IncomingFiles([path]) as incoming:
                if len(incoming) > MOST_FILES:
                    yield (
                        item.name,
                        BadInput("archive-too-many", path=item.name, files=len(incoming), most=MOST_FILES),
                    )
                    continue
                for file in incoming.files:
                    name = file.address.removeprefix(f"{folder}/")
                    try:
                        yield name, Upload(clean_name(file.name), file.read())
                    except ArpadError as error:
                        error.facts["path"] = name
                        yield name, error


def _submit(request: WebRequest, name: str, item: Upload | ArpadError, facts: EventFacts) -> FileOutcome:
    """Put one file on file; if it is refused, say why."""
    words = words_for(request)
    try:
        if isinstance(item, ArpadError):
            raise item
        sent = send_upload(request, item, facts)
        with require_office(request).store.reading() as connection:
            filed = rows.filed(connection, [sent.report])[sent.report]
    except ArpadError as error:
        return FileOutcome(name, sentence=as_sentence(words.error(error)))
    except Refused as refused:
        return FileOutcome(name, sentence=words.text(f"site-error.{refused.code}"))
    return FileOutcome(name, filed, sent.again)
