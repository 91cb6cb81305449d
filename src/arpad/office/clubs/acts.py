"""Clubs, regions and the memberships of players, each from a day on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Annotated

from arpad.model.clubs import Membership, Unit, UnitKind, club_changes, clubs_in
from arpad.model.declared import Accepts, Upload
from arpad.model.errors import BadInput
from arpad.model.federations import known_federation
from arpad.model.people import birth_year
from arpad.model.typed_values import parse_day
from arpad.office.clubs import imports, rows
from arpad.office.clubs.imports import ImportedClubs, ImportedMemberships
from arpad.office.clubs.rows import known_code, known_unit, open_club, open_units, refuse_units
from arpad.office.clubs.tables import UNIT_FIELDS
from arpad.office.declared import (
    AppliesFrom,
    FirstDay,
    LastDay,
    OnDay,
    PlayerNumber,
    Reading,
    Reason,
    ReportNumber,
    act,
    query,
)
from arpad.office.lists.page_rows import published_ratings
from arpad.office.lists.published import lists_in_force
from arpad.office.office import ActContext
from arpad.office.register import number_rows as hidden_players
from arpad.office.register.acts import OF_PLAYER, known_player
from arpad.office.register.number_rows import merge_targets, merge_targets_of
from arpad.office.register.rows import CLUB, add_facts, load_people
from arpad.office.reports import rows as reports
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.office.users import EVERYBODY, officer_of, officer_of_all
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store.settings import read_setting


def _region_code(text: str, parameter: str) -> str:
    return known_code(text, parameter) if text else ""


Code = Annotated[
    str, Accepts("MI1", longest=20, word="club-code", personal=False, read=known_code, picks="club")
]
NewCode = Annotated[str, Accepts("MI2", longest=20, word="club-code", personal=False, read=known_code)]
Name = Annotated[str, Accepts("Circolo di Monza", word="club-name", personal=False)]
Region = Annotated[str, Accepts("LOM", longest=20, word="club-region", personal=False, read=_region_code)]
ClubOrNone = Annotated[
    str, Accepts("MI1", longest=20, word="member-club", read=_region_code, personal=True, picks="club")
]
Changes = Annotated[
    dict[str, str], Accepts("name=Milano", word="club-changes", personal=False, fields=UNIT_FIELDS)
]
CodesMeant = Annotated[dict[str, str], Accepts("MIL=MI1", word="codes-meant", personal=False)]
ClubsFile = Annotated[Upload, Accepts(word="clubs-file")]
MembersFile = Annotated[Upload, Accepts(word="members-file")]

OF_ALL = officer_of_all("register")
OF_REPORT = officer_of(
    "register", lambda connection, given: report_on_file(connection, given["report"]).federation
)


@dataclass(frozen=True, slots=True)
class Club:
    """A club or a region."""

    code: str
    kind: UnitKind
    name: str
    region: str | None
    since: date
    until: date | None
    members: int | None = None


@dataclass(frozen=True, slots=True)
class Clubs:
    """The clubs and regions of a day."""

    on: date
    clubs: tuple[Club, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A member with the ratings in force, by list."""

    id: int
    name: str
    title: str
    born: int | None
    club: str
    ratings: dict[str, int | None]


@dataclass(frozen=True, slots=True)
class ClubMembers:
    """A club or region with its members; hidden players are not among them."""

    on: date
    club: Club
    players: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Transfer:
    """The club of a player from a day on."""

    player: int
    club: str
    since: date
    until: date | None
    done: str
    """``transferred`` or ``left``."""


@dataclass(frozen=True, slots=True)
class ReportClubs:
    """The players who became members of clubs, and the codes of which the register has no club."""

    report: int
    members: dict[int, str]
    unknown: tuple[str, ...]
    players: int
    done: str


# ------------------------------------------------------------------------------------------------ clubs and regions


@act("club enter", OF_ALL, says="clubs.entered-{kind}", page="/desk/clubs/{code}")
def enter_club(
    act: ActContext,
    code: NewCode,
    name: Name,
    *,
    since: FirstDay,
    kind: Annotated[UnitKind, Accepts("club", word="club-kind")] = UnitKind.CLUB,
    region: Region = "",
    until: LastDay | None = None,
    reason: Reason = "",
) -> Club:
    """Enter a club or a region.

    Example: arpad office club enter 03012 "Circolo di Milano" --since 2018-01-01 --db office.db
    """
    unit = Unit(kind, code, name, since, region, until)
    if unit.code in rows.units_on(act.connection, since):
        raise BadInput("club-code-taken", option="code", code=unit.code)
    _refuse_days(unit)
    rows.add_units(act.connection, [unit], act.seq)
    refuse_units(act.connection, [unit.code])
    act.record(kind=str(kind))
    return club_of(unit)


