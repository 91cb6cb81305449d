"""``arpad office``: reports and decisions; the register, the lists and the care of the data stand beside."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.calc import parse_day
from arpad.cli import (
    office_care,
    office_decisions,
    office_lists,
    office_own,
    office_register,
    office_reports,
)
from arpad.cli.face import Json, Lang, list_named, reader
from arpad.cli.office_desk import (
    Author,
    Db,
    Now,
    Reason,
    clock,
    day_of,
    opened,
    place,
    signed,
    tell,
)
from arpad.cli.office_register import pairs

if TYPE_CHECKING:
    pass

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def init(
    db: Db = None,
    federation: Annotated[str, typer.Option(help="The federation's code, as ITA.")] = "",
    name: Annotated[str, typer.Option(help="Who publishes the lists.")] = "",
    time_zone: Annotated[str, typer.Option(help="For days and deadlines.")] = "Europe/Rome",
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Make an office in an empty database.

    Example: arpad office init --db new.db --federation ITA
    """
    from arpad.office import init as make

    say = reader(lang)
    office = make(
        place(db, say), federation=federation, name=name, time_zone=time_zone, now=clock(now),
        author=signed(author) or "office",
    )  # fmt: skip
    office.close()
    where = office.store.place
    tell(say.text("office.made", place=where), "arpad.office-init/1", {"database": where}, json=json)


@app.command("import-list")
def import_list(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="FIDE TXT, XML or CSV; for draughts a CSV.")],
    date: Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="The list's day.")],
    list_: Annotated[str, typer.Option("--list", metavar="LIST", help="Which list it is.")] = "standard",
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Take over a list that somebody else published.

    Example: arpad office import-list list.txt --list rapid --date 2018-05-01 --db office.db
    """
    from arpad.office import import_list as take

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office, office_care.counting(say) as progress:
        found = take(
            office, file, list_named(list_), parse_day(date, "date"), progress=progress, reason=reason
        )
    told = (
        say.text("office.imported-again")
        if found.again
        else say.text("office.imported", rows=found.rows, newcomers=found.newcomers, changed=found.changed)
    )
    facts = {"rows": found.rows, "newcomers": found.newcomers, "changed": found.changed, "again": found.again}
    tell(told, "arpad.office-import/1", facts, json=json)


# ---------------------------------------------------------------------------------------------------- reports


@app.command("register-event")
def register_event(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As the report will call it.")],
    first: Annotated[str, typer.Option("--first", metavar="YYYY-MM-DD", help="The first day.")],
    last: Annotated[str, typer.Option("--last", metavar="YYYY-MM-DD", help="The last day.")],
    city: Annotated[str, typer.Option()] = "",
    federation: Annotated[str, typer.Option()] = "",
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Register a tournament before it starts (0.2)."""
    from arpad.office import register_event as enter

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        number = enter(
            office, name, first_day=parse_day(first, "first"), last_day=parse_day(last, "last"), city=city,
            federation=federation, reason=reason,
        )  # fmt: skip
    tell(
        say.text("office.event-registered", event=number),
        "arpad.office-event/1",
        {"event": number},
        json=json,
    )


@app.command()
def decide(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="As not-rated, official, k, result, suspended.")
    ],
    reason: Reason,
    report: Annotated[int | None, typer.Option(help="The report it is about.")] = None,
    player: Annotated[int | None, typer.Option(help="The player it is about.")] = None,
    federation: Annotated[str | None, typer.Option(help="The federation it is about.")] = None,
    list_: Annotated[str | None, typer.Option("--list", metavar="LIST")] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="A list's day, or from when.")
    ] = None,
    value: Annotated[list[str], typer.Option("--value", metavar="NAME=VALUE", help="As k=20, round=3.")] = [],  # noqa: B006  typer never changes it
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Enter an officer's decision about an event, a player or a federation."""
    from arpad.office import decide as enter

    say = reader(lang)
    values = {
        name: int(text) if text.isdecimal() and name != "result" else text
        for name, text in pairs(value, "value")
    }
    with opened(db, say, author=author, now=now) as office:
        number = enter(
            office, kind, reason=reason, report=report, player=player, federation=federation,
            on_list=list_named(list_) if list_ else None, day=day_of(date, "date"), **values,
        )  # fmt: skip
    tell(
        say.text("office.decided", decision=number), "arpad.office-decide/1", {"decision": number}, json=json
    )


@app.command()
def revoke(
    decision: Annotated[int, typer.Argument(metavar="DECISION", help="The decision's number.")],
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """A decision no longer stands."""
    from arpad.office import revoke as undo

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        undo(office, decision, reason)
    tell(say.text("office.done"), "arpad.office-done/1", {"decision": decision}, json=json)


office_reports.add_to(app)
office_decisions.add_to(app)
office_register.add_to(app)
office_own.add_to(app)
office_lists.add_to(app)
office_care.add_to(app)
