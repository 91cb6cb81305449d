"""What an edition of Elo-Rubele sets for one list, in the order of its tables.

Each field is a ``Rule``: a value with the table or article that sets it. The values are plain (numbers,
tuples, a named procedure), so that a federation can write an edition of its own in a file. ``None`` means
that the edition has no such rule.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.model.rules import Rule
from arpad.regulations.membership import Members
from arpad.regulations.tables import ExpectationTable

Rounding: TypeAlias = Callable[[Fraction], int]

_TWO_GROUPS, _MOST_GROUPS = 2, 99
"""One group is no split; a hundred groups are a mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraughtsRules:
    """Everything one edition sets for one discipline."""

    # Tables 11 and 12: categories and capitals
    promotions: Rule[tuple[int, ...]]
    """The capitals that promote to Regionale, Nazionale, Candidato Maestro, Maestro; reached is enough."""
    starting_capital: Rule[int]
    minimum_capital: Rule[int]

    # Table 17: the change of a capital
    s_thresholds: Rule[tuple[int, ...]]
    """Where the coefficient S changes; not the same list as the promotions."""
    s_coefficients: Rule[tuple[int, ...]]
    """S in each band, the lowest band first: one more than there are thresholds."""
    rounding: Rule[Rounding]

    # Table 18: the year
    bonus: Rule[int] | None
    """Added after a player's first event of the year."""
    quota: Rule[int] | None
    """Q, added after every event."""
    floor_before_added: Rule[bool]
    """Whether the minimum is applied before the bonus or Q is added, rather than after."""
    malus: Rule[int]
    malus_limit: Rule[int]
    malus_limit_per_absence: Rule[bool]
    """Whether the limit starts again once the player has come back, rather than binding for a lifetime."""

    # Table 19: expectations
    expectation_table: Rule[ExpectationTable]

    # Tables 20 to 22: conversions
    debut: Rule[tuple[tuple[str, int], ...]]
    """Category or title on the other list, and the capital with which its holder begins on this one."""
    fmjd_factors: Rule[tuple[tuple[int, Fraction], ...]] | None
    """From this FMJD rating upwards, multiply it by so much; the lowest first."""
    foreign_idle_years: Rule[int]
    """Years in a row without an event after which a foreign player's capital is cancelled."""

    # Table 23: groups
    group_numbers: Rule[tuple[int, int]]
    """The fewest and the most groups."""
    first_group_rounds: Rule[int]
    """The first group has at most this many times the number of rounds …"""
    critical_rounds: Rule[int]
    """… until the players are more than rounds times groups times this."""
    group_minimums: Rule[tuple[tuple[int, int], ...]]
    """Rounds, and the fewest players of an italo-svizzero group."""

    # of own editions only
    membership: Rule[Members] | None = None
    """Which players must be members of a club on the first day of an event."""

    def __post_init__(self) -> None:
        """Refuse bands through which no capital could move; a federation's own edition may be wrong."""
        bands, categories = len(self.s_thresholds.value) + 1, len(Category) - 1
        for field, rule, length in (
            ("s_coefficients", self.s_coefficients, bands),
            ("promotions", self.promotions, categories),
        ):
            if len(rule.value) != length:
                raise BadInput("rules-length", field=field, given=len(rule.value), accepted=length)
        for field, rule in (("s_thresholds", self.s_thresholds), ("promotions", self.promotions)):
            if not rule.value or list(rule.value) != sorted(set(rule.value)):
                raise BadInput("rules-order", field=field, given=rule.value)
        fewest, most = self.group_numbers.value
        if not _TWO_GROUPS <= fewest <= most <= _MOST_GROUPS:
            stated, accepted = f"[{fewest}, {most}]", f"[{_TWO_GROUPS}, …, {_MOST_GROUPS}]"
            raise BadInput("own-edition-value", field="group_numbers", value=stated, accepted=accepted)
        if min(self.s_coefficients.value) <= 0:
            raise BadInput("rules-positive", field="s_coefficients", given=self.s_coefficients.value)
        if self.minimum_capital.value < 0 or self.starting_capital.value < self.minimum_capital.value:
            raise BadInput(
                "rules-start", start=self.starting_capital.value, minimum=self.minimum_capital.value
            )
