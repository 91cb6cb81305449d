"""How a player begins on a list: new, from the other discipline, from an FMJD rating, or by decision.

Tables 11 and 12 give the newcomer's capital, 20 and 21 the way between the disciplines (by the category or
title held there), 22 that of foreign players. The rest is decided by the commission, with author and reason.
"""

from dataclasses import dataclass

from arpad.model.draughts import FMJD_MOST, Category, Title
from arpad.model.errors import BadInput
from arpad.model.rules import Fact, Step
from arpad.regulations.rubele.categories import category_of
from arpad.regulations.rubele.rules import DraughtsRules


@dataclass(frozen=True, slots=True)
class Debut:
    """Category and capital with which a player begins on a list."""

    category: Category
    capital: int
    steps: tuple[Step, ...]


def newcomer(rules: DraughtsRules) -> Debut:
    """Return the start of a player who is on no list (tables 11, 12)."""
    start = rules.starting_capital
    return Debut(Category.PROVINCIALE, start.value, (Step(start.article, "debut-new", start.value),))


def from_other_list(rank: Category | Title, rules: DraughtsRules) -> Debut:
    """Return the start of a player with a category or title in the other discipline (tables 20, 21)."""
    table = dict(rules.debut.value)
    if rank not in table:
        raise BadInput("no-conversion", given=str(rank), accepted=", ".join(table))
    capital = table[rank]
    # the categories printed next to the capitals are those of the capitals
    category = category_of(capital, rules)
    facts = {"held": str(rank), "category": str(category)}
    return Debut(category, capital, (Step(rules.debut.article, "debut-converted", capital, facts),))


def from_fmjd(rating: int, rules: DraughtsRules) -> Debut:
    """Return the start of a foreign player with an FMJD rating: rounded, not below the minimum (table 22)."""
    if rules.fmjd_factors is None:
        raise BadInput("no-fmjd-conversion")
    bands = rules.fmjd_factors.value
    if not bands[0][0] <= rating <= FMJD_MOST:
        raise BadInput("fmjd-out-of-range", rating=rating, least=bands[0][0], most=FMJD_MOST)
    factor = next(factor for start, factor in reversed(bands) if rating >= start)
    exact = rating * factor
    capital = max(rules.rounding.value(exact), rules.minimum_capital.value)
    facts: dict[str, Fact] = {"rating": rating, "factor": factor, "exact": exact}
    step = Step(rules.fmjd_factors.article, "debut-fmjd", capital, facts)
    return Debut(category_of(capital, rules), capital, (step,))


def converted(title: Title | None, fmjd: int | None, rules: DraughtsRules) -> Debut | None:
    """Return the start by an FMJD rating, else by a title that the table has, or None (tables 20 to 22)."""
    if fmjd is not None and rules.fmjd_factors is not None:
        return from_fmjd(fmjd, rules)
    return from_other_list(title, rules) if title is not None and title in dict(rules.debut.value) else None


def by_decision(capital: int, author: str, reason: str, rules: DraughtsRules) -> Debut:
    """Return the start with a capital decided by the commission (table 12).

    Special cases, and foreign players without an FMJD rating.
    """
    if not author.strip() or not reason.strip():
        raise BadInput("decision-unsigned")
    if capital < rules.minimum_capital.value:
        raise BadInput("capital-below-minimum", capital=capital, minimum=rules.minimum_capital.value)
    facts = {"author": author.strip(), "reason": reason.strip()}
    step = Step(rules.starting_capital.article, "debut-decided", capital, facts)
    return Debut(category_of(capital, rules), capital, (step,))
