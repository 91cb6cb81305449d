"""The pages of the monitor: drift and calibration for everybody, the whole report for administrators.

A page is computed once per list by a separate process (``arpad monitor keep``), since a large office takes minutes;
here it is only shown, or reported as missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from threading import Thread
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.response import Redirect
from markupsafe import Markup
from sqlalchemy import Connection

from arpad.model.disciplines import CHESS
from arpad.model.errors import BadInput
from arpad.model.rules import ListName, Rule
from arpad.monitor import page_cache as watching
from arpad.office.editions.acts import editions_in_turn
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.regulations.editions import in_force
from arpad.system.extras import are_installed
from arpad.web.auth import ADMINISTRATOR, PUBLIC
from arpad.web.desk import desk_of
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page


def _newest(connection: Connection, lists: Iterable[ListName]) -> dict[ListName, Publication]:
    """Return the newest publication of each list that has one."""
    newest = {name: watching.newest(connection, name) for name in lists}
    return {name: publication for name, publication in newest.items() if publication is not None}


def _monitor_page(request: WebRequest, kind: str) -> Response[str]:
    office = require_office(request)
    list_name = request.query_params.get("list", "")
    with office.store.reading() as connection:
        newest = _newest(connection, ListName)
        if list_name and list_name not in newest:
            raise Refused(404, "no-page")
        name = ListName(list_name) if list_name else next(iter(newest), None)
        publication = newest[name] if name is not None else None
        stored, busy, failed = None, False, None
        if publication is not None:
            failed = watching.failure(connection, publication, words_for(request).language)
            stored = watching.page_of(connection, publication, kind, words_for(request).language)
            busy = watching.is_running(office, connection, publication)
    return page(
        request, "watching.html", whole=kind == watching.WHOLE, name=name, names=tuple(newest),
        publication=publication, busy=busy, ready=statistics_are_here(), failed=failed,
        made=stored.created.date() if stored else None, body=Markup(stored.body) if stored else "",  # noqa: S704  escaped when made
    )  # fmt: skip


def statistics_are_here() -> bool:
    """Whether the extra ``monitor`` is installed."""
    return are_installed("numpy", "scipy")


@get("/watching", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def for_everybody(request: WebRequest) -> Response[str]:
    """Public monitor page: drift and calibration, without names."""
    return _monitor_page(request, watching.PUBLIC)


@get("/admin/watching", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def for_administrators(request: WebRequest) -> Response[str]:
    """Show the whole report: points, drift, calibration, pools, and what a rating officer should look at."""
    return _monitor_page(request, watching.WHOLE)


@post("/admin/watching", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def examine(request: WebRequest) -> Redirect:
    """Start the examination of a list; until it ends, the page reports that it is running."""
    form = await request.form()
    list_name = str(form.get("list", ""))
    if list_name not in tuple(ListName):
        raise BadInput("value-unknown", option="list", value=list_name[:40], accepted=", ".join(ListName))

    def act() -> str:
        start(desk_of(request), ListName(list_name))
        return f"/admin/watching?list={list_name}"

    return Redirect(await sync_to_thread(act), status_code=303)


def start(office: Office, on_list: ListName, *more: str) -> None:
    """Start the examination in a separate process, so that no visitor waits."""
    with office.store.reading() as connection:
        publication = watching.newest(connection, on_list)
    if publication is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    if not statistics_are_here() or not watching.mark_running(office, publication):
        return
    address = office.store.engine.url.render_as_string(hide_password=False)
    running = subprocess.Popen(  # noqa: S603  our own command
        [
            sys.executable,
            "-m",
            "arpad",
            "monitor",
            "keep",
            "--list",
            str(on_list),
            "--author",
            office.author,
            *more,
        ],
        env={**os.environ, "ARPAD_DB": address},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )

    def wait() -> None:
        if (status := running.wait()) != 0:
            watching.mark_failed(office, publication, status)

    Thread(target=wait, daemon=True).start()


# --------------------------------------------------------------------------------------------------- what if

RULES = (
    "floor", "k_usual", "k_new", "k_new_games", "k_top", "k_top_from", "k_junior", "k_junior_below", "k_times_games",
    "cap", "entry_cap", "minimum_games", "window",
)  # fmt: skip
"""Rules that are one number; ``arpad whatif`` also accepts the others."""


@get("/admin/watching/what-if", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def trials(request: WebRequest) -> Response[str]:
    """Show the trials of a list, one of them in full, and the form for another."""
    office = require_office(request)
    list_name, change = request.query_params.get("list", "standard"), request.query_params.get("try", "")
    with office.store.reading() as connection:
        chess_lists = list(CHESS.lists)
        newest = {
            name: publication_
            for name in chess_lists
            if (publication_ := watching.newest(connection, name)) is not None
        }
        if list_name not in newest:
            raise Refused(404, "no-page")
        publication = newest[ListName(list_name)]
        tried = watching.tried_rules(connection, publication)
        kind = watching.TRIAL + change
        stored = (
            watching.page_of(connection, publication, kind, words_for(request).language) if change else None
        )
        busy = watching.is_running(office, connection, publication)
        failed = watching.failure(connection, publication, words_for(request).language)
    return page(
        request, "watching_try.html", name=ListName(list_name), names=tuple(newest), tried=tried, change=change,
        rules=RULES, present=_present_values(request, publication), busy=busy, failed=failed,
        ready=statistics_are_here(),
        body=Markup(stored.body) if stored else "",  # noqa: S704  escaped when made
    )  # fmt: skip


def _present_values(request: WebRequest, publication: Publication) -> dict[str, str]:
    """Return the value of each rule in the edition of a list, in words; an empty text if it has none."""
    words = words_for(request)
    rules = in_force(settings_of(request).editions, publication.list, publication.day).on(publication.list)
    values = {name: getattr(rules, name, None) for name in RULES}
    return {
        name: words.rule_value(rule.value) if isinstance(rule, Rule) else "" for name, rule in values.items()
    }


@post("/admin/watching/what-if", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def try_rule(request: WebRequest) -> Redirect:
    """Start a trial of a rule on a list; an unknown rule or value is refused at once."""
    form = await request.form()
    list_name, rule = str(form.get("list", "")), str(form.get("rule", ""))
    value = str(form.get("value", "")).strip()
    if list_name not in CHESS.lists:
        raise BadInput(
            "value-unknown", option="list", value=list_name[:40], accepted="standard, rapid, blitz"
        )
    if rule not in RULES:
        raise BadInput("value-unknown", option="rule", value=rule[:40], accepted=", ".join(RULES))
    if value != "none" and not (value.isascii() and value.isdecimal() and len(value) < 6):  # noqa: PLR2004  what a rule's number can be
        raise BadInput("value-unknown", option="value", value=value[:40], accepted="1400, none")
    on_list, change = ListName(list_name), f"{rule}={value}"

    def act() -> str:
        from arpad.monitor.whatif import tried_editions

        office = desk_of(request)
        tried_editions(editions_in_turn(office, on_list), None, [change], on_list)
        start(office, on_list, "--set", change)
        return f"/admin/watching/what-if?{urlencode({'list': list_name, 'try': change})}"

    return Redirect(await sync_to_thread(act), status_code=303)


ROUTES = (for_everybody, for_administrators, examine, trials, try_rule)
