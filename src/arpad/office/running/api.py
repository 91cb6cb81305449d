"""Tournaments in progress for programs: pairing programs send each round, anybody reads the latest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.explain.running_document import RunningEntry, RunningPlayer
from arpad.model.exact import decimal_text, from_hundredths
from arpad.office.inbox.report_api import Described, Facts, FileName
from arpad.office.running.acts import RunningPage, end_tournament, running_pages, shown
from arpad.office.running.jobs import may_replace, run_version
from arpad.office.running.pages import FRESH, read_running
from arpad.reports.event_facts import EventFacts, read_facts
from arpad.web.api.responses import answers, etagged
from arpad.web.auth import COSTLY, PUBLIC, scope
from arpad.web.cost_limits import bounds
from arpad.web.desk import desk_of, worker
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import prefix_of, require_office
from arpad.web.uploads import Upload, clean_name

Asked = Request[Any, Any, Any]
ALL = "/api/v1/running"
SECURED: dict[str, Any] = {"opt": dict(scope("running")) | COSTLY, "security": [{"token": []}]}

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
class RunningOut:
    """A tournament in progress; ``report`` is its final report once one arrived."""

    name: str
    title: str
    federation: str
    list: str
    first_day: str
    last_day: str
    version: int
    rounds: int
    players: int
    received: str
    report: int | None


@dataclass
class AllRunningOut:
    """The tournaments in progress, the latest version first."""

    tournaments: Sequence[RunningOut]


@dataclass
class NextOut:
    """The next game, and what a win, a draw and a loss would add; null if it would not be rated."""

    round: int
    opponent: int
    colour: str
    win: str | None
    draw: str | None
    loss: str | None


@dataclass
class StandingRowOut:
    """A player in the order of the standings; a hidden player has no name and no id."""

    rank: int
    number: int
    id: int | None
    name: str
    title: str
    federation: str
    rating: int | None
    k: int | None
    score: str
    change: str | None
    rounds: Sequence[str]
    next: NextOut | None
    entry: RunningEntry | None


@dataclass
class PossibleNormOut:
    """A title norm that is made, or that the remaining rounds can bring."""

    number: int
    title: str
    made: bool
    text: str


@dataclass
class RunningStandingsOut:
    """A tournament in progress with standings, changes, next games and norms; nothing of it is official."""

    tournament: RunningOut
    official: bool
    next_round: int | None
    edition: str
    standings: Sequence[StandingRowOut]
    norms: Sequence[PossibleNormOut]


@dataclass
class VersionOut:
    """A version that arrived; ``again`` if the same file was shown already."""

    tournament: RunningOut
    again: bool
    page: str


def _running(page: RunningPage) -> RunningOut:
    item = page.tournament
    return RunningOut(
        item.name, item.title, item.federation, item.list, item.first_day, item.last_day, item.version, item.rounds,
        item.players, item.received, page.report,
    )  # fmt: skip


def _decimal(value: int | None) -> str | None:
    return None if value is None else decimal_text(from_hundredths(value))


def _row(player: RunningPlayer, *, hidden: bool) -> StandingRowOut:
    following = player.next
    return StandingRowOut(
        player.rank, player.number, None if hidden else player.player, "" if hidden else player.name,
        "" if hidden else player.title, player.federation, player.rating, player.k, player.score,
        _decimal(player.change), player.rounds,
        NextOut(
            following.round, following.opponent, following.colour, _decimal(following.win), _decimal(following.draw),
            _decimal(following.loss),
        ) if following else None,
        player.entry,
    )  # fmt: skip


@get(
    "/running", opt=PUBLIC, sync_to_thread=True, summary="Tournaments in progress",
    responses=answers(AllRunningOut, f"GET {ALL}", 404, etag=True),
)  # fmt: skip
def list_running_tournaments(request: Asked) -> Response[Any]:
    """The tournaments in progress, the latest version first; nothing of them is official."""
    with require_office(request).store.reading() as connection:
        pages = running_pages(connection) if shown(connection) else []
    return _fresh(etagged(request, AllRunningOut([_running(page) for page in pages])))


@get(
    "/running/{name:str}", opt=PUBLIC, sync_to_thread=True, summary="A tournament in progress",
    responses=answers(RunningStandingsOut, f"GET {ALL}/{{name}}", 404, etag=True),
)  # fmt: skip
def get_running_tournament(request: Asked, name: Name) -> Response[Any]:
    """Standings after the latest round, with changes so far, next games, first ratings and norms in reach."""
    language = words_for(request).language
    with require_office(request).store.reading() as connection:
        view = read_running(connection, name)
    document = view.document
    if document is None:
        raise Refused(404, "no-running")
    out = RunningStandingsOut(
        tournament=_running(view.stored), official=False, next_round=document.next_round or None,
        edition=document.edition,
        standings=[_row(player, hidden=player.number in view.hidden) for player in document.players],
        norms=[
            PossibleNormOut(norm.number, norm.title, norm.made, norm.words[language])
            for norm in document.norms
            if norm.number not in view.hidden
        ],
    )  # fmt: skip
    return _fresh(etagged(request, out))


def _fresh(response: Response[Any]) -> Response[Any]:
    response.headers["Cache-Control"] = FRESH
    return response


@post(
    "/running/{name:str}", status_code=200, operation_class=Described, summary="Send a round", **SECURED,
    responses=answers(VersionOut, f"POST {ALL}/{{name}}", 400, 401, 403, 404, 409, 422, 503),
)  # fmt: skip
async def send_round(
    request: Asked, name: Name, file: FileName = "report.trf", facts: Facts = "", *, older: Older = False
) -> VersionOut:
    """Send the report after a round; it replaces the version before. Nothing is rated.

    The same bytes twice change nothing. The final report is sent to /api/v1/reports.
    """
    data = await request.body()

    def work() -> VersionOut:
        office, user = desk_of(request), worker(request)
        event_facts = read_facts(facts) if facts.strip() else EventFacts()
        upload = Upload(clean_name(file), data)
        sent = run_version(bounds("signed_in"), upload, office, name, user, event_facts, older=older)
        return VersionOut(
            _running(RunningPage(sent.tournament)), sent.again, f"{prefix_of(request)}/running/{name}"
        )

    return await sync_to_thread(work)


@post(
    "/running/{name:str}/end", status_code=200, sync_to_thread=True, summary="End a tournament in progress", **SECURED,
    responses=answers(RunningOut, f"POST {ALL}/{{name}}/end", 401, 403, 404),
)  # fmt: skip
def end_running_tournament(request: Asked, name: Name) -> RunningOut:
    """End the page of a tournament in progress; its last version is deleted."""
    ended = end_tournament(desk_of(request), name, may_replace=may_replace(worker(request)))
    return _running(RunningPage(ended))


ROUTES = (list_running_tournaments, get_running_tournament, send_round, end_running_tournament)
