"""The desk: reports come in and are accepted or returned, by whoever may; the arbiter follows what he sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad import office as verbs
from arpad.accounts import Role, User
from arpad.model.people import birth_year
from arpad.model.rules import Finding, Severity
from arpad.office.check_report import check, overlaps_on_file
from arpad.office.match_players import DOUBTS, NEW
from arpad.office.office import Office
from arpad.office.report_status import report_on_file
from arpad.office.report_versions import PUT_ASIDE
from arpad.office.stated_facts import decided_facts
from arpad.rating.preview import ordered
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store import reports as rows
from arpad.store.decisions import FACT, decisions_in_force
from arpad.store.pages import ReportsPage, rating_publications, reports_page
from arpad.store.reports import Filed
from arpad.web.auth import ARBITER, OFFICER, user_of
from arpad.web.check_page import bounds_of, check_page, uploaded_report
from arpad.web.fact_forms import changed_facts, fact_fields, facts_in_form, facts_in_words, facts_of
from arpad.web.forms import act_and_redirect, form_texts, number_field
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.report_history import report_history
from arpad.web.report_jobs import run_job, submit_upload
from arpad.web.requests import WebRequest, page_number, require_office
from arpad.web.templates import page

MOST_SHOWN = 50


def worker(request: WebRequest) -> User:
    """Who is at the desk; the guard has let him in."""
    user = user_of(request)
    if user is None:
        raise Refused(401, "sign-in-first")
    return user


def desk_of(request: WebRequest) -> Office:
    """The office with the worker's name on whatever he does."""
    return replace(require_office(request), author=worker(request).login)


def for_all(request: WebRequest) -> None:
    """Lists are everybody's: an officer bound to one federation (9.3) leaves them alone."""
    if not is_for_all(request):
        raise Refused(403, "bound-officer")


def is_for_all(request: WebRequest) -> bool:
    """Whether somebody is an officer for all federations."""
    return any(g.role == Role.OFFICER and not g.federation for g in worker(request).grants)


def _seen(user: User, filed: Filed, author: str) -> bool:
    return author == user.login or user.may(Role.OFFICER, filed.federation)


# ----------------------------------------------------------------------------------------------------- overview


