"""The page of a report at the desk: officers accept or return it; arbiters follow the reports they sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.explain.findings import group_findings
from arpad.explain.words import Words
from arpad.model.disciplines import discipline_of
from arpad.model.people import birth_year
from arpad.model.rules import LIST_UNDECIDED, Severity
from arpad.office.decisions.acts import decide
from arpad.office.declared import perform, said
from arpad.office.drafts.procedures import next_list_day
from arpad.office.inbox.check_pages import REPORT_PARTS, check_page
from arpad.office.inbox.checked_reports import CheckResult
from arpad.office.inbox.jobs import check_draughts, limit_shown, run_job, submit_upload
from arpad.office.inbox.match_players import DOUBTS, Match
from arpad.office.inbox.prepare_reports import PUT_ASIDE
from arpad.office.inbox.report_detail import ReportDetail, match_values, read_detail
from arpad.office.inbox.results import Submitted
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.office import Office, today
from arpad.office.parts import club_codes
from arpad.office.proof.signing_keys import public_keys
from arpad.office.reports import rows
from arpad.office.reports.acts import may_see, may_withdraw
from arpad.office.reports.fact_forms import (
    changed_facts,
    fact_fields,
    facts_in_form,
    facts_in_words,
    facts_of,
)
from arpad.office.reports.page_rows import ReportFilter, rating_publications, reports_page, waiting_beside
from arpad.office.reports.rows import FACT, Filed, decisions_in_force
from arpad.office.reports.stated_facts import facts_to_check
from arpad.office.reports.status import errors_set_aside, report_on_file
from arpad.office.reports.tables import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN
from arpad.office.reports.visible import visible_report
from arpad.office.users import Role, User
from arpad.regulations.systems import system_of
from arpad.reports.entrant_match import Outcome
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.sheet import SheetMap
from arpad.reports.report import Report
from arpad.store import ledger
from arpad.store.bulk import head
from arpad.store.settings import read_setting
from arpad.system.lru import Lru
from arpad.web.event_strips import sign_of
from arpad.web.forms import Done, act_and_redirect, done_words, form_texts, number_field
from arpad.web.limited_process import bounds
from arpad.web.reader import ARBITER, OFFICER, caller_of, office_as_user, signed_in_user, words_for
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import page
from arpad.web.uploads import Upload, uploaded_report

UNDECIDED = DOUBTS | {LIST_UNDECIDED}
"""Errors that a decision resolves, and that cannot be overruled."""


@post("/desk/send", opt=ARBITER, include_in_schema=False, status_code=200)
async def send(request: WebRequest) -> Response[Any]:
    """Submit a report from the page of checks; if it is refused, that page comes back as it was filled in."""
    form = await request.form()
    upload = await uploaded_report(form)
    if upload is None:
        raise Refused(400, "no-file")
    texts = {name: value for name, value in form.items() if isinstance(value, str)}
    replaces = str(texts.get("replaces", ""))

    def act() -> Done:
        replaced = number_field(texts, "replaces") if replaces else None
        sent = send_upload(request, upload, facts_of(texts), replaced)
        key = "sent-before" if sent.again else "sent" if replaced is None else "replaced"
        return Done(f"/desk/reports/{sent.report}", done_words(request, key, str(sent.report)))

    return await act_and_redirect(request, act, lambda: check_page(request, upload, texts, replaces))


@get("/desk/reports/{number:int}", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show a report on file: its history, today's findings, and what can be done with it."""
    return report_page_of(request, number)


