"""Clubs and regions as values, the regions that contain each of them, and a player's clubs from day to day."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from arpad.model.errors import BadInput

LONGEST_CODE = 20


class UnitKind(StrEnum):
    """A unit is a club, which has players, or a region, which has clubs and other regions."""

    CLUB = "club"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Unit:
    """A club or a region, as it is on some day; no two of them share a code."""

    kind: UnitKind
    code: str
    name: str
    since: date
    """The first day."""

    region: str = ""
    """The code of the region it belongs to."""

    until: date | None = None
    """The last day; None if no end is known."""

    def is_open(self, day: date) -> bool:
        """Return whether it exists on a day."""
        return self.since <= day and (self.until is None or day <= self.until)


def unit_code(text: str) -> str:
    """Return the code of a club or region in upper case; it has letters, digits, ``.``, ``-`` and ``_``."""
    code = text.strip().upper()
    plain = code.replace(".", "").replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum()) or len(code) > LONGEST_CODE:
        raise ValueError(text)
    return code


def regions_above(units: Mapping[str, Unit], code: str) -> tuple[str, ...]:
    """Return the regions that contain a unit, the nearest first; a circle ends where it begins again."""
    above: list[str] = []
    region = units[code].region
    while region and region in units and region not in above:
        above.append(region)
        region = units[region].region
    return tuple(above)


def clubs_in(units: Mapping[str, Unit], region: str) -> frozenset[str]:
    """Return the clubs of a region and of the regions in it."""
    return frozenset(
        code
        for code, unit in units.items()
        if unit.kind == UnitKind.CLUB and region in regions_above(units, code)
    )


def refuse_circles(units: Mapping[str, Unit], codes: Iterable[str]) -> None:
    """Refuse units that belong to themselves, to a club or to a region that does not exist."""
    for code in codes:
        path = [code]
        while region := units[path[-1]].region:
            if region == path[-1]:
                raise BadInput("unit-own-parent", code=region)
            if region not in units:
                raise BadInput("no-region", code=path[-1], region=region)
            if units[region].kind != UnitKind.REGION:
                raise BadInput("region-is-club", code=path[-1], region=region)
            if region in path:
                raise BadInput("region-circle", code=code, path=" → ".join((*path, region)))
            path.append(region)


# ------------------------------------------------------------------------------------------------------ membership


class Membership(NamedTuple):
    """A player's time in a club."""

    club: str
    since: date
    until: date | None = None
    """The last day; None if it lasts."""


def club_changes(
    registered: Collection[tuple[date, str]], memberships: Sequence[Membership]
) -> list[tuple[date, str]]:
    """Return the days and clubs to enter so that a player has these memberships; an empty club is none.

    ``registered`` are the changes that the register has, with one club for each day. A membership without an end lasts
    until the next change. Memberships that overlap are refused, with each other and with a registered one.
    """
    timeline = dict(registered)
    ordered = sorted(memberships, key=lambda membership: membership.since)
    for membership, after in zip(ordered, (*ordered[1:], None), strict=True):
        if membership.until is not None and membership.until < membership.since:
            raise BadInput("membership-days", since=membership.since, until=membership.until)
        if after is not None and (
            after.since == membership.since
            or (membership.until is not None and after.since <= membership.until)
        ):
            raise BadInput("memberships-overlap", club=membership.club, other=after.club, since=after.since)
        _enter(timeline, membership)
    before = dict(registered)
    return [(day, club) for day, club in sorted(timeline.items()) if before.get(day) != club]


def _enter(timeline: dict[date, str], membership: Membership) -> None:
    """Put a membership into the clubs of a player by day."""
    club, since, until = membership
    inside = sorted(day for day in timeline if since < day and (until is None or day <= until))
    if until is not None:
        for day in inside:
            if timeline[day] not in ("", club):
                raise BadInput("memberships-overlap", club=club, other=timeline[day], since=day)
            timeline[day] = club
        after = until + timedelta(days=1)
        timeline.setdefault(after, "")
    if club_on(timeline.items(), since) != club:
        timeline[since] = club


def club_on(changes: Iterable[tuple[date, str]], day: date) -> str:
    """Return the club of a player on a day, from the changes; an empty text if there is none."""
    past = [change for change in changes if change[0] <= day]
    return max(past)[1] if past else ""