@act("club change", OF_ALL, says="clubs.changed", page="/desk/clubs/{code}")
def change_club(act: ActContext, code: Code, *, since: AppliesFrom, set_: Changes, reason: Reason) -> Club:
    """Change a club or a region from a day on."""
    known_unit(act.connection, code, since)
    values = {field: _unit_value(field, value) for field, value in set_.items()}
    changes = [(code, field, value, since) for field, value in values.items()]
    rows.add_unit_facts(act.connection, changes, act.seq)
    unit = known_unit(act.connection, code, since)
    _refuse_days(unit)
    refuse_units(act.connection, [code])
    act.record(changed=values)
    return club_of(unit)


def _unit_value(field: str, value: str) -> str:
    """Return a changed value as the register keeps it."""
    if field == "region":
        return _region_code(value, field)
    if field == "name" and not value:
        raise BadInput("club-name", option="set", given="")
    if field == "since" or (field == "until" and value):
        return str(parse_day(value, field))
    return value


@query(
    "club list",
    EVERYBODY,
    columns=("code", "kind", "name", "region", "members"),
    path="/clubs",
    says="clubs.none",
)
def clubs(reading: Reading, *, on: OnDay | None = None) -> Clubs:
    """List regions and clubs with their numbers of members."""
    day = on or reading.today
    units = open_units(reading.connection, day)
    counts = rows.count_members(shown_members(reading, day))
    listed = [club_of(unit, _members_in(units, unit, counts)) for unit in units.values()]
    return Clubs(day, tuple(listed))


def _members_in(units: Mapping[str, Unit], unit: Unit, counts: Mapping[str, int]) -> int:
    codes = {unit.code} if unit.kind == UnitKind.CLUB else clubs_in(units, unit.code)
    return sum(counts.get(code, 0) for code in codes)


@query("club show", EVERYBODY, columns=("id", "name", "club"), path="/clubs/{code}", says="clubs.no-members")
def club(reading: Reading, code: Code, *, on: OnDay | None = None) -> ClubMembers:
    """Show a club or region with its members and their ratings in force."""
    day = on or reading.today
    units = open_units(reading.connection, day)
    unit = units.get(code)
    if unit is None:
        raise BadInput("no-club", option="code", code=code)
    codes = frozenset({code}) if unit.kind == UnitKind.CLUB else clubs_in(units, code)
    members = members_with_ratings(reading, day, shown_members(reading, day, codes))
    return ClubMembers(day, club_of(unit, len(members)), tuple(members))


# --------------------------------------------------------------------------------------------------------- members


@act("club transfer", OF_PLAYER, says="clubs.{done}", page="/desk/players/{player}", verb="transfer")
def transfer(
    act: ActContext,
    player: PlayerNumber,
    club: ClubOrNone = "",
    *,
    since: FirstDay,
    until: LastDay | None = None,
    reason: Reason = "",
) -> Transfer:
    """Make a player a member of a club from a day on; without a club the player leaves."""
    known_player(act.connection, player)
    kept = merge_targets_of(act.connection, [player]).get(player, player)
    if club:
        open_club(rows.units_on(act.connection, since), club, since)
    registered = rows.clubs_of_player(act.connection, kept)
    changes = club_changes(registered.items(), [Membership(club, since, until)])
    add_facts(act.connection, [(kept, CLUB, value, day) for day, value in changes], act.seq)
    act.unchanged = not changes
    act.record(player=kept, club=club)
    return Transfer(kept, club, since, until, "transferred" if club else "left")


@act("club import", OF_ALL, says="clubs.imported", page="/desk/clubs", verb="import-clubs")
def import_clubs(
    act: ActContext, file: ClubsFile, *, since: AppliesFrom, reason: Reason = ""
) -> ImportedClubs:
    """Import clubs and regions: the whole file, or nothing of it."""
    imported = imports.enter_clubs(act, file.data, since)
    act.unchanged = not (imported.entered or imported.changed)
    act.record(rows=imported.rows, entered=imported.entered, changed=imported.changed)
    return imported


