"""Conclusions from the figures, on which an officer can act without statistics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from arpad.explain.words import Words
from arpad.model.exact import half_up
from arpad.studies.calibration import Calibration, ListCalibration
from arpad.studies.drift import Cohort, Drift
from arpad.studies.history import HistoryPlayer
from arpad.studies.points import PeriodPoints, total
from arpad.studies.pools import Pools
from arpad.studies.signals import Signal
from arpad.studies.statistics import ALPHA, Interval

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
    change = sum(period.change for period in ledger)
    first, last = ledger[0], ledger[-1]
    facts = {"change": change, "before": first.before, "after": last.after, "periods": len(ledger)}
    conclusions = [Conclusion("pool", facts)]
    inside = {cause: points for cause, points in total(ledger).points.items() if cause not in _IN_AND_OUT}
    for cause in sorted(inside, key=lambda period: -abs(inside[period]))[:SHOWN]:
        if inside[cause]:
            each = inside[cause] / max(1, last.players_after)
            conclusions.append(
                Conclusion("cause", {"cause": cause, "points": inside[cause], "each": number(each, 1)})
            )
    unexplained = sum((period.unexplained for period in ledger), Fraction(0))
    if any(period.unexplained for period in ledger):
        conclusions.append(Conclusion("unexplained", {"points": unexplained}, alarm=True))
    else:
        conclusions.append(Conclusion("balanced", {"periods": len(ledger)}))
    return conclusions


_IN_AND_OUT = {
    "acts-of-the-office", "newcomers", "from-standard", "fell-below-floor", "floor-raised", "conversions", "returned",
    "cancelled",
}  # fmt: skip


def of_drift(drift: Drift, ledger: Sequence[PeriodPoints] = ()) -> list[Conclusion]:
    """Return whether the same number still means the same; a lift in the ledger is part of the change."""
    conclusions = []
    cohort: Cohort | None = drift.cohort
    if cohort is None:
        conclusions.append(Conclusion("cohort-too-small"))
    else:
        facts = {
            "players": cohort.players,
            "a_year": number(cohort.a_year.value, 1),
            "low": number(cohort.a_year.low, 1),
            "high": number(cohort.a_year.high, 1),
        }
        key = "steady" if not cohort.drifts else "inflation" if cohort.a_year.value > 0 else "deflation"
        conclusions.append(Conclusion(key, facts, alarm=cohort.drifts))
    whole = total(ledger)
    if lifted := whole.points.get("lift"):
        players = whole.counts["lift"]
        each = number(lifted / players if cohort is None else cohort.lifted, 1)
        key = "lifted-alone" if cohort is None else "lifted"
        conclusions.append(Conclusion(key, {"points": lifted, "players": players, "each": each}))
    for group in drift.groups:
        if group.adjusted < ALPHA:
            facts = {
                "by": group.by,
                "group": group.group,
                "change": number(group.change.value),
                "players": group.players,
            }
            conclusions.append(Conclusion("group", facts))
    return conclusions


def of_calibration(calibration: Calibration) -> list[Conclusion]:
    """Return conclusions about misjudgements of the table, and about simple alternatives that would do better."""
    wrong = [bin_ for bin_ in calibration.bins if bin_.misjudged]
    conclusions = []
    if not wrong:
        conclusions.append(
            Conclusion("calibrated", {"games": calibration.games, "bins": len(calibration.bins)})
        )
    for cut in ("difference", "level", "age", "colour"):
        bins = [bin_ for bin_ in wrong if bin_.cut == cut]
        if bins:
            worst = max(bins, key=lambda bin_: abs(bin_.achieved.value - bin_.expected))
            facts = {
                "bins": len(bins),
                "of": sum(bin_.cut == cut for bin_ in calibration.bins),
                "low": worst.low if worst.low is not None else 0,
                "expected": number(worst.expected, 3),
                "achieved": number(worst.achieved.value, 3),
                "games": worst.games,
            }
            conclusions.append(Conclusion(f"misjudged-{cut}", facts, alarm=cut != "colour"))
    better = [bin_ for bin_ in calibration.scores if bin_.against_table.high < 0]
    if better:
        best = min(better, key=lambda bin_: bin_.log_loss)
        conclusions.append(
            Conclusion("better", {"name": best.name, "gain": number(-best.against_table.value, 4)})
        )
    elif calibration.scores:
        conclusions.append(Conclusion("none-better", {"games": calibration.scores[0].games}))
    return conclusions


def of_lists(calibrations: Sequence[ListCalibration]) -> list[Conclusion]:
    """Return whether the lists of an office are judged alike."""
    conclusions = []
    for calibration in calibrations:
        if calibration.differs and calibration.against_others is not None:
            facts = {
                "list": calibration.list,
                "expected": number(calibration.favourite.expected, 3),
                "achieved": number(calibration.favourite.achieved.value, 3),
                "games": calibration.games,
            }
            conclusions.append(Conclusion("list-differs", facts, alarm=True))
    if not conclusions and len(calibrations) > 1:
        conclusions.append(
            Conclusion(
                "lists-alike",
                {"lists": len(calibrations), "games": sum(calibration.games for calibration in calibrations)},
            )
        )
    return conclusions


def of_islands(pools: Pools) -> list[Conclusion]:
    """Return which pools drifted apart."""
    conclusions = []
    for pool in pools.pools:
        if pool.isolated:
            facts = {"federation": pool.federation, "crossing": pool.crossing, "games": pool.games}
            conclusions.append(Conclusion("isolated", facts))
        if pool.shifted and pool.shift is not None:
            facts = {
                "federation": pool.federation,
                "shift": number(abs(pool.shift.value)),
                "low": number(min(abs(pool.shift.low), abs(pool.shift.high))),
                "high": number(max(abs(pool.shift.low), abs(pool.shift.high))),
                "crossing": pool.crossing,
            }
            conclusions.append(
                Conclusion("too-high" if pool.shift.value > 0 else "too-low", facts, alarm=True)
            )
    estimated = sum(pool.shift is not None for pool in pools.pools)
    if estimated == 0:
        conclusions.append(Conclusion("too-few-cross", {"crossing": pools.crossing}))
    elif not any(conclusion.alarm for conclusion in conclusions):
        conclusions.append(Conclusion("no-shift", {"pools": estimated, "crossing": pools.crossing}))
    return conclusions


def of_communities(pools: Pools) -> list[Conclusion]:
    """Return whether the games fall into pools of their own, and which of these drifted apart."""
    if len(pools.pools) < 2:  # noqa: PLR2004  one pool is everybody
        return [Conclusion("one-pool")]
    conclusions = [Conclusion("several-pools", {"pools": len(pools.pools), "crossing": pools.crossing})]
    return conclusions + [
        conclusion
        for conclusion in of_islands(pools)
        if conclusion.alarm or conclusion.key in ("no-shift", "too-few-cross")
    ]


def of_integrity(signals: Iterable[Signal]) -> list[Conclusion]:
    """Return how much there is to look at."""
    listed = list(signals)
    if not listed:
        return [Conclusion("nothing-to-look-at")]
    return [Conclusion("to-look-at", {"signals": len(listed)}, alarm=True)]


NAMED = 4
"""Players named in one sentence, at most."""


def conclusion_sentences(conclusions: Iterable[Conclusion], words: Words) -> list[str]:
    """Return conclusions in words."""
    return [sentence(conclusion, words) for conclusion in conclusions]


def sentence(conclusion: Conclusion, words: Words) -> str:
    """Return one conclusion in words; the names of causes and groups are words too."""
    facts = dict(conclusion.facts)
    if "group" in facts:
        facts["group"] = group_text(facts["by"], facts["group"], words)
    if "list" in facts:
        facts["list"] = list_text(facts["list"], words)
    for key, section in (("cause", "cause"), ("by", "group"), ("name", "forecast")):
        if key in facts and words.has(f"{section}.{facts[key]}"):
            facts[key] = words.text(f"{section}.{facts[key]}")
    return words.text(f"conclusion.{conclusion.key}", **facts)


def signal_text(
    signal: Signal, people: Mapping[int, HistoryPlayer], words: Words, titles: Mapping[str, str] | None = None
) -> str:
    """Return the reason of a signal in words; ``titles`` are names of events by number."""
    names = titles or {}
    facts = {
        key: number(value, 2) if isinstance(value, float) else value for key, value in signal.figures.items()
    }
    who = ", ".join(person_text(player, people) for player in signal.players[:NAMED])
    more = len(signal.players) - NAMED
    if more > 0:
        who += words.text("monitor.and-more", count=more)
    if isinstance(other := facts.get("other"), str):
        facts["other"] = event_text(other, names)
    return words.text(f"screen.{signal.screen}", who=who, event=event_text(signal.event, names), **facts)


def event_text(event: str, titles: Mapping[str, str]) -> str:
    """Return an event's name with its number."""
    title = titles.get(event, "")
    return f"{title} ({event})" if title and title != event and event not in title else title or event


