"""The pages of corrections, and of the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread

from arpad.explain.words import Words
from arpad.model.errors import ArpadError
from arpad.office.corrections.acts import Revised, revise_lists
from arpad.office.corrections.affected_lists import affected_lists
from arpad.office.declared import perform
from arpad.office.inbox.closed_years import late_reports
from arpad.office.lists import published as published_lists
from arpad.office.office import Office
from arpad.office.proof.ledger_lines import LedgerLine, ledger_lines
from arpad.office.register import rows as register
from arpad.office.reports.federation_pages import own_acts, own_key
from arpad.office.reports.page_rows import unlisted_reports
from arpad.office.verify.acts import show_verification
from arpad.store import ledger
from arpad.store.page_numbers import page_of
from arpad.store.settings import read_setting
from arpad.web.auth import OFFICER, OFFICER_OF_ALL, caller_of, signed_in_user
from arpad.web.desk import list_names
from arpad.web.forms import (
    Done,
    act_and_redirect,
    form_texts,
    form_values,
    refuse,
)
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, last_seal, page_number, require_office
from arpad.web.templates import page

MOST_MOVES = 40
ACTS = 100


# ---------------------------------------------------------------------------------------------------- corrections


@get("/desk/corrections", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def corrections_page(request: WebRequest) -> Response[str]:
    """Show the corrections and the form for another."""
    return _corrections_page(request)


def _corrections_page(request: WebRequest, **preview: Any) -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        corrections = [p for p in published_lists.shown_publications(connection) if p.corrects is not None]
        late = [*unlisted_reports(connection), *late_reports(connection)]
        concerned = affected_lists(connection)
    return page(
        request, "corrections/desk.html", corrections=corrections[::-1], late=late, lists=list_names(request),
        concerned=concerned, **{"preview": None, **preview},
    )  # fmt: skip


def _revise(
    request: WebRequest, texts: Mapping[str, str], late: Sequence[str], *, rehearsing: bool
) -> Revised:
    """Correct published lists as a form says, or only compute what it would change."""
    values = {name: texts[name] for name in ("list", "mode", "reason") if texts.get(name)}
    office = replace(require_office(request), rehearsing=rehearsing)
    return perform(revise_lists, office, caller_of(request), {**values, "add": late})


@post("/desk/corrections/preview", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def preview_correction(request: WebRequest) -> Response[Any]:
    """Show what a correction would change, list by list; nothing is stored."""
    form = await request.form()
    texts = await form_texts(request)
    late = [str(text) for text in form.getall("add", [])]
    values = form_values(form.multi_items())

    def work() -> Response[str]:
        try:
            result = _revise(request, texts, late, rehearsing=True)
        except ArpadError as error:
            refuse(request, error, values, "/desk/corrections", of=revise_lists)
            return _corrections_page(request)
        changed = {d.player for revision in result.revisions for d in revision.differences[:MOST_MOVES]}
        with require_office(request).store.reading() as connection:
            people = register.load_people(connection, changed)
        names = {number: person.name for number, person in people.items()}
        return _corrections_page(
            request, preview=result, texts=texts, added=late, names=names, most=MOST_MOVES
        )

    return await sync_to_thread(work)


@post("/desk/corrections", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def correct(request: WebRequest) -> Response[Any]:
    """Recompute from the first list that changes; published lists stay, and revisions are added."""
    form = await request.form()
    texts = await form_texts(request)
    late = [str(text) for text in form.getall("add", [])]

    def act() -> Done:
        result = _revise(request, texts, late, rehearsing=False)
        return Done("/desk/corrections", result.done)

    return await act_and_redirect(request, act, lambda: _corrections_page(request), revise_lists)


# ------------------------------------------------------------------------------------------------------ ledger


@get("/desk/ledger", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def ledger_page(request: WebRequest) -> Response[str]:
    """Show every act, the latest first; an officer who is bound to a federation sees the acts about it."""
    office = require_office(request)
    if not caller_of(request).officer_of(""):
        return _own_ledger(request, office)
    number = page_number(request.query_params.get("page", "1"))
    return page(
        request, "corrections/ledger.html", seal=last_seal(office), asked=number, whole=True, older=0,
        read=lambda: ledger_acts(office, number, words_for(request)), address=lambda to: f"/desk/ledger?page={to}",
    )  # fmt: skip


def _own_ledger(request: WebRequest, office: Office) -> Response[str]:
    asked = request.query_params.get("before", "")
    with office.store.reading() as connection:
        before = int(asked) if asked.isdecimal() and len(asked) < 10 else ledger.next_seq(connection)  # noqa: PLR2004  what a number can be
        acts, older = own_acts(request, connection, before, ACTS)
        lines = ledger_lines(connection, acts, words_for(request))
    return page(
        request, "corrections/ledger.html",
        seal=last_seal(office), asked=(before, own_key(request), signed_in_user(request).login),
        whole=False, older=older, read=lambda: (lines, 1, 1), address=lambda to: f"/desk/ledger?page={to}",
    )  # fmt: skip


def ledger_acts(office: Office, number: int, words: Words) -> tuple[list[LedgerLine], int, int]:
    """Return the acts of a page of the ledger, its number, and the number of pages."""
    with office.store.reading() as connection:
        last = ledger.next_seq(connection) - 1
        shown, pages = page_of(number, last, ACTS)
        first = max(1, last - shown * ACTS + 1)
        until = last - (shown - 1) * ACTS
        acts = ledger.acts_between(connection, first, until)[::-1]
        return ledger_lines(connection, acts, words), shown, pages


@post("/desk/verify", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def verify(request: WebRequest) -> Response[str]:
    """Verify the ledger, the reports and every list; optionally recompute each list."""
    recompute = bool((await form_texts(request)).get("again"))

    def act() -> Response[str]:
        office, words = require_office(request), words_for(request)
        verified = perform(show_verification, office, caller_of(request), {"quick": not recompute})
        altered = [it.message for it in verified.altered]
        with office.store.reading() as connection:
            name = read_setting(connection, "name")
        erased = [words.text("office.erased-player", **facts) for facts in verified.erased]
        return page(
            request,
            "corrections/verified.html",
            altered=altered,
            counted=verified.counted,
            name=name,
            erased=erased,
        )

    return await sync_to_thread(act)


ROUTES = (
    corrections_page,
    preview_correction,
    correct,
    ledger_page,
    verify,
)
