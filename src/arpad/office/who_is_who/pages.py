"""The desk's pages about who is who: likely duplicates, aliases, and the schemes of players' numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from arpad.model.errors import BadInput
from arpad.office.inbox.entrant_decisions import aliases_in_force, revoke_alias_of
from arpad.office.office import Office
from arpad.office.register.rows import load_names
from arpad.office.reports.entrant_rows import EntrantDecision
from arpad.office.reports.federation_pages import own_players, reads, require_players
from arpad.office.who_is_who.duplicates import (
    Duplicate,
    declare_distinct,
    likely_duplicates,
    pairs_apart,
    revoke_distinct_pair,
)
from arpad.office.who_is_who.merge import merge
from arpad.office.who_is_who.number_schemes import (
    declare_scheme,
    number_rules,
    set_source_scheme,
    withdraw_scheme,
)
from arpad.office.who_is_who.rows import DistinctPair
from arpad.reports.number_schemes import BUILT_IN, SHOWN, SOURCES
from arpad.web.auth import OFFICER
from arpad.web.desk import desk_of, for_all, is_for_all
from arpad.web.forms import act_and_redirect, choice_field, form_texts, number_field
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

MOST_SHOWN = 50
LOOKED_AT = 20
"""How many times as many pairs are looked at for an officer who is bound to a federation."""

Page = Callable[[], Response[str]]


async def _act(
    request: WebRequest, do: Callable[[Office, dict[str, str]], object], to: str, form_page: Page
) -> Response[Any]:
    """Do something with the texts of a form, and return to a page."""
    texts = await form_texts(request)

    def act() -> str:
        do(desk_of(request), texts)
        return to

    return await act_and_redirect(request, act, form_page)


# -------------------------------------------------------------------------------------------------- duplicates


@get("/desk/duplicates", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def duplicates_page(request: WebRequest) -> Response[str]:
    """Show players who are likely the same, and pairs that are two people."""
    return _duplicates_page(request)


def _duplicates_page(request: WebRequest) -> Response[str]:
    office = require_office(request)
    duplicates, apart = own_pairs(request, MOST_SHOWN)
    with office.store.reading() as connection:
        names = load_names(connection, {number for pair in apart for number in (pair.player, pair.other)})
    return page(
        request, "who_is_who/duplicates.html", duplicates=duplicates, apart=apart,
        names=names,
    )  # fmt: skip


def own_pairs(request: WebRequest, most: int) -> tuple[list[Duplicate], list[DistinctPair]]:
    """Return the likely duplicates, and the pairs that are two people, of whom the officer may read both."""
    office, may = require_office(request), reads(request)
    apart = pairs_apart(office)
    with office.store.reading() as connection:
        known = own_players(request, connection, {it for pair in apart for it in (pair.player, pair.other)})
    duplicates = likely_duplicates(office, most if is_for_all(request) else most * LOOKED_AT)
    return (
        [pair for pair in duplicates if may(pair.player.federation) and may(pair.other.federation)][:most],
        [pair for pair in apart if {pair.player, pair.other} <= known],
    )


@post("/desk/duplicates/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def decide_duplicate(request: WebRequest, verb: FromPath[str]) -> Response[Any]:
    """Merge two players, say that they are two people, or revoke that."""

    def do(office: Office, texts: dict[str, str]) -> None:
        choice_field({"verb": verb}, "verb", ("merge", "two-people", "revoke"))
        reason = texts.get("reason", "")
        if verb == "revoke":
            for_all(request)
            revoke_distinct_pair(office, number_field(texts, "pair"), reason=reason)
            return
        player, other = number_field(texts, "player"), number_field(texts, "other")
        with office.store.reading() as connection:
            require_players(request, connection, player, other)
        if verb == "merge":
            merge(office, player, other, reason or words_for(request).text("site.duplicate-reason"))
        else:
            declare_distinct(office, player, other, reason=reason)

    return await _act(request, do, "/desk/duplicates", lambda: _duplicates_page(request))


# ----------------------------------------------------------------------------------------------------- aliases


@get("/desk/aliases", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def aliases_page(request: WebRequest, q: FromQuery[str] = "") -> Response[str]:
    """Show the aliases: names that officers said are a player."""
    return _aliases_page(request, q.strip()[:100])


def own_aliases(request: WebRequest, text: str) -> list[EntrantDecision]:
    """Return the aliases of the players whom the officer may read."""
    office = require_office(request)
    present = aliases_in_force(office, text)
    with office.store.reading() as connection:
        known = own_players(request, connection, {item.player for item in present if item.player})
    return [item for item in present if item.player in known]


def _aliases_page(request: WebRequest, text: str = "") -> Response[str]:
    office = require_office(request)
    present = own_aliases(request, text)
    shown = present[-MOST_SHOWN:][::-1]
    with office.store.reading() as connection:
        names = load_names(connection, {item.player for item in shown if item.player})
    return page(request, "who_is_who/aliases.html", aliases=shown, total=len(present), names=names, text=text)


@post("/desk/aliases/{number:int}/revoke", opt=OFFICER, include_in_schema=False, status_code=200)
async def revoke_alias(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Revoke an alias."""

    def do(office: Office, texts: dict[str, str]) -> None:
        for_all(request)
        revoke_alias_of(office, number, texts.get("reason", ""))

    return await _act(request, do, "/desk/aliases", lambda: _aliases_page(request))


# ----------------------------------------------------------------------------------------------------- numbers


@get("/desk/numbers", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def numbers_page(request: WebRequest) -> Response[str]:
    """Show the number schemes of the office, and which of them each source uses."""
    return _numbers_page(request)


def _numbers_page(request: WebRequest) -> Response[str]:
    rules, words = number_rules(require_office(request)), words_for(request)
    return page(
        request, "who_is_who/numbers.html", declared=list(rules.declared.values()), rules=rules.sources,
        schemes=[(code, code.upper()) for code in (*BUILT_IN, *rules.declared)],
        kinds=[(kind, words.text(f"source-kind.{kind}")) for kind in SOURCES], shown=SHOWN,
    )  # fmt: skip


@post("/desk/numbers/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def change_numbers(request: WebRequest, verb: FromPath[str]) -> Response[Any]:
    """Declare or withdraw a scheme; set or withdraw the rule of a source."""
    form = await request.form()
    shown = [str(place) for place in form.getall("shown", [])]

    def do(office: Office, texts: dict[str, str]) -> None:
        for_all(request)
        reason = texts.get("reason", "")
        match verb:
            case "declare":
                declare_scheme(
                    office, texts.get("code", ""), texts.get("name", ""), texts.get("pattern", ""), shown=shown,
                    reason=reason,
                )  # fmt: skip
            case "withdraw":
                withdraw_scheme(office, texts.get("code", ""), reason)
            case "source":
                scheme = texts.get("scheme", "")
                if not scheme:
                    raise BadInput("source-which")
                set_source_scheme(
                    office, texts.get("kind", ""), texts.get("value", ""), scheme, reason=reason
                )
            case "withdraw-source":
                set_source_scheme(office, texts.get("kind", ""), texts.get("value", ""), "", reason=reason)
            case _:
                raise Refused(404, "no-page")

    return await _act(request, do, "/desk/numbers", lambda: _numbers_page(request))


ROUTES = (
    duplicates_page, decide_duplicate, aliases_page, revoke_alias, numbers_page, change_numbers,
)  # fmt: skip