@act(
    "club import-members",
    OF_ALL,
    says="clubs.imported-members",
    page="/desk/clubs",
    verb="import-memberships",
)
def import_memberships(act: ActContext, file: MembersFile, *, reason: Reason = "") -> ImportedMemberships:
    """Import memberships and transfers: the whole file, or nothing of it."""
    imported = imports.enter_memberships(act, file.data)
    act.unchanged = not imported.players
    act.record(rows=imported.rows, players=imported.players)
    return imported


@act(
    "club from-report",
    OF_REPORT,
    says="clubs.{done}",
    page="/desk/reports/{report}",
    verb="import-memberships",
)
def take_clubs(
    act: ActContext, report: ReportNumber, clubs: CodesMeant | None = None, *, reason: Reason = ""
) -> ReportClubs:
    """Take the codes that an accepted report has instead of federations as clubs.

    Its players become members from the first day on, unless they are members of a club then.
    """
    connection = act.connection
    meant = {code.strip().upper(): known_code(club, "clubs") for code, club in (clubs or {}).items()}
    filed = report_on_file(connection, report)
    require_status(filed, ACCEPTED)
    data = reports.data(connection, report)
    read = read_filed(data, filed.file)
    day = read.header.first_day
    codes = club_codes(read, read_setting(connection, "federation"))
    if (wrong := sorted(meant.keys() - codes.values())) or day is None:
        raise BadInput(
            "club-not-in-report", option="clubs", code=wrong[0][:40] if wrong else "", report=report
        )
    units = rows.units_on(connection, day)
    for club in meant.values():
        open_club(units, club, day)
    players, targets = reports.entrants_of(connection, [report])[report], merge_targets(connection)
    already = rows.members_on(connection, day)
    members: dict[int, str] = {}
    unknown: set[str] = set()
    for place, code in codes.items():
        club, player = meant.get(code, code), targets.get(players[place], players[place])
        unit = units.get(club)
        if unit is None or unit.kind != UnitKind.CLUB or not unit.is_open(day):
            unknown.add(code)
        elif player not in already:
            members[player] = club
    registered = rows.club_changes_of(connection, members)
    facts = [
        (player, CLUB, value, since)
        for player, club in members.items()
        for since, value in club_changes(registered.get(player, {}).items(), [Membership(club, day, None)])
    ]
    add_facts(connection, facts, act.seq)
    act.unchanged = not facts
    named = sorted({*members.values()})
    act.record(sha256=sha256(data).hexdigest(), players=len(members), clubs=named)
    done = "from-report-unknown" if unknown else "from-report"
    return ReportClubs(report, members, tuple(sorted(unknown)), len(members), done)


def club_codes(report: Report, home: str) -> dict[int, str]:
    """Return the codes of entrants that are no federations', by the place of the entrant."""
    return {
        place: code.strip().upper()
        for place, code in enumerate(report.column("federation"))
        if code.strip() and not known_federation(code, home)
    }


# --------------------------------------------------------------------------------------------------- what is known


def club_of(unit: Unit, members: int | None = None) -> Club:
    """Return a club or region as an answer."""
    return Club(unit.code, unit.kind, unit.name, unit.region or None, unit.since, unit.until, members)


def shown_members(reading: Reading, day: date, codes: frozenset[str] | None = None) -> dict[int, str]:
    """Return the members whom the reader may see: player → club."""
    members = rows.members_on(reading.connection, day, codes)
    hidden = frozenset() if reading.caller.is_officer else hidden_players.hidden(reading.connection)
    return {player: club for player, club in members.items() if player not in hidden}


def members_with_ratings(reading: Reading, day: date, players: Mapping[int, str]) -> list[Member]:
    """Return members with their ratings in force, the highest on the first list first, then by name."""
    people = load_people(reading.connection, players, on=day)
    current = lists_in_force(reading.office, reading.connection)
    ratings = {
        name: published_ratings(reading.connection, publication.id, list(players))
        for name, publication in current.items()
    }
    members = [
        Member(
            number, person.name, person.title or person.women_title, birth_year(person.born), players[number],
            {str(name): of_list.get(number) for name, of_list in ratings.items()},
        )
        for number, person in people.items()
    ]  # fmt: skip
    first = next(map(str, ratings), "")
    return sorted(members, key=lambda it: (-(it.ratings.get(first) or 0), it.name.casefold(), it.id))


def _refuse_days(unit: Unit) -> None:
    """Refuse a last day before the first."""
    if unit.until is not None and unit.until < unit.since:
        raise BadInput("membership-days", option="until", since=unit.since, until=unit.until)
