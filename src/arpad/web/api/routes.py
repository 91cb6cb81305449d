"""All routes of the API with their tags, the document that describes them, and who may read them from a browser."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Schema, SecurityScheme, Server, Tag
from litestar.plugins import OpenAPISchemaPlugin
from litestar.router import Router
from litestar.types import Message, Scope
from litestar.typing import FieldDefinition

from arpad import __version__
from arpad.explain.documents import FindingDocument
from arpad.model.errors import BadInput
from arpad.model.rules import Finding
from arpad.office.declarations import declared_in
from arpad.office.features import FEATURES, about_feature, feature_modules
from arpad.office.users import EVERYBODY
from arpad.web.api import calculators, regulations
from arpad.web.api.limits import refuse_too_many
from arpad.web.declared_routes import LANGUAGE, route_of
from arpad.web.reader import PUBLIC
from arpad.web.requests import Refused, WebRequest, allowed_methods, routes_in
from arpad.web.site_settings import settings_of

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator

DOCUMENT = ("/api", "/api/openapi.json")

OWN = {
    "calculators": ("Calculations with the figures that you give.", (calculators,)),
    "regulations": ("Editions of the regulations, article by article.", (regulations,)),
}
"""The routes that are of no feature: tag, description, modules."""


def feature_routes(name: str, ending: str) -> list[HTTPRouteHandler]:
    """Return the routes of a feature's modules that are written by hand: its pages, or its addresses of the API."""
    modules = (import_module(module) for module in feature_modules(name, ending))
    return [route for module in modules for route in routes_in(module)]


@cache
def routes_of(feature: str) -> tuple[HTTPRouteHandler, ...]:
    """Return the routes of a feature: those written by hand, and those of its acts and queries."""
    declared = [route_of(it) for it in declared_in(feature) if it.is_act or it.path]
    return (*feature_routes(feature, "api"), *declared)


def tags() -> list[Tag]:
    """Return the tags of the API: the features, and what is of none, each with its description."""
    own = [Tag(name, about) for name, (about, _) in OWN.items()]
    of_features = [Tag(name, about_feature(name)) for name in FEATURES if name not in OWN and routes_of(name)]
    return own + of_features


def api_router() -> Router:
    """Return the routes below ``/api/v1``."""
    routers = [
        Router("/", route_handlers=[route for module in modules for route in routes_in(module)], tags=[name])
        for name, (_, modules) in OWN.items()
    ]
    routers += [
        Router("/", route_handlers=routes_of(name), tags=[name], opt={"feature": name}) for name in FEATURES
    ]
    return Router("/api/v1", route_handlers=routers, before_request=_refuse)


def _refuse(request: WebRequest) -> None:
    """Refuse too many requests, and parameters that an address does not have."""
    refuse_too_many(request)
    handler: HTTPRouteHandler = request.scope["route_handler"]  # type: ignore[assignment]  # all routes of the API are of HTTP
    declared = handler.opt.get("declared")
    if declared is not None and not declared.is_act:  # ``perform`` refuses those of a query
        return
    names = handler.opt.get("parameters") or (() if declared else _query_names(handler))
    known = {LANGUAGE, *names} - request.path_params.keys()
    if unknown := sorted(set(request.query_params) - known):
        raise BadInput("unknown-parameter", option=unknown[0][:40], accepted=", ".join(sorted(known)))


@cache
def _query_names(handler: HTTPRouteHandler) -> frozenset[str]:
    """Return the names that a hand-written address takes after the question mark, and those of its path."""
    taken = handler.create_kwargs_model(path_parameters={}).expected_query_params
    return frozenset(it.field_alias for it in taken)


def openapi_config(prefix: str = "") -> OpenAPIConfig:
    """Return how the OpenAPI document is made; its operations are named as their functions."""
    scheme = SecurityScheme(type="http", scheme="bearer", description="A token that an administrator made.")
    return OpenAPIConfig(
        title="Arpad",
        use_handler_docstrings=True,
        version=__version__,
        description="Ratings of chess and draughts: players, lists, tournaments, calculations, reports.",
        components=Components(security_schemes={"token": scheme}),
        tags=tags(),
        servers=[Server(url=prefix or "/")],
        operation_id_creator=lambda handler, _method, _path: handler.handler_name,
        # Only the document: the framework's own pages would load code from elsewhere.
        openapi_router=Router(
            "/api",
            route_handlers=[],
            opt=PUBLIC,
            include_in_schema=False,
            before_request=_known_document,
        ),
        render_plugins=[_Document()],
    )


class FindingsInWords(OpenAPISchemaPlugin):
    """Describes a finding as every answer has it: in words."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Return whether a type is that of a finding."""
        return value is Finding

    @staticmethod
    def to_openapi_schema(
        field_definition: FieldDefinition,  # noqa: ARG004  as the framework calls it
        schema_creator: SchemaCreator,
    ) -> Schema:
        """Return the schema of its document."""
        document = FieldDefinition.from_annotation(FindingDocument)
        return schema_creator.for_field_definition(document)  # type: ignore[return-value]  # a reference


class _Document(JsonRenderPlugin):
    """The document as JSON, without what the office has switched off."""

    def render(self, request: WebRequest, openapi_schema: dict[str, Any]) -> bytes:
        """Return the document."""
        return super().render(request, without_features(openapi_schema, settings_of(request).features_off))


def without_features(document: dict[str, Any], off: Collection[str]) -> dict[str, Any]:
    """Return an OpenAPI document without the routes of some features."""
    if not off:
        return document
    paths = {
        path: {method: entry for method, entry in methods.items() if not {*off} & {*entry.get("tags", ())}}
        for path, methods in document["paths"].items()
    }
    return document | {
        "paths": {path: methods for path, methods in paths.items() if methods},
        "tags": [tag for tag in document["tags"] if tag["name"] not in off],
    }


def _known_document(request: WebRequest) -> None:
    """Return our own 404 for unknown paths under the OpenAPI route; the framework's page is English only."""
    if request.url.path.rstrip("/") not in DOCUMENT:
        raise Refused(404, "no-page")


_READABLE = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Link, Retry-After"),
)


async def state_methods(message: Message, scope: Scope) -> None:
    """Say all methods of an address when OPTIONS asks; the framework names those of one handler."""
    if message["type"] == "http.response.start" and scope.get("method") == "OPTIONS":
        others = [header for header in message["headers"] if header[0].lower() != b"allow"]
        message["headers"] = [*others, (b"allow", allowed_methods(scope).encode())]


async def allow_other_sites(message: Message, scope: Scope) -> None:
    """Let pages of other sites read what everybody may read; nothing that needs a token, and nothing sent with one.

    Browsers ask first (OPTIONS) before they send a token or a file. That question gets no permission.
    """
    if message["type"] != "http.response.start" or scope.get("method") != "GET":
        return
    handler = scope.get("route_handler")
    opened = handler.opt if handler is not None else {}
    is_public = opened.get("access") == EVERYBODY
    has_token = any(name == b"authorization" for name, _ in scope["headers"])
    if is_public and not has_token and scope["path"].startswith(("/api/", "/data/")):
        message["headers"] = [*message["headers"], *_READABLE]
