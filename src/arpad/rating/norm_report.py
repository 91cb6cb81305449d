"""The norms of a report: for each player and each title within reach, norm or not, and what the next rounds must bring.

The report has the ratings, titles and federations; the kind of event, the host and the system can be given, if the
report does not show them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from arpad.model.chess import EventKind
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints
from arpad.model.rules import Edition, Fact, Finding, ListName, Rule, Severity
from arpad.rating.arguments import choose_titles
from arpad.rating.event import control_of, refuse_draughts
from arpad.rating.norms import Norm, Outlook, find_norm, outlook
from arpad.rating.wins_left_out import MOST_ROUNDS, Budget
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.event_kind import meetings
from arpad.regulations.fide.games import approved_as_fast
from arpad.regulations.fide.titles.field import (
    PRESENT,
    BigField,
    Participant,
    RoundField,
    big_field,
    foreign_fields,
    is_strong_field,
)
from arpad.regulations.fide.titles.games import (
    CONTRADICTION,
    NormCell,
    NormRecord,
    federation_of,
    norm_record,
)
from arpad.regulations.fide.titles.performance import average, performance
from arpad.regulations.fide.titles.requirements import (
    DOUBLE_ROUND_ROBIN,
    FIXED,
    HALVES,
    KNOCKOUT,
    NATIONAL_CHAMPIONSHIP,
    ROUND_ROBIN,
    SWISS,
    TEAM,
    WORLD_TEAM,
    Candidate,
    NormEvent,
    Requirement,
    norm_games_needed,
)
from arpad.regulations.fide.titles.rules import WOMEN_TITLES, NormTitle, TitleRules, refuses
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.trf_players import TITLES
from arpad.reports.report import PLAYED, Entrant, Report

REACH = 200
"""A title is within reach if the performance of all games is at most so much below the least one."""

_CODE = re.compile(r"[A-Z]{3}")
_SYSTEMS: Mapping[EventKind, str] = {
    EventKind.SWISS: SWISS,
    EventKind.ROUND_ROBIN: ROUND_ROBIN,
    EventKind.DOUBLE_ROUND_ROBIN: DOUBLE_ROUND_ROBIN,
    EventKind.MULTIPLE_ROUND_ROBIN: DOUBLE_ROUND_ROBIN,
    EventKind.TEAM: TEAM,
}
HOSTS: Mapping[str, str] = {
    name: code
    for code, names in {
        "ARM": "armenia", "AUT": "austria, österreich", "AZE": "azerbaijan, azerbaigian", "BEL": "belgium, belgio",
        "BUL": "bulgaria", "CRO": "croatia, croazia, hrvatska", "CZE": "czech republic, repubblica ceca, czechia",
        "DEN": "denmark, danimarca, danmark", "ENG": "england, inghilterra", "ESP": "spain, spagna, españa",
        "EST": "estonia", "FIN": "finland, finlandia", "FRA": "france, francia", "GEO": "georgia",
        "GER": "germany, germania, deutschland", "GRE": "greece, grecia", "HUN": "hungary, ungheria, magyarország",
        "IND": "india", "IRL": "ireland, irlanda", "ISL": "iceland, islanda", "ISR": "israel, israele",
        "ITA": "italy, italia", "LAT": "latvia, lettonia", "LTU": "lithuania, lituania", "MLT": "malta",
        "NED": "netherlands, paesi bassi, olanda, nederland", "NOR": "norway, norvegia, norge",
        "POL": "poland, polonia, polska", "POR": "portugal, portogallo", "ROU": "romania", "SCO": "scotland, scozia",
        "SLO": "slovenia", "SMR": "san marino", "SRB": "serbia, srbija",
        "SUI": "switzerland, svizzera, schweiz, suisse",
        "SVK": "slovakia, slovacchia", "SWE": "sweden, svezia, sverige", "TUR": "turkey, turchia, türkiye",
        "UKR": "ukraine, ucraina", "USA": "united states, stati uniti, united states of america",
    }.items()
    for name in names.split(", ")
}  # fmt: skip
"""Countries that reports name instead of the code of their federation."""

_KNOCKOUT = re.compile(r"knock|eliminazione|k\.? ?o\.?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NormOptions:
    """Facts that a report may lack, and how much is asked."""

    edition: str | None = None
    day: date | None = None
    system: str = ""
    kind: str = ""
    host: str = ""
    rounds: int | None = None
    titles: tuple[NormTitle, ...] = ()
    """Look for these titles, within reach or not."""

    players: frozenset[int] | None = None
    """Look at these start numbers, with all titles."""

    editions: Sequence[Edition[TitleRules]] = TITLE_EDITIONS
    """The editions to choose from, by name or by the first day."""

    facts: EventFacts = field(default_factory=EventFacts)
    """The stated facts that norms depend on: the time control, and whether faster games were approved."""

    @classmethod
    def of_facts(
        cls, facts: EventFacts, editions: Sequence[Edition[TitleRules]] = TITLE_EDITIONS
    ) -> NormOptions:
        """Return what the facts about an event say for norms: its kind and its system."""
        kind = NATIONAL_CHAMPIONSHIP if facts.national_championship else ""
        kind = WORLD_TEAM if facts.team_championship else kind
        system = _SYSTEMS.get(facts.kind, str(facts.kind)) if facts.kind else ""
        return cls(kind=kind, system=system, editions=editions, facts=facts)


NOTHING_GIVEN = NormOptions()


@dataclass(frozen=True, slots=True)
class PlayerNorms:
    """A player of a report with the titles within reach."""

    entrant: Entrant
    norms: tuple[Norm, ...]
    outlooks: tuple[Outlook | None, ...]
    """For each norm what is needed in the remaining rounds; None if it is made, or no round remains."""


@dataclass(frozen=True, slots=True)
class ReportNorms:
    """The norms of a report."""

    report: Report
    edition: Edition[TitleRules]
    event: NormEvent
    played: int
    """Rounds played."""

    players: tuple[PlayerNorms, ...]
    findings: tuple[Finding, ...]
    fields: tuple[RoundField, ...] = field(default=(), repr=False)
    """The foreign players of each round."""

    big: BigField = BigField.NO

    @property
    def remaining(self) -> int:
        """Return how many rounds are to come."""
        return max(0, self.event.rounds - self.played)


def find_norms(report: Report, options: NormOptions = NOTHING_GIVEN) -> ReportNorms:
    """Return the norms of a report, with the ratings and titles that it has (B.01 1.1.3, B.01 1.4.6a)."""
    refuse_draughts(report)
    first_day = _first_day(report) or options.day
    if options.edition is None and first_day is None:
        raise BadInput("norms-no-day")
    on = None if options.edition else options.day or first_day
    edition = choose_titles(options.edition, on, options.editions)
    rules = edition.on(ListName.STANDARD)
    day = first_day or edition.effective
    played = _rounds_played(report)
    if not played:
        raise BadInput("norms-no-rounds")
    system = options.system or _system(report)
    announced = report.header.rounds or 0
    total = options.rounds or max(announced if announced <= MOST_ROUNDS else 0, played)
    host = options.host or _host(report)
    event = NormEvent(system, total, options.kind, host)
    findings = [*_event_findings(report, event, options.facts, rules), *_entrant_findings(report, rules)]
    federations = [federation_of(_code(entrant.federation), "", day, rules) for entrant in report.entrants]
    field_of_event = _field(report, federations, played)
    strong = is_strong_field(field_of_event, played, host, rules)
    event = replace(event, strong_field=strong)
    if refusal := _refusal(event, played, rules):
        return ReportNorms(report, edition, event, played, (), (*findings, refusal))
    rows = _Rows(report, event, rules, day, tuple(federations), _zero_scorers(report))
    conditions = tuple(_failed_conditions(report, options.facts, day, rules))
    players = tuple(_players(rows, edition, played, options, conditions))
    return ReportNorms(
        report, edition, event, played, players, (*findings, *_undecided(players)),
        tuple(foreign_fields(field_of_event, played, host, rules)),
        big_field(field_of_event, played, rules) if system == SWISS else BigField.NO,
    )  # fmt: skip


def _players(
    rows: _Rows,
    edition: Edition[TitleRules],
    played: int,
    options: NormOptions,
    conditions: tuple[Requirement, ...],
) -> Iterator[PlayerNorms]:
    rules, remaining, budget = rows.rules, rows.event.rounds - played, Budget()
    possible = all(condition.warns for condition in conditions)
    for place, entrant in enumerate(rows.report.entrants):
        if options.players is not None and entrant.number not in options.players:
            continue
        record = rows.record(place)
        everything = bool(options.titles) or options.players is not None
        titles = [
            title
            for title in options.titles or titles_above(entrant)
            if title not in WOMEN_TITLES or entrant.sex == "w" or options.titles
        ]
        asked = [
            title
            for title in titles
            if (record.games and everything) or in_reach(record, title, rules, remaining)
        ]
        norms = tuple(
            _under(conditions, _unfinished(find_norm(record, title, edition, budget), remaining))
            for title in asked
        )
        outlooks = tuple(
            None
            if norm.norm or remaining <= 0 or not possible
            else outlook(record, norm.title, rules, remaining)
            for norm in norms
        )
        if norms:
            yield PlayerNorms(entrant, norms, outlooks)


def in_reach(record: NormRecord, title: NormTitle, rules: TitleRules, remaining: int) -> bool:
    """Return whether the performance of all games is near the one that a title needs, and enough games are possible.

    One game may be missing: a forfeit or a bye can stand for it.
    """
    least = norm_games_needed(record.event, rules).value - 1
    if not record.games or len(record.games) + max(0, remaining) < least:
        return False
    mean = average([game.rating for game in record.games], title, rules).value
    score: HalfPoints = sum(game.score for game in record.games)
    best = performance(mean, score, len(record.games), rules)
    return best >= rules.least_performance.value.of(title) - REACH


def titles_above(entrant: Entrant) -> tuple[NormTitle, ...]:
    """Return the titles above the one that a player holds; women's titles come after the others."""
    order = tuple(NormTitle)
    return order[: order.index(NormTitle(entrant.title))] if entrant.title in order else order


