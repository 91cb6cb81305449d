"""A round robin in which unrated players take part (8.21b, 8.58).

Their ratings come from the tournament itself; those ratings then serve for the changes of the rated players.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from fractions import Fraction

from arpad.model.chess import RoundRobin, RoundRobinEntry
from arpad.model.exact import HalfPoints, fractional_score, from_hundredths, half_up, points
from arpad.model.rules import Step, step
from arpad.regulations.fide.entry_rating import performance_value
from arpad.regulations.fide.rules import ChessRules


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The score of each player against each other; all met all the same number of times (8.21b(iii))."""

    ratings: Mapping[int, int | None]
    """Rating by player number; None for the unrated."""

    scores: Mapping[tuple[int, int], HalfPoints]
    """Half-points of the first player against the second, over all their games."""

    cycles: int
    """How often all met all."""

    play_offs: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """Games beyond these, by pair."""

    @property
    def opponents(self) -> int:
        """Return the n of the articles."""
        return len(self.ratings) - 1

    def score(self, number: int) -> HalfPoints:
        """Return a player's half-points in the whole tournament."""
        return sum(self.scores[number, opponent] for opponent in self.ratings if opponent != number)

    def games(self, number: int) -> int:
        """Return how many games a player played, play-offs among them."""
        more = (games for pair, games in self.play_offs.items() if number in pair)
        return self.opponents * self.cycles + sum(more)

    def games_between(self, player: int, opponent: int) -> int:
        """Return how many games two players played against each other."""
        return (
            self.cycles
            + self.play_offs.get((player, opponent), 0)
            + self.play_offs.get((opponent, player), 0)
        )

    def without(self, numbers: AbstractSet[int]) -> CrossTable:
        """Return the same tournament without ``gone`` and their games."""
        ratings = {n: rating for n, rating in self.ratings.items() if n not in numbers}
        play_offs = {pair: games for pair, games in self.play_offs.items() if numbers.isdisjoint(pair)}
        return replace(self, ratings=ratings, play_offs=play_offs)


def round_robin(
    table: CrossTable, rules: ChessRules, newcomers: AbstractSet[int] = frozenset()
) -> RoundRobin:
    """Return the ratings Ru (new) of the unrated players; ``newcomers`` are those without an earlier event.

    Articles (6.1, 8.2, 8.21b, 8.21b(i), 8.21b(ii), 8.21b(iii), 8.52, 8.53, 8.58).
    """
    table, ignored, steps = _without_ignored(table, rules, newcomers)
    rar, dpa, ra, ra_steps = _tournament_average(table, rules)
    entries = {
        number: _entry(number, table, ra, rules) for number, rating in table.ratings.items() if rating is None
    }
    return RoundRobin(
        players=len(table.ratings),
        games=table.opponents * table.cycles,
        rar=rar,
        dpa=dpa,
        ra=ra,
        entries=entries,
        ignored=ignored,
        steps=(*steps, *ra_steps),
    )


def _without_ignored(
    table: CrossTable, rules: ChessRules, newcomers: AbstractSet[int]
) -> tuple[CrossTable, tuple[int, ...], list[Step]]:
    """Remove first-timers with too few points and their games; the others form a smaller round robin (6.1)."""
    ignored: list[int] = []
    steps: list[Step] = []
    rule, needed = rules.ignored_for_opponents, rules.first_score_round_robin.value
    while rule:
        failing = {n for n in newcomers if n in table.ratings and table.score(n) < needed}
        if not failing:
            break
        for number in sorted(failing):
            ignored.append(number)
            steps.append(step(rule.article, "removed", number, score=points(table.score(number))))
        table = table.without(failing)
    return table, tuple(ignored), steps


def _tournament_average(table: CrossTable, rules: ChessRules) -> tuple[Fraction, Fraction, int, list[Step]]:
    """Return Ra = Rar - dpa x n/(n+1), rounded at once as in the example of the text (8.58)."""
    article = rules.articles.get("round-robin-average", "")
    rated = {number: rating for number, rating in table.ratings.items() if rating is not None}
    rar = Fraction(sum(rated.values()), len(rated))
    if not table.opponents:  # all others were removed: no game is left
        return rar, Fraction(0), half_up(rar), []
    steps = [step(article, "rar", rar, rated=len(rated))]
    dp_total = 0
    for number in rated:
        p = fractional_score(table.score(number), table.games(number))
        dp = rules.fraction_table.value.difference(p)
        dp_total += dp
        steps.append(
            step(
                rules.fraction_table.article,
                "rated-dp",
                dp,
                number=number,
                score=points(table.score(number)),
                p=from_hundredths(p),
            )
        )
    dpa = Fraction(dp_total, len(rated))
    n = table.opponents
    ra = half_up(rar - dpa * Fraction(n, n + 1))
    steps.append(step(article, "dpa", dpa))
    steps.append(step(article, "ra", ra, rar=rar, dpa=dpa, n=n, n1=n + 1))
    return rar, dpa, ra, steps


def _entry(number: int, table: CrossTable, ra: int, rules: ChessRules) -> RoundRobinEntry:
    """Return an unrated player's Ru, then the pass that lowers opponents far above (8.58)."""
    score, n, games = table.score(number), table.opponents, table.games(number)
    value, steps = performance_value(Fraction(ra), score, games, rules, opponents=n)
    ru = half_up(value)
    rated = {o: r for o, r in table.ratings.items() if r is not None and o != number}
    limit = ru + rules.cap.value
    above = {o: r for o, r in rated.items() if r > limit}
    rc_new, ru_new = ra, ru
    steps = (*steps, step(rules.articles.get("pass", ""), "ru", ru, number=number, score=points(score)))
    if above:
        excess = sum(rating - limit for rating in above.values())
        rc_new = half_up(ra - Fraction(excess, n))
        value, _ = performance_value(Fraction(rc_new), score, games, rules, opponents=n)
        ru_new = half_up(value)
        steps += (
            step(
                rules.articles.get("pass", ""),
                "rc-new",
                rc_new,
                number=number,
                limit=limit,
                opponents=tuple(above),
                excess=excess,
                n=n,
            ),
            step(rules.articles.get("pass", ""), "ru-new", ru_new, number=number),
        )
    return RoundRobinEntry(
        number=number,
        score=score,
        games=games,
        rated_opponents=len(rated),
        rated_games=sum(table.games_between(number, opponent) for opponent in rated),
        rated_score=sum(table.scores[number, opponent] for opponent in rated),
        rated_total=sum(rating * table.games_between(number, opponent) for opponent, rating in rated.items()),
        rc=ra,
        ru=ru,
        rc_new=rc_new,
        ru_new=ru_new,
        steps=steps,
    )
