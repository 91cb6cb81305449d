"""What the pages ask of the store. Published lists never change, so what is cut from one is kept once it was made."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import Any

from sqlalchemy import Connection, and_, func, select

from arpad import accounts
from arpad.model import ListName
from arpad.office.desk import Office, today
from arpad.office.in_force import list_in_force
from arpad.store import lists
from arpad.store import reports as report_rows
from arpad.store.lists import BASE, Publication
from arpad.store.reports import Filed
from arpad.store.schema import ledger, rated_reports, reports, standings
from arpad.store.values import load

PAGE = 100
SENIOR_YEARS = 50
CUTS = ("top", "all", "women", "juniors", "seniors")
_KEPT = 12
"""Lists whose cuts are kept at a time."""


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a published list, as a page shows him."""

    rank: int
    player: int
    name: str
    federation: str
    sex: str
    title: str
    category: str
    rating: int | None
    games: int
    k: int | None
    born: int | None
    inactive: bool
    hidden: bool = False


def row_of(line: str, rank: int = 0) -> Row:
    """A row from its canonical line."""
    texts = line.split("\t")
    if "\\" in line:
        texts = [_restored(text) for text in texts]
    number, name, federation, sex, title, women, _, category, rating, games, k, born, flags, _ = texts
    return Row(
        rank, int(number), name, federation, sex, title or women, category, int(rating) if rating else None,
        int(games), int(k) if k else None, int(born) if born else None, "i" in flags,
    )  # fmt: skip


def _restored(text: str) -> str:
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("\\r", "\r").replace("\\\\", "\\")


# ------------------------------------------------------------------------------------------------ lists in force


