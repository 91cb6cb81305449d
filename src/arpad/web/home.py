"""What everybody sees first: home, and how to verify a list."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get

from arpad.office.office import setting
from arpad.store.lists import PUBLISHED
from arpad.web import queries
from arpad.web.auth import PUBLIC
from arpad.web.http_cache import etag_headers, not_modified, remember, remembered
from arpad.web.requests import office_of
from arpad.web.templates import page


@get("/", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def home(request: Request[Any, Any, Any]) -> Response[str]:
    """The lists in force and a place to look yourself up."""
    office = office_of(request)
    if office is None:
        return page(request, "home.html", name="", current={}, sizes={}, best={}, latest=[])
    with office.store.reading() as connection:
        current = queries.in_force(office, connection)
        latest, _ = queries.tournaments(connection, 1, 6)
        told = (
            *(p.digest for p in current.values()),
            *(f.id for f in latest),
            queries.moment(connection).hidden_version,
        )
        headers, known = etag_headers(request, "home", *told)
        if known:
            return not_modified(headers)
        if (before := remembered(request, headers)) is not None:
            return before
        best = {
            name: found.rows
            for name, publication in current.items()
            if (found := queries.ranking(connection, publication, "top", 1, most=5)) is not None
        }
        sizes = queries.list_sizes(current.values())
        name = setting(connection, "name")
    made = page(
        request,
        "home.html",
        headers=headers,
        name=name,
        current=current,
        sizes=sizes,
        best=best,
        latest=latest,
    )
    return remember(request, made)


@get("/verify", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def how_to_verify(request: Request[Any, Any, Any]) -> Response[Any]:
    """How anybody can recompute a list."""
    office = office_of(request)
    example = None
    if office is not None:
        with office.store.reading() as connection:
            current = queries.in_force(office, connection)
            example = next((p for p in current.values() if p.kind == PUBLISHED), None)
    return page(request, "verify.html", example=example)


ROUTES = (home, how_to_verify)
