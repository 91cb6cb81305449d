"""``arpad office player`` and ``explain``: a player's file, and how their rating came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.common import console, derivation, print_games, table
from arpad.cli.declared import command_of, print_table
from arpad.explain.words import Words
from arpad.model.rules import Fact
from arpad.office.players.acts import ExplanationShown, explain_rating, show_player
from arpad.office.reports.acts import filed_report, reports

if TYPE_CHECKING:
    from arpad.lists.explanation import EventDecision, ExplainedEvent, ExplainedGame
    from arpad.office.players.explain import Explanation
    from arpad.office.players.file import Appearance, PlayerFile


def show_explanation(shown: ExplanationShown, words: Words) -> None:
    """Print how a rating came about, game by game."""
    day = "" if shown.day is None else str(shown.day)
    _print_explanation(shown.explanation, str(shown.list), day, words)


def show_file(player_file: PlayerFile, words: Words) -> None:
    """Print a player's file, which begins with the ratings in force."""
    person = player_file.person
    out = console()
    identifiers = " ".join(f"{scheme} {number}" for scheme, number in person.identifiers)
    died = f"  † {words.day(person.died)}" if person.died else ""
    out.print(f"{person.id}  {person.name}  {person.federation}  {identifiers}{died}", style="bold")
    if player_file.merged_into is not None:
        out.print(words.text("office.merged-into", kept=player_file.merged_into))
    newest = {item.publication.list: item for item in player_file.appearances}
    out.print(table(_columns(words), [_appearance_row(item, words) for item in newest.values()]))
    rated = {item.publication.list for item in player_file.appearances if item.rating is not None}
    past = [item for item in player_file.appearances if item.publication.list in rated]
    past.sort(key=lambda item: (item.publication.day, item.publication.revision), reverse=True)
    if past:
        rows = [_appearance_row(item, words) for item in past]
        out.print(table(_columns(words), rows, title=words.text("office.all-lists")))
    if player_file.reports:
        filed = [filed_report(report) for report in player_file.reports]
        print_table(reports, filed, words)


def _columns(words: Words) -> list[tuple[str, str]]:
    columns = [(words.text("column.list"), "left"), (words.text("column.day"), "left")]
    return columns + [(words.text(f"column.{name}"), "right") for name in ("revision", "rating", "games")]


def _appearance_row(item: Appearance, words: Words) -> tuple[str, ...]:
    rating = words.text("office.unrated") if item.rating is None else str(item.rating)
    publication = item.publication
    name = words.text(f"site.list-{publication.list}")
    return name, words.day(publication.day), str(publication.revision), rating, str(item.games)


def _print_explanation(explanation: Explanation, list_: str, date: str, words: Words) -> None:
    from arpad.explain.player_figures import change_sentence, tranche_sentences

    out = console()
    if explanation.publication is None:
        out.print(words.text("office.no-list", list=list_, day=date or "–"))
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
