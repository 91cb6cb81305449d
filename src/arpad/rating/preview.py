"""A report rated under an edition: the change of every rated player, the performance of every unrated one.

Nothing here stops at a finding: whatever is wrong with the event, the arbiter sees its result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from arpad.checks import Case, check_event, check_file
from arpad.model.chess import (
    ALL_PLAY_ALL,
    Change,
    Entry,
    EventKind,
    GameChange,
    PlayerFacts,
    RoundRobin,
)
from arpad.model.exact import HalfPoints
from arpad.model.rules import Edition, Fact, Finding, ListName, Severity, Step, step
from arpad.rating.context import (
    FIRST_DAY_DECIDES,
    ListedRating,
    RatingContext,
    choose_context,
    listed_findings,
    participant,
)
from arpad.rating.event import Counted, EventTally, Tally, control_of, tally
from arpad.regulations.calendar import list_in_force
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.change import coefficient, rating_change
from arpad.regulations.fide.entry_rating import entry_rating
from arpad.regulations.fide.event_kind import Meetings, meetings, treated_as
from arpad.regulations.fide.games import RoundCell
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.report import Entrant, Report
from arpad.reports.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class RatedCell:
    """One round of one player: whether it counts, and what it is worth."""

    cell: RoundCell
    opponent_rating: int | None
    change: GameChange | None
    """None for unrated players and for games that do not count."""

    rated: bool
    reason: str
    article: str


@dataclass(frozen=True, slots=True)
class RatedEntrant:
    """A participant with the result of the event."""

    entrant: Entrant
    rating: int | None
    score: HalfPoints
    k: int | None
    change: Change | None
    """For a rated player."""

    initial: Entry | None
    """For an unrated one."""

    games: tuple[RatedCell, ...]
    steps: tuple[Step, ...]
    """The source of a player's K."""

    @property
    def derivation(self) -> tuple[Step, ...]:
        """Return everything after the single games: K, the change, or the entry rating."""
        result = self.change or self.initial
        return self.steps + (result.steps if result else ())


@dataclass(frozen=True, slots=True)
class RatedReport:
    """A report, rated."""

    report: Report
    edition: Edition[ChessRules] | None
    on_list: ListName
    kind: EventKind
    treated_as: EventKind
    players: tuple[RatedEntrant, ...]
    findings: tuple[Finding, ...]
    round_robin: RoundRobin | None = None

    @property
    def worst(self) -> Severity | None:
        """Return the gravest severity among the findings."""
        severities = {finding.severity for finding in self.findings}
        return next((severity for severity in Severity if severity in severities), None)


def rate(
    report: Report,
    *,
    facts: EventFacts | None = None,
    edition: Edition[ChessRules] | None = None,
    listed: Mapping[str, ListedRating] | None = None,
    editions: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
    file: Report | None = None,
) -> RatedReport:
    """Check and rate one report, with the ratings of a list if one is passed, else with its own (6.3, 6.4, 8.52, 12.4).

    The edition is the one passed, else that of ``editions`` which is in force on the first day. ``file`` is the report
    as it came, if other ratings were put in since: contradictions are looked for in it.
    """
    prepared = _prepare(report, facts or EventFacts(), edition, listed, editions, file or report)
    context, players, rules = prepared.context, prepared.players, prepared.context.rules
    if rules is None:
        return _unrated(prepared)
    before = {place for place, player in enumerate(players) if player.counted_before}
    counted = tally(report, prepared.ratings, rules, facts=prepared.facts, counted_before=before)
    rated = tuple(
        _rated_entrant(entrant, player, player_tally, rules, _day(report))
        for entrant, player, player_tally in zip(report.entrants, players, counted.players, strict=True)
    )
    by_year = sum(item.quantity == "k-junior-year" for player in rated for item in player.steps)
    reduced = sum(player.change is not None and player.change.k_applied < player.change.k for player in rated)
    findings = prepared.all_findings(rules, counted.met, by_year=by_year, reduced=reduced)
    findings += _removed_later(report, counted, findings, rules)
    return RatedReport(
        report, context.edition, context.on_list, counted.kind, counted.treated_as, rated, ordered(findings),
        counted.round_robin,
    )  # fmt: skip


def findings_only(
    report: Report,
    *,
    facts: EventFacts | None = None,
    editions: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
    file: Report | None = None,
) -> tuple[ListName, tuple[Finding, ...]]:
    """Return the list and the findings of ``rate`` without rating: no derivation of any game."""
    prepared = _prepare(report, facts or EventFacts(), None, None, editions, file or report)
    findings = _findings_unrated(prepared)
    if findings is None:
        findings = rate(report, facts=facts, editions=editions, file=file).findings
    return prepared.context.on_list, findings


