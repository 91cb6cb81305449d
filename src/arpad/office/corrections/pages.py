"""The pages of corrections, and of what a verification found."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from litestar import Response, get, post
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.concurrency import sync_to_thread

from arpad.explain.pictures import movements
from arpad.explain.words import Words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import LISTS, ListName
from arpad.model.typed_values import parse_day
from arpad.office.corrections.acts import Revised, reports_to_add, revise_lists
from arpad.office.corrections.affected_lists import affected_lists
from arpad.office.corrections.publishing import DraftShown, draft_list, publish_list, shown_draft
from arpad.office.declared import perform
from arpad.office.drafts.acts import Draft, keep_draft, preview_draft
from arpad.office.drafts.procedures import next_lists, offered_lists
from arpad.office.lists import published as published_lists
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import newest
from arpad.office.lists.published import shown_publications
from arpad.office.office import Office, today
from arpad.office.register import rows as register
from arpad.office.verify.acts import show_verification
from arpad.store.settings import read_setting
from arpad.web.forms import (
    Done,
    act_and_redirect,
    as_sentence,
    done_words,
    form_texts,
    form_values,
    list_in,
    list_names,
    refuse,
)
from arpad.web.reader import OFFICER_OF_ALL, caller_of, words_for
from arpad.web.requests import WebRequest, last_seal, require_office
from arpad.web.templates import page

MOST_MOVES = 40


@get("/desk/corrections", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def corrections_page(request: WebRequest) -> Response[str]:
    """Show the corrections and the form for another."""
    return _corrections_page(request)


def _corrections_page(
    request: WebRequest, texts: Mapping[str, str] | None = None, **preview: Any
) -> Response[str]:
    """Show the form for one list, with the late reports that it does not rate yet."""
    office, asked = require_office(request), request.query_params if texts is None else texts
    names = list_names(request)
    chosen = ListName(next((name for name, _ in names if name == asked.get("list")), ListName.STANDARD))
    with office.store.reading() as connection:
        corrections = [p for p in published_lists.shown_publications(connection) if p.corrects is not None]
        late = reports_to_add(connection, chosen)
        concerned = affected_lists(connection)
    return page(
        request, "corrections/desk.html", corrections=corrections[::-1], late=late, lists=names,
        concerned=concerned, chosen=chosen, texts=texts, **{"preview": None, **preview},
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
            return _corrections_page(request, texts)
        changed = {d.player for revision in result.revisions for d in revision.differences[:MOST_MOVES]}
        with require_office(request).store.reading() as connection:
            people = register.load_people(connection, changed)
        names = {number: person.name for number, person in people.items()}
        return _corrections_page(request, texts, preview=result, added=late, names=names, most=MOST_MOVES)

    return await sync_to_thread(work)


@post("/desk/corrections", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def correct(request: WebRequest) -> Response[Any]:
    """Recompute from the first list that changes; published lists stay, and revisions are added."""
    form = await request.form()
    texts = await form_texts(request)
    late = [str(text) for text in form.getall("add", [])]

    def act() -> Done:
        result = _revise(request, texts, late, rehearsing=False)
        return Done("/desk/corrections", done_words(request, result.done))

    return await act_and_redirect(request, act, lambda: _corrections_page(request, texts), revise_lists)


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


FEW_MOVES = 5
"""Changes that a draft shows beside others."""


@get("/desk/lists", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def lists_page(request: WebRequest) -> Response[str]:
    """Show the days on which the next lists are due, each with its lists and the reports that wait for them."""
    return _lists_page(request)


def _lists_page(request: WebRequest) -> Response[str]:
    office = require_office(request)
    with office.store.reading() as connection:
        following = next_lists(connection, today(office, connection))
        offered = offered_lists(connection)
        last = {name: newest(shown_publications(connection, name)) for name in offered}
        newest_of = {
            name: max(lists.all_publications(connection, name), key=lambda p: p.id, default=None)
            for name in offered
        }
    return page(
        request, "corrections/lists.html", last=last, newest=newest_of, names=offered,
        lists=[(name, text) for name, text in list_names(request) if name in offered],
        days=[(day, [*them]) for day, them in groupby(following, lambda it: it.day)],
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------- drafts


class DueList(NamedTuple):
    """A list that is due on a day with its draft, or why there is none."""

    list: ListName
    shown: DraftShown | None
    refusal: str = ""


@get("/desk/draft", opt=OFFICER_OF_ALL, include_in_schema=False, sync_to_thread=True)
def draft_page(request: WebRequest) -> Response[str]:
    """Show what would be published: the draft of a list in full, or those of all lists that are due on a day."""
    texts = {name: str(value) for name, value in request.query_params.items()}
    try:
        return _draft_page(request, texts)
    except ArpadError as error:
        refuse(request, error, form_values(request.query_params.multi_items()), of=draft_list)
        return _lists_page(request)


def _draft_page(request: WebRequest, texts: Mapping[str, str], published: str = "") -> Response[str]:
    """Return the page of the draft of the list that a form names, or of all lists of its day."""
    office, words = require_office(request), words_for(request)
    on_list, day = texts.get("list") and list_in(request, {**texts}), parse_day(texts.get("day", ""), "day")
    special = bool(texts.get("special"))
    computed: list[Draft] = []

    def read(name: ListName) -> DraftShown:
        draft = preview_draft(office, name, day, special=special)
        computed.append(draft)
        with office.store.reading() as connection:
            return shown_draft(connection, draft, words)

    if on_list:
        response = page(
            request, "corrections/draft.html", seal=last_seal(office), on_list=on_list, day_=day, asked_special=special,
            read=lambda: read(on_list), most=MOST_MOVES, picture=lambda draft: _picture(draft, words),
        )  # fmt: skip
    else:
        response = page(
            request, "corrections/month.html", seal=last_seal(office), day_=day, most=FEW_MOVES, published=published,
            read=lambda: _drafts_of(office, day, read, words),
        )  # fmt: skip
    # the officer need not wait until it is written, above all if somebody else is writing
    response.background = BackgroundTasks([BackgroundTask(keep_draft, office, draft) for draft in computed])
    return response


def _drafts_of(
    office: Office, day: date, read: Callable[[ListName], DraftShown], words: Words
) -> list[DueList]:
    """Return the drafts of the lists that are due on a day, in their order; one that is refused says why."""
    with office.store.reading() as connection:
        due = {it.list for it in next_lists(connection, today(office, connection)) if it.day == day}
        offered = offered_lists(connection)
    drafts = []
    for name in (it for it in offered if it in due):
        try:
            drafts.append(DueList(name, read(name)))
        except ArpadError as error:
            drafts.append(DueList(name, None, as_sentence(words.error(error))))
    return drafts


def _picture(draft: Draft, words: Words) -> str:
    """Return how many players gain and lose how much, as a picture."""
    moves = Counter(after - before for _, before, after in draft.result.movements)
    title = words.text("site.movements-of", changes=len(draft.result.movements), day=draft.inputs.day)
    return movements(title, moves)


# --------------------------------------------------------------------------------------------------- publishing


@post("/desk/publish", opt=OFFICER_OF_ALL, include_in_schema=False, status_code=200)
async def publish(request: WebRequest) -> Response[Any]:
    """Publish the lists that are ticked, each if its digests are still those of the draft that the page showed."""
    form = await request.form()
    texts = {name: text.strip() for name, text in form.items() if isinstance(text, str)}
    asked = {str(name) for name in form.getall("list", [])}
    together, words, published = bool(texts.get("together")), words_for(request), list[ListName]()

    def sentence() -> str:
        names = ", ".join(words.text(f"site.list-{name}") for name in published)
        return words.text("site.lists-published", names=names, day=parse_day(texts["day"], "day"))

    def act() -> Done:
        if not asked:
            raise BadInput("choose-lists")
        for name in sorted(asked, key=lambda it: [*LISTS, it].index(it)):
            digests = {what: texts.get(f"{name}.{what}", "") for what in ("digest", "inputs")}
            if not all(digests.values()):
                raise BadInput("draft-changed")
            common = {key: texts[key] for key in ("day", "special", "reason") if texts.get(key)}
            done = perform(
                publish_list, require_office(request), caller_of(request), {"list": name, **common, **digests}
            )
            published.append(done.list)
        return Done("/desk/lists", sentence())

    def again() -> Response[Any]:
        told = sentence() if published else ""
        try:
            return _draft_page(request, {**texts, "list": ""} if together else texts, told)
        except ArpadError as error:
            refuse(request, error, form_values(form.multi_items()), "/desk/draft", of=draft_list)
            return _lists_page(request)

    return await act_and_redirect(request, act, again, publish_list)
