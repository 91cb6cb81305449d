"""Promotions over a period (tables 11, 12), FMJD ratings (table 22), and a player's record on a draughts list.

All of it is worked out from the lists that are out and the decisions that stand.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from threading import Lock

from sqlalchemy import Connection

from arpad.lists.compute_draughts import compute_year
from arpad.model.disciplines import DRAUGHTS
from arpad.model.draughts import DraughtsStanding
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.editions import edition_on
from arpad.office.office import Office, today
from arpad.office.points_register import (
    PlayerAccount,
    StateReader,
    newest_list,
    points_register,
    refuse_chess,
)
from arpad.office.publish import inputs_of
from arpad.office.starting_capitals import fmjd_rating
from arpad.regulations.draughts.categories import Promotion
from arpad.regulations.draughts.starting_capital import from_fmjd
from arpad.store import lists, register
from arpad.store.decisions import decisions_in_force, with_kept_players
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.merges import merge_targets

# ------------------------------------------------------------------------------------------------ promotions


class _Lately:
    """The promotions of the lists asked for last; the digests say which list it is, so they are never out of date."""

    def __init__(self, most: int) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[Promotion, ...]] = OrderedDict()
        self._most = most
        self._lock = Lock()

    def of(self, connection: Connection, publication: Publication) -> tuple[Promotion, ...]:
        key = (publication.digest, publication.inputs_digest)
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        found = compute_year(inputs_of(connection, publication)).season.promotions
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found


_PROMOTIONS = _Lately(64)


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
            for promotion in _PROMOTIONS.of(connection, publication)
            if promotion.day is not None and first <= promotion.day <= last
        )


def newest_of_each_year(connection: Connection, on_list: ListName) -> list[Publication]:
    """Return the last list of each year, in its newest revision: it holds the whole year so far."""
    found: dict[int, Publication] = {}
    for publication in sorted(lists.all_publications(connection, on_list), key=lambda p: (p.day, p.revision)):
        if publication.kind == PUBLISHED:
            found[publication.day.year] = publication
    return [found[year] for year in sorted(found)]


# ------------------------------------------------------------------------------------------------------ FMJD


@dataclass(frozen=True, slots=True)
class FmjdRating:
    """The FMJD rating of a player, and what table 22 makes of it."""

    player: int
    name: str
    federation: str
    rating: int
    since: date | None
    """The day from which on the office entered it; none where a list that was taken over tells it."""

    factor: Fraction
    """The weight that table 22 gives the rating."""

    capital: int
    """What the player would begin with on the list of dama internazionale."""


def fmjd_ratings(office: Office, day: date | None = None) -> tuple[FmjdRating, ...]:
    """Return the FMJD ratings that hold on a day, by decision or as the last lists tell them (table 22)."""
    with office.store.reading() as connection:
        on = day or today(office, connection)
        kept = merge_targets(connection)
        decided = with_kept_players(decisions_in_force(connection), kept)
        rules = edition_on(connection, ListName.INTERNAZIONALE, on).on(ListName.INTERNAZIONALE)
        ratings = _listed_fmjd(connection, on, kept)
        for player in {d.player for d in decided if d.kind == "fmjd" and d.player}:
            rating = fmjd_rating(decided, player, on)
            if rating is not None:
                days = [d.day for d in decided if d.kind == "fmjd" and d.player == player and d.day]
                since = max(given for given in days if given <= str(on))
                ratings[player] = (rating, date.fromisoformat(since))
        people = register.load_people(connection, ratings, on=on)
    found = []
    for player, (rating, since_day) in ratings.items():
        debut = from_fmjd(rating, rules)
        factor = debut.steps[0].facts["factor"]
        assert isinstance(factor, Fraction)  # noqa: S101  the step of table 22 carries it
        person = people[player]
        found.append(
            FmjdRating(player, person.name, person.federation, rating, since_day, factor, debut.capital)
        )
    return tuple(sorted(found, key=lambda one: (-one.rating, one.name.casefold(), one.player)))


def _listed_fmjd(
    connection: Connection, on: date, kept: Mapping[int, int]
) -> dict[int, tuple[int, date | None]]:
    """Return the FMJD ratings that the last lists hold, two numbers of one player made one."""
    found: dict[int, tuple[int, date | None]] = {}
    for on_list in (ListName.ITALIANA, ListName.INTERNAZIONALE):
        last = newest_list([p for p in lists.all_publications(connection, on_list) if p.day <= on])
        states = DRAUGHTS.merge_states(lists.states(connection, last.id), kept) if last else {}
        for player, state in states.items():
            rating = to_capital(state).fmjd
            if rating is not None:
                found[player] = (rating, None)
    return found


# ---------------------------------------------------------------------------------------------- one player


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What a player's page shows of one draughts list."""

    standing: DraughtsStanding
    account: PlayerAccount | None
    limit: int
    fmjd: FmjdRating | None
    promotions: tuple[Promotion, ...] = ()


def player_record(office: Office, on_list: ListName, player: int) -> PlayerRecord | None:
    """Return the record of a player on a draughts list; nothing where the player never stood on it."""
    found = points_register(office, on_list, player)
    if found.publication is None:
        return None
    with office.store.reading() as connection:
        state = StateReader(connection, player).states(found.publication.id).get(player)
        years = newest_of_each_year(connection, on_list)
        mine = tuple(
            promotion
            for publication in years
            for promotion in _PROMOTIONS.of(connection, publication)
            if promotion.id == str(player)
        )
    if state is None:
        return None
    account = next((one for one in found.accounts if one.player == player), None)
    fmjd = next((one for one in fmjd_ratings(office) if one.player == player), None)
    return PlayerRecord(to_capital(state), account, found.limit, fmjd, mine)
