"""The address to which pairing programs send each round: the bytes of a report, in a limited process."""

from dataclasses import dataclass
from typing import Annotated, Any

from litestar import post
from litestar.concurrency import sync_to_thread
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.office.inbox.report_api import Described, Facts, FileName
from arpad.office.running.acts import RunningPage, TournamentInProgress, in_progress
from arpad.office.running.jobs import run_version
from arpad.office.users import arbiter
from arpad.reports.event_facts import EventFacts, read_facts
from arpad.web.api.responses import answers
from arpad.web.limited_process import bounds
from arpad.web.reader import COSTLY, office_as_user, permitted, signed_in_user
from arpad.web.requests import WebRequest, prefix_of
from arpad.web.uploads import Upload, clean_name

ALL = "/api/v1/running"
SECURED: dict[str, Any] = {"opt": permitted(arbiter("running")) | COSTLY, "security": [{"token": []}]}

Name = Annotated[
    str,
    PathParameter(
        description="The tournament's name in the address: small letters, digits and hyphens.",
        max_length=60,
        examples=[Example(value="open-2026")],
    ),
]
Older = Annotated[
    bool,
    QueryParameter(
        description="Replace the present version although this one is older.", examples=[Example(value=False)]
    ),
]


@dataclass
class VersionOut:
    """A version that arrived; ``again`` if the same file was shown already."""

    tournament: TournamentInProgress
    again: bool
    page: str


@post(
    "/running/{name:str}", status_code=200, operation_class=Described, summary="Send a round", **SECURED,
    responses=answers(VersionOut, f"POST {ALL}/{{name}}", 400, 401, 403, 404, 409, 422, 503),
)  # fmt: skip
async def send_round(
    request: WebRequest, name: Name, file: FileName = "report.trf", facts: Facts = "", *, older: Older = False
) -> VersionOut:
    """Send the report after a round; it replaces the version before. Nothing is rated.

    The same bytes twice change nothing. The final report is sent to /api/v1/reports.
    """
    data = await request.body()

    def work() -> VersionOut:
        office, user = office_as_user(request), signed_in_user(request)
        event_facts = read_facts(facts) if facts.strip() else EventFacts()
        upload = Upload(clean_name(file), data)
        sent = run_version(bounds("signed_in"), upload, office, name, user, event_facts, older=older)
        return VersionOut(
            in_progress(RunningPage(sent.tournament)), sent.again, f"{prefix_of(request)}/running/{name}"
        )

    return await sync_to_thread(work)
