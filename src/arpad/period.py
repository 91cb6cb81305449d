"""One list from the one before: (standings, events, lists in force) → (standings, what happened to whom).

The readable path: everything comes with its derivation. Which edition decides what is reading 1 of docs/readings.md:
the tournament's own edition says which games count, the cap, K and the first-event tests; the edition of the list's day
says window, minimum games, floor, the limit of K times games, rounding, inactivity and one-off adjustments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from arpad.change import applied_k, coefficient, game_changes, lifted
from arpad.exact import from_hundredths
from arpad.facts import EventFacts
from arpad.initial import entry_rating, swiss_performance, within_window
from arpad.model import Birth, Edition, Entry, GameChange, ListName, Performance, PlayerFacts, Step, step
from arpad.report import Report
from arpad.rules import ChessRules, add_months
from arpad.standing import Standing
from arpad.tally import EventTally, Tally, tally

InForce: TypeAlias = Callable[[int, date], int | None]
"""The rating of a player on the list in force on a day."""


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament that falls into the period."""

    id: str
    report: Report
    players: tuple[int, ...]
    """The register's id of each entrant, by place."""

    edition: Edition[ChessRules]
    """In force on its first day."""

    facts: EventFacts = field(default_factory=EventFacts)

    @property
    def first_day(self) -> date:
        """The day that decides the edition and the ratings; a report without one is not accepted."""
        return self.report.header.first_day or date.min


@dataclass(frozen=True, slots=True)
class Known:
    """What the register and the officers know beside the reports."""

    born: Mapping[int, Birth] = field(default_factory=dict)
    affiliated: frozenset[int] = frozenset()
    """Members of IBCA, ICSC or IPCA."""

    k: Mapping[int, int] = field(default_factory=dict)
    """K decided by an officer for this period."""

    standard: Mapping[int, int] = field(default_factory=dict)
    """Standard ratings, for the lists that look at them."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one event brings a rated player."""

    event: str
    edition: str
    place: int
    k: int
    k_applied: int
    games: tuple[GameChange, ...]
    steps: tuple[Step, ...]

    @property
    def rated_games(self) -> int:
        """Games that count."""
        return sum(game.rated for game in self.games)

    @property
    def points(self) -> Fraction:
        """K times the sum of this event."""
        return from_hundredths(self.k_applied * sum(game.change for game in self.games))


