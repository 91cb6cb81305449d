"""A report as it was sent in: read, checked and rated, with each finding beside the line it concerns.

Nothing is kept: the page carries the text along, so that it can be mended and checked again, and sent when it is right.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, UploadFile

from arpad.accounts import Role
from arpad.draughts.chain import run_chain
from arpad.draughts.event import DraughtsEvent
from arpad.errors import ArpadError, Unreadable
from arpad.exact import from_hundredths, points
from arpad.explain import Words
from arpad.facts import WHOLE, EventFacts
from arpad.formats import read_report
from arpad.formats.encoding import western
from arpad.model import Edition, Finding, ListName, Severity
from arpad.office import reports as office_reports
from arpad.office.desk import Office
from arpad.office.draughts import capitals_in_force
from arpad.office.event_facts import facts_from
from arpad.office.matching import Match
from arpad.office.matching import findings as match_findings
from arpad.papers.board import Board, board_of
from arpad.papers.rated_page import entry_text, note, place
from arpad.published import DRAUGHTS
from arpad.rate import RatedReport, ordered, rate
from arpad.regulations import ALL, in_force
from arpad.regulations.rubele import RUBELE_2008
from arpad.report import Report
from arpad.store import ledger
from arpad.store import reports as rows
from arpad.store.lists import all_publications
from arpad.store.values import load
from arpad.web.access import PUBLIC, office_of, works_here
from arpad.web.errors import Refused
from arpad.web.fact_forms import fact_fields, facts_in_form, facts_of
from arpad.web.forms import as_sentence, refuse
from arpad.web.language import say_of
from arpad.web.pages import page
from arpad.web.settled import settled

LONGEST_NAME = 120
MOST_LINES = 600
"""Beyond these only the lines with findings are shown."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as it came, or as it was mended on the page."""

    name: str
    data: bytes

    @property
    def text(self) -> str | None:
        """The file as text that can be mended; None for a workbook."""
        if b"\0" in self.data[:4096]:
            return None
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return western(self.data)[0]

    @property
    def packed(self) -> str:
        """The bytes in letters, for a form that carries them along."""
        return b64encode(self.data).decode()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file, and what there is to say of it."""

    number: int
    text: str
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> str:
        """The gravest severity among its findings."""
        found = {finding.severity for finding in self.findings}
        return next((str(severity) for severity in Severity if severity in found), "")


@dataclass(frozen=True, slots=True)
class Looked:
    """A report after it was looked at."""

    report: Report
    findings: tuple[Finding, ...]
    rated: RatedReport | None
    board: Board | None
    on_list: ListName

    @property
    def errors(self) -> int:
        """How many errors stand against it."""
        return sum(finding.severity == Severity.ERROR for finding in self.findings)

    @property
    def elsewhere(self) -> tuple[Finding, ...]:
        """What concerns no single line."""
        known = len(self.report.source)
        return tuple(f for f in self.findings if f.line is None or not 1 <= f.line <= known)

    def lines(self) -> list[Line]:
        """The lines of the file with their findings."""
        by_line: dict[int, list[Finding]] = {}
        for finding in self.findings:
            if finding.line is not None:
                by_line.setdefault(finding.line, []).append(finding)
        all_lines = [
            Line(number, text.rstrip("\r\n"), tuple(by_line.get(number, ())))
            for number, text in enumerate(self.report.source, start=1)
        ]
        return all_lines if len(all_lines) <= MOST_LINES else [line for line in all_lines if line.findings]


# ------------------------------------------------------------------------------------------------ what was sent


async def sent_in(form: FormMultiDict) -> Sent | None:
    """The file of a form: just chosen, mended in its text, or carried along."""
    file = form.get("file")
    if isinstance(file, UploadFile):
        data = await file.read()
        if data:
            return Sent(clean_name(file.filename), data)
    text, packed = form.get("text"), form.get("packed")
    name = clean_name(str(form.get("name") or ""))
    if isinstance(text, str) and text.strip():
        return Sent(name, text.replace("\r\n", "\n").encode())
    if isinstance(packed, str) and packed:
        try:
            return Sent(name, b64decode(packed, validate=True))
        except (BadBase64, ValueError):
            raise Refused(400, "http-400") from None
    return None


def clean_name(name: str) -> str:
    """A file's own name: no folders, nothing that does not print."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in last if letter.isprintable())[:LONGEST_NAME] or "report.trf"


# ------------------------------------------------------------------------------------------------ looking at it


def look(
    sent: Sent,
    facts: EventFacts,
    say: Words,
    office: Office | None,
    editions: Sequence[Edition[Any]] = ALL,
) -> Looked:
    """Read, check and rate; with an office, against its register and with the ratings in force.

    ``editions`` are those of the site, whoever looks.
    """
    report = read_report(sent.data, sent.name)
    if facts.list in DRAUGHTS or report.format == "pdn":
        return _look_draughts(sent, report, facts, say, office, editions)
    if office is not None:
        with office.store.reading() as connection:
            checked = office_reports.check(connection, report, facts)
        return Looked(report, ordered(list(checked.findings)), checked.rated, None, checked.on_list)
    rated = rate(report, facts=facts, editions=editions)
    return Looked(report, rated.findings, rated, None, rated.on_list)


