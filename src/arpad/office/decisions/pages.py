"""The pages of decisions and appeals: each as a sentence, with its author, reason and deadline."""

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from arpad.model.canonical_json import dump, load
from arpad.model.draughts import Category
from arpad.model.rules import CHESS_LISTS, LISTS, ListName
from arpad.office.decisions.acts import (
    DRAUGHTS_ONLY,
    KINDS,
    Decided,
    appeal_days,
    article_of,
    decision_sentence,
    names_in,
)
from arpad.office.editions.acts import category_names
from arpad.office.office import today
from arpad.office.reports.rows import COUNTS, FACT, Decision, decisions_in_force
from arpad.office.reports.visible import own_decisions
from arpad.regulations.systems import system_of
from arpad.reports.report import MIRROR
from arpad.store import ledger
from arpad.web.declared_forms import rehearsed
from arpad.web.forms import list_names
from arpad.web.reader import OFFICER, caller_of, words_for
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page


@get("/desk/decisions", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def decisions_page(request: WebRequest) -> Response[str]:
    """Show the decisions in force, the open appeals, and what can be decided."""
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        standing = own_decisions(caller_of(request), connection, decisions_in_force(connection))
        acts = ledger.some_acts(connection, [decision.act for decision in standing])
        named = names_in(connection, standing)
        deadlines = {
            item.id: date.fromisoformat(acts[item.act].at[:10])
            + timedelta(days=appeal_days(connection, item))
            for item in standing
        }
        articles = {item.id: article_of(connection, item) for item in standing}
        day = today(office, connection)
    about = {name: request.query_params.get(name, "")[:10] for name in ("report", "player")}
    return page(
        request, "decisions/desk.html", decisions=[d for d in standing if d.kind != "appeal"][::-1],
        appeals=[d for d in standing if d.kind == "appeal"], acts=acts, named=named, groups=_groups(request, about),
        sentence=lambda decision: decision_sentence(decision, named, words), about=about, today=day,
        deadlines=deadlines, articles=articles, load=load,
    )  # fmt: skip


def _groups(request: WebRequest, about: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Return the kinds of decision by what they are about; with a report or a player only those about it."""
    off = settings_of(request).features_off
    wanted = {name for name, value in about.items() if value} or {it.about for it in KINDS.values()}
    kinds = [
        (it.group, kind)
        for kind, it in KINDS.items()
        if kind != FACT and it.feature not in off and it.about in wanted
    ]
    order = ("report", "game", "player", "federation", "list")
    ordered = sorted(kinds, key=lambda it: order.index(it[0]))
    return [(group, [kind for _, kind in inside]) for group, inside in groupby(ordered, key=lambda it: it[0])]


@get("/desk/decisions/new/{kind:str}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def decision_form(request: WebRequest, kind: FromPath[str]) -> Response[str]:
    """Show the form of one kind of decision, with the fields that it needs."""
    if kind not in KINDS or kind == FACT:
        raise Refused(404, "no-page")
    office, words, needed = require_office(request), words_for(request), KINDS[kind]
    with office.store.reading() as connection:
        day = today(office, connection)
        national = {name for on_list in CHESS_LISTS for name in category_names(connection, on_list, day)}
    lists = [it for it in list_names(request) if (it[0] in LISTS) != (kind == COUNTS)]
    if kind in DRAUGHTS_ONLY and kind != "category":
        lists = [it for it in lists if system_of(ListName(it[0])).has_categories]
    return page(
        request, "decisions/new.html", kind=kind, fields=needed.parameters,
        report=request.query_params.get("report", "")[:10], player=request.query_params.get("player", "")[:10],
        lists=lists, results=[(sign, sign) for sign in MIRROR],
        categories=[(str(category), words.text(f"category.{category}")) for category in Category]
        + [(name, name) for name in sorted(national)],
    )  # fmt: skip


@post("/desk/decisions/new/{kind:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def confirm_decision(request: WebRequest, kind: FromPath[str]) -> Response[Any]:
    """Show what a decision would say, before it is recorded; nothing is stored."""

    def show(given: Mapping[str, Any], decided: Decided) -> Response[str]:
        texts = {name: str(given[name]) if given[name] else None for name in ("federation", "list", "date")}
        decision = Decision(
            0, kind, given["report"], given["player"], texts["federation"], texts["list"], texts["date"],
            dump(dict(given["value"])), 0,
        )  # fmt: skip
        with require_office(request).store.reading() as connection:
            named = names_in(connection, [decision])
        values = {name: given[name] for name in ("kind", "report", "player", "reason")} | texts
        return page(
            request, "decisions/confirm.html", sentence=decision_sentence(decision, named, words_for(request)),
            article=decided.article, given=given, back=f"/desk/decisions/new/{kind}",
            values=values | {f"value.{name}": text for name, text in given["value"].items()},
        )  # fmt: skip

    return await rehearsed(request, "decide", show, kind=kind)
