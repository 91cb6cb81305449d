"""The page that checks a report: it is read, checked and rated, with each finding beside its line.

Nothing is stored: the page repeats the text, so that it can be corrected and checked again, and sent when it is right.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread

from arpad.explain.certificates import FACT_NAMES, CertificateFacts
from arpad.explain.findings import excerpt_of, group_findings, mark, verdict_key
from arpad.explain.norm_documents import NormWords
from arpad.explain.rated_report import entry_text, note, position_text
from arpad.model.canonical_json import load
from arpad.model.disciplines import CHESS, discipline_of
from arpad.model.errors import ArpadError, Unreadable
from arpad.model.exact import from_hundredths, points
from arpad.model.rules import LISTS, Finding
from arpad.office.inbox.checked_reports import CheckResult
from arpad.office.inbox.jobs import (
    check_upload,
    correct_upload,
    identify_entrant,
    paper_pdf,
    refuse_large_answer,
    run_job,
)
from arpad.office.lists.rows import all_publications
from arpad.office.reports import rows as reports
from arpad.office.reports.fact_forms import fact_fields, facts_in_form, facts_of
from arpad.office.reports.rows import Filed
from arpad.office.switches import is_on
from arpad.office.users import Role
from arpad.rating.event import control_of
from arpad.reports.event_facts import facts_from
from arpad.store import ledger
from arpad.web.errors import COST_STATUS
from arpad.web.event_strips import gain_bars
from arpad.web.forms import as_sentence, refuse
from arpad.web.limited_process import Bounds, bounds
from arpad.web.reader import COSTLY, PUBLIC, staff_user, words_for
from arpad.web.requests import Refused, WebRequest, office_of, saved_as
from arpad.web.site_settings import settings_of
from arpad.web.templates import page
from arpad.web.uploads import LONGEST_NAME, Upload, clean_name, uploaded_report


def cell_id(address: str) -> str:
    """Return the name of a cell of a workbook within the page."""
    return "cell-" + sha256(address.encode()).hexdigest()[:12]


STATED_LISTS = tuple(name for name in LISTS if not discipline_of(name).by_time_control)
"""The lists that no time control decides, so that the form names them."""

REPORT_PARTS: dict[str, Any] = {
    "points": points, "from_hundredths": from_hundredths, "entry_text": entry_text, "note": note,
    "position_text": position_text, "group_findings": group_findings, "excerpt_of": excerpt_of, "mark": mark,
    "verdict_key": verdict_key, "gain_bars": lambda rated, words: gain_bars(
        {player.entrant.number: player.change.change for player in rated.players if player.change}, words
    ), "delimiter_of": lambda report: report.file_map.delimiter, "cell_id": cell_id,
    "lines_at": "",
}  # fmt: skip
"""The values for ``inbox/report_parts.html``; ``lines_at`` is the page with the lines, empty if this one has them."""


def _is_staff(request: WebRequest) -> bool:
    """Return whether an arbiter or officer asks; a visitor's check knows only the players whom the site shows."""
    user = staff_user(request)
    return user is not None and (user.has(Role.ARBITER) or user.has(Role.OFFICER))


def bounds_of(request: WebRequest) -> Bounds:
    """Return how much the check of a report may cost in this request."""
    return bounds("visitor" if staff_user(request) is None else "signed_in")


def render(
    request: WebRequest,
    upload: Upload | None,
    result: CheckResult | None,
    facts: Mapping[str, str] | None,
    *,
    sentence: str = "",
    status: int = 200,
    replaces: str = "",
    applied: int = 0,
    game: str = "",
) -> Response[str]:
    """Render the page; if no facts are given, with the usual ones of this office."""
    default_facts = _default_facts(request)
    response = page(
        request, "inbox/check.html", status=status, upload=upload, result=result, sentence=sentence,
        facts=default_facts if facts is None else facts, default_facts=default_facts,
        games=(CHESS.name, *STATED_LISTS), may_send=_is_staff(request), fact_fields=fact_fields(words_for(request)),
        questions_of=questions_of,
        asks_game=not game and asks_game(request, result, facts or {}), game=game,
        replaces=replaces, applied=applied, norm_words=NormWords(words_for(request)), fact_names=FACT_NAMES,
        **REPORT_PARTS,
    )  # fmt: skip
    refuse_large_answer(bounds_of(request), len(response.content))
    return response


