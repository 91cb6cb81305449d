"""Arpad, the rating office, as a library.

>>> import arpad
>>> change = arpad.rating_change(1850, [(1900, 1), (2000, "0.5")], k=20, edition="fide-2017")
>>> change.new_rating, change.change_rounded, str(change.change)
(1865, 15, '77/5')

Every result carries the steps that led to it; ``in_words`` puts them into sentences:

>>> for article, sentence in arpad.in_words(change.steps, "en"):
...     print(article, sentence)
8.55c sum over 2 games: +0.77
8.55c +0.77 x K 20 = +15.4
8.57 1850 +15.4, rounded +15: 1865
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arpad.library import (
        ArpadError,
        BadInput,
        Change,
        ChessRules,
        Edition,
        Entry,
        ListName,
        NoEdition,
        NoList,
        Norm,
        RatedGame,
        ReportNorms,
        RoundRobinPlayer,
        RoundRobinRating,
        Rule,
        Step,
        Unreadable,
        coefficient,
        edition,
        editions,
        entry_rating,
        expected_score,
        find_norm,
        in_words,
        rate_round_robin,
        rating_change,
        report_norms,
    )

__version__ = "0.1.0"

__all__ = [
    "ArpadError",
    "BadInput",
    "Change",
    "ChessRules",
    "Edition",
    "Entry",
    "ListName",
    "NoEdition",
    "NoList",
    "Norm",
    "RatedGame",
    "ReportNorms",
    "RoundRobinPlayer",
    "RoundRobinRating",
    "Rule",
    "Step",
    "Unreadable",
    "coefficient",
    "edition",
    "editions",
    "entry_rating",
    "expected_score",
    "find_norm",
    "in_words",
    "rate_round_robin",
    "rating_change",
    "report_norms",
]


def __getattr__(name: str) -> Any:
    """Load the library when something of it is asked for: the command line starts quicker without it."""
    if name in __all__:
        return getattr(import_module("arpad.library"), name)
    raise AttributeError(name)
