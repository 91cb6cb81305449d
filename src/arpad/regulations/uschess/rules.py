"""What an edition of the US Chess paper sets, and the editions: from when each applies, since when it was known.

Articles are the sections of the paper: 2 initial ratings, 3 effective games, 4.1 special, 4.2 standard, 5 floors.
"""

from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from arpad.model.rules import Confidence, Rule
from arpad.regulations.rating_system import SystemEdition

Conversion: TypeAlias = tuple[Fraction, int, int]
"""A rating becomes factor x rating + points, and counts as so many games."""

INFERRED, SECONDARY, UNKNOWN = Confidence.INFERRED, Confidence.SECONDARY, Confidence.UNKNOWN


_FIDE_2013 = Rule((2000, (Fraction("0.76"), 560, 5), (Fraction(1), 80, 10)), "2", SECONDARY)
_FIDE_2020 = Rule((2000, (Fraction("0.94"), 180, 5), (Fraction("1.02"), 20, 10)), "2")
_FIDE_2025 = replace(_FIDE_2020, confidence=UNKNOWN)
"""FIDE lifted its ratings in March 2024; no conversion after it is known."""
_PRECEDENCE = Rule(value=False, article="2")
_BLENDED = Rule(value=True, article="2", confidence=UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class UschessRules:
    """Everything one edition sets, with the values of 2013."""

    bonus_threshold: Rule[int] = Rule(8, "4.2", INFERRED)
    """B: what exceeds B times the root of the games is given twice."""
    fide: Rule[tuple[int, Conversion, Conversion]] = _FIDE_2013
    """The conversion up to this FIDE rating, and above it."""
    cfc: Rule[tuple[int, Conversion, Conversion]] = Rule(
        (1500, (Fraction(11, 10), -240, 5), (Fraction(1), -90, 5)), "2", SECONDARY
    )
    blended: Rule[bool] = _PRECEDENCE
    """Whether several ratings of a newcomer are mixed, rather than the first that is known."""
    initial_games: Rule[int] = Rule(10, "2", SECONDARY)
    """An initial rating counts as at most so many games."""
    age: Rule[tuple[int, int, int, int, int]] = Rule((50, 2, 26, 100, 1300), "2")
    """Points for each year between two ages; the rating below and above them."""
    age_unknown: Rule[tuple[int, int]] = Rule((1300, 750), "2", SECONDARY)
    """The rating of an adult member, and of others."""

    effective: Rule[tuple[int, Fraction, Fraction, int, int]] = Rule(
        (50, Fraction("0.662"), Fraction("0.00000739"), 2569, 2355), "3", SECONDARY
    )
    """Most effective games; the two numbers below the root; the rating there; from above this rating all of them."""
    special_games: Rule[int] = Rule(8, "4.1", SECONDARY)
    special_most: Rule[int] = Rule(2700, "4.1", SECONDARY)
    estimate_least: Rule[int] = Rule(100, "4", SECONDARY)
    points: Rule[int] = Rule(800, "4.2", SECONDARY)
    """K is this divided by the effective and the played games."""
    dual: Rule[tuple[int, int, Fraction, Fraction, int]] = Rule(
        (2200, 2500, Fraction("6.5"), Fraction("0.0025"), 200), "4.2", SECONDARY
    )
    """In a dual-rated section, between two ratings K is multiplied by (a - b R0), from the second on it is this."""
    bonus_games: Rule[tuple[int, int, int]] = Rule((3, 4, 2), "4.2", SECONDARY)
    """The fewest games of a bonus; games count as at least so many; an opponent may be met so often."""
    match_limits: Rule[tuple[int, int, int, int]] = Rule((400, 50, 100, 200), "match", SECONDARY)
    """The largest difference; the largest change in one match, in 180 days and in three years."""

    provisional_games: Rule[int] = Rule(25, "1")
    floor_absolute: Rule[tuple[int, int, int, int, int]] = Rule((100, 4, 2, 1, 150), "5", SECONDARY)
    """A floor for everybody, more for each win, draw and event, up to the last number."""
    floor_event_games: Rule[int] = Rule(3, "5", SECONDARY)
    floor_peak: Rule[tuple[int, int, int]] = Rule((200, 1200, 2100), "5", SECONDARY)
    """So far below the peak, cut down to the hundred, between these floors."""


USCHESS_2013 = UschessRules()
USCHESS_2014 = replace(USCHESS_2013, bonus_threshold=Rule(10, "4.2"))
USCHESS_2015 = replace(USCHESS_2014, bonus_threshold=Rule(12, "4.2", SECONDARY))
USCHESS_2017 = replace(USCHESS_2015, bonus_threshold=Rule(14, "4.2"))
USCHESS_2020 = replace(USCHESS_2017, fide=_FIDE_2020, blended=_BLENDED)
USCHESS_2023 = replace(USCHESS_2020, bonus_threshold=Rule(12, "4.2"))
USCHESS_2025 = replace(USCHESS_2023, bonus_threshold=Rule(10, "4.2", SECONDARY), fide=_FIDE_2025)

_PAPER = "The US Chess Rating system, paper of the Ratings Committee"
EDITIONS = tuple(
    SystemEdition(id=name, applies_from=day, known_since=known, source=f"{_PAPER}; {source}", rules=rules)
    for name, day, known, source, rules in (
        ("uschess-2013", date(2013, 5, 1), None, "committee's report of 2014", USCHESS_2013),
        ("uschess-2014", date(2014, 6, 1), None, "committee's report of 2014; day inferred", USCHESS_2014),
        ("uschess-2015", date(2015, 6, 1), None, "text of June 2015", USCHESS_2015),
        ("uschess-2017", date(2017, 5, 1), None, "notice of 2017", USCHESS_2017),
        ("uschess-2020", date(2020, 6, 1), date(2021, 6, 1), "text of September 2020", USCHESS_2020),
        ("uschess-2023", date(2023, 2, 1), date(2023, 10, 30), "notice of October 2023", USCHESS_2023),
        ("uschess-2025", date(2025, 1, 1), date(2025, 6, 3), "programs citing July 2025", USCHESS_2025),
    )
)


def systems_of(minutes: int, seconds: int, *, online: bool = False) -> tuple[str, ...]:
    """Return the systems in which a time control counts, by minutes plus seconds (chapter 1)."""
    total = minutes + seconds
    blitz_from, blitz_to, regular_from, dual_to = 5, 10, 30, 65
    if total < blitz_from:
        return ()
    if total <= blitz_to:
        return ("blitz",)
    if total < regular_from:
        return ("quick",)
    return ("regular", "quick") if total <= dual_to and not online else ("regular",)
