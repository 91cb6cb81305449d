"""A report as it was sent in: read, checked and rated, with each finding beside the line it concerns.

Nothing is kept: the page carries the text along, so that it can be mended and checked again, and sent when it is right.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, UploadFile

from arpad.accounts import Role
from arpad.explain.rated_report_page import entry_text, note, place
from arpad.lists.published import DRAUGHTS
from arpad.model.errors import ArpadError, Unreadable
from arpad.model.exact import from_hundredths, points
from arpad.model.json_values import load
from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.reports.event_facts import facts_from
from arpad.store import ledger
from arpad.store import reports as rows
from arpad.store.lists import all_publications
from arpad.web.auth import COSTLY, PUBLIC, staff_user
from arpad.web.cost_limits import Bounds, bounds
from arpad.web.errors import COST_STATUS
from arpad.web.fact_forms import fact_fields, facts_in_form, facts_of
from arpad.web.forms import as_sentence, refuse
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.report_check import CheckResult, Upload, check_size, look, within
from arpad.web.requests import office_of
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

LONGEST_NAME = 120


# ------------------------------------------------------------------------------------------------ what was sent


async def sent_in(form: FormMultiDict) -> Upload | None:
    """The file of a form: just chosen, mended in its text, or carried along."""
    file = form.get("file")
    if isinstance(file, UploadFile):
        data = await file.read()
        if data:
            return Upload(clean_name(file.filename), data)
    text, packed = form.get("text"), form.get("packed")
    name = clean_name(str(form.get("name") or ""))
    if isinstance(text, str) and text.strip():
        return Upload(name, text.replace("\r\n", "\n").encode())
    if isinstance(packed, str) and packed:
        try:
            return Upload(name, b64decode(packed, validate=True))
        except (BadBase64, ValueError):
            raise Refused(400, "http-400") from None
    return None


def clean_name(name: str) -> str:
    """A file's own name: no folders, nothing that does not print."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[:LONGEST_NAME] or "report.trf"


# ------------------------------------------------------------------------------------------------------- pages


def _office_for(request: Request[Any, Any, Any]) -> Office | None:
    """The register speaks only to those who work with it."""
    user = staff_user(request)
    works = user is not None and (user.has(Role.ARBITER) or user.has(Role.OFFICER))
    return office_of(request) if works else None


def bounds_of(request: Request[Any, Any, Any]) -> Bounds:
    """Return how much a report of whoever asks may cost."""
    return bounds("visitor" if staff_user(request) is None else "signed_in")


def shown(
    request: Request[Any, Any, Any],
    sent: Upload | None,
    looked: CheckResult | None,
    facts: Mapping[str, str] | None,
    *,
    sentence: str = "",
    status: int = 200,
    replaces: str = "",
) -> Response[str]:
    """The page, with whatever there is to show; before anything is given, with what is usual here."""
    usual = _usual(request)
    answer = page(
        request, "check.html", status=status, sent=sent, looked=looked, sentence=sentence,
        facts=usual if facts is None else facts, usual=usual,
        may_send=_office_for(request) is not None, fact_fields=fact_fields(words_for(request)), points=points,
        from_hundredths=from_hundredths, entry_text=entry_text, note=note, place=place, replaces=replaces,
    )  # fmt: skip
    check_size(bounds_of(request), len(answer.content))
    return answer


@get("/check", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def empty(request: Request[Any, Any, Any]) -> Response[str]:
    """Where a report is dropped or chosen."""
    replaces = request.query_params.get("replaces", "")
    replaces = replaces if replaces.isdecimal() and len(replaces) < 10 else ""  # noqa: PLR2004  what a number can be
    return shown(request, None, None, _stated_before(request, replaces), replaces=replaces)


def _stated_before(request: Request[Any, Any, Any], replaces: str) -> dict[str, str] | None:
    """What was stated with the report that another one is to replace, for whoever sent it; nothing else is shown."""
    office, user = _office_for(request), staff_user(request)
    if office is None or user is None or not replaces:
        return None
    with office.store.reading() as connection:
        before = rows.filed(connection, [int(replaces)]).get(int(replaces))
        if before is None or ledger.act(connection, before.act).author != user.login:
            return None
    return facts_in_form(replace(facts_from(load(before.facts)), received=None))


def _usual(request: Request[Any, Any, Any]) -> dict[str, str]:
    """Where all lists that are out are of draughts, a report is for one of them, whatever its time control."""
    office = office_of(request)
    if office is None:
        return {}
    with office.store.reading() as connection:
        out = [name for name in ListName if all_publications(connection, name)]
    return {"list": str(out[0])} if out and DRAUGHTS.issuperset(out) else {}


@post("/check", opt=PUBLIC | COSTLY, include_in_schema=False, status_code=200)
async def check(request: Request[Any, Any, Any]) -> Response[str]:
    """A report with its findings and the preview of every change."""
    form = await request.form()
    sent = await sent_in(form)
    given = {name: str(value) for name, value in form.items() if isinstance(value, str)}
    replaces = given.get("replaces", "") if given.get("replaces", "").isdecimal() else ""
    words = words_for(request)
    if sent is None:
        sentence = words.text("site-error.no-file")
        return await sync_to_thread(
            shown, request, None, None, given, sentence=sentence, status=400, replaces=replaces
        )

    return await sync_to_thread(looked_at, request, sent, given, replaces)


def looked_at(
    request: Request[Any, Any, Any], sent: Upload, given: Mapping[str, Any], replaces: str
) -> Response[str]:
    """A report with whatever there is to say of it, and what the sender said beside it."""
    texts = {name: str(value) for name, value in given.items() if isinstance(value, str)}
    try:
        facts = facts_of(given)
        looked = within(
            bounds_of(request), sent, _office_for(request), look, facts, words_for(request).language,
            settings_of(request).editions,
        )  # fmt: skip
    except Unreadable as error:
        sentence = as_sentence(words_for(request).error(error))
        mendable = sent if sent.text is not None else None  # what is no text is chosen anew
        return shown(request, mendable, None, texts, sentence=sentence, status=400, replaces=replaces)
    except ArpadError as error:
        if error.code in COST_STATUS:
            raise
        refuse(request, error, {name: [text] for name, text in texts.items()}, "/check")
        return shown(request, sent, None, texts, replaces=replaces)
    return shown(request, sent, looked, facts_in_form(facts), replaces=replaces)


ROUTES = (empty, check)
