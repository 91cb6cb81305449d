"""The news of lists, players and clubs in words, for feeds and mail."""

from __future__ import annotations

from arpad.explain.words import Words
from arpad.model.rules import ListName
from arpad.office.lists.rows import Publication
from arpad.office.notices.news import ListNews, RatingNews, TournamentNews


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
