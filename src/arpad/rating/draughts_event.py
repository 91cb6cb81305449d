"""Draughts events: the games that count, the expected score of each player, and the capital afterwards.

The results of a report mean 2, 1 and 0 points. Points by forfeit, by bye or by the opponent's withdrawal
count neither as scored nor as expected.

From one list to the next, each event starts from the last capital. The order is by last day, then first day, then the
event's id. A late event is simply put in its place and the chain is computed again; the bonus of the first event of
the year moves with it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from arpad.checks.draughts import check_report
from arpad.model.draughts import Category, DraughtsState, Title, identity, rank_named
from arpad.model.errors import BadInput
from arpad.model.exact import Hundredths
from arpad.model.rules import Finding, Severity, Step
from arpad.regulations.rubele.capital import (
    FULL,
    CapitalChange,
    after_event,
    change,
    expected,
    is_first_of_year,
)
from arpad.regulations.rubele.categories import Promotion, base_capital, category_of, held_after
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import Debut, converted, newcomer
from arpad.regulations.rubele.year_end import YearEnd, year_end
from arpad.reports.report import HALF_POINTS, PLAYED, Entrant, Game, Report


@dataclass(frozen=True, slots=True)
class DraughtsEvent:
    """A report to be rated, and how much it counts."""

    id: str
    report: Report
    weight: Fraction = FULL

    @property
    def last_day(self) -> date | None:
        """Return the day on which it ended: its year is the year of the bonus."""
        return self.report.header.last_day or self.report.header.first_day


@dataclass(frozen=True, slots=True)
class Participant:
    """An entrant with what is known before the event."""

    number: int
    standing: DraughtsState
    capital: int
    first_of_year: bool
    debut: tuple[Step, ...]
    """The origin of the capital, if the player begins with this event."""


@dataclass(frozen=True, slots=True)
class GameSide:
    """One game, seen from one side."""

    round: int
    opponent: int
    """0 for a bye."""

    colour: str
    result: str
    points: int
    counted: bool
    opponent_capital: int | None
    expected: Hundredths | None


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The result of an event for one player."""

    participant: Participant
    cells: tuple[GameSide, ...]
    change: CapitalChange | None
    """None for a player without a game, who gets neither bonus nor Q."""

    held_after: Category

    @property
    def number(self) -> int:
        """Return the start number."""
        return self.participant.number

    @property
    def name(self) -> str:
        """Return the name."""
        return self.participant.standing.name

    @property
    def final(self) -> int:
        """Return the capital after the event."""
        return self.change.final if self.change else self.participant.capital


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """An event with all its capitals, before and after."""

    event: DraughtsEvent
    players: tuple[PlayerResult, ...]
    promotions: tuple[Promotion, ...]
    findings: tuple[Finding, ...]


def rate_event(event: DraughtsEvent, participants: Sequence[Participant], rules: DraughtsRules) -> RatedEvent:
    """Rate one event: all expectations come from the capitals before it (tables 13, 15)."""
    capitals = {participant.number: participant.capital for participant in participants}
    findings = tuple(check_report(event.report))
    players = tuple(
        _player(event, participant, tuple(_cells(event.report, index, capitals, rules)), rules)
        for index, participant in enumerate(participants)
    )
    promotions = tuple(
        _promotion(event, player, rules)
        for player in players
        if player.held_after is not player.participant.standing.category
    )
    return RatedEvent(event, players, promotions, (*event.report.findings, *findings))


def _cells(
    report: Report, index: int, capitals: Mapping[int, int], rules: DraughtsRules
) -> Iterator[GameSide]:
    own = capitals[report.entrants[index].number]
    for game in report.games(index):
        opponent = capitals.get(game.opponent)
        counted = opponent is not None and game.result in PLAYED and _agrees(report, game)
        points = HALF_POINTS.get(game.result, 0)
        expectation = expected(own, opponent, rules) if counted and opponent is not None else None
        yield GameSide(
            game.round, game.opponent, game.colour, game.result, points, counted, opponent, expectation
        )


