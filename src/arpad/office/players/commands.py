"""``arpad office player`` and ``explain``: a player's file, and how their rating came about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arpad.cli.common import console, derivation, print_games, table
from arpad.cli.declared import command_of, print_table
from arpad.explain.words import Words
from arpad.model.rules import Fact
from arpad.office.players.acts import ExplanationShown, explain_rating, show_player
from arpad.office.reports.acts import reports

if TYPE_CHECKING:
    from arpad.lists.explanation import EventDecision, ExplainedEvent, ExplainedGame
    from arpad.office.players.acts import PlayerOnList, PlayerOnRecord


def show_file(player: PlayerOnRecord, words: Words) -> None:
    """Print a player's file, which begins with the ratings in force."""
    out = console()
    identifiers = " ".join(f"{scheme} {number}" for scheme, number in player.identifiers.items())
    died = f"  † {words.day(player.died)}" if player.died else ""
    out.print(f"{player.id}  {player.name}  {player.federation}  {identifiers}{died}", style="bold")
    if player.merged_into is not None:
        out.print(words.text("office.merged-into", kept=player.merged_into))
    _print_lists({it.list: it for it in player.lists}.values(), words)
    rated = {it.list for it in player.lists if it.rating is not None}
    past = [it for it in player.lists if it.list in rated]
    if past:
        past.sort(key=lambda it: (it.date, it.revision), reverse=True)
        _print_lists(past, words, title=words.text("office.all-lists"))
    if player.reports:
        print_table(reports, list(player.reports), words)


def _print_lists(shown: Iterable[PlayerOnList], words: Words, title: str = "") -> None:
    names = ("list", "day", "revision", "rating", "games")
    columns = [(words.text(f"column.{name}"), "left" if name in names[:2] else "right") for name in names]
    rows = [
        (
            words.text(f"site.list-{it.list}"), words.day(it.date), str(it.revision),
            words.text("office.unrated") if it.rating is None else str(it.rating), str(it.games),
        )
        for it in shown
    ]  # fmt: skip
    console().print(table(columns, rows, title=title))


def show_explanation(shown: ExplanationShown, words: Words) -> None:
    """Print how a rating came about, game by game."""
    from arpad.explain.player_figures import change_sentence, tranche_sentences

    out, explanation = console(), shown.explanation
    if explanation.publication is None:
        out.print(words.text("office.no-list", list=str(shown.list), day=str(shown.day or "–")))
        return
    facts: dict[str, Fact] = {"name": explanation.person.name, "day": explanation.publication.day}
    if explanation.rating is None:
        out.print(words.text("office.in-force-unrated", **facts), style="bold")
    else:
        out.print(words.text("office.in-force", rating=explanation.rating, **facts), style="bold")
    for category in explanation.categories[-1:]:
        out.print(f"{words.category_change(category)} ({category.article})")
    if explanation.pending:
        out.print(words.text("office.pending", events=explanation.pending))
    change, since = explanation.change, explanation.since
    if change is None or since is None:
        if explanation.rating is not None:
            out.print(words.text("office.taken-over"))
        return
    unrated = words.text("office.unrated")
    before, after = (unrated if rating is None else rating for rating in (change.before, change.after))
    out.print(words.text("office.story", day=since.day, revision=since.revision, before=before, after=after))
    if sentence := change_sentence(change, words):
        out.print(sentence)
    for sentence in tranche_sentences(change, words):
        out.print(sentence)
    for event in change.all_events:
        _print_event(event, words)
    out.print(derivation(change.steps, words))


def _print_event(event: ExplainedEvent, words: Words) -> None:
    from arpad.explain.editions import edition_name
    from arpad.explain.player_figures import event_sentence
    from arpad.explain.rated_report import GAME_COLUMNS

    out = console()
    out.print()
    first, last = event.first_day or event.last_day, event.last_day or event.first_day
    out.print(
        words.text(
            "office.story-event",
            name=event.name,
            days="–" if first is None or last is None else words.days(first, last),
            edition=edition_name(event.edition, words),
        )
    )
    for decision in event.decisions:
        out.print(decision_text(decision, words))
    names: list[str] = list(GAME_COLUMNS)
    if not event.changes_by_game:
        names = ["capital" if name == "rating" else name for name in names if name not in _OF_CHANGES]
    cells = [_game_cells(game, words) for game in event.games]
    print_games(names, [[row[name] for name in names] for row in cells], words)
    if sentence := event_sentence(event, words):
        out.print(sentence)
    out.print(derivation(event.steps, words))


def decision_text(decision: EventDecision, words: Words) -> str:
    """Return a decision about a report in one line."""
    values = decision.value.items()
    stated = ", ".join(f"{name}={'unknown' if value is None else value}" for name, value in values)
    return words.text(
        "office.story-decision", decided=f"{decision.kind} {stated}".strip(), day=decision.day,
        author=decision.author, reason=decision.reason,
    )  # fmt: skip


_OF_CHANGES = ("difference", "over-expected")
"""The columns of games that each change a rating; at draughts none does."""


def _game_cells(game: ExplainedGame, words: Words) -> dict[str, str]:
    reason = words.text(f"not-rated.{game.reason}") if game.reason else ""
    capped = words.text("page.capped") if game.capped else ""
    return {
        "round": str(game.round),
        "opponent": game.name or "–",
        "rating": str(game.rating or "–"),
        "capital": str(game.rating or "–"),
        "difference": "–" if game.difference is None else words.number(game.difference, signed=True),
        "score": words.number(game.score),
        "expected": "–" if game.expected is None else words.number(game.expected, places=2),
        "over-expected": "–" if game.change is None else words.number(game.change, signed=True, places=2),
        "note": f"{reason} ({game.article})" if reason and game.article else reason or capped,
    }


COMMANDS = {
    "player": command_of(show_player, show_file),
    "explain": command_of(explain_rating, show_explanation),
}
