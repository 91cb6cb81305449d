"""National categories of chess players: computed from the lists in force and the decisions, never stored."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

import polars as pl
from sqlalchemy import Connection

from arpad.lists.categories import Award, CategoryChange, CountedList, Ratings, fold, fold_player
from arpad.lists.published_table import NATIONAL, ListTable
from arpad.model.canonical_json import load
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import ListName
from arpad.office.declared import InForceOn, ListChosen, Reading, query
from arpad.office.editions.acts import edition_on
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.history_rows import LISTED, player_history
from arpad.office.lists.in_force import list_on_day, publication_in_force
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.register.number_rows import all_numbers, merge_targets
from arpad.office.register.rows import load_names
from arpad.office.reports.rows import decisions_in_force
from arpad.office.users import officer
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.systems import system_of
from arpad.store.bulk import kept
from arpad.system.lru import Lru

if TYPE_CHECKING:
    from arpad.office.drafts.acts import Draft

_COLUMNS = ("player", "rating", "listed")


def has_categories(connection: Connection, on_list: ListName, day: date) -> bool:
    """Return whether the edition of a list has national categories on a day."""
    rules = _rules(connection, on_list, day)
    return rules is not None and rules[1].categories is not None


def categories_on(
    connection: Connection, publication: Publication, players: Collection[int] | None = None
) -> dict[int, str]:
    """Return the categories of all players, or of some, as they are with a list."""
    held, _, _ = _fold(connection, publication)
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
    return _fold(connection, publication)[2]


def player_categories(
    connection: Connection, player: int, on_list: ListName, day: date
) -> list[CategoryChange]:
    """Return every change of a player's category on a list up to a day, the latest last."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    if publication is None or not has_categories(connection, on_list, publication.day):
        return []
    merged = merge_targets(connection)
    target = merged.get(player, player)
    histories = [player_history(connection, number) for number in all_numbers(connection, {target})]
    with_categories = kept(
        connection,
        ("lists with categories", publication.id),
        lambda: _with_categories(connection, _lists_up_to(connection, publication)),
    )
    counted: list[CountedList[int | None]] = []
    for earlier, edition, rules in with_categories:
        rows = [history[earlier.id] for history in histories if earlier.id in history]
        ratings = [row.rating for row in rows if row.shown == LISTED and row.rating is not None]
        counted.append(_counted(max(ratings, default=None), earlier.name, earlier.day, edition, rules))
    awards = [award for award in _awards(connection, on_list, merged) if award.player == target]
    return fold_player(target, counted, awards)


@dataclass(frozen=True, slots=True)
class NamedChange(CategoryChange):
    """A player who reaches or loses a category, with the name."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class CategoryChanges:
    """Who reaches or loses a national category with a list."""

    changes: tuple[NamedChange, ...]


@query("category list", officer("register"), path="/categories/{list}")
def changes_of_list(
    reading: Reading, list_: ListChosen, *, date_: InForceOn | None = None
) -> CategoryChanges:
    """Show who reaches or loses a national category with a list.

    The categories are those of the federation's own edition; they are a proposal for the federation.
    """
    if system_of(list_).rates_again:
        raise BadInput("value-unknown", option="list", value=str(list_), accepted="standard, rapid, blitz")
    connection, on = reading.connection, date_ or reading.today
    publication = list_on_day(connection, list_, on)
    if not has_categories(connection, list_, publication.day):
        edition = edition_on(connection, list_, publication.day)
        raise BadInput("no-national-categories", edition=edition.id)
    changes = category_changes(connection, publication)
    names = load_names(connection, [change.player for change in changes])
    return CategoryChanges(
        tuple(NamedChange(**asdict(change), name=names[change.player]) for change in changes)
    )


def _rules(connection: Connection, on_list: ListName, day: date) -> tuple[str, ChessRules] | None:
    if system_of(on_list).rates_again:
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
    earlier = _counted_lists(connection, _lists_before(connection, on_list, day), merged)
    last = _counted(_published_ratings(draft.result.table, merged), f"{on_list}-{day}", day, *rules)
    return fold([*earlier, last], _awards(connection, on_list, merged))[2]


def _fold(connection: Connection, publication: Publication) -> Folded:
    """Fold the lists up to a list, for all players; the result is cached, since every page of a list needs it."""
    merged = merge_targets(connection)
    listed = _lists_up_to(connection, publication)
    awards = _awards(connection, publication.list, merged)
    key = (
        tuple((it.name, it.digest, _rules_key(connection, it)) for it in listed),
        tuple(awards),
        tuple(sorted(merged.items())),
    )
    return _LAST.get(key, lambda: fold(_counted_lists(connection, listed, merged), awards))


_LAST: Lru[Folded] = Lru(8)


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


def _lists_up_to(connection: Connection, publication: Publication) -> list[Publication]:
    """Return the list of each earlier day, in its newest revision, and the list itself."""
    return [*_lists_before(connection, publication.list, publication.day), publication]


def _with_categories(
    connection: Connection, publications: Iterable[Publication]
) -> list[tuple[Publication, str, ChessRules]]:
    """Return the lists whose edition has categories, with the edition and its rules."""
    with_rules = ((it, _rules(connection, it.list, it.day)) for it in publications)
    return [(it, *rules) for it, rules in with_rules if rules is not None and rules[1].categories is not None]


def _counted_lists(
    connection: Connection, publications: Sequence[Publication], merged: Mapping[int, int]
) -> Iterator[CountedList[pl.DataFrame]]:
    """Yield the lists whose edition has categories, with their ratings."""
    for publication, edition, rules in _with_categories(connection, publications):
        ratings = _published_ratings(read_table(connection, publication.id, _COLUMNS), merged)
        yield _counted(ratings, publication.name, publication.day, edition, rules)


def _published_ratings(table: pl.DataFrame, merged: Mapping[int, int]) -> pl.DataFrame:
    """Return the published ratings of a list, those of merged players under the number kept."""
    ratings = table.filter("listed").select("player", "rating").drop_nulls()
    if not merged:
        return ratings
    number = pl.col("player").replace(list(merged), list(merged.values()))
    return ratings.with_columns(number).group_by("player", maintain_order=True).agg(pl.col("rating").max())


def _counted(ratings: Ratings, name: str, day: date, edition: str, rules: ChessRules) -> CountedList[Ratings]:
    """Return a list with its published ratings and what its edition says about categories."""
    return CountedList(name, day, ratings, edition, rules.categories, rules.categories_lost)


def _awards(connection: Connection, on_list: ListName, merged: Mapping[int, int]) -> list[Award]:
    """Return the categories given by decisions in force."""
    return [
        Award(it.id, merged.get(it.player, it.player), date.fromisoformat(it.day), load(it.value)["category"])
        for it in decisions_in_force(connection)
        if it.kind == "category" and it.list == on_list and it.player is not None and it.day
    ]