@get("/check", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def empty_page(request: WebRequest) -> Response[str]:
    """Show the form for a report."""
    replaces = request.query_params.get("replaces", "")
    replaces = replaces if replaces.isdecimal() and len(replaces) < 10 else ""  # noqa: PLR2004  what a number can be
    replaced = _own_report(request, replaces)
    if replaced is None:
        return render(request, None, None, None, replaces=replaces)
    filed, data = replaced
    facts = facts_in_form(replace(facts_from(load(filed.facts)), received=None))
    return check_page(request, Upload(clean_name(filed.file), data), facts, replaces)


def _own_report(request: WebRequest, replaces: str) -> tuple[Filed, bytes] | None:
    """Return the report that is to be replaced, with its bytes, if the user sent it."""
    office, user = office_of(request), staff_user(request)
    if office is None or user is None or not replaces or not _is_staff(request):
        return None
    with office.store.reading() as connection:
        replaced = reports.filed(connection, [int(replaces)]).get(int(replaces))
        if replaced is None or ledger.act(connection, replaced.act).author != user.login:
            return None
        return replaced, reports.data(connection, replaced.id)


ASKED_BY: Mapping[str, str] = {
    "registration-unknown": "registered", "registered-late": "late_registration_accepted", "norms-unknown": "norms",
    "strong-field-unclear": "norms",
    "licences-unknown": "licensed_arbiters", "arbiters-fee-unknown": "licensed_arbiters",
    "time-control-missing": "time_control", "time-control-unknown": "time_control", "list-undecided": "time_control",
    "time-control-assumed": "time_control", "no-list": "list", "wrong-list": "list", "list-assumed": "list",
    "list-by-default": "list", "declared-list-differs": "list", "fast-approval-unknown": "fast_approved",
    "deviations-unknown": "deviations", "deviations-approval-unknown": "deviations_approved",
    "hybrid-approval-unknown": "hybrid_approved", "hybrid-games-unknown": "games_sent",
    "interim-reports-unknown": "interim_reports", "too-long": "longer_approved",
    "championship-unknown": "national_championship", "match-length-unknown": "match_games",
    "kind-contradicted": "kind", "kind-as-declared": "kind", "numbers-unknown-scheme": "number_scheme",
}  # fmt: skip
"""Findings that an answer of the arbiter changes → the fact that is asked."""


def questions_of(findings: Iterable[Finding], facts: Mapping[str, str]) -> dict[str, Finding]:
    """Return the facts to ask for, each with the first finding that needs it, and those already answered."""
    questions: dict[str, Finding] = {}
    for finding in findings:
        if (name := ASKED_BY.get(finding.code)) and not facts.get(name):
            questions.setdefault(name, finding)
    return questions


def asks_game(request: WebRequest, result: CheckResult | None, facts: Mapping[str, str]) -> bool:
    """Return whether a report leaves open if it is chess or draughts: no time control, no sign of draughts."""
    if result is None or result.rated is None or facts.get("list"):
        return False
    office = office_of(request)
    if office is not None:
        with office.store.reading() as connection:
            if not is_on(connection, "draughts"):
                return False
    return result.report.format != "pgn" and not control_of(result.report, facts_of(facts)).text.strip()


def _default_facts(request: WebRequest) -> dict[str, str]:
    """Return a draughts list if the office publishes no other lists: its reports are for one of them."""
    office = office_of(request)
    if office is None:
        return {}
    with office.store.reading() as connection:
        published = [name for name in LISTS if all_publications(connection, name)]
    return {"list": str(published[0])} if published and set(published) <= set(STATED_LISTS) else {}


@post("/check", opt=PUBLIC | COSTLY, include_in_schema=False, status_code=200)
async def check(request: WebRequest) -> Response[str]:
    """Check an uploaded report and show the findings and the preview of every change."""
    form = await request.form()
    upload = await uploaded_report(form)
    texts = {name: str(value) for name, value in form.items() if isinstance(value, str)}
    replaces = texts.get("replaces", "") if texts.get("replaces", "").isdecimal() else ""
    if upload is None:
        sentence = words_for(request).text("site-error.no-file")
        return await sync_to_thread(
            render, request, None, None, texts, sentence=sentence, status=400, replaces=replaces
        )
    return await sync_to_thread(check_page, request, upload, texts, replaces, texts.get("apply", ""))


_IDENTITY = re.compile(r"fide-([0-9]{1,5})(?:-([0-9]{1,10}))?")
"""The correction that writes a FIDE ID for an entrant; without the ID it is in a field."""


def check_page(
    request: WebRequest, upload: Upload, fields: Mapping[str, Any], replaces: str, apply: str = ""
) -> Response[str]:
    """Check a report with the facts of the form and render the page; ``apply`` names a correction to make first."""
    texts = {name: str(value) for name, value in fields.items() if isinstance(value, str)}
    applied, game = 0, texts.get("game", "")
    if game in STATED_LISTS:
        fields = {**fields, "list": game}
    try:
        facts = facts_of(fields)
        if identity := _IDENTITY.fullmatch(apply):
            fide = identity[2] or texts.get(f"fide.{identity[1]}", "").strip()
            if fide.isascii() and fide.isdecimal():
                upload, applied = run_job(
                    bounds_of(request), upload, None, identify_entrant, int(identity[1]), fide
                )
        elif apply:
            upload, applied = run_job(bounds_of(request), upload, None, correct_upload, apply)
        result = run_job(
            bounds_of(request), upload, office_of(request), check_upload, facts, words_for(request).language,
            settings_of(request).editions, settings_of(request).title_editions, public=not _is_staff(request),
        )  # fmt: skip
    except Unreadable as error:
        sentence = as_sentence(words_for(request).error(error))
        editable = upload if upload.text else None  # a file that is empty or not text is chosen again
        return render(request, editable, None, texts, sentence=sentence, status=400, replaces=replaces)
    except ArpadError as error:
        if error.code in COST_STATUS:
            raise
        refuse(request, error, {name: [text] for name, text in texts.items()}, "/check")
        return render(request, upload, None, texts, replaces=replaces)
    return render(
        request, upload, result, facts_in_form(facts), replaces=replaces, applied=applied, game=game
    )


@post("/check/paper", opt=PUBLIC | COSTLY, include_in_schema=False, status_code=200)
async def paper(request: WebRequest) -> Response[bytes]:
    """Return the certificate of a norm or the report of the tournament as PDF, filled from the checked report."""
    form = await request.form()
    upload = await uploaded_report(form)
    texts = {name: str(value) for name, value in form.items() if isinstance(value, str)}
    if upload is None:
        raise Refused(400, "no-file")
    wanted = texts.get("paper", "")[:LONGEST_NAME]

    def work() -> bytes:
        facts = {name: texts.get(f"fact.{name}", "").strip() for name in FACT_NAMES}
        return run_job(
            bounds_of(request), upload, office_of(request), paper_pdf, facts_of(texts),
            words_for(request).language, settings_of(request).editions, wanted, CertificateFacts(**facts),
            settings_of(request).title_editions, public=not _is_staff(request),
        )  # fmt: skip

    data = await sync_to_thread(work)
    name = "it3" if wanted == "IT3" else "it1-" + "".join(letter for letter in wanted if letter.isalnum())
    headers = {"content-disposition": f'attachment; filename="{name.lower()}.pdf"'}
    return Response(data, media_type="application/pdf", headers=headers)


@post("/check/file", opt=PUBLIC, include_in_schema=False, status_code=200)
async def download(request: WebRequest) -> Response[bytes]:
    """Return the report as it is now, corrected or edited, to be kept."""
    upload = await uploaded_report(await request.form())
    if upload is None:
        raise Refused(400, "no-file")
    headers = {"content-disposition": saved_as(upload.name)}
    return Response(upload.data, media_type="application/octet-stream", headers=headers)
