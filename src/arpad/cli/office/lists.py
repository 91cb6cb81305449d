"""``arpad office``: draft, publish, take back and revise lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from arpad.cli import progress
from arpad.cli.common import console, list_named, print_json, table
from arpad.cli.office.options import (
    DayArgument,
    ListArgument,
    Now,
    Out,
    ReadOptions,
    Reason,
    WriteOptions,
    publication_document,
)
from arpad.cli.office.register import revise_documents, revise_lines
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day

if TYPE_CHECKING:
    from arpad.office.corrections.acts import Revised
    from arpad.office.drafts.acts import Draft
    from arpad.office.drafts.guests import LeftOutGuest
    from arpad.office.lists.rows import Publication
    from arpad.office.office import Office

SHOWN = 10
Special: TypeAlias = Annotated[
    bool, typer.Option("--special", help="A list on another day than the next of the calendar.")
]


def draft(
    look: ReadOptions, list_: ListArgument, date: DayArgument, *, special: Special = False, now: Now = None
) -> None:
    """Show the next list as a draft; nothing is published.

    It shows the largest movements, and which reports are left out and why.
    """
    from arpad.explain.documents import finding_document
    from arpad.office.categories.acts import draft_changes
    from arpad.office.corrections.affected_lists import lists_to_revise
    from arpad.office.drafts.acts import draft as compute_draft
    from arpad.office.drafts.documents import draft_document
    from arpad.office.inbox.closed_years import late_findings
    from arpad.office.players.commands import category_document

    on_list, day = list_named(list_, "LIST"), parse_day(date, "DATE")
    with look.opened(now=now) as office:
        draft_list = compute_draft(office, on_list, day, special=special)
        with office.store.reading() as connection:
            categories = draft_changes(connection, draft_list)
            late = late_findings(connection, draft_list.reports)
        concerned = [it for it in lists_to_revise(office) if it.list == on_list]
    if look.json:
        document = {**draft_document(draft_list), "revise": revise_documents(concerned)}
        document["late"] = [finding_document(finding, look.words) for finding in late]
        document["categories"] = [category_document(change) for change in categories]
        print_json("arpad.office-draft/1", document)
        return
    _print_draft(draft_list, look.words)
    for change in categories[:SHOWN]:
        name = draft_list.inputs.people[change.player].name
        sentence = f"{look.words.category_change(change)} ({change.article})"
        console().print(look.words.labelled(f"{change.player} {name}", sentence))
    for finding in late:
        label = f"{look.words.text('column.report')} {finding.facts['report']}"
        console().print(look.words.labelled(label, look.words.cited_finding(finding)))
    for line in revise_lines(concerned, look.words):
        console().print(line)


def publish(
    desk: WriteOptions,
    list_: ListArgument,
    date: DayArgument,
    out: Out = None,
    files: Annotated[
        str, typer.Option("--files", metavar="KINDS", help="As txt,xml,csv; default: all, no XLSX if long.")
    ] = "",
    *,
    special: Special = False,
    empty: Annotated[bool, typer.Option("--empty", help="A first list without any player.")] = False,
    digest: Annotated[
        str,
        typer.Option(
            "--digest", metavar="D", help="Publish only the list with this digest, as `draft` shows it."
        ),
    ] = "",
    inputs: Annotated[
        str, typer.Option("--inputs", metavar="D", help="Publish only from the inputs with this digest.")
    ] = "",
    reason: Reason = "",
) -> None:
    """Publish a list and write its files.

    If the list is already published, only its files are written again.

    The date is the next one of the calendar; --special publishes on another day, --empty a first list without players.
    Both need --reason.

    Example: arpad office publish standard 2018-06-01 --out lists --db office.db
    """
    from arpad.office.drafts.publish import publish as publish_list

    kinds = tuple(files.split(",")) if files else None
    if kinds is not None:
        _refuse_other_kinds(kinds)
    on_list, day = list_named(list_, "LIST"), parse_day(date, "DATE")
    with desk.acting() as office, progress.bar(desk.words.text("office.publishing")):
        publication = publish_list(
            office, on_list, day, out, kinds=kinds, reason=reason,
            special=special, empty=empty, digest=digest, inputs=inputs,
        )  # fmt: skip
        titles = _proposed_titles(office, publication)
    sentence = _published(publication, desk.words)
    if titles:
        sentence += "\n" + desk.words.text("title.proposed", titles=len(titles))
    document = publication_document(publication) | {"titles": titles}
    desk.tell(sentence, "arpad.office-publish/1", document)


def _refuse_other_kinds(kinds: Sequence[str]) -> None:
    """Refuse a kind of file that there is not."""
    from arpad.publishing.files import KINDS

    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise BadInput("value-unknown", option="files", value=unknown[0], accepted=", ".join(KINDS))


def _proposed_titles(office: Office, publication: Publication) -> list[dict[str, object]]:
    """Return the titles that a standard list gives by rating (B.01 1.3)."""
    if publication.list is not ListName.STANDARD:
        return []
    from arpad.office.titles.rating_titles import proposed_titles

    return [proposal.document() for proposal in proposed_titles(office)]


def take_back(desk: WriteOptions, list_: ListArgument, date: DayArgument, reason: Reason) -> None:
    """Take back the newest publication of a list.

    Nothing may refer to it yet; its record stays in the ledger.

    Example: arpad office take-back standard 2018-05-01 --reason "wrong month" --db office.db
    """
    from arpad.office.corrections.take_back import take_back as withdraw

    on_list, day = list_named(list_, "LIST"), parse_day(date, "DATE")
    with desk.acting() as office:
        publications = withdraw(office, on_list, day, reason=reason)
    document = {"taken_back": [publication_document(item) for item in publications]}
    names = ", ".join(item.name for item in publications)
    desk.tell(desk.words.text("office.taken-back", names=names), "arpad.office-take-back/1", document)


def revise(
    desk: WriteOptions,
    list_: ListArgument,
    reason: Reason,
    mode: Annotated[
        str, typer.Option(metavar="lists|base", help="Revise lists, or only the next start.")
    ] = "lists",
    add: Annotated[
        list[int],
        typer.Option("--add", metavar="REPORT", help="A late report, to add to the list it missed."),
    ] = [],  # noqa: B006  typer never changes it
    out: Out = None,
) -> None:
    """Correct published lists with new revisions.

    The old revisions stay; the differences are shown player by player.
    """
    from arpad.office.corrections.acts import revise as correct

    with desk.acting() as office:
        result = correct(office, list_named(list_, "LIST"), out, reason=reason, mode=mode, add=add)
    _print_revised(result, desk.words, json=desk.json)


# --------------------------------------------------------------------------------------------------- printing


def _published(item: Any, words: Words) -> str:
    return words.text(
        "office.published", list=str(item.list), day=item.day, number=item.number, revision=item.revision,
        digest=item.digest,
    )  # fmt: skip


def _print_draft(draft_list: Draft, words: Words) -> None:
    closed, inputs = draft_list.result, draft_list.inputs
    out = console()
    out.print(
        words.text(
            "office.draft",
            list=str(inputs.on_list),
            day=inputs.day,
            number=inputs.number,
            digest=closed.digest,
            inputs=draft_list.inputs_digest,
        )
    )
    out.print(
        words.text(
            "office.counts", events=len(draft_list.reports), moved=len(closed.movements), entered=len(closed.entered),
            pending=len(closed.pending_players), delisted=len(closed.delisted),
        )
    )  # fmt: skip
    if closed.movements:
        names = ("before", "after", "change-rounded")
        columns = [("id", "right"), (words.text("column.name"), "left")]
        columns += [(words.text(f"column.{name}"), "right") for name in names]
        rows = [
            (str(p), inputs.people[p].name, str(before), str(after), f"{after - before:+}")
            for p, before, after in closed.movements[:SHOWN]
        ]
        out.print(table(columns, rows, title=words.text("office.movements")))
    if draft_list.left_out:
        columns = [(words.text("column.report"), "right"), (words.text("column.event"), "left")]
        columns.append((words.text("column.reason"), "left"))
        rows3 = [
            (str(left.report.id), left.report.name, words.text(f"left-out.{left.reason}"))
            for left in draft_list.left_out
        ]
        out.print(table(columns, rows3, title=words.text("office.left-out")))
    if draft_list.guests:
        _print_guests(draft_list.guests, words)


def _print_guests(guests: Sequence[LeftOutGuest], words: Words) -> None:
    """Print the players whom the office does not own, all of them."""
    unknown = sum(not guest.federation for guest in guests)
    out = console()
    out.print(words.text("office.guests", players=len(guests)))
    if unknown:
        out.print(words.text("office.guests-unknown", players=unknown))
    columns = [("id", "right")] + [(words.text(f"column.{name}"), "left") for name in ("name", "federation")]
    columns.append((words.text("column.rating"), "right"))
    rows = [
        (str(it.player), it.name, it.federation, str(it.rating or words.text("office.unrated")))
        for it in guests
    ]
    out.print(table(columns, rows))


def _print_revised(result: Revised, words: Words, *, json: bool) -> None:
    if json:
        documents = [
            {
                **publication_document(revision.publication), "corrects": revision.corrects.digest,
                "differences": [
                    {"player": d.player, "before": d.before, "after": d.after} for d in revision.differences
                ],
            }
            for revision in result.revisions
        ]  # fmt: skip
        again = [item.name for item in result.written_again]
        print_json(
            "arpad.office-revise/1",
            {
                "mode": result.mode,
                "revisions": documents,
                "revise": revise_documents(result.to_revise),
                "written_again": again,
            },
        )
        return
    if not result.revisions:
        sys.stdout.write(words.text("office.nothing-to-revise") + "\n")
    if result.written_again:
        names = ", ".join(item.name for item in result.written_again)
        sys.stdout.write(words.text("office.written-again", names=names) + "\n")
    out = console()
    for revision in result.revisions:
        code = "office.revised-base" if result.mode == "base" else "office.revised"
        facts = {} if result.mode == "base" else {"name": revision.publication.name}
        out.print(words.text(code, players=len(revision.differences), **facts))
        unrated = words.text("office.unrated")
        columns = [
            ("id", "right"),
            (words.text("column.before"), "right"),
            (words.text("column.after"), "right"),
        ]
        rows = [
            (
                str(d.player),
                str(d.before if d.before is not None else unrated),
                str(d.after if d.after is not None else unrated),
            )
            for d in revision.differences
        ]
        out.print(table(columns, rows))
    for line in revise_lines(result.to_revise, words):
        out.print(line)
