"""A report rated under an edition: the change of every rated player, the performance of every unrated one.

Nothing here stops at a finding: whatever is wrong with the event, the arbiter sees what it would give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from arpad import timecontrol
from arpad.change import coefficient, rating_change
from arpad.check import Case, check_event, check_file, classify
from arpad.errors import NoEdition
from arpad.event import Meetings, found_kind, meetings
from arpad.exact import HalfPoints
from arpad.facts import EventFacts, KnownPlayer
from arpad.games import Cell, cells, scores
from arpad.initial import entry_rating, swiss_performance
from arpad.model import (
    ALL_PLAY_ALL,
    Change,
    Edition,
    Entry,
    EventKind,
    Fact,
    Finding,
    GameChange,
    ListName,
    PlayerFacts,
    RatedGame,
    RoundRobin,
    Severity,
    Step,
)
from arpad.regulations import CHESS, in_force
from arpad.report import Entrant, Report
from arpad.round_robin import CrossTable, round_robin
from arpad.rules import ChessRules, add_months
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
    met = meetings(report)
    kind = found_kind(report, met)
    control = _control(report, facts)
    players = [_player(entrant, facts, listed) for entrant in report.entrants]
    ratings = tuple(player.rating for player in players)
    chosen, on_list, findings = _edition_and_list(report, facts, edition, control, ratings)
    findings += [*report.findings, *check_file(report), *_listed_findings(report, listed)]
    if chosen is None or on_list not in chosen.lists:
        return _unrated(report, on_list, kind, ratings, findings)
    rules = chosen.on(on_list)
    findings += check_event(Case(report, facts, chosen.id, rules, on_list, kind, met, control, ratings))
    treated_as = _treated_as(kind, met, rules)
    minutes = control.minutes() if rules.time_bands_per_game else None
    table = cells(report, ratings, treated_as, rules, match_games=facts.match_games, minutes=minutes)
    found = _round_robin(report, table, players, treated_as, met, rules)
    rated = tuple(
        _rated_entrant(place, report, players, table[place], found, treated_as, rules, facts)
        for place in range(len(players))
    )
    findings += _assumptions(report, facts, players, rules)
    return RatedReport(report, chosen, on_list, kind, treated_as, rated, _ordered(findings), found)


# ----------------------------------------------------------------------------------- edition, list, ratings


def _control(report: Report, facts: EventFacts) -> TimeControl:
    if facts.time_control is not None:
        return timecontrol.read(facts.time_control)
    return timecontrol.read(report.header.time_control, report.header.coded_time_control)


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
    kind: EventKind,
    ratings: tuple[int | None, ...],
    findings: list[Finding],
) -> RatedReport:
    """The preview of a report that no edition can rate: who played whom, and nothing counts."""
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
    return RatedReport(report, None, on_list, kind, kind, tuple(players), _ordered(findings))


def _ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    """Gravest first, then by place."""
    grave = list(Severity)
    return tuple(
        sorted(findings, key=lambda found: (grave.index(found.severity), found.line or 0, found.column or 0))
    )


# ------------------------------------------------------------------------------------------------ the event


def _treated_as(kind: EventKind, met: Meetings, rules: ChessRules) -> EventKind:
    """Team events follow the Swiss articles; so does a round robin with an unplayed game, or without its procedure."""
    if kind == EventKind.TEAM:
        return EventKind.SWISS
    if kind in ALL_PLAY_ALL and (
        rules.round_robin_entry is None or (rules.unplayed_makes_swiss and not met.complete)
    ):
        return EventKind.SWISS
    return kind


def _round_robin(
    report: Report,
    table: list[list[Cell]],
    players: list[KnownPlayer],
    treated_as: EventKind,
    met: Meetings,
    rules: ChessRules,
) -> RoundRobin | None:
    """The procedure of 8.58, where unrated players take part in a complete round robin."""
    numbers = [entrant.number for entrant in report.entrants]
    rated = {number: player.rating for number, player in zip(numbers, players, strict=True)}
    unrated = {number for number, rating in rated.items() if rating is None}
    possible = treated_as in ALL_PLAY_ALL and met.complete and len(rated) == len(players)
    if not possible or not unrated or len(unrated) == len(rated):
        return None
    by_number = {(numbers[one], numbers[other]): score for (one, other), score in scores(table).items()}
    before = {number for number, player in zip(numbers, players, strict=True) if player.counted_before}
    return round_robin(CrossTable(rated, by_number, met.cycles), rules, unrated - before)


def _rated_entrant(
    place: int,
    report: Report,
    players: list[KnownPlayer],
    mine: list[Cell],
    found: RoundRobin | None,
    treated_as: EventKind,
    rules: ChessRules,
    facts: EventFacts,
) -> RatedEntrant:
    entrant, player = report.entrants[place], players[place]
    score = sum(cell.score for cell in mine)
    against = [_opponent(cell, entrant.number, players, found, rules) for cell in mine]
    if player.rating is None:
        games = tuple(
            _rated_cell(cell, rating, None, reason)
            for cell, (rating, *reason) in zip(mine, against, strict=True)
        )
        initial = _initial(entrant, report, player, games, found, treated_as, rules, facts)
        return RatedEntrant(entrant, None, score, None, None, initial, games, ())
    k, steps = _k(player, report.header.first_day, rules)
    counted = [i for i, (rating, reason, _) in enumerate(against) if not reason and rating is not None]
    rated_games = [RatedGame(player.rating, against[i][0] or 0, mine[i].score, "event") for i in counted]
    change = rating_change(player.rating, k, rated_games, rules)
    worth = dict(zip(counted, change.games, strict=True))
    games = tuple(
        _rated_cell(cell, rating, worth.get(i), reason)
        for i, (cell, (rating, *reason)) in enumerate(zip(mine, against, strict=True))
    )
    return RatedEntrant(entrant, player.rating, score, k, change, None, games, steps)


def _opponent(
    cell: Cell, own: int, players: list[KnownPlayer], found: RoundRobin | None, rules: ChessRules
) -> tuple[int | None, str, str]:
    """The rating an opponent counts with, and why the game does not count, if so."""
    if cell.opponent is None:
        return None, cell.reason, cell.article
    rating = players[cell.opponent].rating
    if cell.reason or found is None:
        reason = cell.reason or ("" if rating is not None else "unrated-opponent")
        return rating, reason, cell.article or (rules.articles["unrated-opponent"] if reason else "")
    if cell.opponent_number in found.ignored or own in found.ignored:
        ignored = rules.ignored_for_opponents
        return rating, "ignored-newcomer", ignored.article if ignored else ""
    if rating is None:
        rating = found.entries[cell.opponent_number].ru_new
    return rating, "", ""


def _rated_cell(cell: Cell, rating: int | None, change: GameChange | None, reason: list[str]) -> RatedCell:
    code, article = reason
    if change is not None and not change.rated:
        code, article = "too-far", change.steps[-1].article
    return RatedCell(cell, rating, change, rated=not code, reason=code, article=article)


def _initial(
    entrant: Entrant,
    report: Report,
    player: KnownPlayer,
    games: tuple[RatedCell, ...],
    found: RoundRobin | None,
    treated_as: EventKind,
    rules: ChessRules,
    facts: EventFacts,
) -> Entry | None:
    """What the event alone gives an unrated player, as a newcomer unless facts say otherwise."""
    if treated_as == EventKind.MATCH:
        return None
    if found is not None and rules.round_robin_entry is not None:
        if entrant.number in found.ignored:
            said = tuple(
                told for told in found.steps if told.value == entrant.number and told.quantity == "removed"
            )
            return Entry(None, None, "first-event-score", 0, 0, None, (), (), said)
        performance = rules.round_robin_entry.value(found, entrant.number, rules)
        performance = replace(performance, event=report.header.name, kind=treated_as)
    else:
        counted = [game for game in games if game.rated and game.opponent_rating is not None]
        performance = swiss_performance(
            report.header.name,
            [game.opponent_rating or 0 for game in counted],
            sum(game.cell.score for game in counted),
            team_championship=bool(facts.team_championship),
        )
    performances = [performance] if performance.games else []
    return entry_rating(performances, rules, affiliated=player.affiliated, first=not player.counted_before)


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
