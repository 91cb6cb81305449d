"""``arpad office``: reports and decisions; the register, the lists and the care of the data stand beside."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.calc import parse_day
from arpad.cli import office_care, office_decisions, office_lists, office_register
from arpad.cli.face import Json, Lang, console, print_json, reader, table
from arpad.cli.office_desk import (
    Author,
    Db,
    Now,
    Reason,
    Report,
    clock,
    day_of,
    list_named,
    opened,
    place,
    signed,
    tell,
)
from arpad.cli.office_register import pairs
from arpad.errors import ArpadError, BadInput
from arpad.explain import Words
from arpad.model import Fact, Severity

if TYPE_CHECKING:
    from arpad.facts import EventFacts
    from arpad.office import Submitted
    from arpad.store.reports import Filed

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
def submit(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Reports: TRF, CSV, XLSX, PGN, PDN.")],
    list_: Annotated[
        str | None, typer.Option("--list", metavar="LIST", help="Default: by the time control.")
    ] = None,
    facts: Annotated[
        Path | None, typer.Option("--facts", metavar="FILE", help="What the report lacks, as TOML.")
    ] = None,
    event: Annotated[int | None, typer.Option(help="The registered event.")] = None,
    replaces: Annotated[
        int | None, typer.Option(metavar="REPORT", help="The report that this one corrects.")
    ] = None,
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Send reports in: each is checked at once and put on file.

    Example: arpad office submit open.trf --db office.db
    """
    from arpad.office import submit as send

    say = reader(lang)
    known = _facts(facts, list_)
    done: list[tuple[Path, Submitted | ArpadError]] = []
    with opened(db, say, author=author, now=now) as office:
        for path in files:
            try:
                data = _read(path)
                sent = send(
                    office, data, path.name, facts=known, event=event, replaces=replaces, reason=reason
                )
                done.append((path, sent))
            except ArpadError as error:
                if len(files) == 1:
                    raise
                done.append((path, error))
    _print_submitted(done, say, json=json)
    if any(isinstance(item, ArpadError) for _, item in done):
        return 2
    return int(any(not isinstance(item, ArpadError) and item.errors for _, item in done))


@app.command()
def reports(
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="received, accepted, returned, withdrawn …")
    ] = "",
    list_: Annotated[str | None, typer.Option("--list", metavar="LIST")] = None,
    db: Db = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """The reports on file."""
    from arpad.office import reports_on_file
    from arpad.store.reports import STATUSES

    say = reader(lang)
    if status and status not in STATUSES:
        raise BadInput("value-unknown", option="status", value=status, accepted=", ".join(STATUSES))
    with opened(db, say) as office:
        found = reports_on_file(office, status=status, on_list=list_named(list_) if list_ else None)
    if json:
        print_json("arpad.office-reports/1", {"reports": [report_document(filed) for filed in found]})
        return
    names = ("report", "status", "list", "first-day", "last-day", "event", "file")
    columns = [(say.text(f"column.{name}"), "right" if name == "report" else "left") for name in names]
    rows = [
        (
            str(f.id), say.text(f"status.{f.status}"), str(f.list), str(f.first_day or ""), str(f.last_day or ""),
            f.name, f.file,
        )
        for f in found
    ]  # fmt: skip
    console().print(table(columns, rows) if rows else say.text("office.no-reports"))


