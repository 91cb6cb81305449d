"""National categories of chess players: computed from the lists in force and the decisions, never stored."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from threading import Lock
from typing import TYPE_CHECKING

import polars as pl
from sqlalchemy import Connection

from arpad.lists.categories import Award, CategoryChange, CountedList, fold
from arpad.lists.published_table import NATIONAL, ListTable
from arpad.lists.table import SCHEMA
from arpad.model.canonical_json import load
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import ListName
from arpad.office.editions import edition_on
from arpad.office.lists_in_force import publication_in_force
from arpad.office.office import Office, today
from arpad.regulations.chess.rules import ChessRules
from arpad.store import lists
from arpad.store.decisions import decisions_in_force
from arpad.store.hidden_players import all_numbers
from arpad.store.list_blocks import read_figures, read_table
from arpad.store.lists import BASE, Publication
from arpad.store.merges import merge_targets

if TYPE_CHECKING:
    from arpad.office.draft import Draft

_COLUMNS = ("player", "rating", "listed")


def has_categories(connection: Connection, on_list: ListName, day: date) -> bool:
    """Return whether the edition of a list has national categories on a day."""
    rules = _rules(connection, on_list, day)
    return rules is not None and rules[1].categories is not None


def categories_on(
    connection: Connection, publication: Publication, players: Collection[int] | None = None
) -> dict[int, str]:
    """Return the categories of all players, or of some, as they are with a list."""
    held, _, _ = _fold(connection, publication, None)
    if players is not None:
        held = held.filter(pl.col("player").is_in(sorted(players)))
    return {player: name for player, name in held.select("player", "held").iter_rows() if name}


def with_categories(connection: Connection, publication: Publication, table: ListTable) -> ListTable:
    """Return a list with the column of national categories, if its edition has them."""
    if not has_categories(connection, publication.list, publication.day):
        return table
    held = categories_on(connection, publication)
    column = table.frame["player"].replace_strict(held, default="", return_dtype=pl.String).alias(NATIONAL)
    return replace(table, frame=table.frame.with_columns(column))


def category_changes(connection: Connection, publication: Publication) -> list[CategoryChange]:
    """Return who reaches or loses a category with a list, by player."""
    return _fold(connection, publication, None)[2]


def player_categories(
    connection: Connection, player: int, on_list: ListName, day: date
) -> list[CategoryChange]:
    """Return every change of a player's category on a list up to a day, the latest last."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    if publication is None or not has_categories(connection, on_list, publication.day):
        return []
    target = merge_targets(connection).get(player, player)
    _, every, _ = _fold(connection, publication, all_numbers(connection, {target}))
    return [change for change in every if change.player == target]


def changes_of_list(office: Office, on_list: ListName, day: date | None = None) -> list[CategoryChange]:
    """Return who reaches or loses a category with the list in force on a day: a proposal for the federation."""
    if discipline_of(on_list).by_season:
        raise BadInput("value-unknown", option="list", value=str(on_list), accepted="standard, rapid, blitz")
    with office.store.reading() as connection:
        on = day or today(office, connection)
        publication = publication_in_force(lists.all_publications(connection, on_list), on)
        if publication is None:
            raise BadInput("no-list-on-day", list=str(on_list), day=on)
        edition = edition_on(connection, on_list, publication.day)
        if not has_categories(connection, on_list, publication.day):
            raise BadInput("no-national-categories", edition=edition.id)
        return category_changes(connection, publication)


def _rules(connection: Connection, on_list: ListName, day: date) -> tuple[str, ChessRules] | None:
    if discipline_of(on_list).by_season:
        return None
    try:
        edition = edition_on(connection, on_list, day)
    except NoEdition:
        return None
    return edition.id, edition.on(on_list)


Folded = tuple[pl.DataFrame, list[CategoryChange], list[CategoryChange]]
"""Who holds which category, all changes, and those of the last list."""


