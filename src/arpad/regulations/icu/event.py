"""One event of the ICU in doubles, in the order of the federation's own program (E, P, B)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from arpad.model.exact import half_away_from_zero
from arpad.regulations.icu.rules import IcuRules
from arpad.regulations.units import Game

_DRAW = 0.5


class Kind(StrEnum):
    """What is known of a player before the event, which decides how the event changes it."""

    ESTABLISHED = "established"
    PROVISIONAL = "provisional"
    UNRATED = "unrated"
    GUEST = "guest"


@dataclass(frozen=True, slots=True)
class GameRating:
    """A game as it was rated once: with which value of the opponent, and from where."""

    value: float | None = None
    source: str = "none"
    expected: float | None = None
    change: float = 0.0


@dataclass(slots=True)
class Participant:
    """A player while the event is rated; a copy is what a phase left of them."""

    name: str
    kind: Kind
    games: Sequence[Game]
    rating: int = 0
    k: int = 0
    k_reason: str = ""
    old_games: int = 0
    performance: float | None = None
    bonus: int = 0
    bonus_rating: float | None = None
    change: float = 0.0
    ratings: tuple[GameRating, ...] = ()
    """Each game as it was rated last."""

    terms: tuple[GameRating, ...] = ()
    """Each game in the last pass of performances: the value of the opponent, and what it adds to the sum."""

    passes: int = 0
    phases: list[Participant] = field(default_factory=list)

    def value(self) -> tuple[float | None, str]:
        """Return the value that the player has for opponents at this moment, and where it comes from."""
        if self.kind is Kind.GUEST:
            return self.rating, "fixed"
        if self.kind is not Kind.ESTABLISHED:
            return self.performance, "none" if self.performance is None else "performance"
        return (self.rating, "rating") if self.bonus_rating is None else (self.bonus_rating, "bonus-rating")

    @property
    def rated_games(self) -> int:
        """Return how many games have a value on both sides."""
        return sum(rating.expected is not None for rating in self.ratings)

    def own_value(self) -> float | None:
        """Return the value from which the player's own expected scores are computed (E)."""
        return self.rating if self.kind in (Kind.ESTABLISHED, Kind.GUEST) else self.performance


Field = Mapping[str, Participant]
"""The players of an event in their order."""


def rate_event(players: Field, rules: IcuRules) -> bool:
    """Rate an event in its one or two phases; return False if the performances do not settle (P4)."""
    passes = settle_performances(players, rules.most_passes.value, rules)
    if not passes:
        return False
    for player in players.values():
        rate_games(player, players, rules)
    winners = award_bonuses(players.values(), rules)
    _end_phase(players, passes)
    return _rate_again(players, rules) if winners else True


def _rate_again(players: Field, rules: IcuRules) -> bool:
    """Rate an event again with the ratings of those who won a bonus (B)."""
    for player in players.values():
        rate_games(player, players, rules)
        if rules.bonus_follows.value and player.bonus:
            player.bonus_rating = player.rating + player.bonus + player.change
    repeats = rules.repeat_in_phase_2.value
    passes = settle_performances(players, rules.most_passes.value if repeats else 1, rules) or (not repeats)
    if rules.bonuses_in_phase_2.value:
        award_bonuses(players.values(), rules)
    _end_phase(players, passes)
    return bool(passes)


def _end_phase(players: Field, passes: int) -> None:
    for player in players.values():
        player.passes = passes
        player.phases.append(replace(player))


# ---------------------------------------------------------------------------------------------- performances (P)


def settle_performances(players: Field, most: int, rules: IcuRules) -> int:
    """Compute performances until they settle; return the passes needed, or 0 if they did not."""
    for number in range(1, most + 1):
        estimates = [_estimate(player, players, rules) for player in players.values()]
        is_settled = True
        for player, estimate in zip(players.values(), estimates, strict=True):
            if estimate is not None:
                before, player.performance = player.performance, estimate
                is_settled &= before is not None and abs(estimate - before) < rules.tolerance.value
        if is_settled:
            return number
    return 0


def _estimate(player: Participant, players: Field, rules: IcuRules) -> float | None:
    """Return a performance from the values of the pass before; None without a valued opponent."""
    terms, total, count = [], 0.0, 0
    for game in player.games:
        value, source = players[game.opponent].value()
        term = GameRating(value, source)
        if value is not None:
            term = GameRating(value, source, None, _term(value, game, rules))
            total += term.change
            count += 1
        terms.append(term)
    if not count:
        return None
    player.terms = tuple(terms)
    if player.kind is Kind.PROVISIONAL:
        return (total + player.old_games * player.rating) / (count + player.old_games)
    return total / count


def _term(value: float, game: Game, rules: IcuRules) -> float:
    return value + (float(game.score) - _DRAW) * 2 * rules.spread.value


# ---------------------------------------------------------------------------------------------- games and bonus


def expected_score(own: float, opponent: float, rules: IcuRules) -> float:
    """Return the expected score against an opponent (E)."""
    power: float = 10.0 ** ((opponent - own) / float(rules.spread.value))
    return 1.0 / (1.0 + power)


def rate_games(player: Participant, players: Field, rules: IcuRules) -> None:
    """Rate all games of a player with the values of this moment (E)."""
    own = player.own_value()
    ratings = []
    for game in player.games:
        value, source = players[game.opponent].value()
        rating = GameRating(value, source)
        if own is not None and value is not None:
            expected = expected_score(own, value, rules)
            change = (float(game.score) - expected) * player.k if player.kind is Kind.ESTABLISHED else 0.0
            rating = GameRating(value, source, expected, change)
        ratings.append(rating)
    player.ratings = tuple(ratings)
    player.change = sum_in_order(rating.change for rating in ratings)


def sum_in_order(values: Iterable[float]) -> float:
    """Return the sum of doubles from left to right; ``sum`` corrects its errors from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def award_bonuses(players: Iterable[Participant], rules: IcuRules) -> int:
    """Give each established player the bonus of this moment; return how many win one (B)."""
    winners = 0
    for player in players:
        if player.kind is Kind.ESTABLISHED and (bonus := bonus_of(player, rules)):
            player.bonus = bonus
            player.bonus_rating = player.rating + player.change + bonus
            winners += 1
    return winners


def bonus_of(player: Participant, rules: IcuRules) -> int:
    """Return the bonus for a change, or 0 (B)."""
    limit, change = rules.bonus_limit.value, player.change
    may_win = player.k > rules.bonus_k.value and len(player.games) > rules.bonus_games.value
    if not may_win or player.rating >= limit:
        return 0
    if change <= rules.bonus_change.value or player.rating + change >= limit:
        return 0
    bonus = nearest(change - bonus_threshold(len(player.games), rules))
    if bonus <= 0:
        return 0
    high_k, factor = rules.bonus_factor.value
    if player.k >= high_k:
        bonus = nearest(factor * bonus)
    for most in (float(limit), player.performance):
        if most is not None and player.rating + change + bonus >= most:
            bonus = nearest(most - player.rating - change)
    return max(bonus, 0)


def bonus_threshold(games: int, rules: IcuRules) -> int:
    """Return what a change over so many games must exceed (B)."""
    threshold, each = rules.bonus_threshold.value
    return threshold + each * (games - rules.bonus_games.value)


def nearest(value: float) -> int:
    """Return the nearest whole number; a half goes away from zero (C5)."""
    return half_away_from_zero(Fraction(value))


def new_rating(rating: int, change: float, bonus: int) -> int:
    """Return the rating of an established player after an event (E)."""
    return nearest(rating + change + bonus)
