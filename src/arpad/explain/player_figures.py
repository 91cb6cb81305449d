"""Figures and sentences of a player's page: results, performance, what is left to a goal, why the rating changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

from arpad.explain.pictures import DRAW, LOSS, WIN, outcome_of
from arpad.explain.words import Words
from arpad.lists.explanation import (
    AnyExplainedEvent,
    ExplainedChange,
    ExplainedChessEvent,
    ExplainedEvent,
    ExplainedGame,
)
from arpad.model.people import Person
from arpad.model.rules import Fact, Step
from arpad.regulations.fide.performance_rating import PerformanceRating, performance_rating
from arpad.regulations.fide.rules import ChessRules

if TYPE_CHECKING:
    from arpad.regulations.fide.titles.rules import TitleRules

WHITE, BLACK, ALL = "w", "b", "all"
MOST_A_GAME = {True: Fraction(1), False: Fraction(2)}
"""A win is one point at chess, and two at draughts."""

PlayerEvent = AnyExplainedEvent


@dataclass(frozen=True, slots=True)
class Results:
    """Wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums over the games of an event that count."""

    score: Fraction
    expected: Fraction

    @property
    def difference(self) -> Fraction:
        """Score minus expectation."""
        return self.score - self.expected


def event_sums(event: PlayerEvent) -> Sums | None:
    """Return the sums of an event; None if no game of it has an expected score."""
    counted = [game for game in event.games if game.counts and game.expected is not None]
    if not counted:
        return None
    return Sums(
        sum((game.score for game in counted), Fraction(0)),
        sum((game.expected or Fraction(0) for game in counted), Fraction(0)),
    )


def is_played(game: ExplainedGame) -> bool:
    """Return whether a game was played, also if it is not rated."""
    return game.opponent is not None and game.reason not in ("unplayed", "no-result", "bye")


def game_outcome(game: ExplainedGame, *, chess: bool) -> str:
    """Return the outcome of a game as a picture shows it."""
    return outcome_of(game.score, MOST_A_GAME[chess], played=is_played(game))


def results_by_colour(events: Iterable[PlayerEvent]) -> dict[str, Results]:
    """Return the results of the games that were played: with white, with black, and all."""
    outcomes: dict[str, list[str]] = {WHITE: [], BLACK: [], ALL: []}
    for event in events:
        for game in event.games:
            if is_played(game):
                outcome = game_outcome(game, chess=event.changes_by_game)
                outcomes[ALL].append(outcome)
                if game.colour in (WHITE, BLACK):
                    outcomes[game.colour].append(outcome)
    return {colour: Results(*map(played.count, (WIN, DRAW, LOSS))) for colour, played in outcomes.items()}


def rated_games(events: Iterable[PlayerEvent]) -> list[ExplainedGame]:
    """Return the games over the board that are rated: the opponent had a rating."""
    return [
        game
        for event in events
        for game in event.games
        if is_played(game) and game.rating is not None and not game.reason
    ]


def performance(events: Iterable[PlayerEvent], rules: ChessRules) -> PerformanceRating | None:
    """Return the performance in the rated games of chess events: average of the opponents plus dp."""
    games = rated_games(events)
    if not games:
        return None
    half_points = int(2 * sum((game.score for game in games), Fraction(0)))
    return performance_rating([game.rating or 0 for game in games], half_points, rules)


@dataclass(frozen=True, slots=True)
class Goal:
    """The points or games left to the next K or title."""

    kind: str
    """``k-usual``, ``k-top`` or ``title``."""

    left: int
    """Games for ``k-usual``, points for the others."""

    limit: int
    name: str
    """The K or the title."""


def next_goals(
    person: Person,
    day: date,
    rating: int,
    games: int,
    peak: int,
    k: int | None,
    rules: ChessRules,
    titles: TitleRules | None,
) -> list[Goal]:
    """Return what a rated player has left to another K, and to the next title that a rating gives.

    The K of a junior does not depend on games.
    """
    goals: list[Goal] = []
    highest = max(peak, rating)
    junior = rules.k_junior_until is not None and rules.k_junior_until.value(person.born, day)
    if k == rules.k_new.value and games < rules.k_new_games.value and not junior:
        left = rules.k_new_games.value - games
        goals.append(Goal("k-usual", left, rules.k_new_games.value, str(rules.k_usual.value)))
    if k == rules.k_usual.value and highest < rules.k_top_from.value:
        goals.append(
            Goal("k-top", rules.k_top_from.value - rating, rules.k_top_from.value, str(rules.k_top.value))
        )
    if titles is not None:
        goals += _next_title(person, rating, highest, titles)
    return goals


def _next_title(person: Person, rating: int, highest: int, titles: TitleRules) -> list[Goal]:
    """Return the lowest title by rating that a player has not reached (B.01 1.3)."""
    values = titles.rating_titles.value
    needed = {"CM": values.cm, "FM": values.fm} if person.title in ("", "CM") else {}
    if person.sex == "F" and not person.title:
        needed |= {"WCM": values.wcm, "WFM": values.wfm}
    open_titles = {title: least for title, least in needed.items() if highest < least}
    if not open_titles:
        return []
    title = min(open_titles, key=lambda name: open_titles[name])
    return [Goal("title", open_titles[title] - rating, open_titles[title], title)]


def change_sentence(change: ExplainedChange, words: Words) -> str:
    """Return in one sentence how a change came about: score, expected score, difference times K, rounded."""
    rated = [
        event for event in change.events if isinstance(event, ExplainedChessEvent) and event.contribution
    ]
    steps = {step.quantity: step for step in change.steps}
    sentences: list[str] = []
    if rated and (new := steps.get("new-rating")):
        sentences.append(_product(rated, new, words))
    elif change.entry is not None and change.entry.rating is not None:
        games, score = change.entry.games, Fraction(change.entry.score, 2)
        sentences.append(
            words.text("player.first-rating", rating=change.entry.rating, score=score, games=games)
        )
    elif change.entry is not None:
        sentences.append(words.text("player.no-rating", reason=words.text(f"reason.{change.entry.reason}")))
    elif change.category is not None:
        sentences.append(_season(change, words))
    sentences += [
        words.text(f"player.{quantity}", **_facts(steps[quantity]))
        for quantity in ("lifted", "lifted-to-standard", "delisted")
        if quantity in steps
    ]
    return " ".join(sentences)


def tranche_sentences(change: ExplainedChange, words: Words) -> list[str]:
    """Return a sentence for each event of an entry that pools several, and one that adds them up; else nothing."""
    tranches = change.tranches
    if change.entry is None or len(tranches) < 2:  # noqa: PLR2004  one event adds up to itself
        return []
    sentences = [
        words.text(
            "player.tranche" if counts else "player.tranche-ignored",
            name=tranche.event,
            score=Fraction(tranche.score, 2),
            games=tranche.games,
            average=tranche.average,
        )
        for tranche, counts in tranches
    ]
    events = len(change.entry.counted)
    score, games = Fraction(change.entry.score, 2), change.entry.games
    return [*sentences, words.text("player.tranches-together", events=events, score=score, games=games)]


def event_sentence(event: ExplainedEvent, words: Words) -> str:
    """Return how the points of an event came about, difference times K; empty for an event without a K."""
    if not isinstance(event, ExplainedChessEvent) or event.contribution is None:
        return ""
    sums = event_sums(event)
    if sums is None:
        return ""
    k, points = event.contribution.k_applied, event.contribution.points
    return words.text("player.sum-of", difference=sums.difference, k=k, points=points)


def _product(events: list[ExplainedChessEvent], new: Step, words: Words) -> str:
    """Return the sentence of a rated player; with several K, the events below have one each."""
    sums = [sums for event in events if (sums := event_sums(event))]
    coefficients = {event.contribution.k_applied for event in events if event.contribution}
    return words.text(
        "player.product" if len(coefficients) == 1 else "player.products",
        score=sum((each.score for each in sums), Fraction(0)),
        expected=sum((each.expected for each in sums), Fraction(0)),
        difference=sum((each.difference for each in sums), Fraction(0)),
        k=max(coefficients),
        change=sum((event.points or 0 for event in events), Fraction(0)),
        rounded=new.facts["rounded"],
    )


def _season(change: ExplainedChange, words: Words) -> str:
    """Return the sentence of a draughts season."""
    if change.after is None or change.before is None:
        return words.text("player.season-first", events=len(change.events), after=change.after or 0)
    gained = change.after - change.before
    return words.text("player.season", events=len(change.events), change=gained)


def _facts(step: Step) -> dict[str, Fact]:
    return {**step.facts, "value": step.value}
