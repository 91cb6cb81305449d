"""A report rated under an edition: the change of every rated player, the performance of every unrated one.

Nothing here stops at a finding: whatever is wrong with the event, the arbiter sees what it would give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from arpad.change import coefficient, rating_change
from arpad.check import Case, check_event, check_file, classify
from arpad.errors import NoEdition
from arpad.event import found_kind, meetings
from arpad.exact import HalfPoints
from arpad.facts import EventFacts, KnownPlayer
from arpad.games import Cell
from arpad.initial import entry_rating
from arpad.model import (
    Change,
    Edition,
    Entry,
    EventKind,
    Fact,
    Finding,
    GameChange,
    ListName,
    PlayerFacts,
    RoundRobin,
    Severity,
    Step,
)
from arpad.regulations import CHESS, in_force
from arpad.report import Entrant, Report
from arpad.rules import ChessRules, add_months
from arpad.tally import Counted, Tally, control_of, tally
from arpad.timecontrol import TimeControl


@dataclass(frozen=True, slots=True)
class RatedCell:
    """One round of one player: whether it counts, and what it is worth."""

    cell: Cell
    opponent_rating: int | None
    change: GameChange | None
    """None for unrated players and for games that do not count."""

    rated: bool
    reason: str
    article: str


@dataclass(frozen=True, slots=True)
class RatedEntrant:
    """A participant with what the event gives him."""

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
    """Where K comes from."""

    @property
    def derivation(self) -> tuple[Step, ...]:
        """Everything after the single games: K, the change, or the entry rating."""
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
        """The gravest severity among the findings."""
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in Severity if severity in found), None)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a rating list in force says of a player."""

    rating: int | None
    k: int | None = None
    name: str = ""


def rate(
    report: Report,
    *,
    facts: EventFacts | None = None,
    edition: Edition[ChessRules] | None = None,
    listed: Mapping[str, Listed] | None = None,
) -> RatedReport:
    """Check and rate one report, with the ratings of a list where one is given, else with its own."""
    facts = facts or EventFacts()
    control = control_of(report, facts)
    players = [_player(entrant, facts, listed) for entrant in report.entrants]
    ratings = tuple(player.rating for player in players)
    chosen, on_list, findings = _edition_and_list(report, facts, edition, control, ratings)
    findings += [*report.findings, *check_file(report), *_listed_findings(report, listed)]
    if chosen is None or on_list not in chosen.lists:
        return _unrated(report, on_list, ratings, findings)
    rules = chosen.on(on_list)
    before = {place for place, player in enumerate(players) if player.counted_before}
    counted = tally(report, ratings, rules, facts=facts, counted_before=before)
    case = Case(report, facts, chosen.id, rules, on_list, counted.kind, counted.met, control, ratings)
    findings += [*check_event(case), *_assumptions(report, facts, players, rules)]
    first_day = report.header.first_day
    rated = tuple(
        _rated_entrant(entrant, player, mine, rules, first_day)
        for entrant, player, mine in zip(report.entrants, players, counted.players, strict=True)
    )
    found = ordered(findings)
    return RatedReport(
        report, chosen, on_list, counted.kind, counted.treated_as, rated, found, counted.round_robin
    )


# ----------------------------------------------------------------------------------- edition, list, ratings


def _edition_and_list(
    report: Report,
    facts: EventFacts,
    edition: Edition[ChessRules] | None,
    control: TimeControl,
    ratings: tuple[int | None, ...],
) -> tuple[Edition[ChessRules] | None, ListName, list[Finding]]:
    """The edition of the first day (0.1) and the list the time control belongs to; one finding where there is none."""
    findings: list[Finding] = []
    day = report.header.first_day
    chosen = edition
    if day is None:
        findings.append(Finding(Severity.ERROR, "no-first-day", "0.1"))
    elif chosen is None:
        try:
            chosen = in_force(CHESS, ListName.STANDARD, day)
        except NoEdition as error:
            first = {"day": day, "first": error.facts["first"]}
            findings.append(Finding(Severity.ERROR, "before-first-edition", "0.1", facts=first))
    on_list = facts.list
    if on_list is None and chosen is not None:
        highest = max((rating for rating in ratings if rating is not None), default=None)
        on_list = classify(control, highest, chosen.lists)
    on_list = on_list or ListName.STANDARD
    if chosen is not None and edition is None and day is not None:
        try:
            chosen = in_force(CHESS, on_list, day)
        except NoEdition as error:
            first = {"day": day, "list": str(on_list), "first": error.facts["first"]}
            findings.append(Finding(Severity.ERROR, "no-such-list-yet", "0.1", facts=first))
            chosen = None
    elif chosen is not None and on_list not in chosen.lists:
        no_list = {"edition": chosen.id, "list": str(on_list)}
        findings.append(Finding(Severity.ERROR, "edition-without-list", "0.1", facts=no_list))
    return chosen, on_list, findings


