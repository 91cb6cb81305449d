"""What the figures mean, as conclusions that an officer can act on without statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from arpad.model.exact import half_up
from arpad.monitor.calibration import Calibration, ListCalibration
from arpad.monitor.drift import Cohort, Drift
from arpad.monitor.points import PeriodPoints, total
from arpad.monitor.pools import Pools
from arpad.monitor.signals import Signal
from arpad.monitor.statistics import ALPHA

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A sentence of the catalogue, under ``conclusion``, with its facts."""

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    alarm: bool = False


def number(value: float | Fraction, places: int = 0) -> Fraction:
    """Return a measured number, rounded for a sentence."""
    return Fraction(half_up(Fraction(value) * 10**places), 10**places)


def of_points(ledger: Sequence[PeriodPoints]) -> list[Conclusion]:
    """Return conclusions about the sources of points."""
    if not ledger:
        return []
    change = sum(one.change for one in ledger)
    first, last = ledger[0], ledger[-1]
    facts = {"change": change, "before": first.before, "after": last.after, "periods": len(ledger)}
    made = [Conclusion("pool", facts)]
    inside = {cause: points for cause, points in total(ledger).points.items() if cause not in _IN_AND_OUT}
    for cause in sorted(inside, key=lambda one: -abs(inside[one]))[:SHOWN]:
        if inside[cause]:
            each = inside[cause] / max(1, last.players_after)
            made.append(
                Conclusion("cause", {"cause": cause, "points": inside[cause], "each": number(each, 1)})
            )
    unexplained = sum((one.unexplained for one in ledger), Fraction(0))
    if any(one.unexplained for one in ledger):
        made.append(Conclusion("unexplained", {"points": unexplained}, alarm=True))
    else:
        made.append(Conclusion("balanced", {"periods": len(ledger)}))
    return made


_IN_AND_OUT = {
    "acts-of-the-office", "newcomers", "from-standard", "fell-below-floor", "floor-raised", "conversions", "returned",
    "cancelled",
}  # fmt: skip


def of_drift(found: Drift, ledger: Sequence[PeriodPoints] = ()) -> list[Conclusion]:
    """Return whether the same number still means the same; a lift in the ledger is part of the change."""
    made = []
    cohort: Cohort | None = found.cohort
    if cohort is None:
        made.append(Conclusion("cohort-too-small"))
    else:
        facts = {
            "players": cohort.players,
            "a_year": number(cohort.a_year.value, 1),
            "low": number(cohort.a_year.low, 1),
            "high": number(cohort.a_year.high, 1),
        }
        key = "steady" if not cohort.drifts else "inflation" if cohort.a_year.value > 0 else "deflation"
        made.append(Conclusion(key, facts, alarm=cohort.drifts))
    whole = total(ledger)
    if lifted := whole.points.get("lift"):
        players = whole.counts["lift"]
        each = number(lifted / players if cohort is None else cohort.lifted, 1)
        key = "lifted-alone" if cohort is None else "lifted"
        made.append(Conclusion(key, {"points": lifted, "players": players, "each": each}))
    for group in found.groups:
        if group.adjusted < ALPHA:
            facts = {
                "by": group.by,
                "group": group.group,
                "change": number(group.change.value),
                "players": group.players,
            }
            made.append(Conclusion("group", facts))
    return made


def of_calibration(found: Calibration) -> list[Conclusion]:
    """Return conclusions about misjudgements of the table, and about simple alternatives that would do better."""
    wrong = [one for one in found.bins if one.misjudged]
    made = []
    if not wrong:
        made.append(Conclusion("calibrated", {"games": found.games, "bins": len(found.bins)}))
    for cut in ("difference", "level", "age", "colour"):
        mine = [one for one in wrong if one.cut == cut]
        if mine:
            worst = max(mine, key=lambda one: abs(one.achieved.value - one.expected))
            facts = {
                "bins": len(mine),
                "of": sum(one.cut == cut for one in found.bins),
                "low": worst.low if worst.low is not None else 0,
                "expected": number(worst.expected, 3),
                "achieved": number(worst.achieved.value, 3),
                "games": worst.games,
            }
            made.append(Conclusion(f"misjudged-{cut}", facts, alarm=cut != "colour"))
    better = [one for one in found.scores if one.against_table.high < 0]
    if better:
        best = min(better, key=lambda one: one.log_loss)
        made.append(Conclusion("better", {"name": best.name, "gain": number(-best.against_table.value, 4)}))
    elif found.scores:
        made.append(Conclusion("none-better", {"games": found.scores[0].games}))
    return made


def of_lists(found: Sequence[ListCalibration]) -> list[Conclusion]:
    """Return whether the lists of an office are judged alike."""
    made = []
    for one in found:
        if one.differs and one.against_others is not None:
            facts = {
                "list": one.list,
                "expected": number(one.favourite.expected, 3),
                "achieved": number(one.favourite.achieved.value, 3),
                "games": one.games,
            }
            made.append(Conclusion("list-differs", facts, alarm=True))
    if not made and len(found) > 1:
        made.append(
            Conclusion("lists-alike", {"lists": len(found), "games": sum(one.games for one in found)})
        )
    return made


def of_islands(found: Pools) -> list[Conclusion]:
    """Return which pools drifted apart."""
    made = []
    for pool in found.pools:
        if pool.isolated:
            facts = {"federation": pool.federation, "crossing": pool.crossing, "games": pool.games}
            made.append(Conclusion("isolated", facts))
        if pool.shifted and pool.shift is not None:
            facts = {
                "federation": pool.federation,
                "shift": number(abs(pool.shift.value)),
                "low": number(min(abs(pool.shift.low), abs(pool.shift.high))),
                "high": number(max(abs(pool.shift.low), abs(pool.shift.high))),
                "crossing": pool.crossing,
            }
            made.append(Conclusion("too-high" if pool.shift.value > 0 else "too-low", facts, alarm=True))
    told = sum(pool.shift is not None for pool in found.pools)
    if told == 0:
        made.append(Conclusion("too-few-cross", {"crossing": found.crossing}))
    elif not any(one.alarm for one in made):
        made.append(Conclusion("no-shift", {"pools": told, "crossing": found.crossing}))
    return made


def of_communities(found: Pools) -> list[Conclusion]:
    """Return whether the games fall into pools of their own, and which of these drifted apart."""
    if len(found.pools) < 2:  # noqa: PLR2004  one pool is everybody
        return [Conclusion("one-pool")]
    made = [Conclusion("several-pools", {"pools": len(found.pools), "crossing": found.crossing})]
    return made + [one for one in of_islands(found) if one.alarm or one.key in ("no-shift", "too-few-cross")]


def of_integrity(signals: Iterable[Signal]) -> list[Conclusion]:
    """Return how much there is to look at."""
    found = list(signals)
    if not found:
        return [Conclusion("nothing-to-look-at")]
    return [Conclusion("to-look-at", {"signals": len(found)}, alarm=True)]