def _look_draughts(
    sent: Sent,
    report: Report,
    facts: EventFacts,
    say: Words,
    office: Office | None,
    editions: Sequence[Edition[Any]],
) -> Looked:
    on_list = ListName(facts.list) if facts.list in DRAUGHTS else ListName.ITALIANA
    day = report.header.first_day
    edition = in_force(editions, on_list, day) if day else RUBELE_2008
    matching: Sequence[Finding] = ()
    listed, standings = report, None
    if office is not None and day is not None:
        with office.store.reading() as connection:
            checked = office_reports.check(connection, report, replace(facts, list=on_list))
            standings = capitals_in_force(connection, on_list, day)
        matching = match_findings(checked.matches)
        listed = report if standings is None else _registered(report, checked.matches)
    weight = Fraction(WHOLE if facts.weight is None else facts.weight, WHOLE)
    chain = run_chain([DraughtsEvent(sent.name, listed, weight)], standings, lambda _day: edition.on(on_list))
    (event,) = chain.events
    findings = ordered([*matching, *event.findings])
    return Looked(report, findings, None, board_of(event, on_list, edition.id, say), on_list)


def _registered(report: Report, matches: Sequence[Match]) -> Report:
    """The report with the register's numbers; the office's capitals count, not those written in it."""
    return replace(
        report,
        entrants=tuple(
            replace(one.entrant, id="" if one.player is None else str(one.player), rating=None)
            for one in matches
        ),
    )


# ------------------------------------------------------------------------------------------------------- pages


def _office_for(request: Request[Any, Any, Any]) -> Office | None:
    """The register speaks only to those who work with it."""
    user = works_here(request)
    works = user is not None and (user.has(Role.ARBITER) or user.has(Role.OFFICER))
    return office_of(request) if works else None


def shown(
    request: Request[Any, Any, Any],
    sent: Sent | None,
    looked: Looked | None,
    facts: Mapping[str, str] | None,
    *,
    sentence: str = "",
    status: int = 200,
    replaces: str = "",
) -> Response[str]:
    """The page, with whatever there is to show; before anything is given, with what is usual here."""
    usual = _usual(request)
    return page(
        request, "check.html", status=status, sent=sent, looked=looked, sentence=sentence,
        facts=usual if facts is None else facts, usual=usual,
        may_send=_office_for(request) is not None, fact_fields=fact_fields(say_of(request)), points=points,
        from_hundredths=from_hundredths, entry_text=entry_text, note=note, place=place, replaces=replaces,
    )  # fmt: skip


@get("/check", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def empty(request: Request[Any, Any, Any]) -> Response[str]:
    """Where a report is dropped or chosen."""
    replaces = request.query_params.get("replaces", "")
    replaces = replaces if replaces.isdecimal() and len(replaces) < 10 else ""  # noqa: PLR2004  what a number can be
    return shown(request, None, None, _stated_before(request, replaces), replaces=replaces)


def _stated_before(request: Request[Any, Any, Any], replaces: str) -> dict[str, str] | None:
    """What was stated with the report that another one is to replace, for whoever sent it; nothing else is shown."""
    office, user = _office_for(request), works_here(request)
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


@post("/check", opt=PUBLIC, include_in_schema=False, status_code=200)
async def check(request: Request[Any, Any, Any]) -> Response[str]:
    """A report with its findings and the preview of every change."""
    form = await request.form()
    sent = await sent_in(form)
    given = {name: str(value) for name, value in form.items() if isinstance(value, str)}
    replaces = given.get("replaces", "") if given.get("replaces", "").isdecimal() else ""
    say = say_of(request)
    if sent is None:
        sentence = say.text("site-error.no-file")
        return await sync_to_thread(
            shown, request, None, None, given, sentence=sentence, status=400, replaces=replaces
        )

    return await sync_to_thread(looked_at, request, sent, given, replaces)


def looked_at(
    request: Request[Any, Any, Any], sent: Sent, given: Mapping[str, Any], replaces: str
) -> Response[str]:
    """A report with whatever there is to say of it, and what the sender said beside it."""
    texts = {name: str(value) for name, value in given.items() if isinstance(value, str)}
    try:
        facts = facts_of(given)
        looked = look(sent, facts, say_of(request), _office_for(request), settled(request).editions)
    except Unreadable as error:
        sentence = as_sentence(say_of(request).error(error))
        mendable = sent if sent.text is not None else None  # what is no text is chosen anew
        return shown(request, mendable, None, texts, sentence=sentence, status=400, replaces=replaces)
    except ArpadError as error:
        refuse(request, error, {name: [text] for name, text in texts.items()}, "/check")
        return shown(request, sent, None, texts, replaces=replaces)
    return shown(request, sent, looked, facts_in_form(facts), replaces=replaces)


ROUTES = (empty, check)
