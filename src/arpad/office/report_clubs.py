"""Take the codes that a report has instead of federations as the clubs of its players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from arpad.model.clubs import Membership, UnitKind, club_changes
from arpad.model.errors import BadInput
from arpad.model.federations import known_federation
from arpad.office.clubs.acts import known_code, open_club
from arpad.office.office import Office, record_act
from arpad.office.report_status import report_on_file, require_status
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store import clubs as rows
from arpad.store import reports
from arpad.store.merges import merge_targets
from arpad.store.register import CLUB, add_facts
from arpad.store.settings import read_setting


@dataclass(frozen=True, slots=True)
class ReportClubs:
    """The players who became members of clubs, and the codes of which the register has no club."""

    members: Mapping[int, str]
    unknown: tuple[str, ...]


def club_codes(report: Report, home: str) -> dict[int, str]:
    """Return the codes of entrants that are no federations', by the place of the entrant."""
    return {
        place: code.strip().upper()
        for place, code in enumerate(report.column("federation"))
        if code.strip() and not known_federation(code, home)
    }


def take_clubs(
    office: Office, report: int, clubs: Mapping[str, str] | None = None, *, reason: str = ""
) -> ReportClubs:
    """Make the players of an accepted report members of the clubs whose codes it has in the column of federations.

    They are members from the first day on, unless they are members of a club then. ``clubs`` says which club a code
    means, if the register has it under another one.
    """
    meant = {code.strip().upper(): known_code(club) for code, club in (clubs or {}).items()}
    with record_act(office, "import-memberships", reason) as act:
        connection = act.connection
        filed = report_on_file(connection, report)
        require_status(filed, reports.ACCEPTED)
        data = reports.data(connection, report)
        read = read_filed(data, filed.file)
        day = read.header.first_day
        codes = club_codes(read, read_setting(connection, "federation"))
        if (wrong := sorted(meant.keys() - codes.values())) or day is None:
            raise BadInput(
                "club-not-in-report", option="club", code=wrong[0][:40] if wrong else "", report=report
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
            for since, value in club_changes(
                registered.get(player, {}).items(), [Membership(club, day, None)]
            )
        ]
        add_facts(connection, facts, act.seq)
        if facts:
            digest = sha256(data).hexdigest()
            act.record(report=report, sha256=digest, players=len(members), clubs=sorted({*members.values()}))
    return ReportClubs(members, tuple(sorted(unknown)))
