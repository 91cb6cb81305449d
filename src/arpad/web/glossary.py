"""The glossary page, and words of other pages that lead to it."""

from __future__ import annotations

from jinja2 import pass_context
from jinja2.runtime import Context
from litestar import Response, get

from arpad.explain.glossary import Term, glossary
from arpad.web.auth import PUBLIC
from arpad.web.cache import settings_headers
from arpad.web.language import words_for
from arpad.web.requests import WebRequest
from arpad.web.templates import environment, page


@get("/glossary", opt=PUBLIC, include_in_schema=False, sync_to_thread=False)
def glossary_page(request: WebRequest) -> Response[str]:
    """Show every term with its meaning."""
    return page(
        request, "glossary.html", headers=settings_headers(request),
        terms=glossary(words_for(request).language).values(),
    )  # fmt: skip


@pass_context
def term_of(context: Context, key: str) -> Term:
    """Return a term in the reader's language."""
    return glossary(context["words"].language)[key]


environment().globals["term"] = term_of
ROUTES = (glossary_page,)
