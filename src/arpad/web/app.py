"""The application: routes, guards, limits; and what a server starts."""

import asyncio
import gc
import os
import re
from threading import Thread
from typing import Any

from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.router import Router

from arpad.explain.words import load_all_words, load_words
from arpad.model.errors import ArpadError
from arpad.model.rules import name_of_list
from arpad.office.features import FEATURES
from arpad.office.inbox.pages import MOST_SHOWN
from arpad.office.office import Office, open_office
from arpad.office.parts import event_deadlines
from arpad.office.proof.pages import acts_shown
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.page_rows import count_reports, reports_page
from arpad.office.reports.tables import RECEIVED
from arpad.reports.name_candidates import load_packages
from arpad.store.bulk import keep_between_transactions
from arpad.store.ledger import AskedActs
from arpad.studies import pages as studies_pages
from arpad.system import event_log
from arpad.web import (
    calculators,
    cards,
    declared_forms,
    errors,
    guides,
    home,
    metrics,
    regulations,
)
from arpad.web.api.limits import MOST, Counting, refuse_too_costly
from arpad.web.api.routes import (
    FindingsInWords,
    allow_other_sites,
    api_router,
    feature_routes,
    openapi_config,
    state_methods,
)
from arpad.web.cache import FragmentCache, NotModified, PageCache
from arpad.web.cookies import refuse_forgery
from arpad.web.forms import save_form
from arpad.web.limited_process import costly_a_minute, end_limited_processes
from arpad.web.metrics import Measured
from arpad.web.middleware import LARGEST_UPLOAD, Message, Middleware
from arpad.web.path_prefix import Prefixed, prefix_from_environment
from arpad.web.reader import PUBLIC, admit
from arpad.web.requests import Refused, WebRequest, prefix_of, routes_in
from arpad.web.server import end_for_sure
from arpad.web.template_code import load_templates
from arpad.web.templates import YEAR_SECONDS, assets, environment


@get(
    "/static/{name:str}", opt={**PUBLIC, "any_password": True}, include_in_schema=False, sync_to_thread=False
)
def static(request: WebRequest, name: FromPath[str]) -> Response[bytes]:
    """Return a static file; under the address with its digest it never changes."""
    asset = assets().get(name)
    if asset is None:
        raise Refused(404, "no-page")
    fixed = request.query_params.get("v") == asset.digest
    keep = f"public, max-age={YEAR_SECONDS}, immutable" if fixed else "public, max-age=300"
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.zipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.type)
    return Response(asset.data, headers=headers, media_type=asset.type)


