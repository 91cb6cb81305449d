"""``arpad office``: draft, publish, take back and revise lists."""

import sys
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from arpad.cli.common import console, print_json, progress_bar, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import DayArgument, ListArgument, Out, Reason, WriteOptions
from arpad.explain.words import Words
from arpad.model.declared import arguments, document
from arpad.model.errors import BadInput
from arpad.office.corrections.acts import Revised, revise_lists
from arpad.office.corrections.acts import revise as revise_with_files
from arpad.office.corrections.affected_lists import revise_lines
from arpad.office.corrections.publishing import DraftShown, draft_list, publish_list, published_list
from arpad.office.declared import typed_values
from arpad.office.drafts.acts import Draft
from arpad.office.drafts.load_events import DraftGuest
from arpad.office.drafts.publish import publish as publish_with_files

SHOWN = 10
Special: TypeAlias = Annotated[
    bool, typer.Option("--special", help="A list on another day than the next of the calendar.")
]


def show_draft(shown: DraftShown, words: Words) -> None:
    """Print the largest movements of a draft, what is left out, and what else an officer must know."""
    _print_draft(shown.draft, words)
    for change in shown.categories[:SHOWN]:
        name = shown.draft.inputs.people[change.player].name
        sentence = f"{words.category_change(change)} ({change.article})"
        console().print(words.labelled(f"{change.player} {name}", sentence))
    for finding in shown.late:
        label = f"{words.text('column.report')} {finding.facts['report']}"
        console().print(words.labelled(label, words.cited_finding(finding)))
    for event, findings in shown.draft.findings.items():
        console().print(
            words.labelled(event, words.findings(findings)) if event else words.findings(findings)
        )
    for line in revise_lines(shown.revise, words):
        console().print(line)


def publish(
    options: WriteOptions,
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
    kinds = tuple(files.split(",")) if files else None
    if kinds is not None:
        from arpad.publishing.files import KINDS

        if unknown := [kind for kind in kinds if kind not in KINDS]:
            raise BadInput("value-unknown", option="files", value=unknown[0], accepted=", ".join(KINDS))
    values = {
        "list": list_, "day": date, "special": special, "empty": empty, "digest": digest, "inputs": inputs,
        "reason": reason,
    }  # fmt: skip
    with options.acting() as office, progress_bar(options.words.text("office.publishing")):
        given = arguments(publish_list.parameters, typed_values(publish_list, office, values))
        on_list, day = given.pop("list_"), given.pop("day")
        publication = publish_with_files(office, on_list, day, out, kinds=kinds, **given)
        published = published_list(office, publication)
    sentence = options.words.text(
        "office.published", list=str(on_list), day=day, number=published.number, revision=published.revision,
        digest=published.digest,
    )  # fmt: skip
    if published.titles:
        sentence += "\n" + options.words.text("title.proposed", titles=len(published.titles))
    options.tell(sentence, "arpad.office-publish/1", document(published))


def revise(
    options: WriteOptions,
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
    values = {"list": list_, "mode": mode, "add": add, "reason": reason}
    with options.acting() as office:
        given = arguments(revise_lists.parameters, typed_values(revise_lists, office, values))
        result = revise_with_files(office, given.pop("list_"), out, **given)
    if options.json:
        print_json("arpad.office-revise/1", document(result))
    else:
        _print_revised(result, options.words)


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
            (
                str(p),
                inputs.people[p].name,
                str(before),
                str(after),
                words.number(after - before, signed=True),
            )
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
    if draft_list.restated:
        _print_restated(draft_list, words)


def _print_restated(draft_list: Draft, words: Words) -> None:
    """Print the figures of published lists that the events of today give otherwise."""
    columns = [(words.text("column.list"), "left"), ("id", "right"), (words.text("column.name"), "left")]
    columns += [(words.text(f"column.{name}"), "right") for name in ("before", "after")]
    people = draft_list.inputs.people
    rows = [
        (
            it.publication.name,
            str(it.player),
            people[it.player].name,
            str(it.before or "–"),
            str(it.after or "–"),
        )
        for it in draft_list.restated
        if it.player in people
    ]
    console().print(table(columns, rows, title=words.text("lists.restated")))


def _print_guests(guests: Sequence[DraftGuest], words: Words) -> None:
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


def _print_revised(result: Revised, words: Words) -> None:
    """Print the differences of each revised list."""
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


COMMANDS = {"draft": command_of(draft_list, show_draft), "publish": publish, "revise": revise}