@get("/desk", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def overview(request: WebRequest) -> Response[str]:
    """For an officer what has come in, for an arbiter what became of what he sent."""
    office, user = require_office(request), worker(request)
    first, second = (page_number(request.query_params.get(name, "1")) for name in ("waiting", "page"))
    with office.store.reading() as connection:
        waiting = _reports_of(connection, user, first, waiting=True)
        others = _reports_of(connection, user, second, waiting=False)
    return page(
        request, "desk.html", waiting=waiting, others=others,
        to_waiting=lambda to: f"/desk?waiting={to}", to_others=lambda to: f"/desk?page={to}",
    )  # fmt: skip


def _reports_of(connection: Connection, user: User, page: int, *, waiting: bool) -> ReportsPage:
    """Return the reports that a user may see: an officer those of the federation, or all; others their own."""
    federations = {grant.federation for grant in user.grants if grant.role == Role.OFFICER}
    author = None if "" in federations else user.login
    return reports_page(connection, page, MOST_SHOWN, author=author, federations=federations, waiting=waiting)


@post("/desk/send", opt=ARBITER, include_in_schema=False, status_code=200)
async def send(request: WebRequest) -> Response[Any]:
    """File a report that was looked at on the page of checks; refused, that page comes back with everything."""
    form = await request.form()
    sent = await uploaded_report(form)
    if sent is None:
        raise Refused(400, "no-file")
    given = {name: value for name, value in form.items() if isinstance(value, str)}
    replaces = str(given.get("replaces", ""))

    def work() -> str:
        office, user = desk_of(request), worker(request)
        before = int(replaces) if replaces.isdecimal() and len(replaces) < 10 else None  # noqa: PLR2004  what a number can be
        if before is not None:
            with office.store.reading() as connection:
                earlier = rows.filed(connection, [before]).get(before)
                if earlier is None or not _seen(user, earlier, ledger.act(connection, earlier.act).author):
                    raise Refused(403, "not-your-report")
        filed = run_job(
            bounds_of(request), sent, office, submit_upload, facts_of(given), before,
            among_own=not user.has(Role.OFFICER),
        )  # fmt: skip
        if filed.again:
            with office.store.reading() as connection:
                refuse_others(connection, user, filed.report)
        return f"/desk/reports/{filed.report}"

    return await act_and_redirect(request, work, lambda: check_page(request, sent, given, replaces))


def refuse_others(connection: Connection, user: User, number: int) -> None:
    """Refuse a file that somebody else has sent before, and tell nothing of what became of it."""
    filed = rows.filed(connection, [number])[number]
    if not _seen(user, filed, ledger.act(connection, filed.act).author):
        raise Refused(409, "sent-by-another")


# ----------------------------------------------------------------------------------------------------- a report


@get("/desk/reports/{number:int}", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """A report on file: what became of it, what the checks say today, and what can be done with it."""
    return _report_page(request, number)


def _report_page(request: WebRequest, number: int) -> Response[str]:
    office, user = require_office(request), worker(request)
    with office.store.reading() as connection:
        filed = _mine(connection, user, number)
        data = rows.data(connection, number)
        standing = decisions_in_force(connection)
        facts = decided_facts(filed, standing)
        read = read_filed(data, filed.file)
        checked = check(connection, read, facts)
        ignore = (filed.replaces, number)
        again = overlaps_on_file(connection, filed, checked.marks, ignore=ignore, statuses=(rows.ACCEPTED,))
        findings = ordered([*(again if filed.status == rows.RECEIVED else ()), *checked.findings])
        history = report_history(connection, number)
        candidates = {
            one.entrant.number: _candidates(request, office, one.entrant.name)
            for one in checked.matches
            if one.undecided
        }
        rated = rating_publications(connection, [number])[number]
    errors: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.severity == Severity.ERROR and finding.code not in DOUBTS:  # these are decided one by one
            errors.setdefault(finding.code, []).append(finding)
    return page(
        request, "desk_report.html", filed=filed, findings=findings, history=history, errors=errors,
        doubtful=[one for one in checked.matches if one.undecided], candidates=candidates, rated=rated,
        newcomers=[one for one in checked.matches if one.player is None and not one.undecided],
        officer=user.may(Role.OFFICER, filed.federation), new=NEW, facts=facts_in_form(facts),
        fact_fields=fact_fields(words_for(request)), in_words=facts_in_words, put_aside=PUT_ASIDE,
    )  # fmt: skip


def _candidates(request: WebRequest, office: Office, name: str) -> list[tuple[int, str]]:
    """Who an entrant might be, for the officer to choose; first of all somebody new."""
    found = verbs.find_players(office, name, 8)
    told = [
        (one.id, f"{one.id} {one.name} {one.federation} {birth_year(one.born) or ''}".strip())
        for one in found
    ]
    return [(NEW, words_for(request).text("site.is-new")), *told]


def _mine(connection: Any, user: User, number: int) -> Filed:
    filed = report_on_file(connection, number)
    if not _seen(user, filed, ledger.act(connection, filed.act).author):
        raise Refused(403, "not-your-report")
    return filed


def _officers_own(request: WebRequest, number: int) -> Office:
    """The office, where the officer may decide about this report."""
    office, user = desk_of(request), worker(request)
    with office.store.reading() as connection:
        filed = report_on_file(connection, number)
    if not user.may(Role.OFFICER, filed.federation):
        raise Refused(403, "bound-officer")
    return office


@post("/desk/reports/{number:int}/accept", opt=OFFICER, include_in_schema=False, status_code=200)
async def accept(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Take a report into the next list."""
    form = await request.form()
    given = await form_texts(request)
    overruled = [str(code) for code in form.getall("overrule", [])]

    def work() -> str:
        office = _officers_own(request, number)
        matches = {
            number_field({name: name.removeprefix("match-")}, name): number_field(given, name)
            for name in given
            if name.startswith("match-")
        }
        verbs.accept(office, number, matches=matches, overrule=overruled, reason=given.get("reason", ""))
        return f"/desk/reports/{number}"

    return await act_and_redirect(request, work, lambda: _report_page(request, number))


async def _changed(
    request: WebRequest, number: int, change: Callable[[Office, int, str], object]
) -> Response[Any]:
    """Change the status of a report, with the reason that the form gives."""
    given = await form_texts(request)

    def work() -> str:
        change(_officers_own(request, number), number, given.get("reason", ""))
        return f"/desk/reports/{number}"

    return await act_and_redirect(request, work, lambda: _report_page(request, number))


@post("/desk/reports/{number:int}/return", opt=OFFICER, include_in_schema=False, status_code=200)
async def send_back(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Send a report back, with the reason."""
    return await _changed(request, number, verbs.return_)


@post("/desk/reports/{number:int}/withdraw", opt=OFFICER, include_in_schema=False, status_code=200)
async def withdraw(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Take a report out; lists that rated it change only by a correction."""
    return await _changed(request, number, verbs.withdraw)


@post("/desk/reports/{number:int}/reinstate", opt=OFFICER, include_in_schema=False, status_code=200)
async def reinstate(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Undo the withdrawal of a report."""
    return await _changed(request, number, verbs.reinstate)


@post("/desk/reports/{number:int}/together", opt=OFFICER, include_in_schema=False, status_code=200)
async def join_stages(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Join a report with others that are stages of the same event."""
    given = await form_texts(request)

    def work() -> str:
        office = _officers_own(request, number)
        others = [
            number_field({"others": text.strip()}, "others") for text in given.get("others", "").split(",")
        ]
        for other in others:
            _officers_own(request, other)
        sent = verbs.join_stages(office, [number, *others], given.get("reason", ""))
        return f"/desk/reports/{sent.report}"

    return await act_and_redirect(request, work, lambda: _report_page(request, number))


@post("/desk/reports/{number:int}/facts", opt=OFFICER, include_in_schema=False, status_code=200)
async def state_facts(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """State or correct facts of a report by decision: those that the form shows otherwise than they are known."""
    given = await form_texts(request)

    def work() -> str:
        office = _officers_own(request, number)
        with office.store.reading() as connection:
            filed = report_on_file(connection, number)
            known = decided_facts(filed, decisions_in_force(connection))
        stated = changed_facts(given, known)
        verbs.decide(office, FACT, report=number, reason=given.get("reason", ""), facts=stated)
        return f"/desk/reports/{number}"

    return await act_and_redirect(request, work, lambda: _report_page(request, number))


@get("/desk/reports/{number:int}/file", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_bytes(request: WebRequest, number: FromPath[int]) -> Response[bytes]:
    """The report as it came."""
    office, user = require_office(request), worker(request)
    with office.store.reading() as connection:
        _mine(connection, user, number)
        data = rows.data(connection, number)
    headers = {"Content-Disposition": "attachment", "Cache-Control": "private, no-store"}
    return Response(data, headers=headers, media_type="application/octet-stream")


ROUTES = (
    overview,
    send,
    report_page,
    accept,
    send_back,
    withdraw,
    reinstate,
    state_facts,
    join_stages,
    report_bytes,
)
