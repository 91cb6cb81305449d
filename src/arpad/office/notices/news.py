"""News about lists, players and clubs, for feeds and notices by mail. Hidden players are never in it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import polars as pl
from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.rules import ListName
from arpad.office.clubs.rows import members_on
from arpad.office.lists.block_rows import read_players
from arpad.office.lists.history_rows import LISTED, player_history
from arpad.office.lists.rows import Publication, ever_published
from arpad.office.lists.tables import BASE
from arpad.office.register.number_rows import all_numbers, hidden
from arpad.office.register.rows import load_people
from arpad.office.reports import rows as report_rows
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED
from arpad.office.reports.tournament_names import public_names
from arpad.store import ledger


@dataclass(frozen=True, slots=True)
class RatingNews:
    """A player whose rating a list changed, or who has games on it."""

    player: int
    name: str
    before: int | None
    after: int | None
    games: int


@dataclass(frozen=True, slots=True)
class ListNews:
    """A list that was published, corrected or taken back, with the ratings that somebody follows."""

    publication: Publication
    at: str
    """The time of the act in UTC."""

    act: int
    taken_back: bool = False
    ratings: tuple[RatingNews, ...] = ()


@dataclass(frozen=True, slots=True)
class TournamentNews:
    """A tournament that was accepted."""

    report: Filed
    name: str
    at: str
    act: int


def published_lists(connection: Connection) -> tuple[Publication, ...]:
    """Return every list that was ever public, in the order of acts."""
    shown = (p for p in ever_published(connection) if p.kind != BASE)
    return tuple(sorted(shown, key=lambda p: (p.act, p.id)))


def list_news(connection: Connection, on_list: ListName | None, most: int) -> list[ListNews]:
    """Return the last acts about a list, or about all lists, the latest first."""
    publications = [p for p in published_lists(connection) if on_list in (None, p.list)]
    taken_back = [(p.taken_back, p, True) for p in publications if p.taken_back is not None]
    newest = sorted(
        [*((p.act, p, False) for p in publications), *taken_back], key=lambda item: (-item[0], -item[1].id)
    )[:most]
    acts = ledger.some_acts(connection, [act for act, _, _ in newest])
    return [ListNews(p, acts[act].at, act, taken_back=gone) for act, p, gone in newest]


def player_news(connection: Connection, player: int, most: int) -> list[ListNews]:
    """Return the last lists that changed a player's rating or rated games of theirs, the latest first."""
    if player in hidden(connection):
        return []
    publications = published_lists(connection)
    name = load_people(connection, [player])[player].name
    rows = {
        number: (row.rating, row.games)
        for number, row in player_history(connection, player).items()
        if row.shown == LISTED
    }
    news = []
    for publication in reversed([p for p in publications if p.taken_back is None]):
        before = _list_before(publications, publication)
        change = _change(
            player, name, rows.get(before.id if before else 0), rows.get(publication.id), publication
        )
        if change is not None:
            news.append((publication, change))
        if len(news) == most:
            break
    acts = ledger.some_acts(connection, [publication.act for publication, _ in news])
    return [ListNews(p, acts[p.act].at, p.act, ratings=(change,)) for p, change in news]


def club_news(connection: Connection, code: str, most: int) -> list[ListNews]:
    """Return the last lists that changed ratings of members of a club, the latest first."""
    chosen: list[ListNews] = []
    for publication in reversed([p for p in published_lists(connection) if p.taken_back is None]):
        ratings = rating_news(connection, publication, club_members(connection, code, publication))
        if ratings:
            at = ledger.act(connection, publication.act).at
            chosen.append(ListNews(publication, at, publication.act, ratings=ratings))
        if len(chosen) == most:
            break
    return chosen


def club_members(connection: Connection, code: str, publication: Publication) -> Collection[int]:
    """Return the members of a club on the day of a list."""
    return members_on(connection, publication.day, [code])


def tournament_news(connection: Connection, player: int, most: int) -> list[TournamentNews]:
    """Return the last accepted tournaments of a player, the latest first."""
    played = report_rows.reports_with(connection, all_numbers(connection, {player}))
    filed = [r for r in report_rows.filed(connection, played).values() if r.status == ACCEPTED]
    accepted = report_rows.first_accepted(connection, [report.id for report in filed])
    newest = sorted(filed, key=lambda report: -accepted[report.id])[:most]
    acts = ledger.some_acts(connection, [accepted[report.id] for report in newest])
    names = public_names(connection, newest)
    return [
        TournamentNews(report, names[report.id], acts[accepted[report.id]].at, accepted[report.id])
        for report in newest
    ]