def report_page_of(request: WebRequest, number: int) -> Response[str]:
    """Return the page of a report on file."""
    office, user = require_office(request), signed_in_user(request)
    with office.store.reading() as connection:
        filed = visible_report(connection, user, number)
        detail = _detail(connection, filed)
        facts = facts_to_check(filed, decisions_in_force(connection))
        matched = match_values(connection, number, detail.checked)
        signs = bool(public_keys(connection))
        clubs = {*club_codes(detail.report, read_setting(connection, "federation")).values()}
        reason = return_reason(connection, number) if filed.status == RETURNED else ""
        withdrawing = may_withdraw(connection, user, filed)
        beside = waiting_beside(connection, number, caller_of(request).federations)
    groups = group_findings(detail.findings)
    return page(
        request, "inbox/report.html", filed=filed, detail=detail, **matched,
        findings=detail.findings,
        errors=[group for group in groups if group.severity == Severity.ERROR and group.first.code not in UNDECIDED],
        undecided_list=filed.undecided, officer=user.may(Role.OFFICER, filed.federation), facts=facts_in_form(facts),
        fact_fields=fact_fields(words_for(request)), in_words=facts_in_words, put_aside=PUT_ASIDE,
        birth_year=birth_year, why_matched=why_matched, reason=reason, set_aside=errors_set_aside(detail.history),
        signs=signs, club_codes=sorted(clubs), is_sender=detail.sender == user.login,
        may_withdraw=withdrawing, beside=beside,
        **REPORT_PARTS | {"lines_at": f"/desk/reports/{number}/contents"}, contents=_contents(detail.report),
    )  # fmt: skip


_DETAILS: Lru[ReportDetail] = Lru(8)
"""The reports looked at last, by the last act: the page of a report asks for the contents at once."""


def _detail(connection: Connection, filed: Filed) -> ReportDetail:
    return _DETAILS.get((head(connection), filed), lambda: read_detail(connection, filed))


def _contents(report: Report) -> dict[str, str]:
    """Return the parts of the contents of a report, each with the key of its name."""
    parts = {"preview": "preview", "cross-table": "cross-table"}
    if report.source:
        return parts | {"lines": "lines"}
    return parts | {"lines": "workbook-title"} if isinstance(report.file_map, SheetMap) else parts


