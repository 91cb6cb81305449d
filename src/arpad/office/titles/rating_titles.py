"""The titles that a rating gives, without the norms of reports: publishing a list proposes them (B.01 1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.model.errors import BadInput, NoEdition
from arpad.model.federations import is_foreign
from arpad.model.rules import Edition, ListName
from arpad.office.editions.acts import title_editions
from arpad.office.lists.line_rows import rated_from
from arpad.office.lists.rows import all_publications
from arpad.office.office import Office
from arpad.office.register.rows import load_people
from arpad.regulations.editions import in_force
from arpad.regulations.fide.titles.awards import titles_by_rating
from arpad.regulations.fide.titles.rules import TitleRules
from arpad.store.settings import read_setting

RANK = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
"""Titles, the highest first."""


@dataclass(frozen=True, slots=True)
class TitleProposal:
    """A title that a rating gives to a player who does not hold it."""

    player: int
    name: str
    federation: str
    title: str
    rating: int
    edition: str
    article: str


def title_edition(connection: Connection, day: date) -> Edition[TitleRules]:
    """Return the title regulations in force in this office on a day."""
    try:
        return in_force(title_editions(connection), ListName.STANDARD, day)
    except NoEdition:
        raise BadInput("norms-before-editions", day=day) from None


def proposed_titles(office: Office) -> list[TitleProposal]:
    """Return the titles that the newest standard list gives to players who hold neither them nor a higher one.

    The player's federation applies for a title (B.01 2), so players of other federations are left out.
    """
    with office.store.reading() as connection:
        publications = all_publications(connection, ListName.STANDARD)
        if not publications:
            return []
        newest = max(publications, key=lambda publication: (publication.day, publication.revision))
        edition = title_edition(connection, newest.day)
        rules = edition.on(ListName.STANDARD)
        values = rules.rating_titles.value
        rated = rated_from(connection, newest.id, min(values.cm, values.wcm))
        people = load_people(connection, rated, on=newest.day)
        home = read_setting(connection, "federation")
    proposals = []
    for player, (rating, games) in rated.items():
        person = people[player]
        if home and is_foreign(person.federation, home):
            continue
        given = titles_by_rating(rating, games, "w" if person.sex == "F" else "m", rules)
        held = [RANK.index(title) for title in (person.title, person.women_title) if title in RANK]
        better = [title for title in given if not held or RANK.index(title) < min(held)]
        if better:
            best = min(better, key=RANK.index)
            article = rules.rating_titles.article
            proposals.append(
                TitleProposal(player, person.name, person.federation, best, rating, edition.id, article)
            )
    return sorted(proposals, key=lambda item: (RANK.index(item.title), item.name.casefold()))
