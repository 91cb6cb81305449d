"""Published lists as the pages show them: which are in force, their rankings, and what changed between two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

import polars as pl
from sqlalchemy import Connection

from arpad.lists.canonical import parse_line
from arpad.lists.rankings import BAND, FEDERATION, PAGE
from arpad.lists.table import own_fields
from arpad.model.errors import Missing
from arpad.model.federations import HOME
from arpad.model.rules import ListName, name_of_list
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import page_rows as rankings
from arpad.office.lists.history_rows import changed_ratings
from arpad.office.lists.in_force import publication_in_force
from arpad.office.lists.ownership import ownership
from arpad.office.lists.page_rows import published_ratings, rating_changes, snapshot
from arpad.office.lists.rows import Publication
from arpad.office.office import Office, local_day, today
from arpad.office.register import number_rows as hidden_players
from arpad.store import ledger
from arpad.store.bulk import kept, page_of
from arpad.store.settings import kept_list, kept_lists
from arpad.system.lru import Lru

ACTIVE = "active"
"""The ranking that a list shows first."""

# ----------------------------------------------------------------------------------------------------- publications


def shown_publications(connection: Connection, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Return every list that visitors may see."""
    publications = snapshot(connection).publications
    if on_list is None:
        return publications
    return kept(
        connection,
        ("shown publications", on_list),
        lambda: tuple(p for p in publications if p.list == on_list),
    )


def lists_in_force(office: Office, connection: Connection) -> dict[ListName, Publication]:
    """Return the list in force today of each name."""
    day = today(office, connection)
    by_name: dict[ListName, list[Publication]] = {}
    for publication in shown_publications(connection):
        by_name.setdefault(publication.list, []).append(publication)
    current = {
        name: publication_in_force(by_name[name], day) for name in kept_lists(connection) if name in by_name
    }
    return {name: publication for name, publication in current.items() if publication is not None}


def first_cut(connection: Connection, on_list: ListName) -> str:
    """Return the ranking that is shown first: that of the office's own federation if the list is about its players."""
    owner = ownership(connection, on_list)
    return f"{FEDERATION}{owner.home}" if owner is not None and owner.rule == HOME else ACTIVE


def publication_named(connection: Connection, name: str) -> Publication | None:
    """Return the list of a name such as ``standard-2024-03-01-r1``."""
    on_list = kept_list(connection, name_of_list(name))
    if on_list is None:
        return None
    publications = shown_publications(connection, on_list)
    return next((publication for publication in publications if publication.name == name), None)


def previous_publication(connection: Connection, publication: Publication) -> Publication | None:
    """Return the list from which changes are counted: the one that this one was computed from, else the one before.

    A list of the office's own is computed from the imported one, and counts its changes from the one before it.
    """
    earlier = [p for p in shown_publications(connection, publication.list) if p.day < publication.day]
    latest = max(earlier, key=lambda p: (p.day, p.revision), default=None)
    if publication.list.is_own:
        return latest
    return next((p for p in earlier if p.id == publication.base), latest)


def lists_behind(connection: Connection, publication: Publication) -> Iterator[Publication]:
    """Yield a list and the lists before it, each computed from the next one; of the office's own, in their order."""
    following: Publication | None = publication
    by_id = {p.id: p for p in shown_publications(connection, publication.list)}
    while following is not None:
        yield following
        own = following.list.is_own
        following = previous_publication(connection, following) if own else by_id.get(following.base or 0)


