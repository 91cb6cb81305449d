"""The officer's month: the draft of a list, publishing it, correcting it; and the ledger of it all."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread

from arpad import office as verbs
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName
from arpad.office.affected_lists import affected_lists
from arpad.office.list_procedures import next_list_day
from arpad.office.lists_in_force import newest
from arpad.office.merge_players import concerned_lists
from arpad.office.office import today
from arpad.rating import calculator as calc
from arpad.store import ledger, lists, register
from arpad.store.pages import unrated_reports
from arpad.store.settings import read_setting
from arpad.web import published_lists
from arpad.web.auth import OFFICER
from arpad.web.forms import act_and_redirect, choice_field, form_texts, form_values, number_field, refuse
from arpad.web.language import words_for
from arpad.web.reports_inbox import desk_of, for_all
from arpad.web.requests import WebRequest, page_number, require_office
from arpad.web.templates import page

MOST_MOVES = 40
ACTS = 100


def list_names(request: WebRequest) -> list[tuple[str, str]]:
    """Every list with its name in the reader's language, to choose from."""
    return [(str(name), words_for(request).text(f"site.list-{name}")) for name in ListName]


def list_in(given: dict[str, str]) -> ListName:
    """The list that a form names."""
    return ListName(choice_field(given, "list", tuple(ListName)))


# -------------------------------------------------------------------------------------------- drafts and lists


@get("/desk/lists", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def lists_page(request: WebRequest) -> Response[str]:
    """Each list with the next date on its calendar."""
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
        request, "desk_lists.html", last=last, following=following, newest=newest_of, names=tuple(ListName)
    )


@get("/desk/draft", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def draft_page(request: WebRequest) -> Response[str]:
    """What would be published: the largest movements, who is new, and everything left out."""
    given = dict(request.query_params.items())
    try:
        return _draft_page(request, {name: str(value) for name, value in given.items()})
    except ArpadError as error:
        refuse(request, error, form_values(request.query_params.multi_items()))
        return _lists_page(request)


def _draft_page(request: WebRequest, given: dict[str, str]) -> Response[str]:
    office, on_list = require_office(request), list_in(given)
    day = calc.parse_day(given.get("day", ""), "day")
    made = verbs.draft(office, on_list, day, special=bool(given.get("special")))
    closed = made.result
    told = {
        *(m[0] for m in closed.movements[:MOST_MOVES]),
        *closed.entered,
        *closed.delisted,
        *(p for p, _ in closed.pending),
    }
    with office.store.reading() as connection:
        names = {number: person.name for number, person in register.load_people(connection, told).items()}
    return page(
        request, "desk_draft.html", on_list=on_list, day_=day, made=made, closed=closed, names=names,
        most=MOST_MOVES, players=len(closed.lines),
        concerned=[it for it in verbs.lists_to_revise(office) if it.list == on_list],
    )  # fmt: skip


@post("/desk/publish", opt=OFFICER, include_in_schema=False, status_code=200)
async def publish(request: WebRequest) -> Response[Any]:
    """Publish a list, once its digest is the one that was looked at."""
    given = await form_texts(request)

    def work() -> str:
        for_all(request)
        office, on_list = desk_of(request), list_in(given)
        day = calc.parse_day(given.get("day", ""), "day")
        if not given.get("digest") or not given.get("inputs"):
            raise BadInput("draft-changed")
        published = verbs.publish(
            office, on_list, day, reason=given.get("reason", ""), special=bool(given.get("special")),
            digest=given["digest"], inputs=given["inputs"],
        )  # fmt: skip
        return f"/lists/{published.name}"

    def again() -> Response[Any]:
        try:
            return _draft_page(request, given)
        except ArpadError as error:
            refuse(request, error, {name: [text] for name, text in given.items()}, "/desk/draft")
            return _lists_page(request)

    return await act_and_redirect(request, work, again)


@post("/desk/take-back", opt=OFFICER, include_in_schema=False, status_code=200)
async def take_back(request: WebRequest) -> Response[Any]:
    """Take back the newest publication of a list, as long as nothing refers to it."""
    given = await form_texts(request)

    def work() -> str:
        for_all(request)
        day = calc.parse_day(given.get("day", ""), "day")
        verbs.take_back(desk_of(request), list_in(given), day, reason=given.get("reason", ""))
        return "/desk/lists"

    return await act_and_redirect(request, work, lambda: _lists_page(request))


@get("/desk/corrections", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def corrections_page(request: WebRequest) -> Response[str]:
    """Corrections made so far, and the form for another."""
    return _corrections_page(request)


def _corrections_page(request: WebRequest) -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        made = [p for p in published_lists.shown_publications(connection) if p.corrects is not None]
        late = unrated_reports(connection)
        concerned = concerned_lists(connection)
        affected = affected_lists(connection)
    return page(
        request, "desk_corrections.html", made=made[::-1], late=late, lists=list_names(request),
        concerned=concerned, affected=affected,
    )  # fmt: skip


@post("/desk/corrections", opt=OFFICER, include_in_schema=False, status_code=200)
async def correct(request: WebRequest) -> Response[Any]:
    """Recompute from the first list that changes; what is out stays, revisions stand beside it."""
    form = await request.form()
    given = await form_texts(request)
    late = [str(text) for text in form.getall("add", [])]

    def work() -> str:
        for_all(request)
        found = verbs.revise(
            desk_of(request), list_in(given), reason=given.get("reason", ""),
            mode=given.get("mode", "lists"), add=[number_field({"add": text}, "add") for text in late],
        )  # fmt: skip
        shown = [r for r in found.revisions if r.publication.kind == "published"]
        if shown:
            return f"/lists/{shown[0].publication.name}/difference"
        return "/desk/corrections"

    return await act_and_redirect(request, work, lambda: _corrections_page(request))


# ------------------------------------------------------------------------------------------------------ ledger


@get("/desk/ledger", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def ledger_page(request: WebRequest) -> Response[str]:
    """Every act, the latest first."""
    office = require_office(request)
    with office.store.reading() as connection:
        last = ledger.next_seq(connection) - 1
        pages = max(1, -(-last // ACTS))
        number = min(max(1, page_number(request.query_params.get("page", "1"))), pages)
        first = max(1, last - number * ACTS + 1)
        until = last - (number - 1) * ACTS
        acts = [act for act in ledger.acts(connection, first) if act.seq <= until][::-1]
    return page(
        request, "desk_ledger.html", acts=acts, page_number=number, pages=pages,
        address=lambda to: f"/desk/ledger?page={to}",
    )  # fmt: skip


@post("/desk/verify", opt=OFFICER, include_in_schema=False, status_code=200)
async def verify(request: WebRequest) -> Response[str]:
    """Check the ledger, the reports and every list against what was written; perhaps compute each list again."""
    again = bool((await form_texts(request)).get("again"))

    def work() -> Response[str]:
        office = require_office(request)
        found = verbs.verify(office, recompute=again)
        words = words_for(request)
        told = [
            words.text(f"altered.{a.code}", **a.facts)
            if words.has(f"altered.{a.code}")
            else f"{a.code} {dict(a.facts)}"
            for a in found.altered
        ]
        with office.store.reading() as connection:
            name = read_setting(connection, "name")
        gone = [words.text("office.erased-player", **a.facts) for a in found.erased]
        return page(request, "desk_verified.html", told=told, counted=found.counted, name=name, gone=gone)

    return await sync_to_thread(work)


ROUTES = (lists_page, draft_page, publish, take_back, corrections_page, correct, ledger_page, verify)
