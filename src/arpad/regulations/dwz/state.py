"""What DWZ keeps of a player between two events: rating, index, and the games of a newcomer (2.2.1, 4.1.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from arpad.model.errors import BadInput
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.outcomes import Line
from arpad.regulations.system_fields import birth, day, flag, list_of, real_number, row, shown, whole
from arpad.regulations.units import Entrant

HIGHEST = 4000


class RestGame(NamedTuple):
    """A game of a newcomer that waits for the first rating: the opponent's rating and the score (4.1.1)."""

    opponent: int
    score: Fraction
    day: date | None = None
    """The last day of its event."""


@dataclass(frozen=True, slots=True)
class DwzState:
    """A rating with its index, or the rest games of a player without one."""

    rating: int | None = None
    index: int | None = None
    """The number of evaluations; None if it is not known."""

    rest: tuple[RestGame, ...] = ()
    entered: bool = False
    """Whether the rating was taken from FIDE or another federation: E is limited as with index 1 (annex 1.2)."""


_REST = row("rest", "dwz-rest", whole("rating", 1, HIGHEST), real_number("score", 0, 1), day("day"), least=2)


def _read_rest_game(item: Any, place: str) -> RestGame:
    game = RestGame(*_REST.read(item, place))
    if game.score.denominator not in {1, 2}:
        raise BadInput("dwz-rest", option=place, value=shown(item))
    return game


FIELDS = (
    *(whole(name, 1, HIGHEST) for name in ("rating", "fide")),
    whole("index", 0, 9999),
    birth("born"),
    real_number("coefficient", 1, 150),
    list_of("rest", _read_rest_game),
    *(flag(name) for name in ("entered", "member")),
)
_FACTS = ("born", "coefficient", "fide", "member")


def parse(values: Mapping[str, Any], place: str) -> Entrant[DwzState]:
    """Return the entrant of typed values; refuse an index without a rating, and rest games beside one."""
    rating, fixed = values.get("rating"), values["fixed"]
    if rating is None and (fixed or {"index", "entered", "coefficient"} & values.keys()):
        raise BadInput("value-missing", option=f"{place}.rating")
    if rating is not None and (unneeded := next((name for name in ("rest", "fide") if name in values), "")):
        raise BadInput("state-contradicts", option=f"{place}.{unneeded}", field="rating")
    state = DwzState(rating, values.get("index"), values.get("rest", ()), values.get("entered", False))
    return Entrant(
        None if state == DwzState() else state,
        fixed,
        {name: values[name] for name in _FACTS if name in values},
    )


def start(entrant: Entrant[DwzState], rules: DwzRules) -> DwzState | None:
    """Return the state of a player with a FIDE rating and without DWZ (2.2.4, 4.1.2)."""
    fide = entrant.facts.get("fide")
    return DwzState(fide, rules.entered_index.value, entered=True) if isinstance(fide, int) else None


def line(state: DwzState, _rules: DwzRules, _day: date | None) -> Line:
    """Return how a list prints a state: 1742-81 (2.2.1)."""
    if state.rating is None:
        return Line(figure=None, text="", columns={"rest": len(state.rest)} if state.rest else {})
    if state.index is None:
        return Line(figure=state.rating, text=str(state.rating))
    return Line(figure=state.rating, text=f"{state.rating}-{state.index}", columns={"index": state.index})
