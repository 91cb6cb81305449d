"""The records of the draughts commission: points taken and given back, promotions, FMJD ratings, a player's record.

Table 18b asks for an up-to-date list of the players from whom points were taken, table 22 cancels the capital of
foreign players and has the FMJD ratings, tables 11 and 12 the promotions. All of it is computed from the published
lists, revision by revision, and from the decisions in force; nothing is stored twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property

from sqlalchemy import Connection

from arpad.lists.compute_draughts import compute_year
from arpad.model.draughts import DraughtsState
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.model.typed_values import check_among
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.drafts.starting_capitals import fmjd_rating
from arpad.office.editions.acts import edition_on
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import inputs_as_of, newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import IMPORTED, PUBLISHED
from arpad.office.office import Office, today
from arpad.office.register import rows as register
from arpad.office.register.number_rows import merge_targets, with_merged
from arpad.office.reports.rows import decisions_in_force, with_kept_players
from arpad.regulations.calendar import closes_year
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


BROUGHT, TAKEN, GIVEN_BACK, RESTARTED = "brought", "taken", "given-back", "restarted"
CANCELLED, RESTORED, RETURNED = "cancelled", "restored", "returned"


@dataclass(frozen=True, slots=True)
class PointsEntry:
    """One line of the register of points.

    ``brought`` came with an imported list, ``taken`` is the malus of a year without events, ``given-back``
    what a correction of that list gave back; ``restarted`` is a total that begins again once the player has returned,
    if the edition says so. ``cancelled`` is a foreign player's whole capital, ``restored`` the same taken back by a
    correction, ``returned`` the capital with which the player began again.
    """

    player: int
    year: int
    kind: str
    points: int
    total: int
    """Points of malus taken from the player so far."""

    list: str
    """The list with which it happened."""


@dataclass(frozen=True, slots=True)
class PlayerAccount:
    """A player from whom points were taken, or whose capital was cancelled."""

    player: int
    name: str
    capital: int | None
    total: int
    left: int
    """Points that can still be taken."""

    last_event: date | None
    idle_years: int
    entries: tuple[PointsEntry, ...]


@dataclass(frozen=True, slots=True)
class PointsRegister:
    """The register of points taken and given back on one list."""

    on_list: ListName
    publication: Publication | None
    """The last published list."""

    limit: int
    """The most that can be taken from a player."""

    accounts: tuple[PlayerAccount, ...]


def points_register(office: Office, on_list: ListName, player: int | None = None) -> PointsRegister:
    """Return the register of points of a draughts list, or of one player (tables 18b and 22)."""
    refuse_chess(on_list)
    with office.store.reading() as connection:
        publications = lists.all_publications(connection, on_list)
        last = newest(publications)
        day = last.day if last is not None else today(office, connection)
        limit = edition_on(connection, on_list, day).on(on_list).malus_limit.value
        reader = StateReader(connection, player)
        entries = _entries(reader, publications)
        states = reader.states(last.id) if last is not None else {}
        concerned = {*entries, *(player for player, state in states.items() if to_capital(state).malus)}
        people = register.load_people(connection, concerned)
    accounts = [
        _account(player, people[player], states.get(player), entries.get(player, []), limit)
        for player in sorted(concerned, key=lambda player: (people[player].name.casefold(), player))
    ]
    return PointsRegister(on_list, last, limit, tuple(accounts))


def _account(
    player: int, person: Person, state: str | None, entries: Sequence[PointsEntry], limit: int
) -> PlayerAccount:
    standing = to_capital(state) if state is not None else None
    total = standing.malus if standing is not None else 0
    return PlayerAccount(
        player,
        person.name,
        standing.capital if standing is not None else None,
        total,
        max(0, limit - total),
        standing.last_event if standing is not None else None,
        standing.idle_years if standing is not None else 0,
        tuple(entries),
    )


# --------------------------------------------------------------------------------------------- the entries


@dataclass(frozen=True)
class StateReader:
    """Reads the states of all players, or those of one player under every number of theirs."""

    connection: Connection
    player: int | None = None

    def states(self, publication: int) -> dict[int, str]:
        """Return the states of a list: player → state."""
        return list_rows.states(self.connection, publication, self._numbers)

    @cached_property
    def _numbers(self) -> list[int] | None:
        if self.player is None:
            return None
        return sorted(with_merged({self.player}, merge_targets(self.connection)))

    def states_before(self, publication: Publication, group: Sequence[Publication]) -> dict[int, str]:
        """Return the states from which a list started, those of merged players joined.

        A corrected start has none of its own: those of the list that it corrects are returned.
        """
        listed = (
            publication if publication.kind == PUBLISHED else [p for p in group if p.kind == PUBLISHED][-1]
        )
        if listed.base is None:
            return {}
        merged = merge_targets(self.connection, inputs_as_of(listed).merges_as_of)
        return RUBELE.stored.merge(self.states(listed.base), merged)


@dataclass(slots=True)
class _Effect:
    """The changes that one revision of an annual list made to a player."""

    deducted: int = 0
    restarted: int = 0
    cancelled: int = 0
    total: int = 0


def _entries(reader: StateReader, publications: Sequence[Publication]) -> dict[int, list[PointsEntry]]:
    """Return the entries of each player, in order of time."""
    entries: dict[int, list[PointsEntry]] = {}
    by_day: dict[date, list[Publication]] = {}
    for publication in sorted(publications, key=lambda p: (p.day, p.revision)):
        by_day.setdefault(publication.day, []).append(publication)
    newest_of_year = {day.year: group for day, group in sorted(by_day.items())}
    for day, group in by_day.items():
        new: Iterator[PointsEntry]
        if group[0].kind == IMPORTED:
            new = _brought(reader, group[0])
        elif closes_year(day):
            new = _year_ends(reader, group)
        else:
            new = iter(())
        for entry in new:
            entries.setdefault(entry.player, []).append(entry)
        if newest_of_year[day.year] is group and group[0].kind != IMPORTED:
            for entry in _returned(reader, group):
                earlier = entries.setdefault(entry.player, [])
                index = next((i for i, other in enumerate(earlier) if other.year == entry.year), len(earlier))
                earlier.insert(index, entry)
    return entries


def _brought(reader: StateReader, publication: Publication) -> Iterator[PointsEntry]:
    for player, state in sorted(reader.states(publication.id).items()):
        malus = to_capital(state).malus
        if malus:
            yield PointsEntry(player, publication.day.year, BROUGHT, malus, malus, publication.name)


def _year_ends(reader: StateReader, group: Sequence[Publication]) -> Iterator[PointsEntry]:
    """Yield what an annual list took, then what each of its corrections changed."""
    former: dict[int, _Effect] = {}
    for publication in group:
        before = reader.states_before(publication, group)
        effects = _effects(before, reader.states(publication.id), publication.day.year)
        nothing = _Effect()
        for player in sorted({*former, *effects}):
            was, now = former.get(player, nothing), effects.get(player, nothing)
            deducted, cancelled = now.deducted - was.deducted, now.cancelled - was.cancelled
            for kind, points in (
                (RESTARTED, now.restarted - was.restarted),
                (TAKEN if deducted > 0 else GIVEN_BACK, abs(deducted)),
                (CANCELLED if cancelled > 0 else RESTORED, abs(cancelled)),
            ):
                if points:
                    year, name = publication.day.year, publication.name
                    yield PointsEntry(player, year, kind, points, now.total, name)
        former = effects


def _effects(before: Mapping[int, str], after: Mapping[int, str], year: int) -> dict[int, _Effect]:
    effects: dict[int, _Effect] = {}
    for player, state in after.items():
        now = to_capital(state)
        was = to_capital(before[player]) if player in before else DraughtsState(now.name, None, now.category)
        played = now.last_event is not None and now.last_event.year == year
        effect = _Effect(total=now.malus)
        if played:
            effect.restarted = max(0, was.malus - now.malus)
        else:
            effect.deducted = max(0, now.malus - was.malus)
            effect.cancelled = was.capital if was.capital is not None and now.capital is None else 0
        effects[player] = effect
    return effects


def _returned(reader: StateReader, group: Sequence[Publication]) -> Iterator[PointsEntry]:
    """Yield the foreign players who came back in a year, with the capital with which they began again."""
    publication = [p for p in group if p.kind == PUBLISHED][-1]
    before = reader.states_before(publication, group)
    after = reader.states(publication.id)
    back = {
        player
        for player, state in before.items()
        if to_capital(state).capital is None
        and player in after
        and to_capital(after[player]).capital is not None
    }
    if not back:
        return
    began: dict[int, int] = {}
    for rated in compute_year(inputs_of(reader.connection, publication)).season.events:
        for result in rated.players:
            player = int(result.participant.standing.id)
            if player in back and result.change is not None:
                began.setdefault(player, result.participant.capital)
    for player, capital in sorted(began.items()):
        total = to_capital(after[player]).malus
        yield PointsEntry(player, publication.day.year, RETURNED, capital, total, publication.name)


def refuse_chess(on_list: ListName) -> None:
    """Refuse a chess list: it has no capitals."""
    check_among(str(on_list), "list", sorted(map(str, RUBELE.lists)))
