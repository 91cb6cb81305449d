"""The best choice of a player's games for a norm: without some wins, or without the games after some round.

For each beginning of the tournament and each number of wins left out, the score and the limits on the opponents are
known, so that the choice with the highest average is the best one there. ``wins_left_out.py`` finds that average
without trying every set of wins; the choice with the earliest rounds is then found win by win.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arpad.model.exact import HalfPoints
from arpad.rating.wins_left_out import MOST_ROUNDS, OutOfStepsError, Terms, highest_total
from arpad.regulations.fide.titles.games import NormRecord
from arpad.regulations.fide.titles.performance import (
    games_counted,
    least_average,
    performance,
    rounded_average,
    score_needed,
)
from arpad.regulations.fide.titles.requirements import TEAM, Mix, NormGame, games_of_choice, meets_rating
from arpad.regulations.fide.titles.rules import TitleRules, refuses

WIN: HalfPoints = 2
_BRANCH_STEPS = 20
"""Steps of the budget that looking at one branch takes."""


class Choice(NamedTuple):
    """A valid choice of games, as good as its place in the order."""

    games: tuple[NormGame, ...]
    counted: int
    """As how many games it counts."""

    only_wins: bool
    """Whether nothing but wins is left out."""

    average: int
    performance: int
    needed: HalfPoints

    @property
    def key(self) -> tuple[int, int, bool, int, tuple[int, ...]]:
        """Return the place in the order: the largest is the best.

        Most games counted; then most games; then only wins left out; then the highest performance; then the earliest
        rounds.
        """
        earliest = tuple(-game.round for game in self.games)
        return self.counted, len(self.games), self.only_wins, self.performance, earliest


@dataclass(frozen=True, slots=True)
class Found:
    """The answer of a search."""

    choice: Choice | None
    complete: bool = True
    """Whether nothing else can be better; a search that was stopped may have missed a norm or a better choice."""


class _Branch(NamedTuple):
    """The choices that leave out a number of wins from a beginning of the tournament."""

    key: tuple[int, int, bool, int]
    """The first four parts of the order of choices, with ``average``."""

    games: tuple[NormGame, ...]
    number: int
    only_wins: bool
    average: int
    """The highest average by the ratings alone; of a branch that was looked at, by all limits."""


def best_choice(terms: Terms, least: int) -> Found:
    """Return the best valid choice of at least so many games.

    Articles (B.01 1.4.1e, B.01 1.4.1f).
    """
    games = len(terms.record.games)
    if games > MOST_ROUNDS:
        return Found(None, complete=False)
    if games < least or _is_hopeless(terms):
        return Found(None)
    try:
        best, complete = _best_branches(terms, least)
        terms.budget.begin()
        choices = [choice for branch in best if (choice := _earliest(branch, terms))]
    except OutOfStepsError:
        if terms.budget.must_end:
            raise
        return Found(None, complete=False)
    return Found(max(choices, key=lambda choice: choice.key, default=None), complete=complete)


def _best_branches(terms: Terms, least: int) -> tuple[list[_Branch], bool]:
    """Return the branches with the best choices, equal but for their rounds, and whether all were looked at."""
    best: list[_Branch] = []
    terms.budget.begin()
    try:
        for branch in sorted(_branches(terms, least), key=lambda branch: branch.key, reverse=True):
            if best and branch.key < best[0].key:
                break
            reached = _reached(branch, terms)
            if reached is not None and (not best or reached.key >= best[0].key):
                best = [*(item for item in best if item.key == reached.key), reached]
    except OutOfStepsError:
        if terms.budget.must_end or not best:
            raise
        return best[:1], False
    return best, True


def _is_hopeless(terms: Terms) -> bool:
    """Return whether the opponents of all games forbid a norm with any of them."""
    record, rules = terms.record, terms.rules
    whole = terms.mix(record.games)
    if record.event.fixed and refuses(rules.complete_mix) and not _mix_holds(whole, terms):
        return True
    always_tested = not terms.exempt and record.event.system != TEAM  # team events: only from nine games on
    too_few = whole.federations < whole.federations_least  # fewer games have no more federations
    return always_tested and too_few


def _beginnings(
    record: NormRecord, rules: TitleRules, least: int
) -> Iterator[tuple[tuple[NormGame, ...], bool]]:
    """Yield the games up to each round after which the rest may be left out, all of them first.

    If the rest begins with a win, leaving it out is leaving out a win of a longer beginning.
    """
    games = record.games
    yield games, True
    if not rules.end_left_out.value or (record.event.fixed and refuses(rules.fixed_all_rounds)):
        return
    for end in range(len(games) - 1, least - 1, -1):
        if games[end].score != WIN or not rules.wins_left_out.value:
            yield games[:end], False


def _branches(terms: Terms, least: int) -> Iterator[_Branch]:
    """Yield the branches in which the ratings and the number of titles allow a norm."""
    record, rules = terms.record, terms.rules
    for games, only_wins in _beginnings(record, rules, least):
        values = sorted(terms.value(game) for game in games if game.score == WIN)
        others = [terms.value(game) for game in games if game.score != WIN]
        total, score = sum(values) + sum(others), sum(game.score for game in games)
        opponents = terms.mix(games)
        most = min(len(games) - least, len(values)) if rules.wins_left_out.value else 0
        terms.budget.spend(_BRANCH_STEPS * (most + 1))
        for number in range(most + 1):
            kept = len(games) - number
            lowest = min([*others, *values[number : number + 1]], default=terms.floor)
            mean = rounded_average(total + max(0, terms.floor - lowest), kept)
            key = _key(mean, kept, score, terms, only_wins=only_wins)
            limits = terms.limits(kept, 0)  # in a double round robin: the numbers that every choice needs
            titles = opponents.titled >= limits.titled_least and opponents.sought >= limits.sought_least
            if key is not None and titles:
                yield _Branch(key, games, number, only_wins, mean)
            total, score = total - sum(values[number : number + 1]), score - WIN


def _key(
    mean: int, kept: int, score: HalfPoints, terms: Terms, *, only_wins: bool
) -> tuple[int, int, bool, int] | None:
    """Return the place in the order of a choice with an average; None if its score is not enough."""
    needed = score_needed(mean, kept, terms.title, terms.rules)
    if needed is None or score < needed:
        return None
    counted = games_counted(
        games_of_choice(kept, terms.record.event, terms.rules), score, needed, terms.rules
    )
    return counted, kept, only_wins, performance(mean, score, kept, terms.rules)


def _reached(branch: _Branch, terms: Terms) -> _Branch | None:
    """Return a branch with the highest average that its opponents allow; None if no choice is valid."""
    score = sum(game.score for game in branch.games) - WIN * branch.number
    kept = len(branch.games) - branch.number
    least = _least_total(least_average(score, kept, terms.title, terms.rules), kept)
    total = _highest(*_parted(branch), branch.number, least, terms)
    if total is None:
        return None
    mean = rounded_average(total, kept)
    key = _key(mean, kept, score, terms, only_wins=branch.only_wins)
    return None if key is None else branch._replace(key=key, average=mean)


def _parted(branch: _Branch) -> tuple[list[NormGame], list[NormGame]]:
    """Return the games that are kept in any case, and the wins."""
    return (
        [game for game in branch.games if game.score != WIN],
        [game for game in branch.games if game.score == WIN],
    )


def _least_total(mean: int, games: int) -> int:
    """Return the least sum whose rounded average reaches a number."""
    return -(-(2 * mean - 1) * games // 2)


def _highest(
    kept: Sequence[NormGame], wins: Sequence[NormGame], number: int, least: int, terms: Terms
) -> int | None:
    """Return the highest sum of ratings without so many of the wins; without the lowest ones, if that is valid."""
    terms.budget.spend(_BRANCH_STEPS)
    ordered = sorted(wins, key=terms.value)
    games = [*kept, *ordered[number:]]
    total = terms.total(games)
    if total < least:
        return None
    if _mix_holds(terms.mix(games), terms):
        return total
    return highest_total(kept, wins, number, least, terms) if number else None


def _earliest(branch: _Branch, terms: Terms) -> Choice | None:
    """Return the choice with the average of a branch whose rounds are the earliest: each win stays if it can."""
    kept, wins = _parted(branch)
    number = branch.number
    least = _least_total(branch.average, len(branch.games) - number)
    while wins and number:
        first, *rest = wins
        if len(rest) >= number and _highest([*kept, first], rest, number, least, terms) is not None:
            kept.append(first)
        else:
            number -= 1
        wins = rest
    ordered = tuple(sorted((*kept, *wins), key=lambda game: game.round))
    return valid_choice(ordered, terms, only_wins=branch.only_wins)


def valid_choice(
    games: tuple[NormGame, ...], terms: Terms, *, only_wins: bool, base: int | None = None
) -> Choice | None:
    """Return a choice of games with its figures if it meets every requirement but the number of games, else None."""
    rules = terms.rules
    figures = meets_rating(games, terms.title, rules)
    if figures is None or not _mix_holds(terms.mix(games), terms):
        return None
    mean, needed = figures
    score = sum(game.score for game in games)
    as_many = games_of_choice(len(games), terms.record.event, rules) if base is None else base
    counted = games_counted(as_many, score, needed, rules)
    return Choice(games, counted, only_wins, mean, performance(mean, score, len(games), rules), needed)


def _mix_holds(opponents: Mix, terms: Terms) -> bool:
    unrated = opponents.unrated_hold or not refuses(terms.rules.unrated_share)
    return opponents.titles_hold and unrated and (terms.exempt or opponents.federations_hold)
