"""Conclusions and signals put into words, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arpad.explain.words import Words
from arpad.studies.conclusions import Conclusion, number
from arpad.studies.history import HistoryPlayer
from arpad.studies.signals import Signal
from arpad.studies.statistics import Interval

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
