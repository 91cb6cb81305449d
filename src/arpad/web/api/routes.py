"""All routes of the API with their tags, the document that describes them, and who may read them from a browser."""

from __future__ import annotations

from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme, Server, Tag
from litestar.router import Router
from litestar.types import Message, Method, Scope

from arpad import __version__
from arpad.office.declarations import declared_in
from arpad.office.draughts import api as draughts
from arpad.office.features import FEATURES
from arpad.office.fees import api as fees
from arpad.office.fees import invoice_api as invoices
from arpad.office.inbox import api as inbox
from arpad.office.inbox import match_api as matches
from arpad.office.inbox import report_api as reports
from arpad.office.live import api as live
from arpad.office.players import api as players
from arpad.office.rankings import api as lists
from arpad.office.running import api as running_tournaments
from arpad.office.titles import api as titles
from arpad.office.tournaments import api as tournaments
from arpad.office.webhooks import api as changes
from arpad.office.who_is_who import api as who_is_who
from arpad.office.who_is_who import scheme_api as number_schemes
from arpad.web.api import calculators, desk, imports, register, regulations, tournament_office
from arpad.web.api.limits import refuse_too_many
from arpad.web.auth import PUBLIC
from arpad.web.declared_routes import route_of
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest

DOCUMENT = ("/api", "/api/openapi.json")

TAGGED = (
    (Tag("calculators", "Calculations with the figures that you give."), (calculators,)),
    (Tag("regulations", "Editions of the regulations, article by article."), (regulations,)),
    (Tag("players", "Players, their ratings and their history."), (players,)),
    (Tag("lists", "Published lists, and live lists, which are not official."), (lists, live)),
    (Tag("clubs", "Clubs, regions and their members."), ()),
    (Tag("tournaments", "Tournaments, rated and in progress."), (tournaments, running_tournaments)),
    (Tag("draughts", "Records of the draughts commission."), (draughts,)),
    (Tag("reports", "Reports to check, to rate, to send in and to accept."), (reports, matches, inbox)),
    (
        Tag(
            "desk",
            "Arbiters, deadlines, reference lists, reconciliation and files for pairing programs, for officers.",
        ),
        (desk, tournament_office),
    ),
    (
        Tag("titles", "Norms on record, applications and the papers IT1, IT2 and IT3, for officers."),
        (titles,),
    ),
    (Tag("fees", "Fees by the federation's own table, and invoices, for officers."), (fees, invoices)),
    (
        Tag(
            "register",
            "The register: players, who is who, number schemes, and files to import, for officers.",
        ),
        (who_is_who, number_schemes, register, imports),
    ),
    (Tag("changes", "The changes of the office, for programs that keep a copy."), (changes,)),
)
"""The modules with routes, by tag."""


def api_router() -> Router:
    """Return the routes below ``/api/v1``."""
    tagged = [
        Router(
            "/",
            route_handlers=[*(route for module in modules for route in module.ROUTES), *_declared(tag.name)],
            tags=[tag.name],
        )
        for tag, modules in TAGGED
    ]
    return Router("/api/v1", route_handlers=tagged, before_request=refuse_too_many)


def _declared(feature: str) -> list[HTTPRouteHandler]:
    """Return the routes of the acts and queries that a feature declares."""
    if feature not in FEATURES:
        return []
    return [route_of(declared) for declared in declared_in(feature) if declared.is_act or declared.path]


def openapi_config(prefix: str = "") -> OpenAPIConfig:
    """Return how the OpenAPI document is made; its operations are named as their functions."""
    scheme = SecurityScheme(type="http", scheme="bearer", description="A token that an administrator made.")
    return OpenAPIConfig(
        title="Arpad",
        use_handler_docstrings=True,
        version=__version__,
        description="Ratings of chess and draughts: players, lists, tournaments, calculations, reports.",
        components=Components(security_schemes={"token": scheme}),
        tags=[tag for tag, _ in TAGGED],
        servers=[Server(url=prefix or "/")],
        operation_id_creator=_operation_id,
        # Only the document: the framework's own pages would load code from elsewhere.
        openapi_router=Router(
            "/api",
            route_handlers=[],
            opt=dict(PUBLIC),
            include_in_schema=False,
            before_request=_known_document,
        ),
        render_plugins=[JsonRenderPlugin()],
    )


def _operation_id(handler: HTTPRouteHandler, _method: Method, _path: Any) -> str:
    return handler.handler_name


def _known_document(request: WebRequest) -> None:
    """Return our own 404 for unknown paths under the OpenAPI route; the framework's page is English only."""
    if request.url.path.rstrip("/") not in DOCUMENT:
        raise Refused(404, "no-page")


_READABLE = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Link, Retry-After"),
)


async def allow_other_sites(message: Message, scope: Scope) -> None:
    """Let pages of other sites read what everybody may read; nothing that needs a token, and nothing sent with one.

    Browsers ask first (OPTIONS) before they send a token or a file. That question gets no permission.
    """
    if message["type"] != "http.response.start" or scope.get("method") != "GET":
        return
    handler = scope.get("route_handler")
    is_public = handler is not None and handler.opt.get("access") == PUBLIC["access"]
    has_token = any(name == b"authorization" for name, _ in scope["headers"])
    if is_public and not has_token and scope["path"].startswith(("/api/", "/data/")):
        message["headers"] = [*message["headers"], *_READABLE]
