"""How a player's rating changed with one list: each event, each game, each step.

The values are made from the period (chess) or the year (draughts) that computed the list, and reach the command line,
the site and the JSON documents as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from arpad.lists.chain import Chain
from arpad.lists.inputs import Inputs, report_number
from arpad.lists.period import ClosedPeriod, Contribution, Event
from arpad.lists.system_explanation import ExplainedUnit, explain_players
from arpad.model.canonical_json import load
from arpad.model.chess import Entry, GameChange, Performance
from arpad.model.draughts import Category
from arpad.model.exact import from_hundredths, half_up
from arpad.model.json_values import to_step
from arpad.model.rules import Step
from arpad.rating.event import Counted, Tally
from arpad.regulations.outcomes import GameFigures, Line, PlayerOutcome

if TYPE_CHECKING:
    from arpad.rating.draughts_event import PlayerResult, RatedEvent


@dataclass(frozen=True, slots=True)
class ExplainedGame:
    """One round of a player."""

    round: int
    opponent: int | None
    """The opponent's number in the register; None for a bye."""

    name: str
    """The opponent's name."""

    rating: int | None
    """The rating, or the capital, with which the opponent counts."""

    score: Fraction
    counts: bool
    reason: str
    """The code of the reason why the game does not count."""

    expected: Fraction | None
    article: str = ""
    """The article under which the game does not count."""

    difference: int | None = None
    capped: bool | None = None
    """Whether the difference was capped; None if the game brings no change, and at draughts."""

    change: Fraction | None = None
    """Score minus expectation."""

    steps: tuple[Step, ...] = ()
    colour: str = ""
    """``w``, ``b``, or another sign if the report names none."""

    points: Fraction | None = None
    """The points that it adds to the rating under a rating system, which may have no K."""

    report: int = 0
    """The number of its report, if a system rates the games of a whole period together."""

    @property
    def rule(self) -> str:
        """The article that decided about the game, or empty."""
        return self.article or (self.steps[-1].article if self.steps else "")


@dataclass(frozen=True, slots=True)
class EventDecision:
    """What an officer decided about the report of an event."""

    id: int
    kind: str
    value: Mapping[str, Any]
    day: date
    author: str
    reason: str


