"""Every route of the site, asked of the application itself."""

from __future__ import annotations

from functools import cache

from arpad.web.app import create


@cache
def routes() -> tuple[tuple[str, str], ...]:
    """Every method of every address."""
    return tuple(
        sorted(
            (method, route.path)
            for route in create(None).routes
            for method in getattr(route, "methods", ())
            if method != "OPTIONS"
        )
    )