def _player(entrant: Entrant, facts: EventFacts, listed: Mapping[str, Listed] | None) -> KnownPlayer:
    """Everything known of a participant: what an officer says, else the list, else the report."""
    known = facts.player(entrant.number, entrant.id)
    entry = listed.get(entrant.id) if listed and entrant.id else None
    rating = known.rating if known.rating is not None else entry.rating if entry else entrant.rating
    if listed is not None and entry is None and known.rating is None:
        rating = None if entrant.id else entrant.rating
    k = known.k if known.k is not None else entry.k if entry and entry.k else entrant.k
    return replace(known, rating=rating or None, k=k, born=known.born or entrant.born)


def _listed_findings(report: Report, listed: Mapping[str, Listed] | None) -> list[Finding]:
    """Where the list and the report differ the list wins, and it is said."""
    found: list[Finding] = []
    for entrant in report.entrants:
        entry = listed.get(entrant.id) if listed is not None else None
        if listed is None or (entry is not None and (entry.rating or None) == (entrant.rating or None)):
            continue
        about: dict[str, Fact] = {"name": entrant.name, "id": entrant.id}
        if entry is None:
            code = "not-on-the-list" if entrant.id else "no-id"
        else:
            code = "rating-differs"
            about |= {"report": entrant.rating or 0, "listed": entry.rating or 0}
        found.append(
            Finding(Severity.WARNING, code, line=entrant.line, column=49, player=entrant.number, facts=about)
        )
    return found


def _unrated(
    report: Report,
    on_list: ListName,
    ratings: tuple[int | None, ...],
    findings: list[Finding],
) -> RatedReport:
    """The preview of a report that no edition can rate: who played whom, and nothing counts."""
    kind = found_kind(report, meetings(report))
    players = []
    for place, entrant in enumerate(report.entrants):
        games = []
        score = 0
        for game in report.games(place):
            other = report.places.get(game.opponent)
            cell = Cell(game.round, place, other, game.opponent, game.result, "no-edition")
            score += cell.score
            rating = ratings[other] if other is not None else None
            games.append(RatedCell(cell, rating, None, rated=False, reason="no-edition", article="0.1"))
        players.append(RatedEntrant(entrant, ratings[place], score, None, None, None, tuple(games), ()))
    return RatedReport(report, None, on_list, kind, kind, tuple(players), ordered(findings))


def ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    """Gravest first, then by place."""
    grave = list(Severity)
    return tuple(
        sorted(findings, key=lambda found: (grave.index(found.severity), found.line or 0, found.column or 0))
    )


# ------------------------------------------------------------------------------------------------ the event


def _rated_entrant(
    entrant: Entrant, player: KnownPlayer, counted: Tally, rules: ChessRules, first_day: date | None
) -> RatedEntrant:
    """One participant, as if this were his only event of the period."""
    if player.rating is None:
        rounds = tuple(_rated_cell(played, None) for played in counted.rounds)
        return RatedEntrant(
            entrant, None, counted.score, None, None, _initial(player, counted, rules), rounds, ()
        )
    k, steps = _k(player, first_day, rules)
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
    """What the event alone gives an unrated player, as a newcomer unless facts say otherwise."""
    if counted.removed:
        return Entry(None, None, "first-event-score", 0, 0, None, (), (), counted.removed)
    tranches = [replace(counted.tranche, last_day=None)] if counted.tranche else []
    return entry_rating(tranches, rules, affiliated=player.affiliated, first=not player.counted_before)


# ------------------------------------------------------------------------------------------------------- K


def list_in_force(day: date, rules: ChessRules) -> date:
    """The date of the list in force on a day (7.11)."""
    first = day.replace(day=1)
    while first.month not in rules.list_months.value:
        first = add_months(first, -1)
    return first


def _k(player: KnownPlayer, first_day: date | None, rules: ChessRules) -> tuple[int, tuple[Step, ...]]:
    """K as listed, else from what is known; without a count of games the player is past the newcomers' limit."""
    if player.k is not None:
        return player.k, ()
    games = player.games if player.games is not None else rules.k_new_games.value
    known = PlayerFacts(player.rating or 0, games, player.peak or 0, player.born)
    return coefficient(known, list_in_force(first_day or date.max.replace(day=1), rules), rules)


def _assumptions(
    report: Report, facts: EventFacts, players: list[KnownPlayer], rules: ChessRules
) -> list[Finding]:
    """What was taken for granted, said once each."""
    found: list[Finding] = []
    guessed = sum(1 for p in players if p.rating is not None and p.k is None and p.games is None)
    if guessed:
        about: dict[str, Fact] = {"players": guessed, "games": rules.k_new_games.value}
        found.append(Finding(Severity.INFO, "k-assumed", rules.k_usual.article, facts=about))
    newcomers = sum(1 for p in players if p.rating is None and not p.counted_before)
    if newcomers:
        first = rules.first_score_swiss.article
        found.append(Finding(Severity.INFO, "first-event-assumed", first, facts={"players": newcomers}))
    if facts.list is None:
        about = {"control": report.header.time_control or report.header.coded_time_control}
        found.append(Finding(Severity.INFO, "list-assumed", "1.1", facts=about))
    return found
