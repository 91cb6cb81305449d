"""``arpad office``: closing, publishing, revising, and what can be asked about a player."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.calc import parse_day
from arpad.cli.face import Json, Lang, console, derivation, list_named, print_json, reader, table
from arpad.cli.office_desk import (
    Author,
    DayArgument,
    Db,
    ListArgument,
    Now,
    Out,
    Player,
    Reason,
    day_of,
    opened,
    publication_document,
    tell,
)
from arpad.errors import BadInput
from arpad.explain import Words
from arpad.model import Fact
from arpad.papers.documents import step_documents

if TYPE_CHECKING:
    from arpad.office import Draft, Explanation, PlayerFile, Revised

SHOWN = 10


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into the group."""
    for command in (close, publish, lists, revise, player, explain):
        app.command()(command)


def close(
    list_: ListArgument,
    date: DayArgument,
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Show what a list would be: the largest movements, what is left out and why; nothing is published."""
    from arpad.office import draft

    say = reader(lang)
    with opened(db, say) as office:
        made = draft(office, list_named(list_), parse_day(date, "date"))
    if json:
        print_json("arpad.office-close/1", _draft_document(made))
        return
    _print_draft(made, say)


def publish(
    list_: ListArgument,
    date: DayArgument,
    out: Out = None,
    files: Annotated[
        str, typer.Option("--files", metavar="KINDS", help="As txt,xml,csv; default: all, no XLSX if long.")
    ] = "",
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Publish a list and write its files; one that is out already only gets its files written again.

    Example: arpad office publish standard 2018-06-01 --out lists --db office.db
    """
    from arpad.list_files import KINDS
    from arpad.office import publish as put_out

    say = reader(lang)
    kinds = tuple(files.split(",")) if files else None
    if unknown := [kind for kind in kinds or () if kind not in KINDS]:
        raise BadInput("value-unknown", option="files", value=unknown[0], accepted=", ".join(KINDS))
    with opened(db, say, author=author, now=now) as office:
        found = put_out(
            office, list_named(list_), parse_day(date, "date"), out,
            kinds=kinds, reason=reason, processes=os.cpu_count() or 1,
        )  # fmt: skip
    tell(_published(found, say), "arpad.office-publish/1", publication_document(found), json=json)


def lists(
    list_: Annotated[str | None, typer.Option("--list", metavar="LIST")] = None,
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """The lists that are out, with every revision."""
    from arpad.office import publications

    say = reader(lang)
    with opened(db, say) as office:
        found = publications(office, list_named(list_) if list_ else None)
    if json:
        print_json("arpad.office-lists/1", {"lists": [publication_document(item) for item in found]})
        return
    for item in found:
        sys.stdout.write(_published(item, say) + "\n")


def revise(
    list_: ListArgument,
    reason: Reason,
    mode: Annotated[
        str, typer.Option(metavar="lists|base", help="Revise lists, or only the next start.")
    ] = "lists",
    add: Annotated[
        list[int], typer.Option("--add", metavar="REPORT", help="A late report, into the list it missed.")
    ] = [],  # noqa: B006  typer never changes it
    out: Out = None,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Correct lists that are out: new revisions beside the old ones, with the difference player by player."""
    from arpad.office import revise as correct

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        found = correct(office, list_named(list_), out, reason=reason, mode=mode, add=add)
    _print_revised(found, say, json=json)


def player(
    player: Player,
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """A player's file: who he is, every list he stood on, the reports he played in."""
    from arpad.cli.office_register import person_document
    from arpad.cli.office_reports import report_document
    from arpad.office import player as ask

    say = reader(lang)
    with opened(db, say) as office:
        found = ask(office, player)
    if json:
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
    _print_player(found, say)


def explain(
    player: Player,
    list_: Annotated[str, typer.Option("--list", metavar="LIST", help="Which list.")] = "standard",
    date: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="On which day; today.")
    ] = None,
    db: Db = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """The rating in force on a day and how it came about, game by game, with the articles.

    Example: arpad office explain 12 --list standard --date 2018-05-15 --db office.db
    """
    from arpad.office import explain as ask

    say = reader(lang)
    with opened(db, say, now=now) as office:
        found = ask(office, player, list_named(list_), day_of(date, "date"))
    if json:
        print_json("arpad.office-explain/1", explanation_document(found, say))
        return
    _print_explanation(found, list_, date or "", say)


# --------------------------------------------------------------------------------------------------- printing


def _published(item: Any, say: Words) -> str:
    return say.text(
        "office.published", list=str(item.list), day=item.day, number=item.number, revision=item.revision,
        digest=item.digest,
    )  # fmt: skip


def _draft_document(made: Draft) -> dict[str, Any]:
    closed = made.closed
    return {
        "list": str(made.inputs.on_list), "date": str(made.inputs.day), "number": made.inputs.number,
        "edition": made.inputs.edition, "digest": closed.digest, "players": len(closed.lines),
        "events": [filed.id for filed in made.taken],
        "movements": [{"player": p, "before": b, "after": a, "change": a - b} for p, b, a in closed.movements],
        "entered": list(closed.entered), "delisted": list(closed.delisted),
        "pending": [{"player": p, "reason": reason} for p, reason in closed.pending],
        "left_out": [{"report": left.report.id, "reason": left.reason} for left in made.left_out],
    }  # fmt: skip


def _print_draft(made: Draft, say: Words) -> None:
    closed, inputs = made.closed, made.inputs
    out = console()
    out.print(
        say.text(
            "office.draft",
            list=str(inputs.on_list),
            day=inputs.day,
            number=inputs.number,
            digest=closed.digest,
        )
    )
    out.print(
        say.text(
            "office.counts", events=len(made.taken), moved=len(closed.movements), entered=len(closed.entered),
            pending=len(closed.pending), delisted=len(closed.delisted),
        )
    )  # fmt: skip
    if closed.movements:
        names = ("before", "after", "change-rounded")
        columns = [("id", "right"), (say.text("column.name"), "left")]
        columns += [(say.text(f"column.{name}"), "right") for name in names]
        rows = [
            (str(p), inputs.people[p].name, str(before), str(after), f"{after - before:+}")
            for p, before, after in closed.movements[:SHOWN]
        ]
        out.print(table(columns, rows, title=say.text("office.movements")))
    if made.left_out:
        columns = [(say.text("column.report"), "right"), (say.text("column.event"), "left")]
        columns.append((say.text("column.reason"), "left"))
        rows3 = [
            (str(left.report.id), left.report.name, say.text(f"left-out.{left.reason}"))
            for left in made.left_out
        ]
        out.print(table(columns, rows3, title=say.text("office.left-out")))


def _print_revised(found: Revised, say: Words, *, json: bool) -> None:
    if json:
        documents = [
            {
                **publication_document(revision.publication), "corrects": revision.corrects.digest,
                "differences": [
                    {"player": d.player, "before": d.before, "after": d.after} for d in revision.differences
                ],
            }
            for revision in found.revisions
        ]  # fmt: skip
        print_json("arpad.office-revise/1", {"mode": found.mode, "revisions": documents})
        return
    if not found.revisions:
        sys.stdout.write(say.text("office.nothing-to-revise") + "\n")
    out = console()
    for revision in found.revisions:
        code = "office.revised-base" if found.mode == "base" else "office.revised"
        facts = {} if found.mode == "base" else {"name": revision.publication.name}
        out.print(say.text(code, players=len(revision.differences), **facts))
        unrated = say.text("office.unrated")
        columns = [("id", "right"), (say.text("column.before"), "right"), (say.text("column.after"), "right")]
        rows = [
            (
                str(d.player),
                str(d.before if d.before is not None else unrated),
                str(d.after if d.after is not None else unrated),
            )
            for d in revision.differences
        ]
        out.print(table(columns, rows))


def _print_player(found: PlayerFile, say: Words) -> None:
    person = found.person
    out = console()
    known = " ".join(f"{scheme} {number}" for scheme, number in person.identifiers)
    out.print(f"{person.id}  {person.name}  {person.federation}  {known}", style="bold")
    columns = [(say.text("column.list"), "left"), (say.text("column.day"), "left")]
    columns += [(say.text(f"column.{name}"), "right") for name in ("revision", "rating", "games")]
    rows = [
        (
            str(item.publication.list), str(item.publication.day), str(item.publication.revision),
            str(item.rating if item.rating is not None else say.text("office.unrated")), str(item.games),
        )
        for item in found.appearances
    ]  # fmt: skip
    out.print(table(columns, rows))


def explanation_document(found: Explanation, say: Words) -> dict[str, Any]:
    """An explanation for JSON, its steps in words."""
    from arpad.store.values import to_step

    story: dict[str, Any] | None = None
    if found.story is not None:
        story = dict(found.story)
        story["steps"] = step_documents(map(to_step, story["steps"]), say)
        story["events"] = [_event_document(event, say) for event in story["events"]]
    return {
        "player": found.person.id,
        "name": found.person.name,
        "list_in_force": publication_document(found.publication) if found.publication else None,
        "rating": found.rating,
        "since": publication_document(found.since) if found.since else None,
        "pending_events": found.pending,
        "story": story,
    }


def _event_document(event: Mapping[str, Any], say: Words) -> dict[str, Any]:
    from arpad.store.values import to_step

    told = {**event, "steps": step_documents(map(to_step, event["steps"]), say)}
    told["games"] = [
        {**game, "steps": step_documents(map(to_step, game.get("steps", [])), say)} for game in event["games"]
    ]
    if event.get("tranche"):
        told["tranche"] = {
            **event["tranche"], "steps": step_documents(map(to_step, event["tranche"]["steps"]), say),
        }  # fmt: skip
    return told


def _print_explanation(found: Explanation, list_: str, date: str, say: Words) -> None:
    from arpad.store.values import to_step

    out = console()
    if found.publication is None:
        out.print(say.text("office.no-list", list=list_, day=date or "–"))
        return
    facts: dict[str, Fact] = {"name": found.person.name, "day": found.publication.day}
    if found.rating is None:
        out.print(say.text("office.in-force-unrated", **facts), style="bold")
    else:
        out.print(say.text("office.in-force", rating=found.rating, **facts), style="bold")
    if found.pending:
        out.print(say.text("office.pending", events=found.pending))
    if found.story is None or found.since is None:
        if found.rating is not None:
            out.print(say.text("office.taken-over"))
        return
    unrated = say.text("office.unrated")
    story = found.story
    before, after = (story[name] if story[name] is not None else unrated for name in ("before", "after"))
    out.print(
        say.text(
            "office.story", day=found.since.day, revision=found.since.revision, before=before, after=after
        )
    )
    for event in story["events"]:
        _print_event(event, found.since.edition, say)
    out.print(derivation(map(to_step, story["steps"]), say))


def _print_event(event: Mapping[str, Any], edition: str, say: Words) -> None:
    from arpad.store.values import to_step

    out = console()
    edition = event.get("edition", edition)
    out.print()
    out.print(
        say.text(
            "office.story-event",
            name=event["name"],
            first=event["first_day"],
            last=event["last_day"],
            edition=edition,
        )
    )
    names = ("round", "opponent", "rating", "score", "expected", "change", "note")
    columns = [
        (say.text(f"column.{name}"), "left" if name in ("opponent", "note") else "right") for name in names
    ]
    rows = []
    for game in event["games"]:
        reason = say.text(f"not-rated.{game['reason']}") if game["reason"] else ""
        if reason and game.get("article"):
            reason += f" ({game['article']})"
        rows.append(
            (
                str(game["round"]), game["name"] or "–", str(game["rating"] or "–"), _decimal(game["score"], say),
                _decimal(game.get("expected"), say), _decimal(game.get("change"), say, signed=True), reason,
            )
        )  # fmt: skip
    out.print(table(columns, rows))
    out.print(derivation(map(to_step, event["steps"]), say))


def _decimal(text: str | None, say: Words, *, signed: bool = False) -> str:
    return "" if text is None else say.number(Fraction(text), signed=signed)