@dataclass(frozen=True, slots=True)
class ExplainedEvent:
    """One event of a player."""

    id: str
    """The number of the report, with the part after a slash: ``12`` or ``12/2``."""

    name: str
    first_day: date | None
    last_day: date | None
    edition: str
    games: tuple[ExplainedGame, ...]
    steps: tuple[Step, ...]
    decisions: tuple[EventDecision, ...] = ()
    changes_by_game: ClassVar[bool] = True
    """Whether each game has a change of its own; at draughts only the whole event changes a capital."""

    @property
    def report(self) -> int:
        """The number of the report."""
        return report_number(self.id)

    @property
    def derivation(self) -> tuple[Step, ...]:
        """All steps of the event."""
        return self.steps


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedChessEvent(ExplainedEvent):
    """One chess event of a player, rated or not."""

    index: int
    """The position among the entrants of the report, counted from 0."""

    contribution: Contribution | None
    """None for an unrated player."""

    tranche: Performance | None
    """What an unrated player has from the event."""

    @property
    def points(self) -> Fraction | None:
        """The points that a rated player gained, before rounding."""
        return self.contribution.points if self.contribution else None

    @property
    def own(self) -> int | None:
        """The rating with which the player's games are computed."""
        return self.contribution.games[0].game.own if self.contribution else None

    @property
    def derivation(self) -> tuple[Step, ...]:
        """All steps of the event, also those of the tranche."""
        return (*self.steps, *(self.tranche.steps if self.tranche else ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedDraughtsEvent(ExplainedEvent):
    """One draughts event of a player."""

    capital: int
    """The capital before the event."""

    final: int
    """The capital after the event."""

    category: Category
    changes_by_game: ClassVar[bool] = False

    @property
    def points(self) -> Fraction:
        """The points gained."""
        return Fraction(self.final - self.capital)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedSystemEvent(ExplainedEvent):
    """One event of a player, or one period, on the list of a rating system."""

    own: int | None
    """The printed figure before it."""

    final: int | None
    printed: str
    """The printed rating after it."""

    outcome: PlayerOutcome[Any]
    is_part: bool = False
    """Whether it is a report's part of a period; its points are what its games add, before rounding."""

    @property
    def points(self) -> Fraction | None:
        """The points gained, as printed."""
        if self.own is None or self.final is None:
            return None
        added = (game.points or Fraction(0) for game in self.games)
        return sum(added, Fraction(0)) if self.is_part else Fraction(self.final - self.own)

    def of_report(self, report: int) -> ExplainedSystemEvent | None:
        """Return the event if it is a report's, of a period the part with its games; None if there is none."""
        if self.report == report:
            return self
        games = tuple(game for game in self.games if game.report == report)
        return replace(self, games=games, is_part=True) if games else None


AnyExplainedEvent: TypeAlias = ExplainedChessEvent | ExplainedDraughtsEvent | ExplainedSystemEvent


@dataclass(frozen=True, slots=True)
class ExplainedChange:
    """How a player's rating changed with one list."""

    before: int | None
    after: int | None
    games: int
    edition: str
    events: tuple[AnyExplainedEvent, ...]
    steps: tuple[Step, ...]
    """Changes not caused by events: rounding, floor, the end of the year."""

    entry: Entry | None = None
    """The entry rating of a newcomer, or the reason why there is none yet; never at draughts."""

    category: Category | None = None
    """The draughts category held after the list."""

    pooled: tuple[ExplainedChessEvent, ...] = ()
    """The events of earlier lists that the entry of a newcomer looks at, in the order of their days."""

    @property
    def all_events(self) -> tuple[AnyExplainedEvent, ...]:
        """The pooled events of earlier lists, then those of this list."""
        return (*self.pooled, *self.events)

    @property
    def tranches(self) -> tuple[tuple[Performance, bool], ...]:
        """The events of the entry by day, each with whether it counts; those that count add up to the entry."""
        if self.entry is None:
            return ()
        judged = [(it, True) for it in self.entry.counted] + [(it, False) for it in self.entry.ignored]
        return tuple(sorted(judged, key=lambda item: item[0].last_day or date.min))


# ------------------------------------------------------------------------------------------------------- chess


def explain_chess(player: int, period: ClosedPeriod, events: Sequence[Event]) -> ExplainedChange:
    """Explain one player's period."""
    change = period.players[player]
    contributions = {contribution.event: contribution for contribution in change.contributions}
    return ExplainedChange(
        change.before.rating,
        change.after.rating,
        change.games,
        period.edition,
        tuple(
            _chess_event(event, player, period, contributions.get(event.id))
            for event in events
            if player in event.players
        ),
        change.steps,
        change.entry,
    )


def _chess_event(
    event: Event, player: int, period: ClosedPeriod, contribution: Contribution | None
) -> ExplainedChessEvent:
    header = event.report.header
    index = event.players.index(player)
    tally: Tally = period.tallies[event.id].players[index]
    changes = iter(contribution.games if contribution else ())
    return ExplainedChessEvent(
        event.id,
        header.name,
        header.first_day,
        header.last_day,
        event.edition.id,
        tuple(_chess_game(event, counted, _change_of(counted, changes)) for counted in tally.rounds),
        (*(contribution.steps if contribution else ()), *tally.removed),
        index=index,
        contribution=contribution,
        tranche=None if contribution else tally.tranche,
    )


def _change_of(counted: Counted, changes: Iterator[GameChange]) -> GameChange | None:
    """Return the change of a game that counts; the changes come in the order of such games."""
    if counted.reason or counted.opponent_rating is None:
        return None
    return next(changes, None)


def _chess_game(event: Event, counted: Counted, change: GameChange | None) -> ExplainedGame:
    cell = counted.cell
    opponent = cell.opponent
    counts = change.rated if change else not counted.reason
    return ExplainedGame(
        cell.round,
        None if opponent is None else event.players[opponent],
        "" if opponent is None else event.report.entrants[opponent].name,
        counted.opponent_rating,
        Fraction(cell.score, 2),
        counts,
        counted.reason or ("" if counts else "too-far"),
        from_hundredths(change.expected) if change else None,
        counted.article,
        change.difference if change else None,
        change.capped if change else None,
        from_hundredths(change.change) if change else None,
        change.steps if change else (),
        event.report.round(cell.round).colours[cell.index],
    )


# ---------------------------------------------------------------------------------------------------- draughts


def explain_draughts(inputs: Inputs) -> dict[int, ExplainedChange]:
    """Explain the capital of each player with an event in the year or a deduction at its end."""
    from arpad.lists.compute_draughts import compute_year  # a chess list needs nothing of it

    year = compute_year(inputs)
    events: dict[int, list[ExplainedDraughtsEvent]] = {}
    for rated in year.season.events:
        for result in rated.players:
            player = int(result.participant.standing.id)
            first = player not in events
            debut = (to_step(load(inputs.debuts[player])),) if first and player in inputs.debuts else ()
            events.setdefault(player, []).append(_draughts_event(rated, result, inputs.edition, debut))
    ends = (*year.end.deductions, *year.end.cancelled) if year.end else ()
    deductions = {int(deduction.before.id): deduction.step for deduction in ends}
    return {
        player: ExplainedChange(
            year.start[player].capital if player in year.start else None,
            year.after[player].capital,
            sum(len(event.games) for event in events.get(player, ())),
            inputs.edition,
            tuple(events.get(player, ())),
            (deductions[player],) if player in deductions else (),
            category=year.after[player].category,
        )
        for player in sorted({*events, *deductions})
    }


def _draughts_event(
    rated: RatedEvent, result: PlayerResult, edition: str, debut: tuple[Step, ...]
) -> ExplainedDraughtsEvent:
    report = rated.event.report
    entrants = {entrant.number: entrant for entrant in report.entrants}
    steps = (*debut, *result.participant.debut, *(result.change.steps if result.change else ()))
    return ExplainedDraughtsEvent(
        rated.event.id.lstrip("0"),
        report.header.name,
        report.header.first_day,
        report.header.last_day,
        edition,
        tuple(
            ExplainedGame(
                side.round,
                int(entrants[side.opponent].id) if side.opponent in entrants else None,
                entrants[side.opponent].name if side.opponent in entrants else "",
                side.opponent_capital,
                Fraction(side.points),
                side.counted,
                "" if side.counted else "unplayed",
                None if side.expected is None else from_hundredths(side.expected),
                colour=side.colour,
            )
            for side in result.cells
        ),
        steps,
        capital=result.participant.capital,
        final=result.final,
        category=result.held_after,
    )


# ------------------------------------------------------------------------------------------- rating systems


def explain_own(inputs: Inputs, players: Iterable[int], chain: Chain[Any]) -> dict[int, ExplainedChange]:
    """Explain the lines of players on the list of a rating system: the events since the list before."""
    of_system = inputs.system
    if of_system is None:
        return {}
    changes = {}
    for player, explained in explain_players(of_system, players, chain).items():
        if not explained.events and not explained.again and not explained.by_turns:
            continue
        late = [Step("", "system-again", explained.again)] if explained.again else []
        if (turn := explained.turn) is not None and explained.by_turns:
            late.append(Step(turn.article, "system-turn", explained.by_turns, {"day": turn.day}))
        events = tuple(_system_event(inputs, event) for event in explained.events)
        games = sum(game.counts for event in events for game in event.games)
        changes[player] = ExplainedChange(
            explained.before, _figure(explained.after), games, inputs.edition, events, tuple(late)
        )
    return changes


def _system_event(inputs: Inputs, event: ExplainedUnit) -> ExplainedSystemEvent:
    passes = [part for part in event.outcome.passes if part.games]
    games = tuple(_system_game(inputs, game) for game in passes[-1].games) if passes else ()
    return ExplainedSystemEvent(
        id=str(event.number if event.name else 0), name=event.name or str(event.last_day), first_day=event.first_day,
        last_day=event.last_day, edition=event.edition, games=games,
        steps=tuple(_with_name(inputs, step) for step in event.outcome.steps),
        own=_figure(event.before), final=_figure(event.after), printed=event.after.text if event.after else "",
        outcome=event.outcome,
    )  # fmt: skip


def _with_name(inputs: Inputs, step: Step) -> Step:
    """Return a step that has the opponent's name instead of the number."""
    opponent = step.facts.get("opponent")
    if opponent is None:
        return step
    return replace(step, facts={**step.facts, "opponent": inputs.people[int(str(opponent))].name})


def _system_game(inputs: Inputs, game: GameFigures) -> ExplainedGame:
    opponent, expected = int(game.opponent), game.expected
    return ExplainedGame(
        game.round or 0,
        opponent,
        inputs.people[opponent].name,
        None if game.value is None else int(half_up(Fraction(game.value))),
        game.score,
        counts=game.value is not None,
        reason="",
        expected=None if expected is None else _ten_places(expected),
        change=None if expected is None else _ten_places(game.score - expected),
        points=_ten_places(Fraction(game.contribution)) if game.value is not None else None,
        report=game.event,
    )


def _ten_places(value: Fraction) -> Fraction:
    """Return a number with ten decimal places, as answers show those that are not exact."""
    return Fraction(half_up(value * _TEN_PLACES), _TEN_PLACES)


_TEN_PLACES = 10**10


def _figure(line: Line | None) -> int | None:
    return line.figure if line else None
