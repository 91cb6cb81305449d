"""Jobs for an uploaded report: check it, rate it, write the documents of the API, submit it.

Each job takes the bounds first and runs in the web worker or in a limited process. No job knows of a request, so that
the limited process need not load the web framework.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar

from arpad.checks.proposals import MOST_PASSES, propose_for_file
from arpad.explain.certificates import CertificateFacts, norm_certificate, tournament_report
from arpad.explain.documents import FindingDocument, finding_document, proposal_documents
from arpad.explain.draughts_board import board_of
from arpad.explain.norm_documents import report_norms_document
from arpad.explain.rated_report import (
    CheckedReportDocument,
    RatedPageDocument,
    csv_text,
    heading,
    player_document,
)
from arpad.explain.words import Words, load_words
from arpad.model.cursors import Cursor
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import DRAUGHTS_LISTS, Edition, Finding, ListName
from arpad.office.inbox.checked_reports import CheckResult
from arpad.publishing.certificate_pdf import norm_pdf, tournament_pdf
from arpad.rating.calculator import Answer, Question
from arpad.rating.draughts_event import DraughtsEvent, run_season
from arpad.rating.event_question import EventAnswer, answer_event, parse_json, read_question
from arpad.rating.norm_arguments import calculate_norm
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.rating.norms import Norm
from arpad.rating.preview import RatedEntrant, RatedReport, ordered, rate
from arpad.rating.wins_left_out import OutOfStepsError, quick_searches
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import ALL, in_force
from arpad.regulations.fide.titles.rules import TitleRules
from arpad.regulations.rubele.editions import NEWEST as NEWEST_RUBELE
from arpad.reports.entrant_match import Candidate
from arpad.reports.event_facts import WHOLE, EventFacts
from arpad.reports.file_edits import edited_file
from arpad.reports.formats import draughts_list, read_report
from arpad.reports.report import Entrant, Report
from arpad.web.limited_process import (
    MIB,
    MOST_CELLS_ANSWERED,
    MOST_CELLS_SHOWN,
    Bounds,
    OfficeLocation,
    opened_office,
    run_limited,
)
from arpad.web.uploads import Upload

if TYPE_CHECKING:
    from arpad.office.inbox.results import Submitted
    from arpad.office.office import Office
    from arpad.reports.entrant_match import Candidate

    AnyOffice: TypeAlias = Office | OfficeLocation | None

P = ParamSpec("P")
T = TypeVar("T")

MOST_NORMS = 100
"""Players whose norms the page shows."""

ALL_PROPOSALS = "all"

SMALL_QUESTION, QUICK_EVENT = 16_000, 600
"""The letters of a question, and its players and games, that the web worker answers itself."""


# ------------------------------------------------------------------------------------------------- running a job


def run_job(
    bounds: Bounds,
    upload: Upload,
    office: Office | None,
    job: Callable[Concatenate[Bounds, Upload, AnyOffice, P], T],
    *arguments: P.args,
    **options: P.kwargs,
) -> T:
    """Run a job: in this process if the file is small and its norms are found quickly, otherwise in a limited one."""
    if upload.is_small:
        with suppress(OutOfStepsError), quick_searches():
            return job(bounds, upload, office, *arguments, **options)
    location = OfficeLocation.of(office) if office is not None else None
    return run_limited("report", bounds, job, upload, location, *arguments, **options)


def norm_answer(bounds: Bounds, question: Question) -> Answer[Norm]:
    """Answer whether a player made a norm: in this process if it is found quickly, otherwise in a limited one."""
    with suppress(OutOfStepsError), quick_searches():
        return calculate_norm(question)
    return run_limited("report", bounds, _answer_norm, question)


def _answer_norm(_bounds: Bounds, question: Question) -> Answer[Norm]:
    return calculate_norm(question)


def event_answer(bounds: Bounds, system: str, text: str) -> EventAnswer:
    """Rate an event of any rating system: in this process if it is small, otherwise in a limited one."""
    if len(text) <= SMALL_QUESTION:
        question = read_question(system, parse_json(text))
        if question.size <= QUICK_EVENT:
            return answer_event(question)
    return run_limited("report", bounds, _answer_event, system, text)


def _answer_event(bounds: Bounds, system: str, text: str) -> EventAnswer:
    question = read_question(system, parse_json(text))
    if question.size > bounds.games:
        raise BadInput("too-many-games", games=question.size, most=bounds.games)
    return answer_event(question)


def read_upload(bounds: Bounds, upload: Upload) -> Report:
    """Read an uploaded report; refuse one with more games than the bounds allow."""
    report = read_report(upload.data, upload.name)
    games = sum(1 for cells in report.rounds for opponent in cells.opponents if opponent) // 2
    if games > bounds.games:
        raise BadInput("too-many-games", games=games, most=bounds.games)
    return report


def refuse_large_answer(bounds: Bounds, size: int) -> None:
    """Refuse a response that is too large."""
    if size > bounds.answer * MIB:
        raise BadInput("answer-too-large", most=bounds.answer)


# ----------------------------------------------------------------------------------------------- checking it


def check_upload(
    bounds: Bounds,
    upload: Upload,
    office: AnyOffice,
    facts: EventFacts,
    language: str,
    editions: Sequence[Edition[Any]] = ALL,
    titles: Sequence[Edition[TitleRules]] = TITLE_EDITIONS,
    *,
    public: bool = False,
) -> CheckResult:
    """Read, check and rate a report; with an office, against its register and with its ratings in force.

    ``editions`` and ``titles`` are those of the site. A ``public`` check knows only the players whom the site shows;
    a report in which it knows nobody is rated with its own ratings, as without an office.
    """
    report = read_upload(bounds, upload)
    if facts.list in DRAUGHTS_LISTS or (
        facts.list is None and (report.format == "pdn" or draughts_list(report) is not None)
    ):
        drawn = check_draughts(upload, report, facts, load_words(language), office, editions, public=public)
        return replace(drawn, proposals=propose_for_file(report))
    checked = None
    doubtful: tuple[tuple[Entrant, tuple[Candidate, ...]], ...] = ()
    if office is not None:
        from arpad.office.inbox.check_report import check
        from arpad.office.inbox.entrant_decisions import doubtful_entrants

        with opened_office(office) as desk, desk.store.reading() as connection:
            checked = check(connection, report, facts, public=public)
            doubtful = () if public else doubtful_entrants(connection, checked.matches)
    if checked and not (public and all(match.player is None for match in checked.matches)):
        findings = ordered(list(checked.findings))
        result = CheckResult(report, findings, checked.rated, None, checked.on_list, doubtful=doubtful)
    else:
        rated = rate(report, facts=facts, editions=editions)
        result = CheckResult(report, rated.findings, rated, None, rated.on_list)
    return limit_shown(
        replace(result, norms=_norms(result, facts, titles), proposals=propose_for_file(result.report))
    )


def correct_upload(bounds: Bounds, upload: Upload, _office: AnyOffice, wanted: str) -> tuple[Upload, int]:
    """Return a report with one of the proposed corrections, or with ``all``; and how many were applied."""
    data, applied = upload.data, 0
    for _ in range(MOST_PASSES if wanted == ALL_PROPOSALS else 1):
        proposals = propose_for_file(read_upload(bounds, replace(upload, data=data)))
        chosen = [proposal for proposal in proposals if wanted in (ALL_PROPOSALS, proposal.key)]
        if not chosen:
            break
        data = edited_file(data, [edit for proposal in chosen for edit in proposal.edits])
        applied += len(chosen)
    return replace(upload, data=data), applied


def identify_entrant(
    bounds: Bounds, upload: Upload, _office: Office | OfficeLocation | None, number: int, fide: str
) -> tuple[Upload, int]:
    """Return a report with a FIDE ID written for an entrant; and whether the file has room for it."""
    report = read_upload(bounds, upload)
    place = report.places.get(number)
    if place is None:
        return upload, 0
    entrant = replace(report.entrants[place], id=fide)
    edits = report.file_map.write_player(entrant, "id")
    return replace(upload, data=edited_file(upload.data, edits)), min(len(edits), 1)


def _norms(
    result: CheckResult, facts: EventFacts, titles: Sequence[Edition[TitleRules]]
) -> ReportNorms | None:
    """Return the norms with the ratings that the report was rated with; None if there is nothing to look for."""
    if result.rated is None or result.on_list != ListName.STANDARD:
        return None
    entrants = tuple(replace(player.entrant, rating=player.rating) for player in result.rated.players)
    try:
        norms = find_norms(replace(result.report, entrants=entrants), NormOptions.of_facts(facts, titles))
    except ArpadError:  # no first day, no edition on that day, no round
        return None
    return replace(norms, report=result.report, players=norms.players[:MOST_NORMS])


def check_draughts(
    upload: Upload,
    report: Report,
    facts: EventFacts,
    words: Words,
    office: AnyOffice,
    editions: Sequence[Edition[Any]],
    *,
    public: bool = False,
) -> CheckResult:
    """Check a draughts report and compute its board; ``public`` as for ``check_upload``."""
    stated = ListName(facts.list) if facts.list in DRAUGHTS_LISTS else None
    on_list = stated or draughts_list(report) or ListName.ITALIANA
    day = report.header.first_day
    edition = in_force(editions, on_list, day) if day else NEWEST_RUBELE
    matching: Sequence[Finding] = ()
    listed, standings = report, None
    if office is not None and day is not None:
        from arpad.office.inbox.check_report import check
        from arpad.office.inbox.closed_years import closed_year_findings
        from arpad.office.inbox.match_players import match_findings
        from arpad.office.lists.in_force import capitals_in_force

        with opened_office(office) as desk, desk.store.reading() as connection:
            checked = check(connection, report, replace(facts, list=on_list), public=public)
            standings = capitals_in_force(connection, on_list, day)
            late = closed_year_findings(connection, on_list, report, [it.player for it in checked.matches])
        matching = [*match_findings(checked.matches), *late]
        if standings is not None:  # the office's capitals count, under the numbers of the register
            entrants = (replace(it.entrant, id=str(it.player or ""), rating=None) for it in checked.matches)
            listed = replace(report, entrants=tuple(entrants))
    weight = Fraction(WHOLE if facts.weight is None else facts.weight, WHOLE)
    chain = run_season(
        [DraughtsEvent(upload.name, listed, weight)], standings, lambda _day: edition.on(on_list)
    )
    (event,) = chain.events
    findings = ordered([*matching, *event.findings])
    return CheckResult(report, findings, None, board_of(event, on_list, edition.id, words), on_list)


def limit_shown(result: CheckResult) -> CheckResult:
    """Drop the games of the players that the page does not show."""
    rated = result.rated
    if rated is None:
        return result
    shown = _players_within(rated.players, 0, MOST_CELLS_SHOWN)
    rest = [
        replace(player, games=(), change=None, initial=None, steps=()) for player in rated.players[shown:]
    ]
    return replace(result, rated=replace(rated, players=(*rated.players[:shown], *rest)), shown=shown)


def _players_within(players: Sequence[RatedEntrant], start: int, most: int) -> int:
    """Return the index after the last player from ``start`` on whose games fit in ``most`` cells; at least one fits."""
    cells = 0
    for index in range(start, len(players)):
        cells += len(players[index].games) or 1
        if cells > most:
            return max(index, start + 1)
    return len(players)


# --------------------------------------------------------------------------------------------- for programs


class Given(NamedTuple):
    """The facts that a program sends with a report, the language of sentences, and the editions of the site."""

    facts: EventFacts
    language: str
    editions: Sequence[Edition[Any]]


def check_document(bounds: Bounds, upload: Upload, _office: AnyOffice, given: Given) -> bytes:
    """Return the findings of a report and the proposed corrections as JSON."""
    rated = rate(read_upload(bounds, upload), facts=given.facts, editions=given.editions)
    words = load_words(given.language)
    proposals = proposal_documents(propose_for_file(rated.report), words)
    checked = CheckedReportDocument(
        **_short_heading(rated), findings=_findings(rated, words), proposals=proposals
    )
    return _encoded(bounds, checked)


def corrected_file(bounds: Bounds, upload: Upload, office: AnyOffice, _given: Given, wanted: str) -> bytes:
    """Return the bytes of a report with one proposed correction, or with all."""
    corrected, applied = correct_upload(bounds, upload, office, wanted)
    if not applied and wanted != ALL_PROPOSALS:
        raise BadInput("correction-unknown", given=wanted)
    return corrected.data


def rated_document(
    bounds: Bounds, upload: Upload, _office: AnyOffice, given: Given, after: Cursor, shape: str
) -> bytes:
    """Return a page of a rated report as JSON, or its players as NDJSON or CSV, one row each."""
    rated = rate(read_upload(bounds, upload), facts=given.facts, editions=given.editions)
    words = load_words(given.language)
    if shape == "csv":
        return _limited(bounds, csv_text(rated, words).encode())
    page = document_page(rated, words, after)
    return _encoded(bounds, *(page.players if shape == "ndjson" else (page,)))


def norms_document(
    bounds: Bounds, upload: Upload, _office: AnyOffice, given: Given, options: NormOptions
) -> bytes:
    """Return the title norms of a report as JSON."""
    stated = NormOptions.of_facts(given.facts)
    filled = replace(options, kind=options.kind or stated.kind, system=options.system or stated.system)
    norms = find_norms(read_upload(bounds, upload), filled)
    return _encoded(bounds, vars(report_norms_document(norms, load_words(given.language))))


def paper_pdf(
    bounds: Bounds,
    upload: Upload,
    office: AnyOffice,
    facts: EventFacts,
    language: str,
    editions: Sequence[Edition[Any]],
    paper: str,
    known: CertificateFacts,
    titles: Sequence[Edition[TitleRules]],
    *,
    public: bool = False,
) -> bytes:
    """Return the report of a tournament (``IT3``), or the certificate of a norm, named as ``12:GM``."""
    norms = check_upload(bounds, upload, office, facts, language, editions, titles, public=public).norms
    if norms is None:
        raise BadInput("norms-no-day")
    words = load_words(language)
    if paper == "IT3":
        return tournament_pdf(tournament_report(norms, known, words), words)
    for player in norms.players:
        for norm in player.norms:
            if paper == f"{player.entrant.number}:{norm.title}":
                return norm_pdf(norm_certificate(norms, player.entrant.number, norm, known), words)
    raise BadInput("value-unknown", option="paper", value=paper[:40], accepted="IT3, 12:GM")


def document_page(rated: RatedReport, words: Words, after: Cursor) -> RatedPageDocument:
    """Return the players after a cursor, as many as fit; the first page has the findings."""
    first = min(after.item, len(rated.players))
    end = _players_within(rated.players, first, MOST_CELLS_ANSWERED) if rated.players[first:] else first
    return RatedPageDocument(
        **_short_heading(rated),
        findings=[] if after.item else _findings(rated, words),
        players=[player_document(player, words) for player in rated.players[first:end]],
        next=str(Cursor(end)),
        more=end < len(rated.players),
    )


def _short_heading(rated: RatedReport) -> dict[str, Any]:
    fields = heading(rated)
    return {name: fields[name] for name in ("event", "edition", "list", "format", "treated_as")}


def _findings(rated: RatedReport, words: Words) -> list[FindingDocument]:
    return [finding_document(finding, words) for finding in rated.findings]


def _encoded(bounds: Bounds, *documents: Any) -> bytes:
    """Return documents as JSON, several with one on each line."""
    import msgspec

    encoded = (msgspec.json.encode(document, enc_hook=str) for document in documents)
    return _limited(bounds, b"\n".join(encoded))


def _limited(bounds: Bounds, data: bytes) -> bytes:
    refuse_large_answer(bounds, len(data))
    return data


# --------------------------------------------------------------------------------------------- submitting it


def submit_upload(
    bounds: Bounds,
    upload: Upload,
    office: AnyOffice,
    facts: EventFacts | None,
    replaces: int | None,
    *,
    among_own: bool,
) -> Submitted:
    """Submit a report to the office."""
    from arpad.office.inbox.submit import submit

    assert office is not None  # noqa: S101  the guard admits only staff of an office
    report = read_upload(bounds, upload)
    with opened_office(office) as desk:
        return submit(
            desk, upload.data, upload.name, facts=facts, replaces=replaces, among_own=among_own, report=report
        )