def shown_publications(connection: Connection, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Every list that anybody may see."""
    return tuple(p for p in lists.all_publications(connection, on_list) if p.kind != BASE)


def in_force(office: Office, connection: Connection, day: date | None = None) -> dict[ListName, Publication]:
    """The list in force of each name."""
    day = day or today(office, connection)
    found: dict[ListName, list[Publication]] = {}
    for publication in shown_publications(connection):
        found.setdefault(publication.list, []).append(publication)
    current = {name: list_in_force(found[name], day) for name in ListName if name in found}
    return {name: publication for name, publication in current.items() if publication is not None}


def one_publication(connection: Connection, name: str) -> Publication | None:
    """The list of a name such as ``standard-2024-03-01-r1``."""
    list_name = name.partition("-")[0]
    if list_name not in tuple(ListName):
        return None
    found = shown_publications(connection, ListName(list_name))
    return next((publication for publication in found if publication.name == name), None)


def list_sizes(publications: Iterable[Publication]) -> dict[int, int]:
    """How many players each list shows: its head says it."""
    return {p.id: _announced(p) for p in publications}


def _announced(publication: Publication) -> int:
    line = next((line for line in publication.head.split("\n") if line.startswith("rows\t")), "rows\t0")
    return int(line.partition("\t")[2])


# ------------------------------------------------------------------------------------------------ cuts of a list


@dataclass(frozen=True, slots=True)
class Cut:
    """A ranking: players and, beside them, their ratings turned negative, so that they rise."""

    players: array[int]
    falling: array[int]

    def rank(self, place: int) -> int:
        """The rank of a place; equal ratings share one."""
        return bisect_left(self.falling, self.falling[place]) + 1


class _Cuts:
    """Rankings of the lists asked for last; made in one pass over a list, safe between threads."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, int], dict[str, Cut]] = OrderedDict()
        self._lock = Lock()

    def of(self, office: Office, connection: Connection, publication: Publication) -> dict[str, Cut]:
        """Every cut of a list."""
        key = (office.store.place, publication.id)
        with self._lock:
            if key not in self._made:
                self._made[key] = _cut(connection, publication)
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
            return self._made[key]


_CUTS = _Cuts()


def _cut(connection: Connection, publication: Publication) -> dict[str, Cut]:
    found: dict[str, list[tuple[int, str, int]]] = {name: [] for name in CUTS}
    year = publication.day.year
    query = select(standings.c.line).where(
        standings.c.publication == publication.id,
        standings.c.line.is_not(None),
        standings.c.rating.is_not(None),
    )
    for (line,) in connection.execution_options(yield_per=10_000).execute(query):
        row = row_of(str(line))
        entry = (-(row.rating or 0), row.name.casefold(), row.player)
        found["all"].append(entry)
        found.setdefault(f"federation-{row.federation}", []).append(entry)
        if row.inactive:
            continue
        found["top"].append(entry)
        if row.sex == "F":
            found["women"].append(entry)
        if row.born is not None and row.born >= year - 20:
            found["juniors"].append(entry)
        if row.born is not None and row.born <= year - SENIOR_YEARS:
            found["seniors"].append(entry)
    cuts = {}
    for name, entries in found.items():
        entries.sort()
        cuts[name] = Cut(
            array("q", [entry[2] for entry in entries]), array("q", [entry[0] for entry in entries])
        )
    return cuts


@dataclass(frozen=True, slots=True)
class Ranking:
    """One page of a cut."""

    rows: tuple[Row, ...]
    total: int
    page: int
    pages: int


def ranking(
    office: Office, connection: Connection, publication: Publication, cut: str, page: int, size: int = PAGE
) -> Ranking | None:
    """A page of a cut; None where there is no such cut."""
    found = _CUTS.of(office, connection, publication).get(cut)
    if found is None:
        return None
    total = min(len(found.players), PAGE) if cut == "top" else len(found.players)
    if cut == "top" and total == PAGE:
        while total < len(found.players) and found.falling[total] == found.falling[PAGE - 1]:
            total += 1
    pages = max(1, -(-total // size))
    page = min(max(1, page), pages)
    first = (page - 1) * size
    places = range(first, min(first + size, total))
    lines = lines_of(connection, publication.id, [found.players[place] for place in places])
    away = accounts.hidden(connection)
    rows = tuple(_veiled(row_of(lines[found.players[place]], found.rank(place)), away) for place in places)
    return Ranking(rows, total, page, pages)


def _veiled(row: Row, away: frozenset[int]) -> Row:
    """A player who asked not to be shown keeps his place and loses everything that tells who he is."""
    if row.player not in away:
        return row
    return Row(
        row.rank,
        0,
        "",
        row.federation,
        "",
        "",
        row.category,
        row.rating,
        0,
        None,
        None,
        row.inactive,
        hidden=True,
    )


def lines_of(connection: Connection, publication: int, players: Sequence[int]) -> dict[int, str]:
    """The published lines of some players."""
    query = select(standings.c.player, standings.c.line).where(
        standings.c.publication == publication, standings.c.player.in_(players)
    )
    return {
        player: str(line) for player, line in connection.execute(query.where(standings.c.line.is_not(None)))
    }


def federations(office: Office, connection: Connection, publication: Publication) -> list[tuple[str, int]]:
    """Every federation on a list with the number of its players."""
    cuts = _CUTS.of(office, connection, publication)
    return sorted(
        (name.removeprefix("federation-"), len(cut.players))
        for name, cut in cuts.items()
        if name.startswith("federation-") and name != "federation-"
    )


# --------------------------------------------------------------------------------------------- what has changed


@dataclass(frozen=True, slots=True)
class Moved:
    """A player on two lists."""

    row: Row
    before: int | None
    after: int | None

    @property
    def change(self) -> int:
        """Points gained, or lost."""
        return (self.after or 0) - (self.before or 0)


def previous(connection: Connection, publication: Publication) -> Publication | None:
    """The list that was in force before it, in its newest revision."""
    earlier = [p for p in shown_publications(connection, publication.list) if p.day < publication.day]
    return max(earlier, key=lambda p: (p.day, p.revision), default=None)


def moved(
    connection: Connection,
    old: Publication,
    new: Publication,
    *,
    entered: bool = False,
    most: int | None = None,
) -> list[Moved]:
    """Players whose rating differs between two lists, the largest change first; perhaps also who came or went."""
    one, two = standings.alias(), standings.alias()
    query = select(two.c.player, one.c.rating, two.c.rating, two.c.line).join_from(
        two, one, and_(one.c.player == two.c.player, one.c.publication == old.id), isouter=entered
    )
    query = query.where(two.c.publication == new.id, two.c.line.is_not(None))
    query = query.where(one.c.rating.is_distinct_from(two.c.rating))
    if not entered:
        query = query.where(one.c.rating.is_not(None), two.c.rating.is_not(None))
        query = query.order_by(func.abs(two.c.rating - one.c.rating).desc(), two.c.player)
    away = accounts.hidden(connection)
    if most is not None:
        query = query.limit(most)
    found = connection.execute(query).all()
    return [
        Moved(row_of(str(line)), before, after) for player, before, after, line in found if player not in away
    ]


# --------------------------------------------------------------------------------------------------- one player


@dataclass(frozen=True, slots=True)
class Point:
    """A player on one list in force."""

    publication: Publication
    rating: int | None
    games: int
    k: int | None
    inactive: bool
    story: dict[str, Any] | None


def history(connection: Connection, player: int, *, stories: bool = True) -> dict[ListName, list[Point]]:
    """A player's lists by name and day, each in its newest revision, with how every change came about."""
    publications = {p.id: p for p in shown_publications(connection)}
    query = select(standings.c.publication, standings.c.rating, standings.c.line).where(
        standings.c.player == player
    )
    newest: dict[tuple[ListName, date], tuple[Publication, int | None, str | None]] = {}
    for number, rating, line in connection.execute(query):
        publication = publications.get(number)
        if publication is None:
            continue
        key = (publication.list, publication.day)
        if key not in newest or newest[key][0].revision < publication.revision:
            newest[key] = (publication, rating, line)
    found: dict[ListName, list[Point]] = {}
    for (name, _), (publication, rating, line) in sorted(newest.items(), key=lambda item: item[0]):
        row = row_of(line) if line else None
        told = lists.story(connection, publication.id, player) if stories else None
        found.setdefault(name, []).append(
            Point(
                publication, rating, row.games if row else 0, row.k if row else None,
                bool(row and row.inactive), load(told) if told else None,
            )
        )  # fmt: skip
    return {name: found[name] for name in ListName if name in found}


def since(points: Sequence[Point]) -> date | None:
    """The list from which on the present rating stands."""
    begun: date | None = None
    for point in reversed(points):
        if point.rating != points[-1].rating:
            break
        begun = point.publication.day
    return begun


# --------------------------------------------------------------------------------------------------- tournaments


def tournaments(connection: Connection, page: int, size: int = 50) -> tuple[list[Filed], int]:
    """Accepted reports, the latest first; and how many pages there are."""
    found = sorted(
        (filed for filed in report_rows.filed(connection).values() if filed.status == report_rows.ACCEPTED),
        key=lambda filed: (filed.last_day or date.min, filed.id),
        reverse=True,
    )
    pages = max(1, -(-len(found) // size))
    page = min(max(1, page), pages)
    return found[(page - 1) * size : page * size], pages


def rated_with(connection: Connection, report: int) -> list[Publication]:
    """The lists that rate a report."""
    query = select(rated_reports.c.publication).where(rated_reports.c.report == report)
    numbers = set(connection.execute(query).scalars())
    return [p for p in shown_publications(connection) if p.id in numbers]


def stories(connection: Connection, publication: int, players: Iterable[int]) -> dict[int, dict[str, Any]]:
    """How the changes of some players came about on a list."""
    found = {player: lists.story(connection, publication, player) for player in players}
    return {player: load(story) for player, story in found.items() if story}


def sent_by(connection: Connection, author: str | None) -> list[tuple[Filed, str]]:
    """Reports on file with whoever sent them, the latest first; perhaps only one person's."""
    query = select(reports.c.id, ledger.c.author).join_from(reports, ledger, ledger.c.seq == reports.c.act)
    if author is not None:
        query = query.where(ledger.c.author == author)
    authors = {row.id: str(row.author) for row in connection.execute(query)}
    found = report_rows.filed(connection, authors)
    return [(found[number], authors[number]) for number in sorted(found, reverse=True)]
