"""The conversion tables as printed: 8.1a and 8.1b of FIDE, 19 of Elo-Rubele. No formula anywhere (12.1, 12.2)."""

from bisect import bisect_left
from dataclasses import dataclass

from arpad.model.exact import Hundredths


@dataclass(frozen=True, slots=True)
class FractionTable:
    """Table 8.1a: from a fractional score p to a rating difference dp (12.2; chapter 8)."""

    rows: tuple[int, ...]
    """dp for p = .50, .51, … 1.0; below one half the same with a minus sign."""

    def difference(self, p: Hundredths) -> int:
        """Return the difference dp of a fractional score in hundredths."""
        half = len(self.rows) - 1
        return self.rows[p - half] if p >= half else -self.rows[half - p]


@dataclass(frozen=True, slots=True)
class ExpectationTable:
    """Table 8.1b, or table 19: from a difference to the expectation of both players (chapter 8)."""

    bounds: tuple[int, ...]
    """The last difference of each printed row; beyond the last bound comes the open row."""

    even: Hundredths
    """What both expect in the first row: .50 in chess, 1.00 in draughts, in which a win counts two."""

    def expected(self, difference: int) -> Hundredths:
        """Return the expectation of a player who is ``difference`` above the opponent (below, if negative)."""
        higher = self.even + bisect_left(self.bounds, abs(difference))
        return higher if difference >= 0 else 2 * self.even - higher


# fmt: off
TABLE_8_1A = FractionTable((
      0,   7,  14,  21,  29,  36,  43,  50,  57,  65,  # .50 to .59
     72,  80,  87,  95, 102, 110, 117, 125, 133, 141,  # .60
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,  # .70
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,  # .80
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,  # .90
    800,                                               # 1.0, notional
))

TABLE_8_1B = ExpectationTable((
      3,  10,  17,  25,  32,  39,  46,  53,  61,  68,  # .50 to .59 for the higher player
     76,  83,  91,  98, 106, 113, 121, 129, 137, 145,  # .60
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,  # .70
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,  # .80
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,  # .90; beyond 735: 1.0
), even=50)

TABLE_19 = ExpectationTable((
       9,   30,   50,   71,   91,  112,  132,  153,  174,  194,  # 1.00 to 1.09 for the higher capital
     215,  236,  257,  277,  298,  319,  340,  361,  382,  404,  # 1.10
     425,  446,  468,  489,  511,  533,  555,  577,  599,  621,  # 1.20
     643,  666,  689,  711,  734,  757,  781,  804,  828,  852,  # 1.30
     876,  900,  924,  949,  974,  999, 1025, 1050, 1076, 1102,  # 1.40
    1129, 1156, 1183, 1211, 1238, 1267, 1295, 1324, 1354, 1384,  # 1.50
    1414, 1445, 1477, 1509, 1541, 1575, 1609, 1643, 1679, 1715,  # 1.60
    1752, 1790, 1829, 1869, 1910, 1952, 1995, 2040, 2087, 2135,  # 1.70
    2185, 2237, 2291, 2347, 2407, 2469, 2535, 2605, 2680, 2760,  # 1.80
    2846, 2942, 3045, 3162, 3295, 3450, 3639, 3882, 4234, 4929,  # 1.90; from 4930: 2.00
), even=100)
# fmt: on
