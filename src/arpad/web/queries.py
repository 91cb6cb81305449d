"""What the pages ask of the store: a few rows each, however large the office is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, and_, case, func, select

from arpad import accounts
from arpad.lists.canonical import listed_player
from arpad.lists.rankings import PAGE
from arpad.model.json_values import load
from arpad.model.rules import ListName
from arpad.office.explanations import eventful_lists, stories_in, story_in, with_decisions
from arpad.office.lists_in_force import list_in_force
from arpad.office.office import Office, local_day, today
from arpad.store import ledger as ledger_rows
from arpad.store import lists, rankings
from arpad.store import reports as report_rows
from arpad.store.hidden_players import hidden_version
from arpad.store.lists import BASE, Publication
from arpad.store.reports import Filed
from arpad.store.schema import rated_reports, standings

TOLD = 3
"""Changes of a player that are told on one page."""


@dataclass(frozen=True, slots=True)
class ListRow:
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


def row_of(line: str, rank: int = 0) -> ListRow:
    """A row from its canonical line."""
    found = listed_player(line)
    return ListRow(
        rank, found.player, found.name, found.federation, found.sex, found.title or found.women_title,
        found.category, found.rating, found.games, found.k, found.born, found.inactive,
    )  # fmt: skip


# --------------------------------------------------------------------------------------- the office at one moment


@dataclass(frozen=True, slots=True)
class Moment:
    """What nearly every page asks, between one act of the office and the next."""

    head: str
    """The seal of the last act: every act that changes what is shown adds one to the ledger."""

    publications: tuple[Publication, ...]
    tournaments: int
    """Accepted reports."""

    taken_back: tuple[Publication, ...]
    hidden_version: str
    """A text that changes whenever somebody else is hidden; for tags, which may not hold who it is."""


_MOMENTS: WeakKeyDictionary[Engine, Moment] = WeakKeyDictionary()
_SEEN: WeakKeyDictionary[Connection, Moment] = WeakKeyDictionary()


def moment(connection: Connection) -> Moment:
    """The office as this transaction sees it; read anew only when something was done, by whichever worker."""
    if connection.get_execution_options().get("arpad_writing"):
        return _moment(connection)
    seen = _SEEN.get(connection)
    if seen is None:
        seen = _MOMENTS.get(connection.engine)
        if seen is None or seen.head != ledger_rows.head(connection):
            seen = _moment(connection)
            _MOMENTS[connection.engine] = seen
        _SEEN[connection] = seen
    return seen


def _moment(connection: Connection) -> Moment:
    shown = tuple(p for p in lists.all_publications(connection) if p.kind != BASE)
    gone = (p for p in lists.ever_published(connection) if p.kind != BASE and p.taken_back is not None)
    accepted = report_rows.count(connection, report_rows.ACCEPTED)
    return Moment(ledger_rows.head(connection), shown, accepted, tuple(gone), hidden_version(connection))


# ------------------------------------------------------------------------------------------------ lists in force


def shown_publications(connection: Connection, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Every list that anybody may see."""
    found = moment(connection).publications
    return found if on_list is None else tuple(p for p in found if p.list == on_list)


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


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A list that was taken back: on which day, and why."""

    publication: Publication
    on: date
    reason: str


def lists_taken_back(connection: Connection, name: str = "") -> list[TakenBack]:
    """Return the lists that were taken back, the latest act first; or the one of a name."""
    gone = [p for p in moment(connection).taken_back if name in ("", p.name)]
    acts = ledger_rows.some_acts(connection, [p.taken_back for p in gone if p.taken_back is not None])
    found = []
    for publication in gone:
        act = acts[publication.taken_back or 0]
        on = local_day(connection, datetime.fromisoformat(act.at))
        found.append(TakenBack(publication, on, act.reason))
    return sorted(found, key=lambda one: (-(one.publication.taken_back or 0), one.publication.id))


def list_sizes(publications: Iterable[Publication]) -> dict[int, int]:
    """How many players each list shows: its head says it."""
    return {p.id: _announced(p) for p in publications}


def _announced(publication: Publication) -> int:
    line = next((line for line in publication.head.split("\n") if line.startswith("rows\t")), "rows\t0")
    return int(line.partition("\t")[2])


# ------------------------------------------------------------------------------------------------ cuts of a list


@dataclass(frozen=True, slots=True)
class Ranking:
    """One page of a cut."""

    rows: tuple[ListRow, ...]
    total: int
    page: int
    pages: int


def ranking(
    connection: Connection, publication: Publication, cut: str, page: int, most: int = PAGE
) -> Ranking | None:
    """A page of a cut, or the first few players on it; None where there is no such cut."""
    total = rankings.total(connection, publication.id, cut)
    if total is None:
        return None
    pages = max(1, -(-total // PAGE))
    page = min(max(1, page), pages)
    rank, players = rankings.page_of(connection, publication.id, cut, page)
    players = players[:most]
    lines = lists.lines(connection, publication.id, players)
    away = accounts.hidden(connection)
    rows: list[ListRow] = []
    for place, player in enumerate(players, start=(page - 1) * PAGE + 1):
        row = row_of(lines[player], rank)
        if rows and row.rating != rows[-1].rating:
            rank = place
            row = replace(row, rank=rank)
        rows.append(_veiled(row, away))
    return Ranking(tuple(rows), total, page, pages)


def _veiled(row: ListRow, away: frozenset[int]) -> ListRow:
    """A player who asked not to be shown keeps his place and loses everything that tells who he is."""
    if row.player not in away:
        return row
    unknown = ListRow(
        row.rank, 0, "", row.federation, "", "", row.category, row.rating, 0, None, None, row.inactive
    )
    return replace(unknown, hidden=True)


def ratings_of(connection: Connection, publication: int, players: Sequence[int]) -> dict[int, int | None]:
    """The published ratings of some players."""
    query = select(standings.c.player, standings.c.rating).where(
        standings.c.publication == publication, standings.c.player.in_(players), standings.c.line.is_not(None)
    )
    return {player: rating for player, rating in connection.execute(query)}  # noqa: C416  rows become pairs


def federations(connection: Connection, publication: Publication) -> list[tuple[str, int]]:
    """Every federation on a list with the number of its players."""
    return rankings.federations(connection, publication.id)


# --------------------------------------------------------------------------------------------- what has changed


@dataclass(frozen=True, slots=True)
class Moved:
    """A player on two lists."""

    row: ListRow
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


def movers(connection: Connection, old: Publication, new: Publication, most: int) -> list[Moved]:
    """Players rated on two lists, the largest changes first."""
    before, after = standings.alias(), standings.alias()
    query = (
        select(before.c.rating, after.c.rating, after.c.line)
        .join_from(after, before, and_(before.c.player == after.c.player, before.c.publication == old.id))
        .where(after.c.publication == new.id, before.c.rating != after.c.rating)
        .where(after.c.line.is_not(None), before.c.line.is_not(None))
        .where(after.c.player.not_in(accounts.hidden(connection)))
        .order_by(func.abs(after.c.rating - before.c.rating).desc(), after.c.player)
        .limit(most)
    )
    return [Moved(row_of(str(line)), was, now) for was, now, line in connection.execute(query)]


def differing(connection: Connection, old: Publication, new: Publication) -> list[Moved]:
    """Players whose rating differs between two revisions, who came and who went, by name."""
    away = accounts.hidden(connection)
    found: list[Moved] = []
    for here, there in ((new, old), (old, new)):
        mine, other = standings.alias(), standings.alias()
        # who has no line is computed, but not published
        shown = case((other.c.line.is_not(None), other.c.rating))
        query = select(mine.c.player, mine.c.rating, shown, mine.c.line).join_from(
            mine, other, and_(other.c.player == mine.c.player, other.c.publication == there.id), isouter=True
        )
        query = query.where(mine.c.publication == here.id, mine.c.line.is_not(None))
        if here is new:
            query = query.where(mine.c.rating.is_distinct_from(shown))
        else:  # whoever has a line on both was found before
            query = query.where(mine.c.rating.is_not(None), other.c.line.is_(None))
        for player, rating, otherwise, line in connection.execute(query):
            was, now = (otherwise, rating) if here is new else (rating, otherwise)
            if player not in away:
                found.append(Moved(row_of(str(line)), was, now))
    return sorted(found, key=lambda item: (item.row.name, item.row.player))


# --------------------------------------------------------------------------------------------------- one player


@dataclass(frozen=True, slots=True)
class Point:
    """A player on one list in force."""

    publication: Publication
    rating: int | None
    games: int
    k: int | None
    inactive: bool
    story: dict[str, Any] | None = None


def history(connection: Connection, player: int) -> dict[ListName, list[Point]]:
    """A player's lists by name and day, each in its newest revision."""
    newest: dict[tuple[ListName, date], Publication] = {}
    for publication in shown_publications(connection):
        key = (publication.list, publication.day)
        if key not in newest or newest[key].revision < publication.revision:
            newest[key] = publication
    ids = {publication.id: key for key, publication in newest.items()}
    rows = lists.player_rows(connection, player)
    stood = {ids[number]: (row.rating, row.line) for number, row in rows.items() if number in ids}
    found: dict[ListName, list[Point]] = {}
    for key, (rating, line) in sorted(stood.items(), key=lambda item: item[0]):
        name, publication = key[0], newest[key]
        if line:
            row = listed_player(line)
            point = Point(publication, rating, row.games, row.k, row.inactive)
        elif rating is None:  # somebody who is on his way to a rating
            point = Point(publication, None, 0, None, inactive=False)
        else:  # computed, but not published (13)
            continue
        found.setdefault(name, []).append(point)
    return {name: found[name] for name in ListName if name in found}


