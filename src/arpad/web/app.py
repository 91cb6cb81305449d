"""The application: routes, guards, limits; and what a server starts."""

from __future__ import annotations

import gc
import os
from typing import Any

from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.router import Router

from arpad.explain.words import load_all_words
from arpad.model.errors import ArpadError
from arpad.office.features import FEATURES
from arpad.office.office import Office, open_office
from arpad.reports.name_candidates import load_packages
from arpad.store.act_cache import keep_between_transactions
from arpad.studies import pages as studies_pages
from arpad.system import event_log
from arpad.web import (
    calculators,
    cards,
    declared_forms,
    developers,
    errors,
    guides,
    home,
    metrics,
    regulations,
    shared_pictures,
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
from arpad.web.auth import PUBLIC, admit
from arpad.web.cache import FragmentCache, PageCache
from arpad.web.cost_limits import costly_a_minute
from arpad.web.csrf import refuse_forgery
from arpad.web.forms import save_form
from arpad.web.limited_process import end_limited_processes
from arpad.web.metrics import Measured
from arpad.web.middleware import LARGEST_UPLOAD, Middleware
from arpad.web.path_prefix import Prefixed, prefix_from_environment
from arpad.web.requests import Refused, WebRequest, prefix_of
from arpad.web.server import end_for_sure
from arpad.web.template_code import load_templates
from arpad.web.templates import YEAR_SECONDS, assets, environment
from arpad.web.warm_up import ask_first_pages, read_for_desk


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
        developers,
        shared_pictures,
    )
    routes: list[Any] = [
        static,
        robots,
        *(route for module in own for route in module.ROUTES),
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
