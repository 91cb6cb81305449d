"""The page that compares FIDE's list with the office's own calculation, and the search in FIDE's list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import Response, get

from arpad.explain.reconciliation_document import cells, heads, summary
from arpad.lists.reference import LISTS
from arpad.model.errors import BadInput
from arpad.office.declared import perform
from arpad.office.fide.acts import reconcile
from arpad.office.fide.reference import find_in_reference, kept_references
from arpad.web.auth import OFFICER, caller_of
from arpad.web.forms import as_sentence
from arpad.web.language import words_for
from arpad.web.page_parts import PagePart
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

SHOWN = 200
"""Differing players on the page; all are in the file."""


@get("/desk/reconciliation", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def reconciliation_page(request: WebRequest) -> Response[str]:
    """Show the players whose published rating is not the computed one, with the cause."""
    days = sorted({reference.day for reference in kept_references(require_office(request))}, reverse=True)
    words = words_for(request)
    result, refusal = None, None
    try:
        asked = {name: request.query_params.get(name) or None for name in ("list", "day")}
        result = perform(reconcile, require_office(request), caller_of(request), asked).result
    except BadInput as error:
        refusal = as_sentence(words.error(error))
    differing = result.differing() if result else ()
    return page(
        request, "fide/reconciliation.html", result=result, refusal=refusal, days=days, lists=LISTS,
        headings=heads(words), rows=[cells(player, words) for player in differing[:SHOWN]],
        more=max(len(differing) - SHOWN, 0), summary=summary(result, words) if result else "",
        query=request.url.query,
    )  # fmt: skip


# ------------------------------------------------------------------------------------- on the page of the register


def _reference_search(request: WebRequest) -> Mapping[str, Any]:
    """Return what a search in the reference list finds, and the player of it with whom the form is filled in."""
    office = require_office(request)
    text = request.query_params.get("fide", "").strip()[:100]
    number = request.query_params.get("number", "").strip()[:15]
    chosen = next(iter(find_in_reference(office, number)), None) if number.isdigit() else None
    filled = ("name", "federation", "sex", "born", "title", "women_title")
    return {
        "text": text,
        "references": kept_references(office),
        "listed": find_in_reference(office, text) if text else [],
        "new_player": chosen
        and {name: getattr(chosen, name) or "" for name in filled} | {"identifiers": {"fide": chosen.id}},
    }


PARTS = {"desk-players": PagePart("fide/reference_search.html", _reference_search)}
ROUTES = (reconciliation_page,)