def _agrees(report: Report, game: Game) -> bool:
    """Return whether the opponent's cell reports the same game; a player is never their own opponent."""
    opponent = report.places[game.opponent]
    same = report.round(game.round).confirms(opponent, game.number, game.result)
    return same and game.opponent != game.number


def _player(
    event: DraughtsEvent, participant: Participant, cells: tuple[GameSide, ...], rules: DraughtsRules
) -> PlayerResult:
    category = participant.standing.category
    played = [cell for cell in cells if cell.counted]
    if not played:
        return PlayerResult(participant, cells, None, category)
    outcome = change(
        participant.capital,
        sum(cell.points for cell in played),
        sum(cell.expected or 0 for cell in played),
        rules,
        weight=event.weight,
        first_of_year=participant.first_of_year,
    )
    return PlayerResult(participant, cells, outcome, held_after(category, outcome.final, rules))


def _promotion(event: DraughtsEvent, player: PlayerResult, rules: DraughtsRules) -> Promotion:
    standing, reached = player.participant.standing, player.held_after
    name = event.report.header.name or event.id
    return Promotion(
        standing.name, standing.id, standing.category, reached, player.final, base_capital(reached, rules), name,
        event.last_day,
    )  # fmt: skip


def corresponds_to(player: PlayerResult, rules: DraughtsRules) -> Category:
    """Return the category of a player's capital after the event, whatever category the player has."""
    return category_of(player.final, rules)


# ------------------------------------------------------------------------------------------------------ events in order


RulesOn: TypeAlias = Callable[[date | None], DraughtsRules]
"""The rules for an event by its first day, or for a year's end by its last."""

Awards: TypeAlias = Mapping[str, Sequence[tuple[date, Category]]]
"""Categories given by decision: a player's number → days and categories."""


@dataclass(frozen=True, slots=True)
class Season:
    """The result of a season: the standings after its events, and each event rated."""

    standings: tuple[DraughtsState, ...]
    events: tuple[RatedEvent, ...]
    years: tuple[YearEnd, ...]

    @property
    def promotions(self) -> tuple[Promotion, ...]:
        """Return all promotions, in order of date."""
        return tuple(promotion for event in self.events for promotion in event.promotions)


class SeasonStandings:
    """The standings of a list while its events are rated, by number or by name."""

    def __init__(
        self,
        standings: Sequence[DraughtsState],
        *,
        listed: bool,
        assume_first: bool,
        awards: Awards | None = None,
    ) -> None:
        self.listed = listed
        self.assume_first = assume_first
        self.awards = awards or {}
        self._standings: dict[str, DraughtsState] = {}
        self._numbered: dict[str, str] = {}
        for standing in standings:
            key = identity(standing.id, standing.name)
            if key in self._standings:
                raise BadInput("player-listed-twice", player=standing.name)
            self.keep(standing)

    def standings(self) -> tuple[DraughtsState, ...]:
        """Return all players, in the order of their first appearance."""
        return tuple(self._standings.values())

    def keep(self, standing: DraughtsState) -> None:
        """Enter a player, or replace the standing of one."""
        key = identity(standing.id, standing.name)
        self._standings[key] = standing
        self._numbered.setdefault(identity("", standing.name), key)

    def find(self, entrant: Entrant) -> DraughtsState | None:
        """Return the standing of an entrant: by number; by name if one of the two has no number."""
        standing = self._standings.get(identity(entrant.id, entrant.name))
        if standing is not None:
            return standing
        same_name = self._standings.get(self._numbered.get(identity("", entrant.name), ""))
        return same_name if same_name and not (same_name.id and entrant.id.strip()) else None


def run_season(
    events: Sequence[DraughtsEvent],
    standings: Sequence[DraughtsState] | None,
    rules_on: RulesOn,
    *,
    assume_first: bool = False,
    close_years: bool = False,
    awards: Awards | None = None,
) -> Season:
    """Rate events one after the other (tables 12, 18a, 22).

    Without a list the capitals are those of the reports, and the first event of a player's year is unknown: with
    ``assume_first`` each event is everyone's first. ``close_years`` closes each year that ends between events.
    ``awards`` are categories by decision: a player has one in the events that begin on its day or later.
    """
    roll = SeasonStandings(
        standings or (), listed=standings is not None, assume_first=assume_first, awards=awards
    )
    rated: list[RatedEvent] = []
    years: list[YearEnd] = []
    ordered = sorted(events, key=in_order)
    for event, following in zip(ordered, [*ordered[1:], None], strict=True):
        rules = rules_on(event.report.header.first_day or event.last_day)
        rated.append(_pass(event, roll, rules))
        if close_years and event.last_day and following and following.last_day:
            for year in range(event.last_day.year, following.last_day.year):
                years.append(year_end(roll.standings(), year, rules_on(date(year, 12, 31))))
                for standing in years[-1].standings:
                    roll.keep(standing)
    return Season(roll.standings(), tuple(rated), tuple(years))