def told(
    connection: Connection, player: int, points: Sequence[Point], page: int, size: int = TOLD
) -> tuple[list[Point], int, int]:
    """A page of the lists on which something happened to a player, the latest first, with how it came about.

    Also the number of the page and of all pages: twenty years of tournaments cost no more than one.
    """
    eventful = eventful_lists(connection, player, [point.publication for point in points])
    some = [point for point in reversed(points) if point.publication.id in eventful]
    pages = max(1, -(-len(some) // size))
    page = min(max(1, page), pages)
    stories_told = [
        (point, story_in(connection, point.publication, player))
        for point in some[(page - 1) * size : page * size]
    ]
    shown = [
        replace(point, story=with_decisions(connection, point.publication, story))
        for point, story in stories_told
        if story
    ]
    return shown, page, pages


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
    pages = max(1, -(-moment(connection).tournaments // size))
    page = min(max(1, page), pages)
    numbers = report_rows.latest(connection, report_rows.ACCEPTED, size, (page - 1) * size)
    found = report_rows.filed(connection, numbers)
    return [found[number] for number in numbers], pages


def rated_with(connection: Connection, some: Sequence[int]) -> dict[int, list[Publication]]:
    """The lists that rate each of some reports."""
    query = select(rated_reports.c.report, rated_reports.c.publication).where(
        rated_reports.c.report.in_(some)
    )
    pairs = {(report, publication) for report, publication in connection.execute(query)}
    shown = shown_publications(connection)
    return {report: [p for p in shown if (report, p.id) in pairs] for report in some}


def stories(
    connection: Connection, publication: Publication, players: Iterable[int]
) -> dict[int, dict[str, Any]]:
    """How the changes of some players came about on a list."""
    found = stories_in(connection, publication, players)
    return {player: load(story) for player, story in found.items()}
