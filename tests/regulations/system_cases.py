"""What the tests of all rating systems share: a question answered, its sums, and its words."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from arpad.explain.event_documents import event_document
from arpad.explain.words import LANGUAGES, load_words
from arpad.rating.event_question import EventAnswer, answer_event, read_question
from arpad.regulations.systems import system_named
from arpad.regulations.units import Number

TINY = Fraction(1, 10**9)


def answer(system: str, question: Any) -> EventAnswer:
    """Return the answer to a question, after checking what holds for every system."""
    read = read_question(system, question)
    rated = answer_event(read)
    check_sums(rated)
    check_words(rated)
    check_next_event(system, rated)
    return rated


def check_sums(rated: EventAnswer) -> None:
    """Of the last pass, contributions and adjustments add up to the change, or to the first rating."""
    for name, player in rated.players.items():
        outcome = player.outcome
        if not outcome.passes or player.before.get("fixed"):
            continue
        before, after = (
            0 if state is None else rating_of(rated.system, state)
            for state in (outcome.before, outcome.after)
        )
        last_passes = {part.number: part for part in outcome.passes}  # of each period
        total = sum((Fraction(part.total()) for part in last_passes.values()), Fraction(0))
        assert abs(total - Fraction(after) + Fraction(before)) < TINY, name


def rating_of(system: str, state: Any) -> Number:
    """Return the rating in a state, 0 if it has none."""
    return system_named(system).rating_of(state) or 0


def check_words(rated: EventAnswer) -> None:
    """Every word of an answer exists, and every step and finding can be written, in every language."""
    for language in LANGUAGES:
        words = load_words(language)
        assert [key for key in word_keys(rated) if not words.has(key)] == []
        assert all(
            step["text"] for it in event_document(rated, words)["players"].values() for step in it["steps"]
        )


def check_next_event(system: str, rated: EventAnswer) -> None:
    """What an answer says of a player after the event can be given to the next one."""
    document = event_document(rated, load_words("en"))
    players = {name: player["after"] for name, player in document["players"].items()}
    again = read_question(system, {"edition": rated.edition.id, "end": "2026-10-31", "players": players})
    assert {name: system_named(system).values(it) for name, it in again.units[0].entrants.items()}.keys() == (
        rated.players.keys()
    )


def word_keys(answer: EventAnswer) -> Iterator[str]:
    """Yield the keys of the words that an answer needs, besides those of steps and findings."""
    for player in answer.players.values():
        yield from (f"figure.{name}" for name in player.outcome.figures)
        for part in player.outcome.passes:
            yield f"pass.{part.name}"
            yield from (f"adjustment.{item.name}" for item in part.adjustments)
            for game in part.games:
                yield f"opponent-value.{game.source}"
                yield from (f"figure.{name}" for name in game.figures)
