"""The pages of decisions and appeals: each with its author, reason and deadline."""

from __future__ import annotations

from datetime import date, timedelta

from litestar import Response, get

from arpad.model.canonical_json import load
from arpad.model.draughts import Category
from arpad.model.rules import CHESS_LISTS
from arpad.office.decisions.acts import KINDS, appeal_days
from arpad.office.decisions.articles import article_of
from arpad.office.editions.acts import category_names
from arpad.office.office import today
from arpad.office.register import rows as register
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import FACT, decisions_in_force
from arpad.office.reports.fact_forms import facts_in_words
from arpad.office.reports.federation_pages import own_decisions
from arpad.reports.report import MIRROR
from arpad.store import ledger
from arpad.web.auth import OFFICER
from arpad.web.desk import list_names
from arpad.web.language import words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page


@get("/desk/decisions", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def decisions_page(request: WebRequest) -> Response[str]:
    """Show the decisions in force, the open appeals, and the forms for more."""
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


ROUTES = (decisions_page,)
