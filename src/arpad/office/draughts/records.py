"""Promotions over a period (tables 11, 12), FMJD ratings (table 22), and a player's record on a draughts list.

All of it is computed from the published lists and the decisions in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from arpad.lists.compute_draughts import compute_year
from arpad.model.draughts import DraughtsState
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.drafts.starting_capitals import fmjd_rating
from arpad.office.draughts.points import PlayerAccount, StateReader, points_register, refuse_chess
from arpad.office.editions.acts import edition_on
from arpad.office.lists import line_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import Office, today
from arpad.office.register import rows as register
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports.decided_rows import decisions_in_force, with_kept_players
from arpad.regulations.rubele.categories import Promotion
from arpad.regulations.rubele.starting_capital import from_fmjd
from arpad.regulations.rubele.system import SYSTEM as RUBELE
from arpad.system.lru import Lru

# ------------------------------------------------------------------------------------------------ promotions


_LAST: Lru[tuple[Promotion, ...]] = Lru(64)


def _promotions(connection: Connection, publication: Publication) -> tuple[Promotion, ...]:
    """Return the promotions of a list."""
    key = (publication.digest, publication.inputs_digest)
    return _LAST.get(key, lambda: compute_year(inputs_of(connection, publication)).season.promotions)


def promotions(office: Office, on_list: ListName, first: date, last: date) -> tuple[Promotion, ...]:
    """Return the promotions of events that ended in a period, by day; each year by its newest list (tables 11, 12)."""
    refuse_chess(on_list)
    if first > last:
        raise BadInput("period-backwards", first=first, last=last)
    with office.store.reading() as connection:
        return tuple(
            promotion
            for publication in newest_of_each_year(connection, on_list)
            if first.year <= publication.day.year <= last.year
            for promotion in _promotions(connection, publication)
            if promotion.day is not None and first <= promotion.day <= last
        )


def newest_of_each_year(connection: Connection, on_list: ListName) -> list[Publication]:
    """Return the last list of each year, in its newest revision: it contains the whole year so far."""
    newest_by_year: dict[int, Publication] = {}
    for publication in sorted(lists.all_publications(connection, on_list), key=lambda p: (p.day, p.revision)):
        if publication.kind == PUBLISHED:
            newest_by_year[publication.day.year] = publication
    return [newest_by_year[year] for year in sorted(newest_by_year)]


# ------------------------------------------------------------------------------------------------------ FMJD


@dataclass(frozen=True, slots=True)
class FmjdRating:
    """The FMJD rating of a player, and what table 22 makes of it."""

    player: int
    name: str
    federation: str
    rating: int
    since: date | None
    """The first day of the rating as the office entered it; None if an imported list has it."""

    factor: Fraction
    """The weight that table 22 gives the rating."""

    capital: int
    """What the player would begin with on the list of dama internazionale."""


def fmjd_ratings(office: Office, day: date | None = None) -> tuple[FmjdRating, ...]:
    """Return the FMJD ratings on a day, by decision or from the last lists (table 22)."""
    with office.store.reading() as connection:
        on = day or today(office, connection)
        merged = merge_targets(connection)
        decided = with_kept_players(decisions_in_force(connection), merged)
        rules = edition_on(connection, ListName.INTERNAZIONALE, on).on(ListName.INTERNAZIONALE)
        ratings = _listed_fmjd(connection, on, merged)
        for player in {d.player for d in decided if d.kind == "fmjd" and d.player}:
            rating = fmjd_rating(decided, player, on)
            if rating is not None:
                days = [d.day for d in decided if d.kind == "fmjd" and d.player == player and d.day]
                since = max(day_text for day_text in days if day_text <= str(on))
                ratings[player] = (rating, date.fromisoformat(since))
        people = register.load_people(connection, ratings, on=on)
    entries = []
    for player, (rating, since_day) in ratings.items():
        debut = from_fmjd(rating, rules)
        factor = debut.steps[0].facts["factor"]
        assert isinstance(factor, Fraction)  # noqa: S101  the step of table 22 carries it
        person = people[player]
        entries.append(
            FmjdRating(player, person.name, person.federation, rating, since_day, factor, debut.capital)
        )
    return tuple(sorted(entries, key=lambda entry: (-entry.rating, entry.name.casefold(), entry.player)))


def _listed_fmjd(
    connection: Connection, on: date, merged: Mapping[int, int]
) -> dict[int, tuple[int, date | None]]:
    """Return the FMJD ratings of the last lists, those of merged players under the number kept."""
    ratings: dict[int, tuple[int, date | None]] = {}
    for on_list in RUBELE.lists:
        last = newest([p for p in lists.all_publications(connection, on_list) if p.day <= on])
        states = RUBELE.stored.merge(list_rows.states(connection, last.id), merged) if last else {}
        for player, state in states.items():
            rating = to_capital(state).fmjd
            if rating is not None:
                ratings[player] = (rating, None)
    return ratings


# ---------------------------------------------------------------------------------------------- one player


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What a player's page shows of one draughts list."""

    standing: DraughtsState
    account: PlayerAccount | None
    limit: int
    fmjd: FmjdRating | None
    promotions: tuple[Promotion, ...] = ()


def player_record(office: Office, on_list: ListName, player: int) -> PlayerRecord | None:
    """Return the record of a player on a draughts list; None if the player was never on it."""
    points = points_register(office, on_list, player)
    if points.publication is None:
        return None
    with office.store.reading() as connection:
        state = StateReader(connection, player).states(points.publication.id).get(player)
        years = newest_of_each_year(connection, on_list)
        own_promotions = tuple(
            promotion
            for publication in years
            for promotion in _promotions(connection, publication)
            if promotion.id == str(player)
        )
    if state is None:
        return None
    account = next((item for item in points.accounts if item.player == player), None)
    fmjd = next((entry for entry in fmjd_ratings(office) if entry.player == player), None)
    return PlayerRecord(to_capital(state), account, points.limit, fmjd, own_promotions)