@dataclass(frozen=True, slots=True)
class PlayerPeriod:
    """One player's period: before, after, and how it came about."""

    before: Standing
    after: Standing
    contributions: tuple[Contribution, ...] = ()
    entry: Entry | None = None
    games: int = 0
    """Games rated in the period, as the list shows them."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Period:
    """A period, closed."""

    on_list: ListName
    day: date
    edition: str
    players: Mapping[int, PlayerPeriod]
    """Everybody to whom something happened."""

    standings: Mapping[int, Standing]
    """Everybody."""

    tallies: Mapping[str, EventTally]


def close(
    on_list: ListName,
    day: date,
    opened: date,
    standings: Mapping[int, Standing],
    events: Iterable[Event],
    in_force: InForce,
    edition: Edition[ChessRules],
    *,
    known: Known | None = None,
) -> Period:
    """Close the period that the list of ``opened`` began and make the standings of the list of ``day``.

    ``edition`` is the one in force on the list's day.
    """
    known = known or Known()
    rules = edition.on(on_list)
    ordered = sorted(
        events, key=lambda event: (event.report.header.last_day or date.min, event.first_day, event.id)
    )
    editions = {event.edition.id: event.edition.on(on_list) for event in ordered}
    editions |= {edition.id: rules}
    gathered = _Gathered(standings, {}, {}, {})
    for event in ordered:
        _count(event, on_list, gathered, in_force, known)
    touched: dict[int, PlayerPeriod] = {}
    for player in sorted({*gathered.rated, *gathered.pools}):
        before = standings.get(player, Standing(player))
        if before.rating is not None:
            touched[player] = _rated(
                before, gathered.rated.get(player, []), on_list, opened, day, rules, known
            )
        else:
            pool = gathered.pools.get(player, [])
            touched[player] = _newcomer(
                before, pool, day, rules, editions, affiliated=player in known.affiliated
            )
    after = {player: _untouched(standing, day, rules, known) for player, standing in standings.items()}
    after |= {player: happened.after for player, happened in touched.items()}
    return Period(on_list, day, edition.id, touched, after, gathered.tallies)


# -------------------------------------------------------------------------------------------- event by event


@dataclass(frozen=True, slots=True)
class _Gathered:
    standings: Mapping[int, Standing]
    rated: dict[int, list[tuple[Event, int, Tally, int]]]
    """Rated players: event, place, what was counted, the own rating in it."""

    pools: dict[int, list[Performance]]
    """Unrated players: what the period adds to their tranches."""

    tallies: dict[str, EventTally]

    def counts_already(self, player: int, rules: ChessRules) -> bool:
        """Whether an unrated player has an event that counts, so that the next is not the first (6.1)."""
        standing = self.standings.get(player)
        pool = [*(standing.tranches if standing else ()), *self.pools.get(player, [])]
        return bool(pool) and bool(entry_rating([replace(p, last_day=None) for p in pool], rules).counted)


def _count(event: Event, on_list: ListName, gathered: _Gathered, in_force: InForce, known: Known) -> None:
    """Count one event with the ratings in force on its first day, and hand everybody his part."""
    rules = event.edition.on(on_list)
    ratings = tuple(_rating(player, event.first_day, in_force, rules, known) for player in event.players)
    now = [gathered.standings.get(player, Standing(player)) for player in event.players]
    unrated = [place for place, rating in enumerate(ratings) if rating is None]
    meanwhile = {place for place in unrated if now[place].rating is not None}
    before = {
        place
        for place in unrated
        if place not in meanwhile and gathered.counts_already(event.players[place], rules)
    }
    counted = tally(
        event.report,
        ratings,
        rules,
        facts=event.facts,
        counted_before=before,
        rated_meanwhile=meanwhile,
        edition=event.edition.id,
    )
    gathered.tallies[event.id] = counted
    for place, (player, mine) in enumerate(zip(event.players, counted.players, strict=True)):
        rating = now[place].rating
        if rating is not None:
            own = ratings[place] if ratings[place] is not None else rating
            if mine.games(own or 0, event.id):
                gathered.rated.setdefault(player, []).append((event, place, mine, own or 0))
        elif tranche := mine.tranche or _delisted_meanwhile(event, mine, ratings[place]):
            gathered.pools.setdefault(player, []).append(tranche)


def _rating(player: int, day: date, in_force: InForce, rules: ChessRules, known: Known) -> int | None:
    rating = in_force(player, day)
    if rating is None and rules.entry_takes_standard:
        return known.standard.get(player)
    return rating


def _delisted_meanwhile(event: Event, mine: Tally, rating: int | None) -> Performance | None:
    """A player delisted since the event began counted as rated in it; his own games open his new pool (7.21)."""
    games = mine.games(rating, event.id) if rating is not None else []
    if not games:
        return None
    performance = swiss_performance(
        event.report.header.name,
        [game.opponent for game in games],
        sum(game.score for game in games),
        last_day=event.report.header.last_day,
    )
    return replace(performance, edition=event.edition.id)


# ------------------------------------------------------------------------------------------ player by player


def _rated(
    before: Standing,
    parts: Sequence[tuple[Event, int, Tally, int]],
    on_list: ListName,
    opened: date,
    day: date,
    rules: ChessRules,
    known: Known,
) -> PlayerPeriod:
    """A rated player: the sum over all events, K by K, rounded once (8.55c, 8.56, 8.57)."""
    rating = before.rating or 0
    facts = PlayerFacts(rating, before.games, before.peak, known.born.get(before.player))
    changes = [
        game_changes(mine.games(own, event.id), event.edition.on(on_list)) for event, _, mine, own in parts
    ]
    games = sum(game.rated for some in changes for game in some)
    contributions = []
    for (event, place, _, _), some in zip(parts, changes, strict=True):
        event_rules = event.edition.on(on_list)
        k, k_steps = _k(before, facts, opened, event_rules, known)
        applied, reduced = applied_k(k, games, rules)
        contributions.append(
            Contribution(event.id, event.edition.id, place, k, applied, some, (*k_steps, *reduced))
        )
    change = sum((part.points for part in contributions), Fraction(0))
    new = rules.rounding.value(rating, change)
    steps = [
        step(rules.articles["total"], "period-change", change, games=games, events=len(contributions)),
        step(rules.rounding.article, "new-rating", new, rating=rating, change=change, rounded=new - rating),
    ]
    after = replace(
        before,
        rating=new,
        games=before.games + games,
        k=None,
        last_list=day if games else before.last_list,
        inactive=False,
    )
    after, more = _settled(after, day, rules, known)
    return PlayerPeriod(before, after, tuple(contributions), None, games, (*steps, *more))


def _k(
    before: Standing, facts: PlayerFacts, opened: date, rules: ChessRules, known: Known
) -> tuple[int, tuple[Step, ...]]:
    """K: an officer's decision, else that of an imported list, else from the facts as the period begins."""
    if before.player in known.k:
        k = known.k[before.player]
        return k, (step(rules.k_usual.article, "k-decided", k),)
    if before.k is not None:
        return before.k, (step(rules.k_usual.article, "k-listed", before.k, day=opened),)
    return coefficient(facts, opened, rules)


