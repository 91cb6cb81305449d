"""``arpad office club`` and ``transfer``: clubs, regions, and the members of clubs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import Player, ReadOptions, Reason, Report, WriteOptions, day_of, pairs
from arpad.cli.typer_groups import Commands
from arpad.model.clubs import Unit, UnitKind
from arpad.model.typed_values import parse_day

app = Commands(help="Enter, change, list or import clubs, regions and members.")

Code = Annotated[str, typer.Argument(metavar="CODE", help="The code of the club or region.")]
Since = Annotated[str, typer.Option("--since", metavar="YYYY-MM-DD", help="The first day.")]
Until = Annotated[str | None, typer.Option("--until", metavar="YYYY-MM-DD", help="The last day.")]
On = Annotated[str | None, typer.Option("--on", metavar="YYYY-MM-DD", help="On this day; default: today.")]


@app.command()
def enter(
    desk: WriteOptions,
    code: Code,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    since: Since,
    region: Annotated[str, typer.Option("--in", metavar="REGION", help="The region that contains it.")] = "",
    until: Until = None,
    *,
    is_region: Annotated[bool, typer.Option("--region", help="It is a region, not a club.")] = False,
    reason: Reason = "",
) -> None:
    """Enter a club or a region.

    Example: arpad office club enter 03012 "Circolo di Milano" --since 2018-01-01 --db office.db
    """
    from arpad.office.clubs.acts import enter_unit

    kind = UnitKind.REGION if is_region else UnitKind.CLUB
    with desk.acting() as office:
        unit = enter_unit(
            office, kind, code, name, region=region, since=parse_day(since, "since"), until=day_of(until, "until"),
            reason=reason,
        )  # fmt: skip
    sentence = desk.words.text(f"clubs.entered-{kind}", code=unit.code, name=unit.name)
    desk.tell(sentence, "arpad.office-club/1", unit_document(unit))


@app.command()
def change(
    desk: WriteOptions,
    code: Code,
    since: Annotated[
        str, typer.Option("--since", metavar="YYYY-MM-DD", help="The day from which it applies.")
    ],
    reason: Reason,
    fact: Annotated[list[str], typer.Option("--set", metavar="FIELD=VALUE", help="As region=LOM.")],
) -> None:
    """Change a club or a region from a day on.

    Fields are name, region, since (its first day) and until (its last day).
    """
    from arpad.office.clubs.acts import change_unit

    with desk.acting() as office:
        facts = dict(pairs(fact, "set"))
        unit = change_unit(office, code, since=parse_day(since, "since"), reason=reason, **facts)
    sentence = desk.words.text("clubs.changed", code=unit.code, name=unit.name)
    desk.tell(sentence, "arpad.office-club/1", unit_document(unit))


@app.command("list")
def list_(look: ReadOptions, on: On = None) -> None:
    """List regions and clubs with their numbers of members."""
    from arpad.office.office import today
    from arpad.store.clubs import count_members, members_on, units_on

    with look.opened() as office, office.store.reading() as connection:
        day = day_of(on, "on") or today(office, connection)
        units = [unit for unit in units_on(connection, day).values() if unit.is_open(day)]
        members = count_members(members_on(connection, day))
    if look.json or not units:
        documents = [unit_document(unit) | {"members": members.get(unit.code, 0)} for unit in units]
        look.tell(look.words.text("clubs.none"), "arpad.office-clubs/1", {"on": str(day), "clubs": documents})
        return
    words = look.words
    columns = [(words.text(f"clubs.{key}"), "left") for key in ("code", "kind", "name", "region")]
    columns.append((words.text("clubs.members"), "right"))
    rows = [
        (
            unit.code, words.text(f"clubs.{unit.kind}"), unit.name, unit.region,
            str(members.get(unit.code, "")) if unit.kind == UnitKind.CLUB else "",
        )
        for unit in units
    ]  # fmt: skip
    console().print(table(columns, rows))


@app.command()
def show(look: ReadOptions, code: Code, on: On = None) -> None:
    """Show a club or region with its members."""
    from arpad.model.clubs import clubs_in
    from arpad.office.clubs.acts import known_code, known_unit
    from arpad.office.office import today
    from arpad.store.clubs import members_on, units_on
    from arpad.store.register import load_people

    with look.opened() as office, office.store.reading() as connection:
        day = day_of(on, "on") or today(office, connection)
        unit = known_unit(connection, known_code(code), day)
        is_club = unit.kind == UnitKind.CLUB
        codes = {unit.code} if is_club else clubs_in(units_on(connection, day), unit.code)
        members = members_on(connection, day, codes)
        people = load_people(connection, members, on=day)
    if look.json:
        rows = [
            {"player": number, "name": person.name, "club": members[number]}
            for number, person in people.items()
        ]
        print_json("arpad.office-members/1", {"on": str(day), **unit_document(unit), "players": rows})
        return
    words = look.words
    region = f", {unit.region}" if unit.region else ""
    console().print(f"{unit.code} {unit.name} ({words.text(f'clubs.{unit.kind}')}{region})")
    columns = [("id", "right"), (words.text("column.name"), "left"), (words.text("clubs.club"), "left")]
    lines = [(str(number), person.name, members[number]) for number, person in people.items()]
    console().print(table(columns, lines) if lines else words.text("clubs.no-members", day=day))


@app.command("import")
def import_(
    desk: WriteOptions,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A CSV: code, name, kind, region, from, until.")
    ],
    since: Annotated[
        str, typer.Option("--since", metavar="YYYY-MM-DD", help="The day from which changes apply.")
    ],
    reason: Reason = "",
) -> None:
    """Import clubs and regions: the whole file, or nothing of it."""
    from arpad.office.import_clubs import import_clubs
    from arpad.reports.formats import read_bytes

    data = read_bytes(file)
    with desk.acting() as office:
        result = import_clubs(office, data, file.name, parse_day(since, "since"), reason=reason)
    facts = {"rows": result.rows, "entered": result.entered, "changed": result.changed}
    desk.tell(desk.words.text("clubs.imported", **facts), "arpad.office-clubs-import/1", facts)


@app.command("import-members")
def import_members(
    desk: WriteOptions,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A CSV: player, fide, fsi … or name and born; club, from, until."
        ),
    ],
    reason: Reason = "",
) -> None:
    """Import memberships and transfers: the whole file, or nothing of it."""
    from arpad.office.import_clubs import import_memberships
    from arpad.reports.formats import read_bytes

    data = read_bytes(file)
    with desk.acting() as office:
        result = import_memberships(office, data, file.name, reason=reason)
    facts = {"rows": result.rows, "players": result.players}
    desk.tell(desk.words.text("clubs.imported-members", **facts), "arpad.office-members-import/1", facts)


@app.command("from-report")
def from_report(
    desk: WriteOptions,
    report: Report,
    clubs: Annotated[
        list[str], typer.Argument(metavar="[CODE=CLUB…]", help="The club that a code in the report means.")
    ] = [],  # noqa: B006  typer never changes it
    reason: Reason = "",
) -> None:
    """Take the codes that an accepted report has instead of federations as clubs.

    Its players become members from the first day on, unless they are members of a club then.
    """
    from arpad.office.report_clubs import take_clubs

    with desk.acting() as office:
        taken = take_clubs(office, report, dict(pairs(clubs, "CODE")), reason=reason)
    lines = [desk.words.text("clubs.from-report", report=report, players=len(taken.members))]
    if taken.unknown:
        lines.append(desk.words.text("clubs.from-report-unknown", codes=", ".join(taken.unknown)))
    members = [{"player": player, "club": club} for player, club in taken.members.items()]
    document = {"report": report, "members": members, "unknown": list(taken.unknown)}
    desk.tell("\n".join(lines), "arpad.office-report-clubs/1", document)


def transfer(
    desk: WriteOptions,
    player: Player,
    since: Since,
    club: Annotated[
        str, typer.Argument(metavar="CLUB", help="The code of the club; without it, the player leaves.")
    ] = "",
    until: Until = None,
    reason: Reason = "",
) -> None:
    """Make a player a member of a club from a day on."""
    from arpad.office.clubs.acts import transfer as enter_transfer

    with desk.acting() as office:
        first, last = parse_day(since, "since"), day_of(until, "until")
        enter_transfer(office, player, club, since=first, until=last, reason=reason)
    key = "clubs.transferred" if club else "clubs.left"
    sentence = desk.words.text(key, player=player, club=club.upper(), since=first)
    facts = {"player": player, "club": club.upper(), "since": since, "until": until}
    desk.tell(sentence, "arpad.office-transfer/1", facts)


def unit_document(unit: Unit) -> dict[str, Any]:
    """Return a club or region for JSON."""
    return {
        "code": unit.code,
        "kind": str(unit.kind),
        "name": unit.name,
        "region": unit.region or None,
        "since": str(unit.since),
        "until": str(unit.until) if unit.until else None,
    }