def _unfinished(norm: Norm, remaining: int) -> Norm:
    """Return a norm that is not made yet if rounds with fixed pairings remain (B.01 1.4.1e)."""
    event = norm.record.event
    rule = norm.edition.on(ListName.STANDARD).fixed_all_rounds
    if remaining <= 0 or event.system not in FIXED:
        return norm
    done, confidence = event.rounds - remaining, rule.confidence
    open_rounds = Requirement("rounds", rule.article, event.rounds, done, holds=False, confidence=confidence)
    return replace(norm, norm=False, requirements=(open_rounds, *norm.requirements))


# ---------------------------------------------------------------------------------------------------- the report


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a report as the title regulations see them."""

    report: Report
    event: NormEvent
    rules: TitleRules
    day: date
    federations: tuple[str, ...]
    zero_scorers: frozenset[int]

    def record(self, place: int) -> NormRecord:
        """Return the tournament of the player at a place."""
        entrant = self.report.entrants[place]
        player = Candidate(self.federations[place], entrant.sex)
        return norm_record(player, self.event, self._cells(place), self.rules, self.day)

    def _cells(self, place: int) -> Iterator[NormCell]:
        report = self.report
        for number, cells in report.numbered_rounds():
            opponent, result = cells.opponents[place], cells.results[place]
            if not opponent:
                if result != " ":
                    yield NormCell(number, result)
                continue
            other = report.places.get(opponent)
            if other is None or not cells.confirms(other, report.entrants[place].number, result):
                yield NormCell(number, CONTRADICTION, person=str(opponent))
                continue
            entrant = report.entrants[other]
            yield NormCell(
                number, result, entrant.title, entrant.rating, _code(entrant.federation), "", str(opponent),
                other in self.zero_scorers,
            )  # fmt: skip


def _first_day(report: Report) -> date | None:
    days = (report.header.first_day, *(cells.day for cells in report.rounds))
    return next((day for day in days if day), None)


def _rounds_played(report: Report) -> int:
    """Return the number of the last round with a game."""
    played = [number for number, cells in report.numbered_rounds() if PLAYED & set(cells.results)]
    return max(played, default=0)


def _system(report: Report) -> str:
    if _KNOCKOUT.search(f"{report.header.kind} {report.header.coded_kind}"):
        return KNOCKOUT
    kind = meetings(report, None).kind
    return _SYSTEMS.get(kind, str(kind))


def _code(text: str) -> str:
    """Return a federation as three capital letters; empty if it is no code."""
    code = text.strip().upper()
    return code if _CODE.fullmatch(code) else ""


def _host(report: Report) -> str:
    """Return the code of the host federation: as such, or by the name of the country."""
    named = HOSTS.get(report.header.federation.strip().casefold(), "")
    return _code(report.header.federation) or named or _code(report.header.starting_rank[:3])


def _field(report: Report, federations: Sequence[str], played: int) -> list[Participant]:
    present: list[set[int]] = [set() for _ in report.entrants]
    for number, cells in report.numbered_rounds():
        if number > played:
            break
        for place, result in enumerate(cells.results):
            if result in PRESENT:
                present[place].add(number)
    return [
        Participant(entrant.title, entrant.rating, federations[place], frozenset(present[place]))
        for place, entrant in enumerate(report.entrants)
    ]


def _zero_scorers(report: Report) -> frozenset[int]:
    """Return the places of unrated players who played rated ones and took no point from them."""
    points: dict[int, HalfPoints] = {}
    unrated = [place for place, entrant in enumerate(report.entrants) if entrant.rating is None]
    for _, cells in report.numbered_rounds():
        for place in unrated:
            other = report.places.get(cells.opponents[place])
            if other is not None and cells.results[place] in PLAYED and report.entrants[other].rating:
                points[place] = points.get(place, 0) + HALVES[cells.results[place]]
    return frozenset(place for place, score in points.items() if score == 0)


def _under(conditions: tuple[Requirement, ...], norm: Norm) -> Norm:
    """Return a norm with the conditions of the tournament that do not hold: then it is none."""
    possible = all(condition.warns for condition in conditions)
    return replace(
        norm, norm=norm.norm if possible else False, requirements=(*conditions, *norm.requirements)
    )


def _failed_conditions(
    report: Report, facts: EventFacts, day: date, rules: TitleRules
) -> Iterator[Requirement]:
    """Yield the conditions of a tournament with norms that a report breaks: rounds a day, minutes."""
    days = [cells.day for cells in report.rounds if cells.day]
    rounds, most = max(map(days.count, days), default=0), rules.norm_rounds_per_day
    if rounds > most.value:
        yield _broken("rounds-per-day", most, rounds)
    minutes, least = control_of(report, facts).minutes(), rules.norm_minutes
    if least and minutes is not None and minutes < least.value and not _approved(minutes, facts, day):
        yield _broken("minutes", least, minutes)


def _approved(minutes: Fraction, facts: EventFacts, day: date) -> bool:
    """Return whether an approval lets games of these minutes give norms (reading 64)."""
    if not facts.fast_approved:
        return False
    rules = in_force(CHESS_EDITIONS, ListName.STANDARD, day).on(ListName.STANDARD)
    fast = rules.fast_by_approval
    return fast is not None and fast.value.norms and approved_as_fast(minutes, facts, rules)


def _broken(name: str, rule: Rule[int], actual: int | Fraction) -> Requirement:
    """Return a condition that does not hold; one of which nothing is known only warns (reading 71)."""
    confidence, warns = rule.confidence, not refuses(rule)
    return Requirement(
        name, rule.article, rule.value, actual, holds=False, confidence=confidence, warns=warns
    )


# ---------------------------------------------------------------------------------------------------- findings


def _refusal(event: NormEvent, played: int, rules: TitleRules) -> Finding | None:
    """Return why no norms are looked for in an event."""
    systems = rules.norm_systems
    if event.system not in systems.value:
        return Finding(Severity.WARNING, "norms-system", systems.article, facts={"system": event.system})
    if played > MOST_ROUNDS:
        facts: dict[str, Fact] = {"rounds": played, "most": MOST_ROUNDS}
        return Finding(Severity.WARNING, "norms-too-many-rounds", facts=facts)
    return None


def _undecided(players: Sequence[PlayerNorms]) -> Iterator[Finding]:
    """Yield how many searches were stopped."""
    undecided = sum(norm.norm is None for player in players for norm in player.norms)
    if undecided:
        yield Finding(Severity.WARNING, "norms-undecided", facts={"norms": undecided})


def _event_findings(
    report: Report, event: NormEvent, facts: EventFacts, rules: TitleRules
) -> Iterator[Finding]:
    """Yield what is wrong with the event, or not known of it (B.01 1.1.2, B.01 1.1.3, B.01 1.1.4)."""

    def finding(code: str, article: str, **facts: Fact) -> Finding:
        return Finding(Severity.WARNING, code, article, facts=facts)

    if (report.header.rounds or 0) > MOST_ROUNDS:
        yield finding("norms-rounds-announced", "", rounds=report.header.rounds, most=MOST_ROUNDS)
    if not event.host:
        yield finding("norms-host-unknown", rules.exempt_swiss.article)
    control = control_of(report, facts)
    minutes = control.minutes()
    if minutes is None:
        yield finding("norms-time-unknown", rules.norm_minutes.article if rules.norm_minutes else "")
    elif rules.norm_minutes and minutes < rules.norm_minutes.value:
        least = rules.norm_minutes
        yield finding("norms-too-fast", least.article, minutes=minutes, least=least.value)
    days = Counter(cells.day for cells in report.rounds if cells.day)
    for day in sorted(day for day, rounds in days.items() if rounds > rules.norm_rounds_per_day.value):
        most = rules.norm_rounds_per_day
        yield finding("norms-rounds-per-day", most.article, day=day, rounds=days[day], most=most.value)
    hours = Fraction(max(days.values(), default=0) * 2 * (minutes or 0), 60)
    if hours > rules.norm_hours_per_day.value:
        rule = rules.norm_hours_per_day
        yield finding("norms-hours-per-day", rule.article, hours=hours, most=rule.value)
    first, last = report.header.first_day, report.header.last_day
    if first and last and (last - first).days + 1 > rules.day_of_game_after.value:
        rule = rules.day_of_game_after
        yield finding("norms-long-event", rule.article, days=(last - first).days + 1, most=rule.value)


def _entrant_findings(report: Report, rules: TitleRules) -> Iterator[Finding]:
    """Yield players without a federation or with a title that nobody knows, each as one finding with the names."""
    nowhere = [entrant.name for entrant in report.entrants if not _code(entrant.federation)]
    if nowhere:
        facts: dict[str, Fact] = {"players": len(nowhere), "names": tuple(nowhere[:5])}
        yield Finding(Severity.WARNING, "norms-federation-unknown", rules.outside_fide.article, facts=facts)
    titles = sorted({entrant.title for entrant in report.entrants if entrant.title} - TITLES)
    if titles:
        yield Finding(
            Severity.WARNING,
            "norms-title-unknown",
            rules.titled_share.article,
            facts={"titles": tuple(titles)},
        )