def in_order(event: DraughtsEvent) -> tuple[date, date, str]:
    """Return events by last day, then first day, then id."""
    last = event.last_day or date.max
    return last, event.report.header.first_day or last, event.id


def _pass(event: DraughtsEvent, roll: SeasonStandings, rules: DraughtsRules) -> RatedEvent:
    findings: list[Finding] = []
    participants: list[Participant] = []
    entered: set[str] = set()
    for entrant in event.report.entrants:
        participant, doubts = _participant(entrant, event, roll, rules)
        participants.append(participant)
        findings += doubts
        key = identity(participant.standing.id, participant.standing.name)
        if key in entered:
            findings.append(_finding("draughts-player-twice", entrant, "", Severity.ERROR))
        entered.add(key)
    findings += _unknown_bonus(participants, roll, rules)
    rated = rate_event(event, participants, rules)
    for player in rated.players:
        standing = player.participant.standing
        # without a game a cancelled capital is not converted, and a capital of the report alone is not entered
        if player.change is not None or (standing.capital is not None and standing.history_known):
            roll.keep(_standing_after(player, event, rules))
    return replace(rated, findings=(*findings, *rated.findings))


def _participant(
    entrant: Entrant, event: DraughtsEvent, roll: SeasonStandings, rules: DraughtsRules
) -> tuple[Participant, list[Finding]]:
    standing = roll.find(entrant)
    if standing is None:
        participant, findings = _unlisted(entrant, roll, rules)
        return replace(participant, standing=_with_award(participant.standing, event, roll)), findings
    standing = _with_award(standing, event, roll)
    findings = []
    capital, debut = standing.capital, None
    if capital is None:
        debut, finding = _returning(standing, entrant, rules)
        capital = debut.capital
        standing = replace(standing, category=held_after(standing.category, capital, rules))
        findings.append(finding)
    elif entrant.rating is not None and entrant.rating != capital:
        findings.append(
            _finding("draughts-capital-differs", entrant, "Tab. 17", report=entrant.rating, list=capital)
        )
    first = is_first_of_year(standing, event.last_day) and (standing.history_known or roll.assume_first)
    return Participant(entrant.number, standing, capital, first, debut.steps if debut else ()), findings


def _with_award(standing: DraughtsState, event: DraughtsEvent, roll: SeasonStandings) -> DraughtsState:
    """Return a standing with the category by decision up to the event's first day."""
    first = event.report.header.first_day or event.last_day
    return with_award(standing, roll.awards, first) if first else standing


def with_award(standing: DraughtsState, awards: Awards, day: date) -> DraughtsState:
    """Return a standing with the highest category by decision up to a day, or its own if that is higher."""
    awarded = [category for since, category in awards.get(standing.id, ()) if since <= day]
    highest = max((standing.category, *awarded), key=lambda category: category.rank)
    return standing if highest is standing.category else replace(standing, category=highest)


def _unknown_bonus(
    participants: Sequence[Participant], roll: SeasonStandings, rules: DraughtsRules
) -> list[Finding]:
    """Report if the bonus of the first event of the year could not be judged."""
    unknown = sum(not (p.standing.history_known or p.first_of_year) for p in participants)
    if rules.bonus is None or roll.assume_first or not unknown:
        return []
    facts = {"players": unknown, "bonus": rules.bonus.value}
    return [Finding(Severity.INFO, "draughts-bonus-unknown", rules.bonus.article, facts=facts)]


