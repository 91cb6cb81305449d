"""Every route of the site, asked of the application itself."""

from functools import cache

from litestar import Litestar

from arpad.web.app import create


@cache
def application() -> Litestar:
    """Return the application without an office, for tests that only look at it: to build one takes long."""
    return create(None)


@cache
def routes() -> tuple[tuple[str, str], ...]:
    """Every method of every address."""
    return tuple(
        sorted(
            (method, route.path)
            for route in application().routes
            for method in getattr(route, "methods", ())
            if method != "OPTIONS"
        )
    )


@cache
def declared_routes() -> frozenset[tuple[str, str]]:
    """Those of declared acts and queries, which ``tests/surfaces`` walks with every role."""
    return frozenset(
        (method, route.path)
        for route in application().routes
        for handler in getattr(route, "route_handlers", ())
        for method in handler.http_methods
        if "declared" in handler.opt
    )
