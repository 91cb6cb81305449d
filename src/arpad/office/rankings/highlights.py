"""The short rankings of a list that newspapers print: the first of each group, gains, games of a year, newcomers."""

from collections.abc import Iterator
from datetime import date
from itertools import takewhile
from typing import NamedTuple

import polars as pl
from sqlalchemy import Connection

from arpad.explain.cards import Line, TournamentCard, tournament_card
from arpad.explain.words import Words
from arpad.office.lists import history_rows
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.published import (
    RankedPlayer,
    first_cut,
    first_rated,
    lists_behind,
    previous_publication,
    ranking,
    shown_publications,
)
from arpad.office.lists.rows import Publication
from arpad.office.rankings.selection import ListQuery, asked_ranking, choices
from arpad.office.register.number_rows import hidden
from arpad.store.bulk import kept
from arpad.system.spreadsheet_cells import csv_text

MOST = 10
"""Players of each ranking."""

BEST, WOMEN, GAINS, YEAR_GAINS = "best", "women", "gains", "year-gains"
GAMES, NEWCOMERS = "games", "newcomers"


class Highlight(NamedTuple):
    """A short ranking; age groups have their own code as its name."""

    name: str
    rows: tuple[RankedPlayer, ...]
    parameters: str = ""
    """The parameters of the whole ranking on the page of the list; empty if there is none."""

    since: date | None = None
    """The day of the list from which changes, games or newcomers are counted."""

    def figure(self, row: RankedPlayer) -> int:
        """Return what a row is ranked by."""
        figures = {GAINS: row.change, YEAR_GAINS: row.change, GAMES: row.games}
        return figures.get(self.name, row.rating) or 0

    @property
    def places(self) -> list[tuple[int, RankedPlayer]]:
        """The rows with their places; equal figures share one."""
        figures = [self.figure(row) for row in self.rows]
        return [
            (1 + sum(other > own for other in figures), row)
            for own, row in zip(figures, self.rows, strict=True)
        ]


def highlights(connection: Connection, publication: Publication) -> tuple[Highlight, ...]:
    """Return the short rankings of a list that are not empty; they are kept until the next act."""
    key = ("highlights", publication.digest)
    return kept(connection, key, lambda: tuple(it for it in _highlights(connection, publication) if it.rows))


def _highlights(connection: Connection, publication: Publication) -> Iterator[Highlight]:
    first = ranking(connection, publication, first_cut(connection, publication.list), 1, most=MOST)
    yield Highlight(BEST, first.rows if first else ())
    yield Highlight(WOMEN, _asked(connection, publication, ListQuery(cut="women")), "cut=women")
    for group in choices(connection, publication.day).groups:
        rows = _asked(connection, publication, ListQuery(group=group.code))
        yield Highlight(group.code, rows, f"group={group.code}")
    before, earlier = previous_publication(connection, publication), _year_before(connection, publication)
    for name, since in ((GAINS, before), (YEAR_GAINS, earlier)):
        if since is not None:
            rows = _asked(connection, publication, ListQuery(cut="active", sort="-change"), since)
            gained = tuple(row for row in rows if (row.change or 0) > 0)
            yield Highlight(name, gained, "sort=-change" if name == GAINS else "", since.day)
    if earlier is not None:
        yield Highlight(GAMES, _most_games(connection, publication, earlier), since=earlier.day)
    if before is not None:
        yield Highlight(
            NEWCOMERS, tuple(first_rated(connection, before, publication, MOST)), since=before.day
        )


def _asked(
    connection: Connection, publication: Publication, asked: ListQuery, since: Publication | None = None
) -> tuple[RankedPlayer, ...]:
    shown = [row for row in asked_ranking(connection, publication, asked, 1, since).rows if not row.hidden]
    return tuple(shown[:MOST])


def _year_before(connection: Connection, publication: Publication) -> Publication | None:
    """Return the list in force a year before a list."""
    day = publication.day
    month, number = (day.month, day.day) if (day.month, day.day) != (2, 29) else (2, 28)
    first = date(day.year - 1, month, number)
    earlier = [p for p in shown_publications(connection, publication.list) if p.day <= first]
    return max(earlier, key=lambda p: (p.day, p.revision), default=None)


def _most_games(
    connection: Connection, publication: Publication, earlier: Publication
) -> tuple[RankedPlayer, ...]:
    """Return who played most on the lists since an earlier one, each computed from the one before it."""
    chain = takewhile(lambda it: it.day > earlier.day, lists_behind(connection, publication))
    counted = pl.concat(
        [read_table(connection, p.id, ("player", "games")).select("player", "games") for p in chain]
    )
    sums = counted.group_by("player").agg(pl.col("games").sum()).filter(pl.col("games") > 0)
    sums = sums.filter(~pl.col("player").is_in([*hidden(connection)]))
    played = dict(sums.sort("games", "player", descending=(True, False)).head(MOST).iter_rows())
    lines = history_rows.lines(connection, publication.id, [*played])
    return tuple(
        RankedPlayer.of(lines[player], own=publication.list.is_own)._replace(games=games)
        for player, games in played.items()
        if player in lines
    )


def ranking_csv(item: Highlight, words: Words) -> str:
    """Return a short ranking as CSV, hidden players without a name."""
    rows = (
        (place, row.player or None, row.name or words.text("site.hidden-name"), row.title, row.federation,
         row.rating, row.change, row.games if item.name == GAMES else None)
        for place, row in item.places
    )  # fmt: skip
    return csv_text(("place", "id", "name", "title", "federation", "rating", "change", "games"), rows)


def ranking_picture(item: Highlight, title: str, about: str, office: str, words: Words) -> str:
    """Return a short ranking as a picture."""

    def figure(row: RankedPlayer) -> str:
        if item.name == GAMES:
            return words.number(row.games)
        change = (
            f" ({words.number(row.change, signed=True)})"
            if item.name in (GAINS, YEAR_GAINS) and row.change
            else ""
        )
        return f"{row.rating}{change}"

    lines = tuple(
        Line(f"{place}. {row.name or words.text('site.hidden-name')} {row.title}".rstrip(), figure(row))
        for place, row in item.places
    )
    return tournament_card(TournamentCard(title, about, lines, office), most=len(lines))
