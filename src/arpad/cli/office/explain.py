"""``arpad office player`` and ``explain``: a player's file, and how their rating came about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as calendar_day
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.common import console, derivation, list_named, print_json, table
from arpad.cli.office.options import Now, Player, ReadOptions, day_of, publication_document
from arpad.cli.office.register import person_document
from arpad.cli.office.reports import report_document, report_table
from arpad.explain.documents import step_documents
from arpad.explain.words import Words
from arpad.model.exact import decimal_text
from arpad.model.rules import Fact

if TYPE_CHECKING:
    from arpad.office import Explanation, PlayerFile


def player(look: ReadOptions, player: Player) -> None:
    """Show a player's file: facts, lists and reports.

    Facts are name, birth and titles; lists and reports are those with the player in them.
    """
    from arpad.office import player as ask

    with look.opened() as office:
        found = ask(office, player)
    if look.json:
        appearances = [
            {
                **publication_document(item.publication), "rating": item.rating, "games": item.games,
                "inactive": item.inactive, "shown": item.shown, "category": item.category or None,
            }
            for item in found.appearances
        ]  # fmt: skip
        print_json(
            "arpad.office-player/1",
            {
                **person_document(found.person), "merged_into": found.merged_into, "lists": appearances,
                "reports": [report_document(filed) for filed in found.reports],
            },
        )  # fmt: skip
        return
    _print_player(found, look.words)


def explain(
    look: ReadOptions,
    player: Player,
    list_: Annotated[str, typer.Option("--list", metavar="LIST", help="The list.")] = "standard",
    date: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day; default: today.")
    ] = None,
    now: Now = None,
) -> None:
    """Explain a player's rating on a day, game by game.

    Example: arpad office explain 12 --list standard --date 2018-05-15 --db office.db
    """
    from arpad.office import explain as ask

    with look.opened(now=now) as office:
        found = ask(office, player, list_named(list_), day_of(date, "date"))
    if look.json:
        print_json("arpad.office-explain/1", explanation_document(found, look.words))
        return
    _print_explanation(found, list_, date or "", look.words)


# --------------------------------------------------------------------------------------------------- printing


def _print_player(found: PlayerFile, words: Words) -> None:
    person = found.person
    out = console()
    known = " ".join(f"{scheme} {number}" for scheme, number in person.identifiers)
    died = f"  † {words.day(person.died)}" if person.died else ""
    out.print(f"{person.id}  {person.name}  {person.federation}  {known}{died}", style="bold")
    if found.merged_into is not None:
        out.print(words.text("office.merged-into", kept=found.merged_into))
    columns = [(words.text("column.list"), "left"), (words.text("column.day"), "left")]
    columns += [(words.text(f"column.{name}"), "right") for name in ("revision", "rating", "games")]
    rows = [
        (
            str(item.publication.list), str(item.publication.day), str(item.publication.revision),
            str(item.rating if item.rating is not None else words.text("office.unrated")), str(item.games),
        )
        for item in found.appearances
    ]  # fmt: skip
    out.print(table(columns, rows))
    if found.reports:
        out.print(report_table(found.reports, words))


def explanation_document(found: Explanation, words: Words) -> dict[str, Any]:
    """An explanation for JSON, its steps in words."""
    from arpad.model.json_values import to_step

    story: dict[str, Any] | None = None
    if found.story is not None:
        story = dict(found.story)
        story["steps"] = step_documents(map(to_step, story["steps"]), words)
        story["events"] = [_event_document(event, words) for event in story["events"]]
    return {
        "player": found.person.id,
        "name": found.person.name,
        "list_in_force": publication_document(found.publication) if found.publication else None,
        "rating": found.rating,
        "since": publication_document(found.since) if found.since else None,
        "pending_events": found.pending,
        "story": story,
    }


def _event_document(event: Mapping[str, Any], words: Words) -> dict[str, Any]:
    told = _with_steps(event, words)
    told["games"] = [_with_steps(game, words) for game in event["games"]]
    if event.get("tranche"):
        told["tranche"] = _with_steps(event["tranche"], words)
    return told


_EXACT = ("score", "expected", "change", "points", "average")
"""What a story keeps as fractions, and JSON has as decimals."""


def _with_steps(part: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """A part of a story with its steps in words and its figures as decimals."""
    from arpad.model.json_values import to_step

    figures = {name: decimal_text(Fraction(part[name])) for name in _EXACT if part.get(name) is not None}
    return {**part, **figures, "steps": step_documents(map(to_step, part.get("steps", [])), words)}


def _print_explanation(found: Explanation, list_: str, date: str, words: Words) -> None:
    from arpad.model.json_values import to_step

    out = console()
    if found.publication is None:
        out.print(words.text("office.no-list", list=list_, day=date or "–"))
        return
    facts: dict[str, Fact] = {"name": found.person.name, "day": found.publication.day}
    if found.rating is None:
        out.print(words.text("office.in-force-unrated", **facts), style="bold")
    else:
        out.print(words.text("office.in-force", rating=found.rating, **facts), style="bold")
    if found.pending:
        out.print(words.text("office.pending", events=found.pending))
    if found.story is None or found.since is None:
        if found.rating is not None:
            out.print(words.text("office.taken-over"))
        return
    unrated = words.text("office.unrated")
    story = found.story
    before, after = (story[name] if story[name] is not None else unrated for name in ("before", "after"))
    out.print(
        words.text(
            "office.story", day=found.since.day, revision=found.since.revision, before=before, after=after
        )
    )
    for event in story["events"]:
        _print_event(event, found.since.edition, words)
    out.print(derivation(map(to_step, story["steps"]), words))


def _print_event(event: Mapping[str, Any], edition: str, words: Words) -> None:
    from arpad.model.json_values import to_step

    out = console()
    edition = event.get("edition", edition)
    out.print()
    out.print(
        words.text(
            "office.story-event",
            name=event["name"],
            first=_day(event["first_day"]),
            last=_day(event["last_day"]),
            edition=edition,
        )
    )
    for decision in event.get("decisions", ()):
        out.print(decision_text(decision, words))
    names = ["round", "opponent", "rating", "score", "expected", "change", "note"]
    if "capital" in event:
        names.remove("change")  # at draughts only the whole event moves a capital
    columns = [
        (words.text(f"column.{name}"), "left" if name in ("opponent", "note") else "right") for name in names
    ]
    cells = [_game_cells(game, words) for game in event["games"]]
    out.print(table(columns, [[one[name] for name in names] for one in cells]))
    out.print(derivation(map(to_step, event["steps"]), words))


def decision_text(decision: Mapping[str, Any], words: Words) -> str:
    """Return a decision about a report in one line."""
    values = decision["value"].items()
    stated = ", ".join(f"{name}={'unknown' if value is None else value}" for name, value in values)
    return words.text(
        "office.story-decision", decided=f"{decision['kind']} {stated}".strip(), day=_day(decision["day"]),
        author=decision["author"], reason=decision["reason"],
    )  # fmt: skip


def _game_cells(game: Mapping[str, Any], words: Words) -> dict[str, str]:
    reason = words.text(f"not-rated.{game['reason']}") if game["reason"] else ""
    expected, change = (Fraction(game[name]) if game.get(name) else None for name in ("expected", "change"))
    return {
        "round": str(game["round"]),
        "opponent": game["name"] or "–",
        "rating": str(game["rating"] or "–"),
        "score": words.number(Fraction(game["score"])),
        "expected": "–" if expected is None else words.number(expected, places=2),
        "change": "–" if change is None else words.number(change, signed=True, places=2),
        "note": f"{reason} ({game['article']})" if reason and game.get("article") else reason,
    }


def _day(text: str) -> Fact:
    return calendar_day.fromisoformat(text) if text else "–"
