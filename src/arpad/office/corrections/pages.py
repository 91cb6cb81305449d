"""The pages for publishing: drafts, publications, corrections, and the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.concurrency import sync_to_thread

from arpad.explain.pictures import movements
from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office.corrections.acts import Revised, revise_lists
from arpad.office.corrections.affected_lists import affected_lists
from arpad.office.corrections.publishing import draft_list, publish_list
from arpad.office.declared import perform
from arpad.office.drafts.acts import Draft, keep_draft, preview_draft
from arpad.office.drafts.procedures import next_list_day
from arpad.office.inbox.closed_years import late_findings, late_reports
from arpad.office.lists import published as published_lists
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import newest
from arpad.office.office import Office, today
from arpad.office.parts import draft_changes
from arpad.office.proof.ledger_lines import LedgerLine, ledger_lines
from arpad.office.register import rows as register
from arpad.office.reports.federation_pages import own_acts, own_key
from arpad.office.reports.page_rows import unrated_reports
from arpad.office.verify.acts import show_verification
from arpad.store import ledger
from arpad.store.page_numbers import page_of
from arpad.store.settings import read_setting
from arpad.web.auth import OFFICER, OFFICER_OF_ALL, caller_of, signed_in_user
from arpad.web.desk import list_in, list_names
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


# -------------------------------------------------------------------------------------------- drafts and lists


@get("/desk/lists", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def lists_page(request: WebRequest) -> Response[str]:
    """Show each list with the next day of its calendar."""
    return _lists_page(request)


def _lists_page(request: WebRequest) -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        day = today(office, connection)
        last = {name: newest(published_lists.shown_publications(connection, name)) for name in ListName}
        following = {
            name: next_list_day(connection, name, publication, day) for name, publication in last.items()
        }
        newest_of = {
            name: max(lists.all_publications(connection, name), key=lambda p: p.id, default=None)
            for name in ListName
        }
    return page(
        request,
        "corrections/lists.html",
        last=last,
        following=following,
        newest=newest_of,
        names=tuple(ListName),
    )


@get("/desk/draft", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def draft_page(request: WebRequest) -> Response[str]:
    """Show what would be published: the largest changes, new players, and everything left out."""
    texts = dict(request.query_params.items())
    try:
        return _draft_page(request, {name: str(value) for name, value in texts.items()})
    except ArpadError as error:
        refuse(request, error, form_values(request.query_params.multi_items()), of=draft_list)
        return _lists_page(request)


def _draft_page(request: WebRequest, texts: dict[str, str]) -> Response[str]:
    office, on_list = require_office(request), list_in(texts)
    day, special = parse_day(texts.get("day", ""), "day"), bool(texts.get("special"))
    computed: list[Draft] = []

    def read() -> dict[str, Any]:
        computed.append(preview_draft(office, on_list, day, special=special))
        return _draft_values(office, computed[-1], words_for(request))

    response = page(
        request, "corrections/draft.html", seal=last_seal(office), on_list=on_list, day_=day, asked_special=special,
        read=read, most=MOST_MOVES,
    )  # fmt: skip
    # the officer need not wait until it is written, above all if somebody else is writing
    response.background = BackgroundTasks([BackgroundTask(keep_draft, office, draft) for draft in computed])
    return response


def _draft_values(office: Office, draft: Draft, words: Words) -> dict[str, Any]:
    """Return what the page of a draft shows."""
    result, on_list = draft.result, draft.inputs.on_list
    moves = Counter(after - before for _, before, after in result.movements)
    title = words.text("site.movements-of", changes=len(result.movements), day=draft.inputs.day)
    players = {
        *(m[0] for m in result.movements[:MOST_MOVES]),
        *result.entered,
        *result.delisted,
        *(p for p, _ in result.pending),
    }
    with office.store.reading() as connection:
        categories = draft_changes(connection, draft)
        players |= {change.player for change in categories}
        names = {number: person.name for number, person in register.load_people(connection, players).items()}
        concerned = [revised for revised in affected_lists(connection) if revised.list == on_list]
        late = [words.cited_finding(finding) for finding in late_findings(connection, draft.reports)]
    return {
        "categories": categories, "draft": draft, "result": result, "names": names, "picture": movements(title, moves),
        "players": result.listed, "concerned": concerned, "late": late,
    }  # fmt: skip


@post("/desk/publish", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def publish(request: WebRequest) -> Response[Any]:
    """Publish a list if its digest is still that of the draft."""
    texts = await form_texts(request)

    def act() -> Done:
        values = {name: text for name, text in texts.items() if name != "csrf" and text}
        if not texts.get("digest") or not texts.get("inputs"):
            raise BadInput("draft-changed")
        published = perform(publish_list, require_office(request), caller_of(request), values)
        return Done("/desk/lists", "published", f"{published.list}-{published.date}-r{published.revision}")

    def again() -> Response[Any]:
        try:
            return _draft_page(request, texts)
        except ArpadError as error:
            refuse(
                request, error, {name: [text] for name, text in texts.items()}, "/desk/draft", of=draft_list
            )
            return _lists_page(request)

    return await act_and_redirect(request, act, again, publish_list)


@get("/desk/corrections", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def corrections_page(request: WebRequest) -> Response[str]:
    """Show the corrections and the form for another."""
    return _corrections_page(request)


def _corrections_page(request: WebRequest, **preview: Any) -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        corrections = [p for p in published_lists.shown_publications(connection) if p.corrects is not None]
        late = [*unrated_reports(connection), *late_reports(connection)]
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
    lists_page,
    draft_page,
    publish,
    corrections_page,
    preview_correction,
    correct,
    ledger_page,
    verify,
)