@get("/robots.txt", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def robots(request: WebRequest) -> Response[str]:
    """Return what search engines should not index."""
    closed = (f"Disallow: {prefix_of(request)}/{name}\n" for name in ("desk", "admin", "sign-in", "follow"))
    return Response("User-agent: *\n" + "".join(closed), media_type="text/plain")


def create(
    office: Office | None = None, *, most_a_minute: int = MOST, most_costly: int = 0, prefix: str = ""
) -> Litestar:
    """Return the application; without an office, only the pages that need none."""
    if office is not None:
        keep_between_transactions(office.store.engine)
    own = (
        calculators,
        regulations,
        home,
        guides,
        studies_pages,
        metrics,
        cards,
        declared_forms,
    )
    routes: list[Any] = [
        static,
        robots,
        *(route for module in own for route in routes_in(module)),
        *(
            Router(
                "/",
                route_handlers=[*feature_routes(name, "pages"), *declared_forms.file_routes(name)],
                opt={"feature": name},
            )
            for name in FEATURES
        ),
    ]
    return Litestar(
        route_handlers=[Router("/", route_handlers=routes), api_router()],
        guards=[save_form, admit, refuse_too_costly],
        before_request=refuse_forgery,
        exception_handlers={
            NotModified: errors.on_not_modified,
            ArpadError: errors.on_arpad_error,
            HTTPException: errors.on_http_error,
            Exception: errors.on_failure,
        },
        openapi_config=openapi_config(prefix),
        plugins=[FindingsInWords()],
        before_send=[allow_other_sites, state_methods],
        state=State(
            {
                "office": office,
                "counting": Counting(),
                "texts": FragmentCache(),
                "most": most_a_minute,
                "most_costly": most_costly or costly_a_minute(),
            }
        ),
        request_max_body_size=LARGEST_UPLOAD,
        logging_config=None,  # ``system.event_log`` sets up what a server writes
        debug=False,
    )


def site(office: Office | None = None, prefix: str = "") -> Prefixed:
    """Return the whole site as a server runs it."""
    return _served(create(office, prefix=prefix), prefix)


def _served(application: Litestar, prefix: str) -> Prefixed:
    """Return an application with all its layers."""
    return Prefixed(Measured(wrapped(application), (route.path for route in application.routes)), prefix)


def wrapped(application: Litestar) -> Middleware:
    """Return an application with the page cache and the middleware around it."""
    inside: Any = application
    state = application.state
    office: Office | None = state["office"]
    return Middleware(inside if office is None else PageCache(inside, office, state, state["texts"]))


_COLLECTED_AFTER = (2_000, 5, 500)
"""New objects, then collections of the first and of the second generation, until the next generation is collected."""


def from_environment() -> Prefixed:
    """Return the site of the office in ``ARPAD_DB``, if it is set; every worker starts it."""
    event_log.to_stderr()
    url = os.environ.get("ARPAD_DB", "")
    office = open_office(url) if url else None
    load_all_words()  # all files that an upgrade may move
    load_templates(environment())
    assets()
    prefix = prefix_from_environment()
    application = create(office, prefix=prefix)
    application.on_shutdown += [end_limited_processes, end_for_sure]
    if office is not None:
        load_packages()
        ask_first_pages(application)
        read_for_desk(office)
    served = _served(application, prefix)
    _set_up_collector()
    return served


def _set_up_collector() -> None:
    """Leave alone what was loaded, and look through everything that is kept since only rarely.

    Else one visitor in a hundred waits while the collector goes through modules, words and kept explanations. A page
    leaves five objects that only the third generation finds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED_AFTER)


_PAGES = ("/", "/lists", "/players?q=a", "/tournaments", "/sign-in", "/guides", "/developers")
_ONE_OF_EACH = re.compile(r'href="(/(players|lists|tournaments)/[\w-]+)[?"]')
"""The address of a player, a list or a tournament on a page."""

_HOST = b"localhost"


def ask_first_pages(application: Litestar) -> None:
    """Ask an application for the pages that most visitors ask for; what they contain is thrown away."""
    asking = Thread(target=lambda: asyncio.run(_ask_pages(application)))  # the server may have a loop already
    asking.start()
    asking.join()


def read_for_desk(office: Office) -> None:
    """Read what officers look at all day; what it says is thrown away."""
    acts_shown(office, AskedActs(), 0, load_words("en"))
    event_deadlines(office, everything=True)
    with office.store.reading() as connection:
        count_reports(connection, RECEIVED, frozenset({""}))
        for waiting in (True, False):
            shown = reports_page(connection, 1, MOST_SHOWN, waiting=waiting)
            decisions_about(connection, [filed.id for filed, _ in shown.reports])


async def _ask_pages(application: Litestar) -> None:
    texts = [await _page(application, address) for address in _PAGES]
    one_of_each: dict[str, str] = {}
    for address, kind in _ONE_OF_EACH.findall("".join(texts)):
        one_of_each.setdefault(name_of_list(address) if kind == "lists" else kind, address)
    for address in one_of_each.values():
        await _page(application, address)


async def _page(application: Litestar, address: str) -> str:
    """Return a page as a visitor gets it."""
    path, _, query = address.partition("?")
    scope: Any = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
        "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(b"host", _HOST), (b"accept", b"text/html")], "server": None, "client": None, "state": {},
    }  # fmt: skip
    parts: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        parts.append(message.get("body", b""))

    await application(scope, receive, send)  # type: ignore[arg-type]  # the library's own names of these types
    return b"".join(parts).decode()