@get("/desk/reports/{number:int}/contents", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_contents(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show what a report on file would change, its cross-table and its lines; the page of the report unfolds them."""
    with require_office(request).store.reading() as connection:
        filed = visible_report(connection, signed_in_user(request), number)
        detail = _detail(connection, filed)
        data = rows.data(connection, number)
    return page(
        request, "inbox/report_contents.html", filed=filed, sign=sign_of(discipline_of(filed.list)),
        result=_result(request, detail, Upload(filed.file, data)), contents=_contents(detail.report), **REPORT_PARTS,
    )  # fmt: skip


def _result(request: WebRequest, detail: ReportDetail, upload: Upload) -> CheckResult:
    """Return the contents of a report: the lines with their findings, and the rated report or the board."""
    office, checked = require_office(request), detail.checked
    if system_of(checked.on_list).rates_again:
        editions, words = settings_of(request).editions, words_for(request)
        facts = replace(checked.facts, list=checked.on_list)
        result = check_draughts(upload, detail.report, facts, words, office, editions)
        return replace(result, findings=detail.findings)
    return limit_shown(CheckResult(detail.report, detail.findings, checked.rated, None, checked.on_list))


def why_matched(match: Match, words: Words) -> str:
    """Return in words why an entrant is the player of the register."""
    if match.undecided and match.finding is not None:
        return words.finding(match.finding)
    if match.decided:
        return words.text("site.matched-decided")
    if match.outcome == Outcome.NEW:
        return words.text("site.matched-new")
    return words.text("site.matched-by-number" if match.entrant.id else "site.matched-by-alias")


@post("/desk/reports/{number:int}/facts", opt=OFFICER, include_in_schema=False, status_code=200)
async def state_facts(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Decide facts of a report: those in which the form differs from the known ones."""
    texts = await form_texts(request)

    def act() -> Done:
        office, caller = require_office(request), caller_of(request)
        with office.store.reading() as connection:
            filed = report_on_file(connection, number)
            present = facts_to_check(filed, decisions_in_force(connection))
        stated = changed_facts(texts, present)
        given = {"kind": FACT, "report": number, "value": stated, "reason": texts.get("reason")}
        key, facts = said(decide, given, perform(decide, office, caller, given))
        return Done(f"/desk/reports/{number}", words_for(request).text(key, **facts))

    return await act_and_redirect(request, act, lambda: report_page_of(request, number))


@get("/desk/reports/{number:int}/file", opt=ARBITER, include_in_schema=False, sync_to_thread=True)
def report_bytes(request: WebRequest, number: FromPath[int]) -> Response[bytes]:
    """Return the report as it was sent."""
    office, user = require_office(request), signed_in_user(request)
    with office.store.reading() as connection:
        visible_report(connection, user, number)
        data = rows.data(connection, number)
    headers = {"Content-Disposition": "attachment", "Cache-Control": "private, no-store"}
    return Response(data, headers=headers, media_type="application/octet-stream")


MOST_SHOWN = 50
SECTIONS = ((RETURNED, "to-correct"), (RECEIVED, "sent"), (ACCEPTED, "accepted"))
CLOSED = (WITHDRAWN, SUPERSEDED)


@dataclass(frozen=True, slots=True)
class SentReport:
    """A report of a sender, with what the sender must know about it."""

    filed: Filed
    reason: str = ""
    """Why it was returned."""

    published: Publication | None = None
    """The list that rates it."""

    next_day: date | None = None
    """The day of the next list, for an accepted report that no list rates yet."""


@dataclass(frozen=True, slots=True)
class Section:
    """The reports of a sender in one status."""

    key: str
    reports: Sequence[SentReport]
    more: bool


def sender_page(request: WebRequest, office: Office, user: User) -> Response[str]:
    """Show an arbiter their reports: to correct, sent, accepted."""
    with office.store.reading() as connection:
        day = today(office, connection)
        sections = [_section(connection, user, status, key, day) for status, key in SECTIONS]
        closed = [
            report for status in CLOSED for report in _section(connection, user, status, "", day).reports
        ]
    return page(request, "inbox/sender.html", sections=sections, closed=closed)


def _section(connection: Connection, user: User, status: str, key: str, day: date) -> Section:
    shown = reports_page(connection, 1, MOST_SHOWN, author=user.login, chosen=ReportFilter(status=status))
    filed = [report for report, author in shown.reports if author == user.login]
    published = rating_publications(connection, [report.id for report in filed]) if filed else {}
    days: dict[str, date] = {}
    reports = [_sent_report(connection, report, published, days, day) for report in filed]
    return Section(key, reports, shown.pages > 1)


def _sent_report(
    connection: Connection,
    filed: Filed,
    published: Mapping[int, Sequence[Publication]],
    days: dict[str, date],
    day: date,
) -> SentReport:
    if filed.status == RETURNED:
        return SentReport(filed, reason=return_reason(connection, filed.id))
    rated_in = published.get(filed.id) or ()
    if filed.status != ACCEPTED or rated_in:
        return SentReport(filed, published=rated_in[-1] if rated_in else None)
    if filed.list not in days:
        last = newest(all_publications(connection, filed.list))
        days[filed.list] = next_list_day(connection, filed.list, last, day)
    return SentReport(filed, next_day=days[filed.list])


def return_reason(connection: Connection, number: int) -> str:
    """Return why a report was last returned to its sender; empty if it never was."""
    returned = [act for status, act in rows.history(connection, number) if status == RETURNED]
    return ledger.act(connection, returned[-1]).reason if returned else ""


def send_upload(
    request: WebRequest, upload: Upload, facts: EventFacts | None, replaces: int | None = None
) -> Submitted:
    """Submit a report for the user, who may replace only a report that they may see.

    A file that somebody else has sent is refused; only officers send new versions of the reports of others.
    """
    office, user = office_as_user(request), signed_in_user(request)
    if replaces is not None:
        with office.store.reading() as connection:
            visible_report(connection, user, replaces)
    sent = run_job(
        bounds("signed_in"), upload, office, submit_upload, facts, replaces,
        among_own=not user.has(Role.OFFICER),
    )  # fmt: skip
    if sent.again:
        with office.store.reading() as connection:
            filed = report_on_file(connection, sent.report)
            if not may_see(connection, user, filed):  # without revealing its status
                raise Refused(409, "sent-by-another")
    return sent
