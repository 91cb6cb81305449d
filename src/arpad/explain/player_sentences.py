"""The sentences of a player's page: why the rating changed with a list, and what happened without a tournament."""

from __future__ import annotations

from fractions import Fraction

from arpad.explain.player_figures import event_sums
from arpad.explain.words import Words
from arpad.lists.explanation import ExplainedChange, ExplainedChessEvent, ExplainedEvent
from arpad.model.rules import Fact, Step


def change_sentence(change: ExplainedChange, words: Words) -> str:
    """Return in one sentence how a change came about: score, expected score, difference times K, rounded."""
    rated = [
        event for event in change.events if isinstance(event, ExplainedChessEvent) and event.contribution
    ]
    steps = {step.quantity: step for step in change.steps}
    sentences: list[str] = []
    if rated and (new := steps.get("new-rating")):
        sentences.append(_product(rated, new, words))
    elif change.entry is not None and change.entry.rating is not None:
        games, score = change.entry.games, Fraction(change.entry.score, 2)
        sentences.append(
            words.text("player.first-rating", rating=change.entry.rating, score=score, games=games)
        )
    elif change.entry is not None:
        sentences.append(words.text("player.no-rating", reason=words.text(f"reason.{change.entry.reason}")))
    elif change.category is not None:
        sentences.append(_season(change, words))
    sentences += [
        words.text(f"player.{quantity}", **_facts(steps[quantity]))
        for quantity in ("lifted", "lifted-to-standard", "delisted")
        if quantity in steps
    ]
    return " ".join(sentences)


def tranche_sentences(change: ExplainedChange, words: Words) -> list[str]:
    """Return a sentence for each event of an entry that pools several, and one that adds them up; else nothing."""
    tranches = change.tranches
    if change.entry is None or len(tranches) < 2:  # noqa: PLR2004  one event adds up to itself
        return []
    sentences = [
        words.text(
            "player.tranche" if counts else "player.tranche-ignored",
            name=tranche.event,
            score=Fraction(tranche.score, 2),
            games=tranche.games,
            average=tranche.average,
        )
        for tranche, counts in tranches
    ]
    events = len(change.entry.counted)
    score, games = Fraction(change.entry.score, 2), change.entry.games
    return [*sentences, words.text("player.tranches-together", events=events, score=score, games=games)]


def event_sentence(event: ExplainedEvent, words: Words) -> str:
    """Return how the points of an event came about, difference times K; empty for an event without a K."""
    if not isinstance(event, ExplainedChessEvent) or event.contribution is None:
        return ""
    sums = event_sums(event)
    if sums is None:
        return ""
    k, points = event.contribution.k_applied, event.contribution.points
    return words.text("player.sum-of", difference=sums.difference, k=k, points=points)


def _product(events: list[ExplainedChessEvent], new: Step, words: Words) -> str:
    """Return the sentence of a rated player; with several K, the events below have one each."""
    sums = [sums for event in events if (sums := event_sums(event))]
    coefficients = {event.contribution.k_applied for event in events if event.contribution}
    return words.text(
        "player.product" if len(coefficients) == 1 else "player.products",
        score=sum((each.score for each in sums), Fraction(0)),
        expected=sum((each.expected for each in sums), Fraction(0)),
        difference=sum((each.difference for each in sums), Fraction(0)),
        k=max(coefficients),
        change=sum((event.points or 0 for event in events), Fraction(0)),
        rounded=new.facts["rounded"],
    )


def _season(change: ExplainedChange, words: Words) -> str:
    """Return the sentence of a draughts season."""
    if change.after is None or change.before is None:
        return words.text("player.season-first", events=len(change.events), after=change.after or 0)
    gained = change.after - change.before
    return words.text("player.season", events=len(change.events), change=gained)


def _facts(step: Step) -> dict[str, Fact]:
    return {**step.facts, "value": step.value}
