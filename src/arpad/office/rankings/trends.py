"""The pictures of a list: the last two years of each player in a row, and the ratings by age."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from markupsafe import Markup
from sqlalchemy import Connection

from arpad.explain.pictures import Box, boxes, trend
from arpad.explain.words import MINUS, Words, load_words
from arpad.office.lists.history_rows import changed_ratings
from arpad.office.lists.page_rows import AgeSpread, published_ratings
from arpad.office.lists.published import RankedPlayer, lists_behind
from arpad.office.lists.rows import Publication
from arpad.regulations.systems import system_of
from arpad.system.lru import Lru

TREND_YEARS = 2


def recent_lists(connection: Connection, publication: Publication) -> list[Publication]:
    """Return the lists of two years that lead to a list, each computed from the one before it, the oldest first."""
    first = (publication.day.year - TREND_YEARS, publication.day.month)
    behind = lists_behind(connection, publication)
    return [*takewhile(lambda it: (it.day.year, it.day.month) >= first, behind)][::-1]


_KEPT = 64
_LAST: Lru[dict[int, Markup]] = Lru(_KEPT)
"""The curves of the pages shown last, by the digest of the list and the players: a list never changes."""


def trends(
    connection: Connection, publication: Publication, rows: Sequence[RankedPlayer]
) -> dict[int, Markup]:
    """Return a small curve for each player of a page, if the list has lists before it."""
    key = (publication.digest, tuple(row.player for row in rows if not row.hidden))
    return _LAST.get(key, lambda: _drawn(connection, publication, rows))


def _drawn(
    connection: Connection, publication: Publication, rows: Sequence[RankedPlayer]
) -> dict[int, Markup]:
    first, *later = (p.id for p in recent_lists(connection, publication))
    ratings = {row.player: row.rating for row in rows if not row.hidden and row.rating is not None}
    if not later or not ratings:
        return {}
    changed = changed_ratings(connection, later, [*ratings])
    at_first = published_ratings(connection, first, sorted(changed))
    series = {
        player: _series(at_first.get(player), changed[player], later) if player in changed else [rating] * 2
        for player, rating in ratings.items()
    }
    return {
        player: Markup(trend(f"{next(filter(None, values))} → {ratings[player]}", values))  # noqa: S704  our own picture
        for player, values in series.items()
        if any(values)
    }


def _series(rating: int | None, changed: dict[int, int | None], lists: Sequence[int]) -> list[int | None]:
    """Return a rating on each list, from that on the first and those on the lists that changed it."""
    series = [rating]
    for publication in lists:
        rating = changed.get(publication, rating)
        series.append(rating)
    return series


@dataclass(frozen=True, slots=True)
class Ages:
    """The ratings by age: a table and its picture."""

    title: str
    groups: tuple[tuple[str, AgeSpread], ...]
    """The ages of each group in signs, and its ratings."""

    picture: Markup


def ages_of(
    publication: Publication, spreads: Sequence[AgeSpread], words: Words, here: tuple[int, int] | None = None
) -> Ages:
    """Return the ratings by age; ``here`` is the age and the rating of the player at whom the picture points."""
    key = "ages-of-capitals" if system_of(publication.list).has_categories else "ages-of"
    title = words.text(f"site.{key}", list=words.text(f"site.list-{publication.list}"), day=publication.day)
    return _ages(title, tuple(spreads), words.language, here)


@lru_cache(maxsize=_KEPT)
def _ages(title: str, spreads: tuple[AgeSpread, ...], language: str, here: tuple[int, int] | None) -> Ages:
    words = load_words(language, MINUS)
    groups = tuple((_label(spread), spread) for spread in spreads)
    mark = None
    if here is not None:
        age, rating = here
        for index, spread in enumerate(spreads):
            if spread.first <= age <= (spread.last or age):
                mark = (index, rating, words.text("site.you-are-here", rating=rating))
    drawn = boxes(title, [_box(label, spread, words) for label, spread in groups], mark)
    return Ages(title, groups, Markup(drawn))  # noqa: S704  a picture of our own, whose texts are escaped


def _label(spread: AgeSpread) -> str:
    return f"{spread.first}+" if spread.last is None else f"{spread.first}–{spread.last}"


def _box(label: str, spread: AgeSpread, words: Words) -> Box:
    text = words.text("site.age-players", players=spread.players, median=spread.median)
    values = (spread.lowest, spread.quarter, spread.median, spread.three_quarters, spread.highest)
    return Box(label, f"{label}{words.form.colon} {text}", values)
