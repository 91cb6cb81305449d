"""FIDE's lists at the desk: those on file, another one by upload, the comparison with our calculation, the search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from litestar import Response, get, post

from arpad.explain.reconciliation_document import cells, heads, summary
from arpad.lists.reconciled import Certainty
from arpad.lists.reference import LISTS
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office.declared import perform
from arpad.office.fide.acts import reconcile
from arpad.office.fide.api import add_reference_upload
from arpad.office.fide.reference import find_in_reference, kept_references
from arpad.office.fide.rows import Reference
from arpad.office.imports.jobs import ListArguments
from arpad.office.inbox.jobs import run_job
from arpad.office.register.rows import by_identifier
from arpad.web.forms import Done, act_and_redirect, as_sentence, choice_field, form_texts
from arpad.web.limited_process import bounds
from arpad.web.middleware import LARGEST_LIST
from arpad.web.middleware import LISTS as LIST_UPLOAD
from arpad.web.reader import COSTLY, OFFICER, OFFICER_OF_ALL, caller_of, office_as_user, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import PagePart, page
from arpad.web.uploads import uploaded_report

SHOWN = 200
"""Differing players on the page; all are in the file."""


@dataclass(frozen=True, slots=True)
class ListOnFile:
    """A list of FIDE on file, and how many players more it has than the one before it with the same ratings."""

    reference: Reference
    more: int | None


@get("/desk/reconciliation", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def fide_lists(request: WebRequest) -> Response[str]:
    """Show FIDE's lists on file, the form for another one, and why the chosen one differs from our calculation."""
    return _page(request)


def _page(request: WebRequest) -> Response[str]:
    office, words, caller = require_office(request), words_for(request), caller_of(request)
    kept = kept_references(office)
    asked = {name: request.query_params.get(name) or None for name in ("list", "day")}
    result, refusal, players = None, "", {}
    if kept:
        try:
            result = perform(reconcile, office, caller, asked).result
        except BadInput as error:
            refusal = as_sentence(words.error(error))
    differing = result.differing() if result else ()
    with office.store.reading() as connection:
        players = by_identifier(connection, "fide", {str(it.player) for it in differing[:SHOWN]})
    return page(
        request, "fide/lists.html", on_file=_on_file(kept), result=result,
        refusal=refusal, days=sorted({it.day for it in kept}, reverse=True), lists=LISTS, headings=heads(words),
        found=[
            (certainty, [(it, cells(it, words)) for it in differing[:SHOWN] if it.certainty == certainty])
            for certainty in get_args(Certainty)
        ],
        fide_days=[(str(day), words.day(day)) for day in sorted({it.day for it in kept}, reverse=True)],
        fide_kinds=[("", words.text("site.fide-kind-all")), *((it, words.text(f"site.list-{it}")) for it in LISTS)],
        players=players, more=max(len(differing) - SHOWN, 0), summary=summary(result, words) if result else "",
        query=request.url.query if request.method == "GET" else "",
    )  # fmt: skip


def _on_file(kept: Sequence[Reference]) -> list[ListOnFile]:
    """Return the lists on file, the newest first."""
    earlier: dict[tuple[ListName, ...], int] = {}
    on_file = []
    for it in sorted(kept, key=lambda it: it.day):
        on_file.append(ListOnFile(it, it.rows - earlier[it.lists] if it.lists in earlier else None))
        earlier[it.lists] = it.rows
    return on_file[::-1]


@post(
    LIST_UPLOAD, opt=OFFICER_OF_ALL | COSTLY, include_in_schema=False, status_code=200,
    request_max_body_size=LARGEST_LIST,
)  # fmt: skip
async def add_list(request: WebRequest) -> Response[Any]:
    """Add a list of FIDE as a file."""
    texts = await form_texts(request)
    upload = await uploaded_report(await request.form())

    def act() -> Done:
        if upload is None:
            raise BadInput("value-missing", option="file")
        name = choice_field(texts, "list", ("", *LISTS))
        arguments = ListArguments(
            ListName(name) if name else None, parse_day(texts.get("day", ""), "day"), fewer="fewer" in texts
        )
        added = run_job(bounds("signed_in"), upload, office_as_user(request), add_reference_upload, arguments)
        key, kept = "again" if added.again else "added", added.reference
        sentence = words_for(request).text(f"reference.{key}", rows=kept.rows, day=kept.day)
        return Done("/desk/reconciliation", sentence)

    return await act_and_redirect(request, act, lambda: _page(request))


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