def _findings_unrated(prepared: _Prepared) -> tuple[Finding, ...] | None:
    """Return the findings about an event without rating it; None if some follow from its rating."""
    rules, report = prepared.context.rules, prepared.report
    if rules is None:
        return ordered(prepared.findings)
    met = meetings(report, prepared.facts.kind)
    if treated_as(met, rules) in ALL_PLAY_ALL and None in prepared.ratings:
        return None  # newcomers may be removed (6.1)
    day, limit = _day(report), rules.k_times_games
    rated = [player for player in prepared.players if player.rating is not None]
    coefficients = [_k(player, day, rules) for player in rated if player.k is None]
    highest = max([*(player.k or 0 for player in rated), *(k for k, _ in coefficients)], default=0)
    if limit is not None and highest * len(report.round_numbers) > limit.value:
        return None
    by_year = sum(item.quantity == "k-junior-year" for _, steps in coefficients for item in steps)
    return ordered(prepared.all_findings(rules, met, by_year=by_year, reduced=0))


def listed_on(
    report: Report, facts: EventFacts, editions: Sequence[Edition[ChessRules]] = CHESS_EDITIONS
) -> ListName:
    """Return the list that a report is rated on: as the facts say, else by its time control and its own ratings."""
    if facts.list is not None:
        return facts.list
    highest = _highest(_participants(report, facts, None) if facts.players else report.entrants)
    return choose_context(report, facts, None, control_of(report, facts), highest, editions).on_list


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A report under its edition, before anything is counted."""

    report: Report
    facts: EventFacts
    players: list[KnownPlayer]
    context: RatingContext
    control: TimeControl
    findings: list[Finding]

    @property
    def ratings(self) -> tuple[int | None, ...]:
        """The rating of each player, None for the unrated."""
        return tuple([player.rating for player in self.players])

    def all_findings(self, rules: ChessRules, met: Meetings, *, by_year: int, reduced: int) -> list[Finding]:
        """Return the findings so far, those of the articles, and the assumptions."""
        context = self.context
        name = context.edition.id if context.edition else ""
        case = Case(
            self.report, self.facts, name, rules, context.on_list, met, self.control, self.ratings, context.lists,
        )  # fmt: skip
        noted = _assumptions(self, rules, by_year=by_year, reduced=reduced)
        return [*self.findings, *check_event(case), *noted]


def _prepare(
    report: Report,
    facts: EventFacts,
    edition: Edition[ChessRules] | None,
    listed: Mapping[str, ListedRating] | None,
    editions: Sequence[Edition[ChessRules]],
    file: Report,
) -> _Prepared:
    """Return a report under its edition."""
    control = control_of(report, facts)
    players = _participants(report, facts, listed)
    context = choose_context(report, facts, edition, control, _highest(players), editions)
    rules = context.rules
    if listed is not None or any(known.from_standard for known in facts.players.values()):
        players = _participants(report, facts, listed, context.on_list, rules)
    findings = [*context.findings, *report.findings, *check_file(file)]
    findings += listed_findings(report, listed, context.on_list, rules)
    return _Prepared(report, facts, players, context, control, findings)


def _participants(
    report: Report,
    facts: EventFacts,
    listed: Mapping[str, ListedRating] | None,
    on_list: ListName = ListName.STANDARD,
    rules: ChessRules | None = None,
) -> list[KnownPlayer]:
    return [participant(entrant, facts, listed, on_list, rules) for entrant in report.entrants]


def _highest(players: Sequence[KnownPlayer | Entrant]) -> int | None:
    """Return the highest rating, None if all are unrated."""
    return max([player.rating or 0 for player in players], default=0) or None


def _day(report: Report) -> date | None:
    """Return the first day, or the nearest day that the report has."""
    days = (report.header.first_day, *report.round_days, report.header.last_day)
    return next((day for day in days if day), None)


def _unrated(prepared: _Prepared) -> RatedReport:
    """Return the preview of a report that no edition can rate: the games, none of which counts."""
    report, ratings = prepared.report, prepared.ratings
    kind = meetings(report, prepared.facts.kind).kind
    players = []
    for place, entrant in enumerate(report.entrants):
        games = []
        for game in report.games(place):
            other = report.places.get(game.opponent)
            cell = RoundCell(game.round, place, other, game.opponent, game.result, "no-edition")
            rating = ratings[other] if other is not None else None
            games.append(
                RatedCell(cell, rating, None, rated=False, reason=cell.reason, article=FIRST_DAY_DECIDES)
            )
        score = sum(game.cell.score for game in games)
        players.append(RatedEntrant(entrant, ratings[place], score, None, None, None, tuple(games), ()))
    findings = ordered(prepared.findings)
    return RatedReport(report, None, prepared.context.on_list, kind, kind, tuple(players), findings)


def ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return findings by severity, then by position."""
    grave = list(Severity)
    return tuple(sorted(findings, key=lambda it: (grave.index(it.severity), it.line or 0, it.column or 0)))


