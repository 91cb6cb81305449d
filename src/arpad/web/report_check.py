"""A report that was sent in, looked at within bounds: the findings, the preview, the documents of the API.

Every function here takes the bounds first and can run in the web worker or in a process of its own; none knows of a
request. So the site's framework is not loaded here.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from arpad.explain.documents import finding_document
from arpad.explain.draughts_board import EventBoard, board_of
from arpad.explain.rated_report import csv_text, heading, player_document
from arpad.explain.words import Words, load_words
from arpad.lists.published import DRAUGHTS
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, Finding, ListName, Severity
from arpad.rating.draughts_event import DraughtsEvent
from arpad.rating.draughts_season import run_season
from arpad.rating.preview import RatedEntrant, RatedReport, ordered, rate
from arpad.regulations.draughts.rubele import RUBELE_2008
from arpad.regulations.editions import ALL, in_force
from arpad.reports.event_facts import WHOLE, EventFacts
from arpad.reports.formats import read_report
from arpad.reports.formats.encoding import western
from arpad.reports.report import Report
from arpad.web.cost_limits import MIB, MOST_CELLS_ANSWERED, MOST_CELLS_SHOWN, SMALL, Bounds
from arpad.web.limited_process import work_apart

if TYPE_CHECKING:
    from arpad.office.match_players import Match
    from arpad.office.office import Office
    from arpad.office.reports import Submitted

P = ParamSpec("P")
T = TypeVar("T")

MOST_LINES = 600
"""Beyond these only the lines with findings are shown."""


@dataclass(frozen=True, slots=True)
class Upload:
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

    @property
    def small(self) -> bool:
        """Whether it costs little, whatever it holds: a text, and not a long one."""
        return len(self.data) <= SMALL and not self.data.startswith(b"PK")


@dataclass(frozen=True, slots=True)
class FileLine:
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
class CheckResult:
    """A report after it was looked at."""

    report: Report
    findings: tuple[Finding, ...]
    rated: RatedReport | None
    board: EventBoard | None
    on_list: ListName
    shown: int = 0
    """How many players the page shows, from the first on: a very large report is shown in part."""

    @property
    def errors(self) -> int:
        """How many errors stand against it."""
        return sum(finding.severity == Severity.ERROR for finding in self.findings)

    @property
    def elsewhere(self) -> tuple[Finding, ...]:
        """What concerns no single line."""
        known = len(self.report.source)
        return tuple(f for f in self.findings if f.line is None or not 1 <= f.line <= known)

    def lines(self) -> list[FileLine]:
        """Return the lines of the file with their findings."""
        by_line: dict[int, list[Finding]] = {}
        for finding in self.findings:
            if finding.line is not None:
                by_line.setdefault(finding.line, []).append(finding)
        all_lines = [
            FileLine(number, text.rstrip("\r\n"), tuple(by_line.get(number, ())))
            for number, text in enumerate(self.report.source, start=1)
        ]
        return all_lines if len(all_lines) <= MOST_LINES else [line for line in all_lines if line.findings]


# --------------------------------------------------------------------------------------------------- within bounds


@dataclass(frozen=True, slots=True)
class Where:
    """An office as another process opens it: where it is, who is at the desk, and when that is."""

    place: str
    author: str
    moment: datetime

    @classmethod
    def of(cls, office: Office) -> Where:
        """Return where an opened office is."""
        place = office.store.engine.url.render_as_string(hide_password=False)
        return cls(place, office.author, office.now())


@contextmanager
def opened(office: Office | Where) -> Iterator[Office]:
    """Give an office as it is, or open it for as long as it is needed."""
    if not isinstance(office, Where):
        yield office
        return
    from arpad.office.office import open_office

    found = open_office(office.place, now=lambda: office.moment, author=office.author)
    try:
        yield found
    finally:
        found.close()


def within(
    bounds: Bounds,
    sent: Upload,
    office: Office | None,
    job: Callable[Concatenate[Bounds, Upload, Office | Where | None, P], T],
    *given: P.args,
    **named: P.kwargs,
) -> T:
    """Return what a job makes of a file: done here where the file is small, otherwise in a process of its own."""
    if sent.small:
        return job(bounds, sent, office, *given, **named)
    where = Where.of(office) if office is not None else None
    return work_apart("report", bounds, job, sent, where, *given, **named)


def read_bounded(bounds: Bounds, sent: Upload) -> Report:
    """Return the report in a file; refuse one with more games than may be looked at here."""
    report = read_report(sent.data, sent.name)
    games = sum(1 for cells in report.rounds for opponent in cells.opponents if opponent) // 2
    if games > bounds.games:
        raise BadInput("too-many-games", games=games, most=bounds.games)
    return report


def check_size(bounds: Bounds, size: int) -> None:
    """Refuse an answer that is too large."""
    if size > bounds.answer * MIB:
        raise BadInput("answer-too-large", most=bounds.answer)


# ------------------------------------------------------------------------------------------------ looking at it


def look(
    bounds: Bounds,
    sent: Upload,
    office: Office | Where | None,
    facts: EventFacts,
    language: str,
    editions: Sequence[Edition[Any]] = ALL,
) -> CheckResult:
    """Read, check and rate; with an office, against its register and with the ratings in force.

    ``editions`` are those of the site, whoever looks.
    """
    report = read_bounded(bounds, sent)
    if facts.list in DRAUGHTS or report.format == "pdn":
        return _look_draughts(sent, report, facts, load_words(language), office, editions)
    if office is not None:
        from arpad.office import reports as office_reports

        with opened(office) as desk, desk.store.reading() as connection:
            checked = office_reports.check(connection, report, facts)
        findings = ordered(list(checked.findings))
        return _as_far_as_shown(CheckResult(report, findings, checked.rated, None, checked.on_list))
    rated = rate(report, facts=facts, editions=editions)
    return _as_far_as_shown(CheckResult(report, rated.findings, rated, None, rated.on_list))


def _look_draughts(
    sent: Upload,
    report: Report,
    facts: EventFacts,
    words: Words,
    office: Office | Where | None,
    editions: Sequence[Edition[Any]],
) -> CheckResult:
    on_list = ListName(facts.list) if facts.list in DRAUGHTS else ListName.ITALIANA
    day = report.header.first_day
    edition = in_force(editions, on_list, day) if day else RUBELE_2008
    matching: Sequence[Finding] = ()
    listed, standings = report, None
    if office is not None and day is not None:
        from arpad.office import reports as office_reports
        from arpad.office.draughts_lists import capitals_in_force
        from arpad.office.match_players import findings as match_findings

        with opened(office) as desk, desk.store.reading() as connection:
            checked = office_reports.check(connection, report, replace(facts, list=on_list))
            standings = capitals_in_force(connection, on_list, day)
        matching = match_findings(checked.matches)
        listed = report if standings is None else _registered(report, checked.matches)
    weight = Fraction(WHOLE if facts.weight is None else facts.weight, WHOLE)
    chain = run_season(
        [DraughtsEvent(sent.name, listed, weight)], standings, lambda _day: edition.on(on_list)
    )
    (event,) = chain.events
    findings = ordered([*matching, *event.findings])
    return CheckResult(report, findings, None, board_of(event, on_list, edition.id, words), on_list)


def _registered(report: Report, matches: Sequence[Match]) -> Report:
    """Return the report with the register's numbers and without its ratings: the office's capitals count."""
    return replace(
        report,
        entrants=tuple(
            replace(one.entrant, id="" if one.player is None else str(one.player), rating=None)
            for one in matches
        ),
    )


def _as_far_as_shown(looked: CheckResult) -> CheckResult:
    """Leave out the games of players beyond those that a page shows."""
    rated = looked.rated
    if rated is None:
        return looked
    shown = _first(rated.players, 0, MOST_CELLS_SHOWN)
    rest = [replace(one, games=(), change=None, initial=None, steps=()) for one in rated.players[shown:]]
    return replace(looked, rated=replace(rated, players=(*rated.players[:shown], *rest)), shown=shown)


def _first(players: Sequence[RatedEntrant], start: int, most: int) -> int:
    """Return how far one gets from a player on with so many rounds of players; at least one player."""
    cells = 0
    for place in range(start, len(players)):
        cells += len(players[place].games) or 1
        if cells > most:
            return max(place, start + 1)
    return len(players)


# --------------------------------------------------------------------------------------------- for programs


def check_document(
    bounds: Bounds,
    sent: Upload,
    _office: Office | Where | None,
    facts: EventFacts,
    language: str,
    editions: Sequence[Edition[Any]],
) -> bytes:
    """Return what there is to say against a report, as JSON."""
    rated = rate(read_bounded(bounds, sent), facts=facts, editions=editions)
    return _encoded(bounds, {**_shown_heading(rated), "findings": _findings(rated, load_words(language))})


def rated_document(
    bounds: Bounds,
    sent: Upload,
    _office: Office | Where | None,
    facts: EventFacts,
    language: str,
    editions: Sequence[Edition[Any]],
    page: int,
) -> bytes:
    """Return a page of a rated report, as JSON."""
    rated = rate(read_bounded(bounds, sent), facts=facts, editions=editions)
    return _encoded(bounds, document_page(rated, load_words(language), page))


def rated_csv(
    bounds: Bounds,
    sent: Upload,
    _office: Office | Where | None,
    facts: EventFacts,
    language: str,
    editions: Sequence[Edition[Any]],
) -> bytes:
    """Return a rated report, one row a player."""
    rated = rate(read_bounded(bounds, sent), facts=facts, editions=editions)
    data = csv_text(rated, load_words(language)).encode()
    check_size(bounds, len(data))
    return data


def document_page(rated: RatedReport, words: Words, page: int) -> dict[str, Any]:
    """Return a page of a rated report: as many players as an answer holds; the findings stand on the first."""
    ends = [0]
    while ends[-1] < len(rated.players) or len(ends) == 1:
        ends.append(_first(rated.players, ends[-1], MOST_CELLS_ANSWERED))
    pages = len(ends) - 1
    number = min(page, pages)
    return {
        **_shown_heading(rated),
        "findings": _findings(rated, words) if number == 1 else [],
        "players": [player_document(one, words) for one in rated.players[ends[number - 1] : ends[number]]],
        "page": number,
        "pages": pages,
    }


def _shown_heading(rated: RatedReport) -> dict[str, Any]:
    told = heading(rated)
    return {name: told[name] for name in ("event", "edition", "list", "format", "treated_as")}


def _findings(rated: RatedReport, words: Words) -> list[Any]:
    return [finding_document(finding, words) for finding in rated.findings]


def _encoded(bounds: Bounds, document: dict[str, Any]) -> bytes:
    import msgspec

    data = msgspec.json.encode(document)
    check_size(bounds, len(data))
    return data


# ------------------------------------------------------------------------------------------------- filing it


def file_report(
    bounds: Bounds,
    sent: Upload,
    office: Office | Where | None,
    facts: EventFacts | None,
    replaces: int | None,
    *,
    among_own: bool,
) -> Submitted:
    """File a report with the office."""
    from arpad import office as verbs

    assert office is not None  # noqa: S101  the guard has let in somebody who works there
    read_bounded(bounds, sent)
    with opened(office) as desk:
        return verbs.submit(desk, sent.data, sent.name, facts=facts, replaces=replaces, among_own=among_own)
