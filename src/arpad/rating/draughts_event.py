"""One draughts event: the games that count, the expected score of each player, and the capital afterwards.

The results of a report mean 2, 1 and 0 points. Points by forfeit, by bye or by the opponent's withdrawal
count neither as scored nor as expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from arpad.checks.draughts import check_report
from arpad.model.draughts import Category, DraughtsState
from arpad.model.exact import Hundredths
from arpad.model.rules import Finding, Step
from arpad.regulations.rubele.capital import FULL, CapitalChange, change, expected
from arpad.regulations.rubele.categories import Promotion, base_capital, category_of, held_after
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.reports.report import HALF_POINTS, PLAYED, Game, Report


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
