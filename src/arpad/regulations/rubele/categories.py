"""Categories and promotions (tables 11 and 12)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from arpad.model.draughts import Category
from arpad.regulations.rubele.rules import DraughtsRules


def rank_reached(thresholds: Sequence[int], value: int) -> int:
    """Return how many thresholds a value has reached: 0 is below the first; the threshold itself is enough."""
    return bisect_right(thresholds, value)


def rank_held(held: int, thresholds: Sequence[int], value: int) -> int:
    """Return the rank after reaching a value: it rises and never falls."""
    return max(held, rank_reached(thresholds, value))


@dataclass(frozen=True, slots=True)
class Promotion:
    """A player who reached the threshold of a higher category."""

    name: str
    id: str
    held: Category
    reached: Category
    capital: int
    threshold: int
    event: str
    day: date | None


def category_of(capital: int, rules: DraughtsRules) -> Category:
    """Return the category a capital corresponds to: the highest threshold it has reached (tables 11, 12)."""
    return tuple(Category)[rank_reached(rules.promotions.value, capital)]


def base_capital(category: Category, rules: DraughtsRules) -> int:
    """Return the capital from which a category begins; for the lowest, the minimum."""
    return rules.promotions.value[category.rank - 1] if category.rank else rules.minimum_capital.value


def held_after(category: Category, capital: int, rules: DraughtsRules) -> Category:
    """Return the category of a player after reaching a capital: it rises and never falls (table 11)."""
    return tuple(Category)[rank_held(category.rank, rules.promotions.value, capital)]