def person_text(player: int, people: Mapping[int, HistoryPlayer]) -> str:
    """Return a player's name with the number."""
    person = people.get(player)
    return f"{person.name} ({player})" if person is not None and person.name else str(player)


def group_text(by: str, group: str, words: Words) -> str:
    """Return a group's name: a sex is a word, an age a span, anything else is its own name."""
    if words.has(f"population.{by}-{group}"):
        return words.text(f"population.{by}-{group}")
    return group.replace("-", "–") if by == "age" else group


def list_text(name: str, words: Words) -> str:
    """Return a list's name."""
    return words.text(f"site.list-{name}")


def chance(words: Words, p: float | None) -> str:
    """Return a probability with four decimals; what they cannot show is said to be below them."""
    if p is None:
        return "–"
    return measured(words, p, 4) if p >= SMALLEST / 2 else "<" + measured(words, SMALLEST, 4)


SMALLEST = 0.0001


def interval(words: Words, bounds: Interval, places: int = 0) -> str:
    """Return both ends of an interval; signed ends are separated by words, since a dash would read as a sign."""
    low, high = (measured(words, end, places, signed=True) for end in (bounds.low, bounds.high))
    return words.text("monitor.from-to", low=low, high=high)


def span(words: Words, bounds: Interval, places: int) -> str:
    """Return both ends of an interval of scores, which have no sign."""
    return f"{measured(words, bounds.low, places)} – {measured(words, bounds.high, places)}"


def measured(words: Words, value: float, places: int = 0, *, signed: bool = False) -> str:
    """Return a measured number with its sign and ``decimals`` decimals; zero is printed without a sign."""
    rounded = number(value, places)
    return words.number(rounded, signed=signed and rounded != 0, places=places)