def _unlisted(
    entrant: Entrant, roll: SeasonStandings, rules: DraughtsRules
) -> tuple[Participant, list[Finding]]:
    findings: list[Finding] = []
    reported_category, title = _rank(entrant, findings)
    capital, debut = entrant.rating, None
    if capital is None:
        debut, finding = _beginning(entrant, title, rules)
        capital = debut.capital
        findings.append(finding)
    elif capital < rules.minimum_capital.value:
        minimum = rules.minimum_capital
        facts = {"capital": capital, "minimum": minimum.value}
        findings.append(
            _finding("draughts-capital-below-minimum", entrant, minimum.article, Severity.ERROR, **facts)
        )
        capital = minimum.value
    elif roll.listed:
        findings.append(_finding("draughts-not-listed", entrant, capital=capital))
    category = reported_category or category_of(capital, rules)
    standing = DraughtsState(
        entrant.name, capital, category, entrant.id, title, history_known=debut is not None
    )
    first = debut is not None or roll.assume_first
    return Participant(entrant.number, standing, capital, first, debut.steps if debut else ()), findings


def _rank(entrant: Entrant, findings: list[Finding]) -> tuple[Category | None, Title | None]:
    """Return the category or title in the report, if it is one of draughts."""
    text = entrant.title.strip()
    if not text:
        return None, None
    try:
        rank = rank_named(text)
    except BadInput as error:
        accepted = error.facts["accepted"]
        findings.append(_finding("draughts-category-unknown", entrant, given=text, accepted=accepted))
        return None, None
    # a title does not determine the category on this list
    return (None, rank) if isinstance(rank, Title) else (rank, None)


def _beginning(entrant: Entrant, title: Title | None, rules: DraughtsRules) -> tuple[Debut, Finding]:
    """Return the start of a player without list and capital: by a convertible title (tables 12, 21), else new."""
    debut = converted(title, None, rules)
    if title is not None and debut is not None:
        return debut, _finding(
            "draughts-converted", entrant, rules.debut.article, basis=title.upper(), capital=debut.capital
        )
    debut = newcomer(rules)
    article = rules.starting_capital.article
    return debut, _finding("draughts-newcomer", entrant, article, capital=debut.capital)


def _returning(standing: DraughtsState, entrant: Entrant, rules: DraughtsRules) -> tuple[Debut, Finding]:
    """Return a foreign player whose capital was cancelled begins again by the conversion (table 22)."""
    by_fmjd = standing.fmjd is not None and rules.fmjd_factors is not None
    basis = f"FMJD {standing.fmjd}" if by_fmjd else f"{standing.title}".upper()
    debut = converted(standing.title, standing.fmjd, rules)
    if debut is None:
        return newcomer(rules), returned_undecided(entrant, rules)
    article = rules.foreign_idle_years.article
    return debut, _finding(
        "draughts-returned", entrant, article, Severity.INFO, basis=basis, capital=debut.capital
    )


def returned_undecided(entrant: Entrant, rules: DraughtsRules) -> Finding:
    """Return the finding that no conversion is known for a cancelled player who returns."""
    article, capital = rules.foreign_idle_years.article, rules.starting_capital.value
    return _finding("draughts-returned-undecided", entrant, article, Severity.ERROR, capital=capital)


def foreign_undecided(entrant: Entrant, rules: DraughtsRules) -> Finding:
    """Return the finding that a foreign newcomer has no FMJD rating, about which table 22 refers to article 3."""
    article = rules.fmjd_factors.article if rules.fmjd_factors else ""
    capital = rules.starting_capital.value
    return _finding("draughts-foreign-undecided", entrant, article, capital=capital)


def _standing_after(player: PlayerResult, event: DraughtsEvent, rules: DraughtsRules) -> DraughtsState:
    standing = player.participant.standing
    if player.change is None:
        return standing
    return after_event(standing, player.final, player.held_after, event.last_day, rules)


def _finding(
    code: str,
    entrant: Entrant,
    article: str = "",
    severity: Severity = Severity.WARNING,
    **facts: int | str | None,
) -> Finding:
    filled = {"number": entrant.number, "name": entrant.name, **facts}
    return Finding(severity, code, article, entrant.line, player=entrant.number, facts=filled)