def _newcomer(
    before: Standing,
    pool: Sequence[Performance],
    day: date,
    rules: ChessRules,
    editions: Mapping[str, ChessRules],
    *,
    affiliated: bool,
) -> PlayerPeriod:
    """An unrated player: all events in the window as one, published when the conditions are met (7.14, 8.3)."""
    tranches = (*before.tranches, *pool)
    entry = entry_rating(
        tranches,
        rules,
        list_day=day,
        affiliated=affiliated,
        rules_of=lambda performance: editions.get(performance.edition, rules),
    )
    if entry.rating is None:
        kept, _, _ = within_window(tranches, day, rules)
        return PlayerPeriod(before, replace(before, tranches=tuple(kept)), (), entry, 0, entry.steps)
    after = Standing(
        before.player,
        rating=entry.rating,
        games=entry.games,
        peak=max(before.peak, entry.rating),
        entered=day,
        last_list=day,
    )
    after, more = _settled(after, day, rules, Known())
    return PlayerPeriod(before, after, (), entry, entry.games, (*entry.steps, *more))


# ------------------------------------------------------------------------------------- what the list does to all


def _settled(
    standing: Standing, day: date, rules: ChessRules, known: Known
) -> tuple[Standing, tuple[Step, ...]]:
    """One-off adjustments, then the floor: whoever is below it is delisted and starts again (7.21)."""
    steps: list[Step] = []
    rating = standing.rating or 0
    if rules.lift and rules.lift.value.on == day:
        raised = lifted(rating, rules.lift.value, known.standard.get(standing.player))
        if raised != rating:
            steps.append(step(rules.lift.article, "lifted", raised, rating=rating))
            rating = raised
    if rating < rules.floor.value:
        steps.append(step(rules.articles["delisted"], "delisted", rating, floor=rules.floor.value))
        gone = Standing(standing.player, peak=standing.peak, last_list=standing.last_list, delisted=True)
        return gone, tuple(steps)
    return replace(standing, rating=rating, peak=max(standing.peak, rating)), tuple(steps)


def _untouched(standing: Standing, day: date, rules: ChessRules, known: Known) -> Standing:
    """A player without games in the period: perhaps lifted, perhaps inactive from now on (7.23)."""
    if standing.rating is None:
        return replace(standing, delisted=False) if standing.delisted else standing
    settled, steps = _settled(standing, day, rules, known)
    since = settled.last_list
    inactive = since is None or since <= add_months(day, -rules.inactive_months.value)
    if not steps and inactive == settled.inactive and settled.k is None:
        return standing
    return settled if settled.rating is None else replace(settled, inactive=inactive, k=None)
