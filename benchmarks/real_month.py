"""A month as a real office has it, for the benchmarks of the month: made_month.py with everything that offices keep.

FIDE's list of the month is a reference, the federation has a second scheme of numbers, clubs and memberships, and says
whose players it rates. Of the reports 5 % are no regular TRF (CSV, XLSX, lines that end and begin otherwise), and
2 % of the entrants have no number and a name that is not quite the one in the register.
"""

from __future__ import annotations

import random
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import made_month
import world

HOME = "ITA"
"""The federation of the office."""

IRREGULAR = 20
"""One report in so many is no regular TRF."""

DOUBTFUL = 50
"""One entrant in so many has to be decided."""

CLUBS = 200
SECOND, SECOND_NUMBERS = "own", 20
"""Players with a number of the second scheme; each is an act of its own."""

NAME, FIDE = slice(14, 47), slice(57, 68)
"""Where a line of an entrant has the name and the number of FIDE."""


def write_real_month(
    folder: Path, reports: int, seed: int, players: int, home_share: int = 0
) -> dict[str, Any]:
    """Write the reports, the register and FIDE's list of a month.

    ``home_share`` says how many players of a hundred are of the own federation; 0: as the world has them.
    """
    people = world.world(
        players, seed, {HOME: home_share, "SUI": 100 - home_share} if home_share else world.SHARES
    )
    facts, entrants = made_month.write_reports(folder / made_month.REPORTS, people, range(reports), seed)
    made_month.write_register(folder / made_month.REGISTER, people, entrants)
    with (folder / "fide.txt").open("wb") as stream:
        stream.write(world.HEADING.encode())
        world.write_lines(world.register_lines(people), stream)
    chance = random.Random(seed)
    doubtful = sum(_make_doubtful(path, chance) for path in sorted((folder / made_month.REPORTS).iterdir()))
    irregular = _make_irregular(folder / made_month.REPORTS)
    return {**facts, "doubtful": doubtful, "irregular": irregular}


def _make_doubtful(path: Path, chance: random.Random) -> int:
    """Take the number of some entrants away, and a letter of their names; return how many."""
    lines = path.read_bytes().decode().split("\r\n")
    count = 0
    for place, line in enumerate(lines):
        if line.startswith("001") and chance.randrange(DOUBTFUL) == 0 and line[FIDE].strip():
            name = line[NAME].rstrip()
            changed = (
                line[: NAME.start] + f"{name[:3]}{name[4:]}".ljust(NAME.stop - NAME.start) + line[NAME.stop :]
            )
            lines[place] = changed[: FIDE.start] + " " * (FIDE.stop - FIDE.start) + changed[FIDE.stop :]
            count += 1
    path.write_bytes("\r\n".join(lines).encode())
    return count


def _make_irregular(folder: Path) -> int:
    """Write some of the reports as CSV, as XLSX, and as a TRF with other ends of lines and a remark."""
    from arpad.reports.formats import read_report, write_report

    some = sorted(folder.iterdir())[::IRREGULAR]
    for number, path in enumerate(some):
        data = path.read_bytes()
        if number % 3 == 2 or b"\r\n013 " in data:  # teams are for TRF alone
            path.write_bytes(b"### sent by mail\n" + data.replace(b"\r\n", b"\n"))
            continue
        form, ending = (("crosstable", "csv"), ("crosstable-xlsx", "xlsx"))[number % 3]
        sheet, _ = write_report(read_report(data, path.name), form)
        path.with_suffix(f".{ending}").write_bytes(sheet)
        path.unlink()
    return len(some)


def begin_real(database: str, folder: Path, owned: str = "all") -> int:
    """Make the office; return the rows of the list with which it begins."""
    from arpad.model.declared import Upload
    from arpad.model.rules import ListName
    from arpad.office.clubs.acts import import_clubs, import_memberships
    from arpad.office.fide.reference import add_reference
    from arpad.office.imports.acts import import_list
    from arpad.office.office import init
    from arpad.office.register.acts import add_identifier
    from arpad.office.settings.acts import change_settings
    from arpad.office.who_is_who.acts import declare_scheme

    now = made_month.moment(made_month.NEXT_LIST)
    with closing(init(database, federation=HOME, author="bench", numbers=("fide",), now=now)) as desk:
        imported = import_list(desk, folder / made_month.REGISTER, ListName.STANDARD, world.LIST_DAY)
        add_reference(desk, folder / "fide.txt", world.LIST_DAY)
        change_settings(desk, set_={"owned_standard": owned})
        declare_scheme(desk, SECOND, name="Federation", pattern="9{1-7}")
        for player in range(1, min(SECOND_NUMBERS, imported.rows) + 1):
            add_identifier(desk, player, SECOND, str(1000 + player))
        clubs, members = _club_files(folder / made_month.REGISTER)
        import_clubs(desk, Upload("clubs.csv", clubs), since=world.LIST_DAY)
        import_memberships(desk, Upload("members.csv", members))
    return imported.rows


def decide_waiting(database: str) -> int:
    """Decide who the doubtful entrants of the reports in the inbox are, as an officer does; return how many."""
    from arpad.office.inbox.accept import waiting_reports
    from arpad.office.inbox.entrant_decisions import decide_entrants

    with closing(made_month.open_desk(database)) as desk:
        doubts = waiting_reports(desk, 1).doubts
        for report, matches in doubts.items():
            players = {match.entrant.number: _most_alike(match.candidates) for match in matches}
            decide_entrants(desk, report, players)
    return sum(map(len, doubts.values()))


def _most_alike(candidates: Any) -> int:
    """Return the only candidate of the same birth, or 0 for a new player."""
    agreeing = [item.player for item in candidates if "same-birth-year" in item.reasons]
    return agreeing[0] if len(agreeing) == 1 else 0


def _club_files(register: Path) -> tuple[bytes, bytes]:
    """Return the clubs of the federation, and every player of it as a member of one."""
    clubs = ["code,name", *(f"C{number},Club {number}" for number in range(CLUBS))]
    members = ["fide,club,from"]
    for line in register.read_text(encoding="utf-8").splitlines()[1:]:
        if line[76:80].strip() == HOME:
            number = line[:15].strip()
            members.append(f"{number},C{int(number) % CLUBS},{world.LIST_DAY}")
    return ("\n".join(clubs) + "\n").encode(), ("\n".join(members) + "\n").encode()


def copy_begun(folder: Path) -> None:
    """Put the office as it began in place of the one that was measured."""
    for left in folder.glob("office.db*"):
        left.unlink()
    shutil.copyfile(folder / "begun.db", folder / "office.db")