@app.command()
def accept(
    report: Report,
    match: Annotated[
        list[str],
        typer.Option("--match", metavar="NUMBER=PLAYER", help="Who a doubtful entrant is; NUMBER=new."),
    ] = [],  # noqa: B006  typer never changes it
    overrule: Annotated[
        list[str], typer.Option("--overrule", metavar="CODE", help="An error set aside; needs a reason.")
    ] = [],  # noqa: B006  typer never changes it
    reason: Reason = "",
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Take a report into the next list."""
    from arpad.office import accept as take

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        found = take(office, report, matches=_matches(match), overrule=overrule, reason=reason)
    facts = {"report": report, "players": list(found.players), "newcomers": list(found.newcomers)}
    told = say.text(
        "office.accepted", report=report, players=len(found.players), newcomers=len(found.newcomers)
    )
    tell(told, "arpad.office-accept/1", {**facts, "superseded": found.superseded}, json=json)


@app.command("return")
def return_(
    report: Report,
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Send a report back."""
    from arpad.office import return_ as send_back

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        send_back(office, report, reason)
    tell(say.text("office.done"), "arpad.office-done/1", {"report": report}, json=json)


@app.command()
def withdraw(
    report: Report,
    reason: Reason,
    db: Db = None,
    author: Author = None,
    now: Now = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Take a report out; a list that rated it changes only by a revision."""
    from arpad.office import withdraw as take_out

    say = reader(lang)
    with opened(db, say, author=author, now=now) as office:
        take_out(office, report, reason)
    tell(say.text("office.done"), "arpad.office-done/1", {"report": report}, json=json)


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


office_decisions.add_to(app)
office_register.add_to(app)
office_lists.add_to(app)
office_care.add_to(app)


# ---------------------------------------------------------------------------------------- reading and printing


def report_document(filed: Filed) -> dict[str, Any]:
    """A report on file for JSON."""
    return {
        "report": filed.id, "status": filed.status, "list": str(filed.list), "name": filed.name,
        "first_day": str(filed.first_day or ""), "last_day": str(filed.last_day or ""), "file": filed.file,
        "sha256": filed.digest, "received": str(filed.received), "replaces": filed.replaces,
    }  # fmt: skip


def _print_submitted(done: list[tuple[Path, Submitted | ArpadError]], say: Words, *, json: bool) -> None:
    if json:
        from arpad.papers.rated import finding_document

        documents: list[dict[str, Any]] = []
        for path, item in done:
            if isinstance(item, ArpadError):
                documents.append(
                    {"file": str(path), "error": {"code": item.code, "message": say.error(item)}}
                )
            else:
                found = [finding_document(finding, say) for finding in item.findings]
                documents.append(
                    {
                        "file": str(path), "report": item.report, "status": item.status, "list": str(item.list),
                        "again": item.again, "findings": found,
                    }
                )  # fmt: skip
        print_json("arpad.office-submit/1", {"reports": documents})
        return
    for path, item in done:
        if isinstance(item, ArpadError):
            sys.stdout.write(f"{path}: {say.error(item)}\n")
            continue
        status = say.text(f"status.{item.status}")
        if item.again:
            sys.stdout.write(
                f"{path}: {say.text('office.on-file-again', report=item.report, status=status)}\n"
            )
            continue
        facts: dict[str, Fact] = {
            "report": item.report, "list": str(item.list), "errors": len(item.errors),
        }  # fmt: skip
        sys.stdout.write(f"{path}: {say.text('office.on-file', status=status, **facts)}\n")
        for finding in item.findings:
            if finding.severity != Severity.INFO:
                sys.stdout.write(f"  {say.text(f'severity.{finding.severity}')}: {say.finding(finding)}\n")


def _facts(path: Path | None, list_: str | None) -> EventFacts:
    from dataclasses import replace

    from arpad.facts import EventFacts, read_facts

    known = EventFacts()
    if path is not None:
        try:
            known = read_facts(_read(path).decode())
        except UnicodeDecodeError as error:
            raise BadInput("cannot-read", path=str(path), reason=str(error)) from error
    return replace(known, list=list_named(list_)) if list_ is not None else known


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput("cannot-read", path=str(path), reason=error.strerror or str(error)) from error


def _matches(given: list[str]) -> dict[int, int]:
    from arpad.office import NEW

    found: dict[int, int] = {}
    for item in given:
        number, _, player = item.partition("=")
        if not number.isdecimal() or not (player.isdecimal() or player == "new"):
            raise BadInput("match-form", given=item)
        found[int(number)] = NEW if player == "new" else int(player)
    return found