def rating_news(
    connection: Connection, publication: Publication, players: Iterable[int]
) -> tuple[RatingNews, ...]:
    """Return the players whose rating a list changed or whose games it rated, by name; never hidden ones."""
    visible = sorted(set(players) - hidden(connection))
    if not visible:
        return ()
    before = _list_before(published_lists(connection), publication)
    after_ratings = _ratings(connection, publication, visible)
    before_ratings = _ratings(connection, before, visible) if before is not None else {}
    changes = [
        _change(player, "", before_ratings.get(player), after_ratings.get(player), publication)
        for player in visible
    ]
    people = load_people(connection, [change.player for change in changes if change is not None])
    news = [replace(change, name=people[change.player].name) for change in changes if change is not None]
    return tuple(sorted(news, key=lambda item: (item.name.casefold(), item.player)))


# ----------------------------------------------------------------------------------------------------------- parts

_Row: TypeAlias = tuple[int | None, int]
"""The published rating of a player, and the games of the period."""


def _change(
    player: int, name: str, before: _Row | None, after: _Row | None, publication: Publication
) -> RatingNews | None:
    """Return the news of a player between two lists; None if nothing changed and no game was rated."""
    (old, _), (new, games) = before or (None, 0), after or (None, 0)
    if old == new and (not games or publication.corrects is not None):
        return None
    return RatingNews(player, name, old, new, games)


def _list_before(publications: Sequence[Publication], publication: Publication) -> Publication | None:
    """Return the list that a list replaces: the one it corrects, or the one before it at its publication."""
    if publication.corrects is not None:
        return next((p for p in publications if p.id == publication.corrects), None)
    earlier = [
        p
        for p in publications
        if p.list == publication.list
        and p.day < publication.day
        and p.act < publication.act
        and (p.taken_back is None or p.taken_back > publication.act)
    ]
    return max(earlier, key=lambda p: (p.day, p.revision), default=None)


def _ratings(connection: Connection, publication: Publication, players: Sequence[int]) -> dict[int, _Row]:
    """Return the published rating and the games of these players on a list."""
    rows = read_players(connection, publication.id, players).filter(pl.col("listed"))
    return {
        player: (rating, games) for player, rating, games in rows.select("player", "rating", "games").rows()
    }


# ------------------------------------------------------------------------------------------------------ in words


def list_name(words: Words, name: ListName | str) -> str:
    """Return the name of a list."""
    return words.text(f"site.list-{name}")


def list_title(words: Words, publication: Publication, *, taken_back: bool = False) -> str:
    """Return the sentence that a list was published, corrected or taken back."""
    key = "corrected" if publication.corrects is not None else "published"
    return words.text(
        f"news.list-{'taken-back' if taken_back else key}", list=list_name(words, publication.list),
        day=publication.day, revision=publication.revision,
    )  # fmt: skip


def rating_change(words: Words, news: RatingNews) -> str:
    """Return a player's change without the name: before, after and the difference."""
    if news.after is None:
        return words.text("news.rating-gone")
    if news.before is None:
        return words.text("news.rating-first", after=news.after)
    if news.before == news.after:
        return words.text("news.rating-same", after=news.after, games=news.games)
    change = words.number(news.after - news.before, signed=True)
    return words.text("news.rating-changed", before=news.before, after=news.after, change=change)


def named_change(words: Words, news: RatingNews) -> str:
    """Return a player's change with the name."""
    return words.labelled(news.name, rating_change(words, news))


def player_title(words: Words, news: ListNews) -> str:
    """Return a list with the change of the one player whom it is about."""
    return words.labelled(list_title(words, news.publication), rating_change(words, news.ratings[0]))


def club_title(words: Words, news: ListNews) -> str:
    """Return a list with the number of members whom it concerns."""
    members = words.text("news.members", members=len(news.ratings))
    return words.labelled(list_title(words, news.publication), members)


def tournament_title(words: Words, news: TournamentNews) -> str:
    """Return the sentence that a tournament was accepted."""
    if not news.name:
        return words.text("news.tournament-accepted")
    return words.text("news.tournament-accepted-name", name=news.name)
