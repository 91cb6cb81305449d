"""``arpad office arbiter``: the register of arbiters and their licences; and the deadlines of tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, naming_file, print_json, table
from arpad.cli.office.options import Now, ReadOptions, Reason, Report, WriteOptions, day_of
from arpad.cli.typer_groups import Commands
from arpad.model.errors import BadInput
from arpad.model.typed_values import parse_day

if TYPE_CHECKING:
    from arpad.model.arbiters import Licence

app = Commands(help="Enter, list, change and license arbiters.")

Number = Annotated[int, typer.Argument(metavar="ARBITER", help="The arbiter's number in the register.")]
From = Annotated[str | None, typer.Option("--from", metavar="YYYY-MM-DD", help="The licence's first day.")]
Until = Annotated[
    str | None, typer.Option("--until", metavar="YYYY-MM-DD", help="Its last day; without it, it has no end.")
]
Fide = Annotated[str | None, typer.Option(metavar="NUMBER", help="The FIDE number.")]
Federation = Annotated[str | None, typer.Option(metavar="CODE", help="The federation, as ITA.")]
Title = Annotated[str | None, typer.Option(metavar="IA|FA|NA", help="The arbiter's title.")]


@app.command()
def add(
    desk: WriteOptions,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Surname and first name, as in reports.")],
    fide: Fide = None,
    federation: Federation = None,
    title: Title = None,
    first: From = None,
    until: Until = None,
    reason: Reason = "",
) -> None:
    """Enter an arbiter, with a licence if there is one."""
    from arpad.office.arbiters.acts import register_arbiter

    with desk.acting() as office:
        number = register_arbiter(
            office, name, fide=fide or "", federation=federation or "", title=title or "",
            licence=_licence(first, until), reason=reason,
        )  # fmt: skip
    sentence = desk.words.text("arbiter.entered", arbiter=number)
    desk.tell(sentence, "arpad.office-arbiter/1", {"arbiter": number})


@app.command()
def change(
    desk: WriteOptions,
    arbiter: Number,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The name.")] = None,
    fide: Fide = None,
    federation: Federation = None,
    title: Title = None,
    reason: Reason = "",
) -> None:
    """Change facts about an arbiter from today on."""
    from arpad.office.arbiters.acts import change_arbiter

    given = {"name": name, "fide": fide, "federation": federation, "title": title}
    values = {key: value for key, value in given.items() if value is not None}
    with desk.acting() as office:
        change_arbiter(office, arbiter, values, reason=reason)
    desk.done({"arbiter": arbiter, **values})


@app.command()
def licence(
    desk: WriteOptions, arbiter: Number, first: From = None, until: Until = None, reason: Reason = ""
) -> None:
    """Add a licence, or give another end to the one with the same first day."""
    from arpad.office.arbiters.acts import license_arbiter

    added = _licence(first, until)
    if added is None:
        raise BadInput("value-missing", option="from")
    with desk.acting() as office:
        license_arbiter(office, arbiter, added, reason=reason)
    desk.done({"arbiter": arbiter, "from": first, "until": until})


@app.command("import")
def import_(
    desk: WriteOptions,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV: name, fide, federation, title, licence_from, licence_until."
        ),
    ],
    reason: Reason = "",
) -> None:
    """Enter the arbiters of a CSV file, all or none."""
    from arpad.office.arbiters.acts import import_arbiters

    with naming_file(file), desk.acting() as office:
        entered, changed = import_arbiters(office, file, reason=reason)
    sentence = desk.words.text("arbiter.imported", entered=entered, changed=changed)
    desk.tell(sentence, "arpad.office-arbiters-imported/1", {"entered": entered, "changed": changed})


@app.command("list")
def list_(look: ReadOptions) -> None:
    """List the arbiters with their licences."""
    from arpad.office.arbiters.acts import arbiters_of

    words = look.words
    with look.opened() as office:
        arbiters = arbiters_of(office)
    if look.json:
        from arpad.office.registrations.documents import arbiter_document

        print_json(
            "arpad.office-arbiters/1", {"arbiters": [arbiter_document(arbiter) for arbiter in arbiters]}
        )
        return
    if not arbiters:
        console().print(words.text("arbiter.none"))
        return
    columns = [
        (words.text(f"arbiter.{name}"), "left")
        for name in ("name", "fide", "federation", "title", "licences")
    ]
    rows = []
    for arbiter in arbiters:
        licences = [
            words.text("arbiter.licence-until", since=item.since, until=item.until)
            if item.until
            else words.text("arbiter.licence-open", since=item.since)
            for item in arbiter.licences
        ]
        rows.append(
            [
                str(arbiter.id),
                arbiter.name,
                arbiter.fide,
                arbiter.federation,
                arbiter.title,
                "\n".join(licences),
            ]
        )
    console().print(table([(words.text("arbiter.number"), "right"), *columns], rows))


def _licence(first: str | None, until: str | None) -> Licence | None:
    from arpad.model.arbiters import Licence

    if first is None:
        if until is not None:
            raise BadInput("value-missing", option="from")
        return None
    return Licence(parse_day(first, "from"), day_of(until, "until"))


# --------------------------------------------------------------------------------------------------- deadlines


def deadlines(
    look: ReadOptions,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also tournaments with nothing left to do.")
    ] = False,
    now: Now = None,
) -> None:
    """Show the registered tournaments with their deadlines, overdue ones first."""
    from arpad.office.registrations.deadlines import event_deadlines
    from arpad.office.registrations.rows import REGISTERED

    words = look.words
    with look.opened(now=now) as office:
        events = event_deadlines(office, everything=everything)
    if look.json:
        from arpad.office.registrations.documents import event_document

        print_json("arpad.office-deadlines/1", {"events": [event_document(event) for event in events]})
        return
    if not events:
        console().print(words.text("deadline.none"))
        return
    columns = [
        (words.text(f"deadline.{name}"), "left") for name in ("tournament", "what", "day", "article", "state")
    ]
    rows = [
        [
            f"{event.event} {event.name}" if at == 0 else "",
            words.text(f"deadline-kind.{item.deadline.kind}"),
            words.day(item.deadline.day),
            item.deadline.article,
            words.text(f"deadline-state.{item.state}", day=item.done or item.deadline.day),
        ]
        for event in events
        for at, item in enumerate(event.deadlines)
    ]
    rows += [
        [
            f"{event.event} {event.name}",
            "",
            words.day(event.first_day),
            "",
            words.text(f"registration.{event.state}"),
        ]
        for event in events
        if event.state != REGISTERED
    ]
    console().print(table(columns, rows))


def sent(
    desk: WriteOptions,
    report: Report,
    day: Annotated[
        str | None, typer.Option("--day", metavar="YYYY-MM-DD", help="The day; default: today.")
    ] = None,
    reason: Reason = "",
) -> None:
    """Record that an accepted report was sent to FIDE."""
    from arpad.office.registrations.deadlines import record_sent

    with desk.acting() as office:
        on = record_sent(office, report, day_of(day, "day"), reason=reason)
    desk.done({"report": report, "day": str(on)})
