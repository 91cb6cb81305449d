"""The state of a player between two periods, its JSON, and the printed line."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.real_numbers import real, round_real
from arpad.model.typed_values import HIGHEST_RATING
from arpad.regulations.glicko2.rules import GlickoRules
from arpad.regulations.outcomes import Line
from arpad.regulations.system_fields import real_number, whole
from arpad.regulations.units import Entrant

HIGHEST_DEVIATION = 1000
_MOST_PERIODS = 12_000
FIELDS = (
    real_number("rating", -HIGHEST_RATING, 2 * HIGHEST_RATING),
    real_number("rd", 0, HIGHEST_DEVIATION, above=True),
    real_number("volatility", 0, 1, above=True),
    whole("periods", 0, _MOST_PERIODS),
)


@dataclass(frozen=True, slots=True)
class GlickoState:
    """A rating, its deviation (rd) and its volatility; all real numbers."""

    rating: Decimal
    rd: Decimal
    volatility: Decimal | None = None
    """None if the edition has none, or if it is the one of newcomers."""

    periods: int | None = None
    """How many periods ago the last game was rated: 1 in the last. None if the deviation is the one of now."""


def parse(values: Mapping[str, Any], place: str) -> Entrant[GlickoState]:
    """Return the entrant of a JSON object; a newcomer has neither rating nor deviation."""
    given = [name for name in ("rating", "rd") if name in values]
    if not given:
        if values["fixed"] or {"volatility", "periods"} & values.keys():
            raise BadInput("value-missing", option=f"{place}.rating")
        return Entrant(None)
    for name in ("rating", "rd"):
        if name not in values:
            raise BadInput("value-missing", option=f"{place}.{name}")
    volatility = real(values["volatility"]) if "volatility" in values else None
    state = GlickoState(real(values["rating"]), real(values["rd"]), volatility, values.get("periods"))
    return Entrant(state, fixed=values["fixed"])


def line(state: GlickoState, _rules: GlickoRules, _day: date | None) -> Line:
    """Return how a list prints a state: rating and deviation as whole numbers, halves up."""
    rating, rating_doubts = round_real(state.rating, half_up)
    deviation, deviation_doubts = round_real(state.rd, half_up)
    return Line(
        figure=rating,
        text=f"{rating} ± {deviation}",
        columns={"deviation": deviation},
        findings=(*rating_doubts, *deviation_doubts),
    )
