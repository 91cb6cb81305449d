"""The pages of decisions and appeals: each with its author, reason and deadline."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from arpad.model.canonical_json import load
from arpad.model.draughts import Category
from arpad.model.rules import CHESS_LISTS
from arpad.model.typed_values import parse_day
from arpad.office.decisions.acts import KINDS, appeal, appeal_days, revoke, settle
from arpad.office.decisions.acts import decide as office_decide
from arpad.office.decisions.articles import article_of
from arpad.office.editions.acts import category_names
from arpad.office.office import today
from arpad.office.register import rows as register
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import FACT, decisions_in_force
from arpad.office.reports.fact_forms import facts_in_words
from arpad.office.reports.federation_pages import own_decisions, reads
from arpad.reports.report import MIRROR
from arpad.store import ledger
from arpad.web.auth import OFFICER
from arpad.web.desk import desk_of, for_all, list_in, list_names
from arpad.web.forms import Done, act_and_redirect, choice_field, form_texts, number_field
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

VERBS = ("revoke", "appeal", "settle")
NUMBERS = ("k", "capital", "fmjd", "number", "round", "first", "last")


@get("/desk/decisions", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def decisions_page(request: WebRequest) -> Response[str]:
    """Show the decisions in force, the open appeals, and the forms for more."""
    return _decisions_page(request)


def _decisions_page(request: WebRequest) -> Response[str]:
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        standing = own_decisions(request, connection, decisions_in_force(connection))
        acts = ledger.some_acts(connection, [decision.act for decision in standing])
        filed = rows.filed(connection, [d.report for d in standing if d.report is not None])
        who = register.load_people(connection, [d.player for d in standing if d.player is not None])
        deadlines = {
            item.id: date.fromisoformat(acts[item.act].at[:10])
            + timedelta(days=appeal_days(connection, item))
            for item in standing
        }
        articles = {item.id: article_of(connection, item) for item in standing}
        day = today(office, connection)
        national = {name for on_list in CHESS_LISTS for name in category_names(connection, on_list, day)}
    prefilled = {name: request.query_params.get(name, "")[:10] for name in ("kind", "report", "player")}
    return page(
        request, "decisions/desk.html", decisions=[d for d in standing if d.kind != "appeal"][::-1],
        appeals=[d for d in standing if d.kind == "appeal"], acts=acts, filed=filed, who=who, kinds=KINDS,
        kind_names=[(kind, words.text(f"site.decision-{kind}")) for kind in KINDS if kind != FACT],
        fact=FACT, in_words=facts_in_words, prefilled=prefilled, today=day,
        deadlines=deadlines, articles=articles, load=load, lists=list_names(request),
        results=[(sign, sign) for sign in MIRROR],
        categories=[(str(category), words.text(f"category.{category}")) for category in Category]
        + [(name, name) for name in sorted(national)],
    )  # fmt: skip


@post("/desk/decisions", opt=OFFICER, include_in_schema=False, status_code=200)
async def decide(request: WebRequest) -> Response[Any]:
    """Record a decision."""
    texts = await form_texts(request)

    def act() -> Done:
        for_all(request)
        numbers = {name: number_field(texts, name) for name in ("report", "player") if texts.get(name)}
        values: dict[str, Any] = {name: number_field(texts, name) for name in NUMBERS if texts.get(name)}
        values |= {name: texts[name] for name in ("result", "name", "category") if texts.get(name)}
        office_decide(
            desk_of(request), texts.get("kind", ""), reason=texts.get("reason", ""),
            report=numbers.get("report"), player=numbers.get("player"),
            federation=texts.get("federation", "").upper() or None,
            on_list=list_in(texts) if texts.get("list") else None,
            day=parse_day(texts["day"], "day") if texts.get("day") else None, **values,
        )  # fmt: skip
        return Done("/desk/decisions", "decided")

    return await act_and_redirect(request, act, lambda: _decisions_page(request))


@get("/desk/names/{kind:str}/{number:int}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def typed_name(request: WebRequest, kind: FromPath[str], number: FromPath[int]) -> Response[str]:
    """Return who or what a typed number is, for the script of a form; empty if there is nobody."""
    office, may = require_office(request), reads(request)
    about: tuple[str | date | None, ...]
    with office.store.reading() as connection:
        if kind == "report":
            filed = rows.filed(connection, [number]).get(number)
            about = (filed.name or filed.file, filed.last_day) if filed and may(filed.federation) else ()
        else:
            person = register.load_people(connection, [number]).get(number)
            about = (person.name, person.federation) if person and may(person.federation) else ()
    words = words_for(request)
    parts = [words.day(part) if isinstance(part, date) else part for part in about if part]
    headers = {"Cache-Control": "private, no-store"}
    return Response(" · ".join(parts), media_type="text/plain", headers=headers)


@post("/desk/decisions/{number:int}/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def about_decision(request: WebRequest, number: FromPath[int], verb: FromPath[str]) -> Response[Any]:
    """Revoke a decision, record an appeal against it, or decide an appeal."""
    texts = await form_texts(request)

    def act() -> str:
        for_all(request)
        office, reason = desk_of(request), texts.get("reason", "")
        match choice_field({"verb": verb}, "verb", VERBS):
            case "revoke":
                revoke(office, number, reason)
            case "appeal":
                appeal(office, number, by=texts.get("by", ""), reason=reason)
            case _:
                settle(office, number, texts.get("outcome", ""), reason)
        return "/desk/decisions"

    return await act_and_redirect(request, act, lambda: _decisions_page(request))


ROUTES = (decisions_page, decide, typed_name, about_decision)
