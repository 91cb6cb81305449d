"""Read clubs and regions, and the memberships of players, as plain CSV with named columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from arpad.model.clubs import UnitKind
from arpad.model.people import Birth
from arpad.reports.formats.lists.list_csv import Cell, named_cells
from arpad.reports.formats.written_values import read_birth, whole_day

UNIT_COLUMNS = {
    "code": "code", "codice": "code", "name": "name", "nome": "name", "denominazione": "name",
    "kind": "kind", "tipo": "kind", "region": "region", "regione": "region", "parent": "region",
    "from": "since", "since": "since", "dal": "since", "until": "until", "to": "until", "al": "until",
}  # fmt: skip
"""Heading of a file of clubs → field."""

MEMBER_COLUMNS = {
    "player": "player", "id": "player", "giocatore": "player", "name": "name", "nome": "name",
    "born": "born", "birth": "born", "nato": "born", "nascita": "born",
    "club": "club", "circolo": "club", "societa": "club", "società": "club",
    "from": "since", "since": "since", "dal": "since", "until": "until", "to": "until", "al": "until",
}  # fmt: skip
"""Heading of a file of memberships → field; every other heading may be a number of another body."""

_KINDS = {
    "": UnitKind.CLUB, "club": UnitKind.CLUB, "circolo": UnitKind.CLUB, "società": UnitKind.CLUB,
    "societa": UnitKind.CLUB, "region": UnitKind.REGION, "regione": UnitKind.REGION,
}  # fmt: skip
_LONGEST = 200
_LONGEST_CODE = 20


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A club or region in a file; None if a cell is empty or missing."""

    kind: UnitKind
    code: Cell
    name: str | None
    region: Cell
    """The code of the region, upper case; an empty text if there is none."""

    has_region: bool
    """Whether the file has a column of regions."""

    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class MembershipRow:
    """A player's time in a club in a file; the player is named by numbers, or by name and birth."""

    line: int
    player: Cell | None
    """The register's number."""

    numbers: Mapping[str, Cell]
    """Numbers of other bodies by scheme."""

    name: Cell | None
    born: Birth
    club: Cell
    since: date
    until: date | None


def read_units(data: bytes) -> Iterator[UnitRow]:
    """Yield the clubs and regions of a file; an unreadable cell raises with line and column."""
    for cells in map(dict, named_cells(data, UNIT_COLUMNS, ("code",))):
        code = cells["code"]
        code = code._replace(text=code.read(unit_code))
        region = cells.get("region", Cell("", code.line, 1))
        region = region._replace(text=region.read(unit_code) if region.text else "")
        name = cells["name"].read(_name) if _given(cells, "name") else None
        kind = cells["kind"].read(lambda text: _KINDS[text.lower()]) if "kind" in cells else UnitKind.CLUB
        yield UnitRow(kind, code, name, region, "region" in cells, _day(cells, "since"), _day(cells, "until"))


def read_memberships(data: bytes, schemes: Collection[str]) -> Iterator[MembershipRow]:
    """Yield the memberships of a file; a column named after one of the schemes has numbers of that body."""
    columns = {**MEMBER_COLUMNS, **{scheme: scheme for scheme in schemes}}
    columns |= {f"{scheme}_id": scheme for scheme in schemes} | {f"id_{scheme}": scheme for scheme in schemes}
    for cells in map(dict, named_cells(data, columns, ("club", "since"))):
        club = cells["club"]
        since = _day(cells, "since")
        if since is None:
            raise cells["since"].refused("list-row-unreadable", text="")
        numbers = {scheme: cells[scheme] for scheme in schemes if _given(cells, scheme)}
        player, name = (cells[field] if _given(cells, field) else None for field in ("player", "name"))
        if not (player or numbers or name):
            raise club.refused("membership-nobody")
        born = cells["born"].read(read_birth)[0] if _given(cells, "born") else None
        code = club._replace(text=club.read(unit_code))
        yield MembershipRow(club.line, player, numbers, name, born, code, since, _day(cells, "until"))


def unit_code(text: str) -> str:
    """Return the code of a club or region in upper case; it has letters, digits, ``.``, ``-`` and ``_``."""
    code = text.strip().upper()
    plain = code.replace(".", "").replace("-", "").replace("_", "")
    if not (plain.isascii() and plain.isalnum()) or len(code) > _LONGEST_CODE:
        raise ValueError(text)
    return code


def _name(text: str) -> str:
    if not text.isprintable() or len(text) > _LONGEST:
        raise ValueError(text)
    return text


def _given(cells: Mapping[str, Cell], field: str) -> bool:
    return field in cells and bool(cells[field].text)


def _day(cells: Mapping[str, Cell], field: str) -> date | None:
    return cells[field].read(whole_day) if _given(cells, field) else None