def draft_changes(connection: Connection, draft: Draft) -> list[CategoryChange]:
    """Return who would reach or lose a category with a list that is not published yet."""
    on_list, day = draft.inputs.on_list, draft.inputs.day
    merged = merge_targets(connection)
    rules = _rules(connection, on_list, day)
    if rules is None or rules[1].categories is None:
        return []
    earlier = _counted_lists(connection, _lists_before(connection, on_list, day), None, merged)
    last = _counted(draft.result.table, merged, f"{on_list}-{day}", day, *rules)
    return fold([*earlier, last], _awards(connection, on_list, merged))[2]


def _fold(connection: Connection, publication: Publication, players: Collection[int] | None) -> Folded:
    """Fold the lists up to a list; that of all players is cached, since every page of a list needs it."""
    merged = merge_targets(connection)
    listed = [*_lists_before(connection, publication.list, publication.day), publication]
    awards = _awards(connection, publication.list, merged)
    if players is not None:
        return fold(_counted_lists(connection, listed, players, merged), awards)
    key = (
        tuple((it.name, it.digest, _rules_key(connection, it)) for it in listed),
        tuple(awards),
        tuple(sorted(merged.items())),
    )
    return _CACHE.get(key, lambda: fold(_counted_lists(connection, listed, None, merged), awards))


class _FoldCache:
    """The latest results by everything that they follow from, so never out of date."""

    def __init__(self, size: int) -> None:
        self._folded: OrderedDict[Hashable, Folded] = OrderedDict()
        self._size = size
        self._lock = Lock()

    def get(self, key: Hashable, compute: Callable[[], Folded]) -> Folded:
        """Return the cached result, or compute it."""
        with self._lock:
            if key in self._folded:
                self._folded.move_to_end(key)
                return self._folded[key]
        folded = compute()
        with self._lock:
            self._folded[key] = folded
            while len(self._folded) > self._size:
                self._folded.popitem(last=False)
        return folded


_CACHE = _FoldCache(8)


def _rules_key(connection: Connection, publication: Publication) -> Hashable:
    rules = _rules(connection, publication.list, publication.day)
    return rules and (rules[0], rules[1].categories, rules[1].categories_lost)


def _lists_before(connection: Connection, on_list: ListName, day: date) -> list[Publication]:
    """Return the list of each earlier day, in its newest revision."""
    by_day: dict[date, Publication] = {}
    for listed in lists.all_publications(connection, on_list):
        if listed.kind != BASE and listed.day < day:
            by_day[listed.day] = listed
    return [by_day[earlier] for earlier in sorted(by_day)]


def _counted_lists(
    connection: Connection,
    publications: Sequence[Publication],
    players: Collection[int] | None,
    merged: Mapping[int, int],
) -> Iterator[CountedList]:
    """Yield the lists whose edition has categories, with their ratings."""
    for publication in publications:
        rules = _rules(connection, publication.list, publication.day)
        if rules is None or rules[1].categories is None:
            continue
        if players is None:
            table = read_table(connection, publication.id, _COLUMNS)
        else:
            figures = read_figures(connection, publication.id, players)
            rows = [(it.player, it.rating, it.listed) for it in figures]
            table = pl.DataFrame(rows, schema={name: SCHEMA[name] for name in _COLUMNS}, orient="row")
        yield _counted(table, merged, publication.name, publication.day, *rules)


def _counted(
    table: pl.DataFrame, merged: Mapping[int, int], name: str, day: date, edition: str, rules: ChessRules
) -> CountedList:
    """Return a list with its published ratings, those of merged players under the number kept."""
    ratings = table.filter("listed").select("player", "rating").drop_nulls()
    if merged:
        kept = pl.col("player").replace(list(merged), list(merged.values()))
        ratings = (
            ratings.with_columns(kept).group_by("player", maintain_order=True).agg(pl.col("rating").max())
        )
    return CountedList(name, day, ratings, edition, rules.categories, rules.categories_lost)


def _awards(connection: Connection, on_list: ListName, merged: Mapping[int, int]) -> list[Award]:
    """Return the categories given by decisions in force."""
    return [
        Award(it.id, merged.get(it.player, it.player), date.fromisoformat(it.day), load(it.value)["category"])
        for it in decisions_in_force(connection)
        if it.kind == "category" and it.list == on_list and it.player is not None and it.day
    ]
