"""The tie-breaks of a final table, of players or of teams, in words, and their values with the places they need."""

from fractions import Fraction
from functools import lru_cache

from arpad.explain.words import Words
from arpad.rating.team_table import ARTICLES
from arpad.regulations.tie_breaks import TieBreak

_PLACES = {"BH": 1, "FB": 1, "KS": 1, "PS": 1, "STD": 1, "DE": 1, "SB": 2, "AOB": 2}


def places_of(name: str) -> int:
    """Return how many decimal places the values of a tie-break have."""
    return _PLACES.get(name.partition("/")[0], 0)


@lru_cache(maxsize=512)  # a page says each in every row
def tie_break_words(tie_break: TieBreak, words: Words) -> str:
    """Return a tie-break in words, with its article."""
    name = words.text(f"tie-break.{tie_break.name}")
    changes = [
        words.text(f"tie-break.{key}", number=number)
        for key, number in (
            (f"without-lowest-{tie_break.cut_lowest}", tie_break.cut_lowest),
            (f"without-highest-{tie_break.cut_highest}", tie_break.cut_highest),
            ("limit", tie_break.limit),
            ("forfeits-as-games", int(tie_break.forfeits_are_games)),
            ("of-fore", int(tie_break.of_fore)),
            ("reversed", int(tie_break.is_reversed)),
        )
        if number
    ]
    return f"{', '.join((name, *changes))} (C.07, {tie_break.article})"


def team_tie_break_words(code: str, words: Words) -> str:
    """Return a tie-break of teams in words, with its article."""
    name, _, cut = code.partition("/")
    which = "lowest" if cut.startswith("C") else "highest"
    changes = [words.text(f"tie-break.without-{which}-{cut[1]}")] if cut else []
    return f"{', '.join((words.text(f'tie-break.{name}'), *changes))} (C.07, {ARTICLES[name]})"


def value_words(value: Fraction | int | None, tie_break: TieBreak, words: Words) -> str:
    """Return a value of a tie-break as it is printed."""
    return "–" if value is None else words.number(value, places=places_of(tie_break.name))