# ------------------------------------------------------------------------------------------------ the event


def _rated_entrant(
    entrant: Entrant, player: KnownPlayer, counted: Tally, rules: ChessRules, first_day: date | None
) -> RatedEntrant:
    """Return one participant, as if this were the only event of the period."""
    if player.rating is None:
        rounds = tuple(_rated_cell(played, None) for played in counted.rounds)
        return RatedEntrant(
            entrant, None, counted.score, None, None, _initial(player, counted, rules), rounds, ()
        )
    k, steps = _k(player, first_day, rules)
    if player.from_standard and rules.entry_takes_standard:
        steps = (step(rules.entry_takes_standard.article, "from-standard", player.rating), *steps)
    change = rating_change(player.rating, k, counted.games(player.rating, "event"), rules)
    worth = iter(change.games)
    rounds = tuple(_rated_cell(played, None if played.reason else next(worth)) for played in counted.rounds)
    return RatedEntrant(entrant, player.rating, counted.score, k, change, None, rounds, steps)


def _rated_cell(played: Counted, change: GameChange | None) -> RatedCell:
    code, article = played.reason, played.article
    if change is not None and not change.rated:
        code, article = "too-far", change.steps[-1].article
    return RatedCell(
        played.cell, played.opponent_rating, change, rated=not code, reason=code, article=article
    )


def _initial(player: KnownPlayer, counted: Tally, rules: ChessRules) -> Entry:
    """Return what the event alone gives an unrated player, as a newcomer unless facts say otherwise."""
    if counted.removed:
        return Entry(None, None, "first-event-score", 0, 0, None, (), (), counted.removed)
    tranches = [replace(counted.tranche, last_day=None)] if counted.tranche else []
    return entry_rating(tranches, rules, affiliated=player.affiliated, first=not player.counted_before)


# ------------------------------------------------------------------------------------------------------- K


def _k(player: KnownPlayer, day: date | None, rules: ChessRules) -> tuple[int, tuple[Step, ...]]:
    """Return the K passed, else from the facts; without a count of games the player counts as no newcomer."""
    if player.k is not None:
        return player.k, (step(rules.k_usual.article, "k-given", player.k),)
    games = player.games if player.games is not None else rules.k_new_games.value
    known = PlayerFacts(player.rating or 0, games, player.peak or 0, player.born, player.from_standard)
    return coefficient(known, list_in_force(day, rules) if day else date.max, rules)


# ------------------------------------------------------------------------------------- what was taken for granted


def _assumptions(prepared: _Prepared, rules: ChessRules, *, by_year: int, reduced: int) -> list[Finding]:
    """Return a finding for each assumption of a preview, once each."""
    findings, players = list[Finding](), prepared.players

    def note(code: str, article: str, **about: Fact) -> None:
        findings.append(Finding(Severity.INFO, code, article, facts=about))

    by_facts = len({rules.k_new.value, rules.k_usual.value, rules.k_top.value}) > 1
    guessed = sum(it.rating is not None and it.k is None and it.games is None for it in players)
    if guessed and by_facts:
        note("k-assumed", rules.k_usual.article, players=guessed, games=rules.k_new_games.value)
    if by_year and rules.k_junior:
        note("k-by-year", rules.k_junior.article, players=by_year)
    if reduced and rules.k_times_games:
        note("k-reduced-alone", rules.k_times_games.article, players=reduced)
    if newcomers := sum(player.rating is None and not player.counted_before for player in players):
        note("first-event-assumed", rules.first_score_swiss.article, players=newcomers)
    if prepared.facts.list is None and prepared.control.readable:
        time = rules.time_bands or rules.time_bounds
        code = "list-assumed" if prepared.context.by_control else "list-by-default"
        note(code, time.article if time else "", control=prepared.control.text.strip())
    if prepared.report.format == "together" and rules.stages_together is None:
        findings.append(Finding(Severity.WARNING, "stages-not-provided", FIRST_DAY_DECIDES))
    return findings


def _removed_later(
    report: Report, counted: EventTally, said: list[Finding], rules: ChessRules
) -> list[Finding]:
    """Report first-timers who fell to the limit after others were removed (6.1); the check names the first ones."""
    ignored = counted.round_robin.ignored if counted.round_robin else ()
    named = {finding.player for finding in said if finding.code == "first-event-ignored"}
    rule = rules.ignored_for_opponents
    article, severity = rule.article if rule else "", Severity.INFO
    removed = [report.entrants[report.places[number]] for number in ignored if number not in named]
    return [
        Finding(severity, "first-event-removed", article, player=entrant.number, facts={"name": entrant.name})
        for entrant in removed
    ]
