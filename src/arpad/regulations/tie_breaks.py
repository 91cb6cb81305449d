"""The tie-break regulations of FIDE's handbook (C.07): their editions, and the tie-breaks with their articles.

An edition says how unplayed rounds count, which is all that changed in numbers since 2009. The edition in force on the
first day of a tournament applies.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from arpad.model.rules import Confidence, Rule


class Unplayed(StrEnum):
    """Against whom a player's own unplayed round counts."""

    VIRTUAL = "virtual"
    """Against a virtual opponent, who had the player's points before the round and draws every later game."""

    DUMMY = "dummy"
    """Against a dummy with the player's own final score."""

    CAPPED_DUMMY = "capped-dummy"
    """Against a dummy with the player's own final score, which two limits cap."""


@dataclass(frozen=True, slots=True)
class TieBreakRules:
    """One edition of C.07."""

    id: str
    effective: date
    """The first day on which it applies to every rated tournament."""

    own_unplayed: Rule[Unplayed]
    every_unplayed_is_drawn: Rule[bool]
    """Whether opponents count every unplayed round of a player as drawn, or only requested byes at the end."""

    cuts_absences_first: Rule[bool]
    """Whether a cut takes the rounds in which the player was not available to play."""


BEFORE_2023 = TieBreakRules(
    "c07-2009",
    date(2009, 7, 1),
    own_unplayed=Rule(Unplayed.VIRTUAL, "15.2", Confidence.SECONDARY),
    every_unplayed_is_drawn=Rule(value=True, article="15.3", confidence=Confidence.SECONDARY),
    cuts_absences_first=Rule(value=False, article="14", confidence=Confidence.INFERRED),
)
OF_2023 = TieBreakRules(
    "c07-2023",
    date(2024, 4, 1),
    own_unplayed=Rule(Unplayed.DUMMY, "16.4", Confidence.SECONDARY),
    every_unplayed_is_drawn=Rule(value=False, article="16.3", confidence=Confidence.SECONDARY),
    cuts_absences_first=Rule(value=True, article="16.5", confidence=Confidence.SECONDARY),
)
OF_2024 = replace(OF_2023, id="c07-2024", effective=date(2024, 8, 1))
OF_2026 = replace(
    OF_2024,
    id="c07-2026",
    effective=date(2026, 3, 1),
    own_unplayed=Rule(Unplayed.CAPPED_DUMMY, "16.4", Confidence.SECONDARY),
)

EDITIONS = (BEFORE_2023, OF_2023, OF_2024, OF_2026)


def tie_break_rules(day: date | None) -> TieBreakRules:
    """Return the edition in force on the first day of a tournament; the latest if the day is unknown."""
    if day is None:
        return EDITIONS[-1]
    return next((it for it in reversed(EDITIONS) if it.effective <= day), EDITIONS[0])


ARTICLES = {
    "DE": "6", "WIN": "7.1", "WON": "7.2", "BPG": "7.3", "BWG": "7.4", "PS": "7.5", "REP": "7.6", "STD": "7.7",
    "TPN": "7.8", "BH": "8.1", "AOB": "8.2", "FB": "8.3", "SB": "9.1", "KS": "9.2", "ARO": "10.1", "TPR": "10.2",
    "PTP": "10.3", "APRO": "10.4", "APPO": "10.5", "RTNG": "10.6",
}  # fmt: skip
"""The tie-breaks for single players (5), by the acronym that reports use."""

_OF_RATINGS = frozenset(("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"))
_CUT = frozenset(("BH", "FB", "SB", "ARO", "PS"))
_OLD_NAMES = {"GE": "REP"}
_FORM = re.compile(r"([A-Z]+)(?::GP)?((?:[/-][A-Z][+-]?\d*)*)")
_OPTION = re.compile(r"[/-]([A-Z])([+-]?\d*)")


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break with its modifiers, as ``BH/C1``."""

    name: str
    cut_lowest: int = 0
    """How many of the least significant values are left out (14.1 to 14.4)."""

    cut_highest: int = 0
    limit: int = 0
    """By how many half-points the limit of the Koya system is raised (14.5)."""

    forfeits_are_games: bool = False
    """Whether forfeited games count as played against the opponent of the pairing (``/P``)."""

    of_fore: bool = False
    """Whether the average is that of the Fore Buchholz (8.2, ``/F``)."""

    is_reversed: bool = False
    """Whether the order is turned round (7.8, 10.6, ``/R``)."""

    @property
    def article(self) -> str:
        """The article that defines it."""
        return ARTICLES[self.name]

    @property
    def code(self) -> str:
        """The code as reports write it."""
        cut = (
            f"/M{self.cut_highest}" if self.cut_highest else f"/C{self.cut_lowest}" if self.cut_lowest else ""
        )
        limit = f"/L{self.limit:+d}" if self.limit else ""
        switches = ((self.forfeits_are_games, "/P"), (self.of_fore, "/F"), (self.is_reversed, "/R"))
        return f"{self.name}{cut}{limit}{''.join(text for is_on, text in switches if is_on)}"

    @property
    def needs_ratings(self) -> bool:
        """Whether it is left out if a player has no rating (10)."""
        return self.name in _OF_RATINGS

    @property
    def lower_is_better(self) -> bool:
        """Whether the lower value is ranked first: that of the start number, unless the order is turned round."""
        return (self.name == "TPN") != self.is_reversed


FOR_SWISS = (TieBreak("BH", cut_lowest=1), TieBreak("BH"), TieBreak("SB"))
"""What a tournament shows if its report names no tie-breaks."""

FOR_ROUND_ROBIN = (TieBreak("SB"), TieBreak("DE"), TieBreak("WIN"))
"""The same for a round robin, in which Buchholz must not be used (8)."""


def read_tie_breaks(text: str) -> tuple[tuple[TieBreak, ...], tuple[str, ...]]:
    """Return the tie-breaks that a report names, and the codes among them that are unknown or for teams."""
    known: list[TieBreak] = []
    unknown: list[str] = []
    for code in re.split(r"[,;\s]+", text.strip()):
        tie_break = read_tie_break(code)
        if tie_break is not None:
            known.append(tie_break)
        elif code and code.upper() != "PTS":
            unknown.append(code)
    return tuple(dict.fromkeys(known)), tuple(unknown)


def read_tie_break(code: str) -> TieBreak | None:
    """Return the tie-break of a code, as ``BH/C1`` or ``BH-C1``; None if it is unknown or cannot be modified so."""
    match = _FORM.fullmatch(code.strip().upper())
    name = match and _OLD_NAMES.get(match[1], match[1])
    if match is None or name not in ARTICLES:
        return None
    return _modified(TieBreak(name), _OPTION.findall(match[2]))


def _modified(tie_break: TieBreak, options: Iterable[tuple[str, str]]) -> TieBreak | None:
    for letter, digits in options:
        number = int(digits) if digits.strip("+-") else 0
        if letter in "CM" and number in (1, 2) and tie_break.name in _CUT:
            highest = number if letter == "M" else 0
            tie_break = replace(tie_break, cut_lowest=number, cut_highest=highest)
        elif letter == "L" and tie_break.name == "KS":
            tie_break = replace(tie_break, limit=number)
        elif letter == "P" and not digits:
            tie_break = replace(tie_break, forfeits_are_games=True)
        elif letter == "F" and not digits and tie_break.name == "AOB":
            tie_break = replace(tie_break, of_fore=True)
        elif letter == "R" and not digits and tie_break.name in {"TPN", "RTNG"}:
            tie_break = replace(tie_break, is_reversed=True)
        else:
            return None
    return tie_break