def list_size(publication: Publication) -> int:
    """Return how many players a list shows; its head contains the number."""
    line = next((line for line in publication.head.split("\n") if line.startswith("rows\t")), "rows\t0")
    return int(line.partition("\t")[2])


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A list that was taken back, with the day and the reason."""

    publication: Publication
    on: date
    reason: str


def lists_taken_back(connection: Connection, name: str = "") -> list[TakenBack]:
    """Return the lists that were taken back, the latest act first; or only those of a name."""
    publications = [p for p in snapshot(connection).taken_back if name in ("", p.name)]
    acts = ledger.some_acts(connection, [p.taken_back for p in publications if p.taken_back is not None])
    publications.sort(key=lambda p: (-(p.taken_back or 0), p.id))
    return [
        TakenBack(p, local_day(connection, act.at), act.reason)
        for p in publications
        for act in [acts[p.taken_back or 0]]
    ]


def asked_list(office: Office, connection: Connection, name: str) -> Publication:
    """Return the list of a full name, or the list in force of a list name."""
    publication = publication_named(connection, name)
    if publication is None and (on_list := kept_list(connection, name)) is not None:
        publication = lists_in_force(office, connection).get(on_list)
    if publication is None:
        for taken_back in lists_taken_back(connection, name):
            raise Missing(
                "list-taken-back", name=name, day=taken_back.on, reason=taken_back.reason,
                digest=taken_back.publication.digest,
            )  # fmt: skip
        raise Missing("no-list-here")
    return publication


# --------------------------------------------------------------------------------------------------------- rankings


class RankedPlayer(NamedTuple):
    """A player of a published list, as a page shows it."""

    rank: int | None
    """None for an inactive player."""

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
    change: int | None = None
    """Since the list before; None for a player who was not on it, or if there is no list before."""

    printed: str = ""
    """The rating with its marks, and in ``own`` the system's own columns, on the list of a rating system."""

    own: tuple[str, ...] = ()

    @classmethod
    def of(cls, line: str, *, own: bool = False) -> RankedPlayer:
        """Return the player of a canonical line, without a rank."""
        listed = parse_line(line, own=own)._asdict()
        return cls.of_row(tuple(listed[name] for name in list_rows.SHOWN), None)

    @classmethod
    def of_row(cls, row: tuple[Any, ...], rank: int | None) -> RankedPlayer:
        """Return the player of a row of ``list_rows.shown_rows`` with a rank."""
        player, name, federation, sex, title, women_title, category, rating, games, k, born, inactive, own = (
            row
        )
        shown = cls(
            rank, player, name, federation, sex, title or women_title, category, rating, games, k, born, inactive
        )  # fmt: skip
        if own is None:
            return shown
        fields = own_fields(own) if isinstance(own, str) else own
        return shown._replace(category="", k=None, change=k, printed=category, own=fields)

    def anonymous(self) -> RankedPlayer:
        """Return the row of a hidden player: it keeps its rank and loses everything personal."""
        return RankedPlayer(
            self.rank, 0, "", self.federation, "", "", self.category, self.rating, 0, None, None, self.inactive,
            hidden=True, printed=self.printed,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranking:
    """One page of a cut of a list, and the distribution of the ratings of the whole cut."""

    rows: tuple[RankedPlayer, ...]
    total: int
    page: int
    pages: int
    bands: Mapping[int, int] = field(default_factory=dict)
    """How many players have ratings in each band, by its lowest rating."""


def ranking(
    connection: Connection, publication: Publication, cut: str, page: int, most: int = PAGE
) -> Ranking | None:
    """Return a page of a cut, or its first ``most`` players; None if there is no such cut."""
    total = rankings.ranking_size(connection, publication.id, cut)
    if total is None:
        return None
    page, page_count = page_of(page, total, PAGE)
    rank, ranked, players = rankings.ranking_page(connection, publication.id, cut, page)
    players = players[:most]
    shown = list_rows.shown_rows(connection, publication.id, players)
    hidden = hidden_players.hidden(connection)
    rows: list[RankedPlayer] = []
    for player in players:
        row = RankedPlayer.of_row(shown[player], None)
        if rows and row.rating != rows[-1].rating:
            rank = 1 + ranked
        ranked += not row.inactive
        row = row if row.inactive else row._replace(rank=rank)
        rows.append(row.anonymous() if player in hidden else row)
    bands = rankings.ranking_bands(connection, publication.id, cut)
    return Ranking(tuple(rows), total, page, page_count, bands)


def selected_ranking(
    connection: Connection, publication: Publication, ranked: pl.DataFrame, page: int
) -> Ranking:
    """Return a page of the players whom a selection chose."""
    number, pages_of_all = page_of(page, ranked.height, PAGE)
    shown = ranked.slice((number - 1) * PAGE, PAGE).select("rank", "player").rows()
    players = list_rows.shown_rows(connection, publication.id, [player for _, player in shown])
    rows = tuple(RankedPlayer.of_row(players[player], rank) for rank, player in shown)
    counts = (ranked["rating"] // BAND * BAND).drop_nulls().value_counts().sort("rating").rows()
    return Ranking(rows, ranked.height, number, pages_of_all, dict(counts))


def with_changes(
    connection: Connection, publication: Publication, before: Publication, rows: tuple[RankedPlayer, ...]
) -> tuple[RankedPlayer, ...]:
    """Return rows of a list with the changes since the list before.

    If the list was computed from that one, only players with a row in their history changed: few blocks are read.
    """
    players = [row.player for row in rows if not row.hidden]
    if publication.base == before.id:
        players = [*changed_ratings(connection, [publication.id], players)]
    earlier = published_ratings(connection, before.id, players)
    looked_up = set(players)
    return tuple(
        row._replace(change=_change(row, earlier) if row.player in looked_up else 0)
        if not row.hidden
        else row
        for row in rows
    )


def _change(row: RankedPlayer, earlier: Mapping[int, int | None]) -> int | None:
    old = earlier.get(row.player)
    return None if old is None or row.rating is None else row.rating - old


# ------------------------------------------------------------------------------------------------------ changes


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    """A player whose rating differs between two lists."""

    row: RankedPlayer
    before: int | None
    after: int | None

    @property
    def change(self) -> int:
        """The points gained or lost."""
        return (self.after or 0) - (self.before or 0)


def _changed_on(
    connection: Connection, publication: Publication, changes: pl.DataFrame
) -> list[ChangedPlayer]:
    """Return changes (``rating_changes``) with the lines of a publication."""
    lines, own = list_rows.lines(connection, publication.id, changes["player"]), publication.list.is_own
    rows = changes.select("player", "old", "new").iter_rows()
    return [ChangedPlayer(RankedPlayer.of(lines[player], own=own), old, new) for player, old, new in rows]


_MOVERS: Lru[list[ChangedPlayer]] = Lru(64)
"""The movers that pages showed last, by the digests of both lists: comparing two long lists takes a while."""


def movers(connection: Connection, old: Publication, new: Publication, most: int) -> list[ChangedPlayer]:
    """Return the players rated on two lists, the largest changes first."""
    office = str(connection.engine.url)  # two offices may hide different players at the same act
    key = (office, old.digest, new.digest, snapshot(connection).hidden_version, most)

    def compare() -> list[ChangedPlayer]:
        both = _shown_changes(connection, old, new).drop_nulls(("old", "new"))
        largest = both.sort((pl.col("new") - pl.col("old")).abs(), "player", descending=(True, False))
        return _changed_on(connection, new, largest.head(most))

    return _MOVERS.get(key, compare)


def first_rated(connection: Connection, old: Publication, new: Publication, most: int) -> list[RankedPlayer]:
    """Return who is rated for the first time since an earlier list, the highest rating first."""
    key = ("first-rated", old.digest, new.digest)
    return kept(connection, key, lambda: _first_rated(connection, old, new))[:most]


def _shown_changes(connection: Connection, old: Publication, new: Publication) -> pl.DataFrame:
    """Return the players whose rating differs between two lists, except hidden ones."""
    changes = rating_changes(connection, old.id, new.id)
    return changes.filter(~pl.col("player").is_in([*hidden_players.hidden(connection)]))


def _first_rated(connection: Connection, old: Publication, new: Publication) -> list[RankedPlayer]:
    changes = _shown_changes(connection, old, new)
    newly = changes.filter(pl.col("old").is_null() & pl.col("new").is_not_null())
    rows = [changed.row for changed in _changed_on(connection, new, newly)]
    numbers = [row.player for row in rows]
    rated_earlier = {
        player
        for publication in shown_publications(connection, new.list)
        if rows and publication.day < new.day
        for player, rating in published_ratings(connection, publication.id, numbers).items()
        if rating
    }
    first = [row for row in rows if row.player not in rated_earlier]
    return sorted(first, key=lambda row: (-(row.rating or 0), row.name))


def changed_players(connection: Connection, old: Publication, new: Publication) -> list[ChangedPlayer]:
    """Return the players whose rating differs between two revisions, or who are on one of them only, by name."""
    changes, on_new = _shown_changes(connection, old, new), pl.col("listed").fill_null(value=False)
    players = [
        *_changed_on(connection, new, changes.filter(on_new)),
        *_changed_on(connection, old, changes.filter(~on_new)),
    ]
    return sorted(players, key=lambda changed: (changed.row.name, changed.row.player))
