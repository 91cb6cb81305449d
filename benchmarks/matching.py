"""Who is who: real entrants without their numbers against FIDE's list of January 2004, and the time of 1,000 entrants.

    python benchmarks/matching.py [--players 60000] [--entrants 1000] [--quick]

An office is made of the complete list (50,458 players). Each entrant of the real files whose number is on it, and whose
name is that of the list or nearly so, is checked without the number: the list says who it is. The last line is JSON:
``not_first`` and ``not_in_five`` are how many in a hundred are not the first candidate, or not among the first five;
``wrong_certain`` how many were taken for somebody else without asking; ``matching_s`` the seconds of checking a report
of 1,000 entrants without numbers, ``cpu_s`` those of the processor alone. Without the shared data it measures nothing.
"""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from sizes import read_arguments
from sqlalchemy import Connection

from arpad.model.errors import ArpadError
from arpad.model.people import Birth
from arpad.model.rules import ListName
from arpad.office.imports.acts import import_list
from arpad.office.inbox.check_report import check
from arpad.office.office import Office, init
from arpad.office.register.rows import by_identifier
from arpad.publishing.fide_list import write_list
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.name_scores import name_score, name_words
from arpad.reports.report import Entrant, Header, Report
from arpad.reports.stages import read_filed

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
DAY = date(2010, 9, 1)
"""The list is taken over as one of a month for which there is an edition."""

TITLES = {"g": "GM", "m": "IM", "f": "FM", "wg": "WGM", "wm": "WIM", "wf": "WFM"}
FIGURES = ("matching_s", "not_first", "not_in_five", "wrong_certain")
SAME = 55
"""A name less alike than this is of somebody else who has the number by mistake: Spassky with the number of Dreev."""


def listed_players() -> list[ListRow]:
    """Return the players of January 2004; the file has no header and births of two digits."""
    rows = []
    with gzip.open(DATA / "lists/fide-txt/jan04frl.txt.gz", "rt", encoding="latin-1") as lines:
        for line in lines:
            number, rating = line[:9].strip(), line[51:58].strip()
            if not number.isdecimal():
                continue
            title = TITLES.get(line[42:47].strip(), "")
            women = title.startswith("W")
            rows.append(
                ListRow(
                    int(number), line[10:42].strip(), line[48:51].strip(), "", title="" if women else title,
                    women_title=title if women else "", rating=int(rating) if rating.isdecimal() else None,
                    games=0, k=20, born=_year(line[63:75].strip()),
                )
            )  # fmt: skip
    return rows


def _year(text: str) -> Birth:
    digits = text[-2:]
    if not digits.isdecimal():
        return None
    return (1900 if int(digits) > 4 else 2000) + int(digits)


def made_office(folder: Path, rows: list[ListRow]) -> Office:
    office = init(
        str(folder / "office.db"), federation="IRL", now=lambda: datetime(2010, 9, 2, tzinfo=UTC), author="x"
    )
    path = folder / "list.txt"
    with path.open("wb") as stream:
        write_list(rows, stream, "single", DAY)
    import_list(office, path, ListName.STANDARD, DAY)
    return office


def real_entrants(rows: list[ListRow]) -> Iterator[Entrant]:
    """Yield each entrant of the real files once whose number and name are those of the list."""
    names = {str(row.id): row.name for row in rows}
    seen = set()
    for path in sorted((DATA / "trf").rglob("*")):
        if not path.is_file():
            continue
        try:
            report = read_filed(path.read_bytes(), path.name)
        except ArpadError:
            continue
        for entrant in report.entrants:
            name = names.get(entrant.id)
            if name is None or (entrant.id, entrant.name) in seen:
                continue
            seen.add((entrant.id, entrant.name))
            if name_score(name_words(name), name_words(entrant.name)) >= SAME:
                yield entrant


def thinned(rows: list[ListRow], truth: list[Entrant], players: int) -> list[ListRow]:
    """Return about so many players of the list, and all who are looked for."""
    numbers, step = {entrant.id for entrant in truth}, max(1, len(rows) // players)
    return [row for index, row in enumerate(rows) if index % step == 0 or str(row.id) in numbers]


def quality(connection: Connection, truth: list[Entrant], *, births: bool) -> dict[str, float]:
    """Return how often the right player is first, among the first five, and missed by a wrong certainty."""
    numbers = by_identifier(connection, "fide", [entrant.id for entrant in truth])
    first = five = wrong = 0
    entrants = [
        replace(entrant, number=place, id="", born=entrant.born if births else None)
        for place, entrant in enumerate(truth, start=1)
    ]
    checked = check(connection, _report(entrants), EventFacts(list=ListName.STANDARD))
    for entrant, match in zip(truth, checked.matches, strict=True):
        right = numbers[entrant.id]
        candidates = [item.player for item in match.candidates]
        first += candidates[:1] == [right]
        five += right in candidates[:5]
        wrong += match.player is not None and match.player != right and not match.undecided
    return {
        "entrants": len(truth),
        "not_first": round(100 * (1 - first / len(truth)), 2),
        "not_in_five": round(100 * (1 - five / len(truth)), 2),
        "wrong_certain": wrong,
    }


def _report(entrants: list[Entrant]) -> Report:
    header = Header(name="Made", federation="IRL", first_day=date(2010, 10, 1), last_day=date(2010, 10, 1))
    return Report(header, tuple(entrants), ())


def later_players(count: int) -> list[Entrant]:
    """Return players of FIDE's blitz list of September 2014, far apart: known and unknown ones, other spellings."""
    entrants = []
    with gzip.open(DATA / "lists/fide-txt/blitz_sep14frl.txt.gz", "rt", encoding="latin-1") as lines:
        for line in lines:
            year = line[122:126].strip()
            if line[:15].strip().isdecimal():
                born = int(year) if year.isdecimal() and int(year) else None
                entrants.append(
                    Entrant(0, line[15:76].strip(), None, federation=line[76:80].strip(), born=born)
                )
    chosen = entrants[:: len(entrants) // count][:count]
    return [replace(entrant, number=place) for place, entrant in enumerate(chosen, start=1)]


def main() -> None:
    given = read_arguments("Measure who is who.", players=(60_000, 60_000, 500), entrants=(1000, 1000, 20))
    if not (DATA / "lists").is_dir():
        print("the shared data are not here: nothing is measured")
        print(json.dumps(dict.fromkeys(FIGURES)))
        return
    rows = listed_players()
    truth = list(real_entrants(rows))
    rows = thinned(rows, truth, given.players)
    with tempfile.TemporaryDirectory() as folder, closing(made_office(Path(folder), rows)) as office:
        with office.store.reading() as connection:
            figures = quality(connection, truth, births=True)
            without = quality(connection, truth, births=False)
        report = _report(later_players(given.entrants))
        with office.store.reading() as connection:
            begun, cpu = time.perf_counter(), time.process_time()
            checked = check(connection, report, EventFacts(list=ListName.STANDARD))
            figures |= {
                "matching_s": round(time.perf_counter() - begun, 2),
                "cpu_s": round(time.process_time() - cpu, 2),
            }
    doubtful = sum(match.undecided for match in checked.matches)
    print(f"{len(rows)} players; {figures['entrants']:.0f} real entrants without numbers: {figures}")
    print(f"the same without births: {without}")
    print(f"{len(report.entrants)} entrants of 2014: {doubtful} doubtful, {figures['matching_s']} s")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
