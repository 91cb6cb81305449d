"""One list from the previous one: (standings, events, lists in force) → (standings, what happened to each player).

The readable path: everything comes with its derivation. Reading 1 of docs/readings.md says which edition decides: the
tournament's own edition sets the games that count, the cap, K and the first-event tests; the edition of the list's day
sets window, minimum games, floor, the limit of K times games, rounding, inactivity and one-off adjustments.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from arpad.lists.imported_history import first_games_are_over, top_was_reached
from arpad.lists.period_inputs import (
    Event,
    Frame,
    InForce,
    Participation,
    RegisterFacts,
    counts_already,
    in_order,
    participation,
)
from arpad.model.chess import Entry, GameChange, Performance, PlayerFacts, PlayerState, RatedGame
from arpad.model.exact import from_hundredths
from arpad.model.rules import Edition, ListName, Step, step
from arpad.rating.event import NOT_COUNTED, EventTally, Tally, tally
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.change import applied_k, coefficient, game_changes, too_far_apart
from arpad.regulations.fide.entry_rating import different_opponents, swiss_performance, within_window
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.fide.settlement import is_inactive, settled

__all__ = ["ClosedPeriod", "Contribution", "Event", "InForce", "PlayerPeriod", "RegisterFacts", "close"]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one event brings a rated player."""

    event: str
    index: int
    k: int
    k_applied: int
    games: tuple[GameChange, ...]
    steps: tuple[Step, ...]

    @property
    def rated_games(self) -> int:
        """Return games that count."""
        return sum(game.rated for game in self.games)

    @property
    def points(self) -> Fraction:
        """Return K times the sum of this event."""
        return from_hundredths(self.k_applied * sum(game.change for game in self.games))


@dataclass(frozen=True, slots=True)
class PlayerPeriod:
    """One player's period: before, after, and the derivation."""

    before: PlayerState
    after: PlayerState
    contributions: tuple[Contribution, ...] = ()
    entry: Entry | None = None
    games: int = 0
    """Games rated in the period, as the list shows them."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosedPeriod:
    """A period, closed."""

    on_list: ListName
    day: date
    edition: str
    players: Mapping[int, PlayerPeriod]
    """All players with a change."""

    standings: Mapping[int, PlayerState]
    """Everybody."""

    tallies: Mapping[str, EventTally]


def close(
    on_list: ListName,
    day: date,
    opened: date,
    standings: Mapping[int, PlayerState],
    events: Iterable[Event],
    in_force: InForce,
    edition: Edition[ChessRules],
    *,
    register: RegisterFacts | None = None,
    editions: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
    only: AbstractSet[int] | None = None,
) -> ClosedPeriod:
    """Close the period that the list of ``opened`` began and return the standings of the list of ``day``.

    ``edition`` is the one in force on the list's day; ``editions`` are those under which the pending events of unrated
    players may have been played. With ``only``, the result is right only for these players: it is computed from their
    events and those on which the entries of a round robin depend.

    Articles (7.2, 7.21, 7.23, 7.23a, 7.23b, 7.23c, 8.4, 7.2.1, 7.2.2, 8.2.4).
    """
    register = register or RegisterFacts()
    ordered = in_order(events)
    frame = Frame.of(on_list, day, opened, edition, [*editions, *(event.edition for event in ordered)])
    gathered = Gathered(standings)
    for event in ordered:
        count(event, frame, gathered, in_force, register, only)
    touched: dict[int, PlayerPeriod] = {}
    after: dict[int, PlayerState] = {}
    for player in sorted({*standings, *gathered.rated, *gathered.pools} if only is None else only):
        before = standings.get(player, PlayerState(player))
        parts = gathered.rated.get(player, [])
        pool = gathered.pools.get(player, [])
        if not parts and not pool and _unmoved(before, frame, register):
            after[player] = before
            continue
        if before.rating is not None or any(part.rated_games for part in parts):
            happened = _rated(before, parts, frame, register)
        else:
            happened = _newcomer(before, pool, frame, register)
        if happened.after != before or player in standings:
            after[player] = happened.after
        if happened.contributions or happened.entry or happened.steps:
            touched[player] = happened
    return ClosedPeriod(on_list, day, edition.id, touched, after, gathered.tallies)


# -------------------------------------------------------------------------------------------- event by event


@dataclass(frozen=True, slots=True)
class Played:
    """A rated player's event: what was counted, and what each game is worth."""

    event: Event
    index: int
    part: Participation
    games: tuple[GameChange, ...]

    @property
    def rated_games(self) -> int:
        return sum(game.rated for game in self.games)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The rated games and the results of unrated players of the events counted so far, by player."""

    standings: Mapping[int, PlayerState]
    rated: dict[int, list[Played]] = field(default_factory=dict)
    pools: dict[int, list[Performance]] = field(default_factory=dict)
    """Unrated players: what the period adds to their tranches."""

    tallies: dict[str, EventTally] = field(default_factory=dict)

    def tranches(self, player: int) -> list[Performance]:
        standing = self.standings.get(player)
        return [*(standing.tranches if standing else ()), *self.pools.get(player, [])]


def count(
    event: Event,
    frame: Frame,
    gathered: Gathered,
    in_force: InForce,
    register: RegisterFacts,
    only: AbstractSet[int] | None = None,
) -> None:
    """Count one event with the ratings in force on its first day, and add each player's part."""
    rules = event.edition.on(frame.on_list)
    parts = [
        participation(player, gathered.standings.get(player), event, rules, in_force, register)
        for player in event.players
    ]
    before = {
        index
        for index, (player, part) in enumerate(zip(event.players, parts, strict=True))
        if rules.round_robin_entry is not None  # only this procedure needs it
        and part.rating_for_opponents is None
        and (part.rated_since or counts_already(gathered.tranches(player), event.last_day, frame))
    }
    counted_only = None if only is None else {at for at, player in enumerate(event.players) if player in only}
    counted = tally(
        event.report,
        tuple(part.rating_for_opponents for part in parts),
        rules,
        facts=event.facts,
        counted_before=before,
        rated_meanwhile={index for index, part in enumerate(parts) if part.rated_since},
        edition=event.edition.id,
        only=counted_only,
    )
    gathered.tallies[event.id] = counted
    for index, (player, part, player_tally) in enumerate(
        zip(event.players, parts, counted.players, strict=True)
    ):
        if player_tally is NOT_COUNTED:
            continue
        if part.own_rating is not None:
            if games := game_changes(player_tally.games(part.own_rating, event.id), rules):
                gathered.rated.setdefault(player, []).append(Played(event, index, part, games))
        elif not part.guest and (
            tranche := player_tally.tranche or delisted_meanwhile(event, player_tally, parts, rules)
        ):
            gathered.pools.setdefault(player, []).append(tranche)


def delisted_meanwhile(
    event: Event, player_tally: Tally, parts: Sequence[Participation], rules: ChessRules
) -> Performance | None:
    """Return the games that open the new pool of a player delisted since the event began (7.21).

    The player counted as rated in the event: a game that the gap of the two ratings takes out (RB 7.3.1) is not rated
    for the player either.
    """
    own = parts[player_tally.rounds[0].cell.index].rating_for_opponents if player_tally.rounds else None
    if own is None:
        return None
    met = [
        (met_rating, played.cell.score, played.cell.opponent)
        for played in player_tally.rounds
        if not played.reason
        and played.cell.opponent is not None
        and (met_rating := parts[played.cell.opponent].rating_for_opponents) is not None
        and not too_far_apart(RatedGame(own, met_rating, played.cell.score, event.id), rules)
    ]
    if not met:
        return None
    performance = swiss_performance(
        event.report.header.name,
        [rating for rating, _, _ in met],
        sum(score for _, score, _ in met),
        opponents=different_opponents((opponent for _, _, opponent in met), rules),
        last_day=event.report.header.last_day,
        team_championship=bool(event.facts.team_championship),
    )
    return replace(performance, edition=event.edition.id)


# ------------------------------------------------------------------------------------------ player by player


def _rated(
    before: PlayerState, parts: Sequence[Played], frame: Frame, register: RegisterFacts
) -> PlayerPeriod:
    """Return a rated player: the sum over all events, K by K, rounded once (8.55c, 8.56, 8.57)."""
    rules = frame.rules
    rating = before.rating if before.rating is not None else _standard_taken(parts)
    games = sum(part.rated_games for part in parts)
    contributions = []
    for part in parts:
        k, k_steps = _k(before, rating, part, frame, register)
        applied, reduced = applied_k(k, games, rules)
        event = part.event
        steps = (*_own_rating(part, frame), *k_steps, *reduced)
        contributions.append(Contribution(event.id, part.index, k, applied, part.games, steps))
    change = sum((part.points for part in contributions), Fraction(0))
    new = rules.rounding.value(rating, change) if parts else rating
    total: tuple[Step, ...] = ()
    if contributions:
        rounded = new - rating
        total = (
            step(rules.articles["change"], "period-change", change, games=games, events=len(contributions)),
            step(rules.rounding.article, "new-rating", new, rating=rating, change=change, rounded=rounded),
        )
    seeded = _seeded(before, frame.opening)
    after = replace(
        seeded,
        rating=new,
        games=seeded.games + games,
        peak=max(seeded.peak, before.rating or 0),
        k=None,
        entered=before.entered if before.rating is not None else frame.day,
        last_list=frame.day if games else before.last_list,
        tranches=(),
        delisted=False,
    )
    after, more = _settled(after, frame, register)
    if before.rating is None:
        after = replace(after, entry=after.rating)
    return PlayerPeriod(before, after, tuple(contributions), None, games, (*total, *more))


def _standard_taken(parts: Sequence[Played]) -> int:
    """Return the standard rating that a player brings to another list: that of the latest event begun with it."""
    with_standard = [part for part in parts if part.part.uses_standard and part.rated_games]
    return max(with_standard, key=lambda part: part.event.first_day).part.rating_for_opponents or 0


def _k(
    before: PlayerState, rating: int, part: Played, frame: Frame, register: RegisterFacts
) -> tuple[int, tuple[Step, ...]]:
    """Return K: an officer's decision, else that of an imported list, else from the facts as the period begins."""
    rules = part.event.edition.on(frame.on_list)
    if before.player in register.k:
        k = register.k[before.player]
        return k, (step(rules.k_usual.article, "k-decided", k),)
    if before.k is not None:
        return before.k, (step(rules.k_usual.article, "k-listed", before.k, day=frame.opened),)
    meanwhile = part.part.rated_since
    games = before.games if meanwhile is None else meanwhile.games
    born = register.born.get(before.player)
    facts = PlayerFacts(rating, games, before.peak, born, from_standard=before.rating is None)
    return coefficient(facts, frame.opened, rules)


def _own_rating(part: Played, frame: Frame) -> tuple[Step, ...]:
    """Return the steps for the rating of a player who had none on this list when the event began."""
    rules = part.event.edition.on(frame.on_list)
    if meanwhile := part.part.rated_since:
        return (step(rules.rated_meanwhile.article, meanwhile.quantity, meanwhile.own, list=frame.opened),)
    if part.part.uses_standard and rules.entry_takes_standard:
        return (step(rules.entry_takes_standard.article, "from-standard", part.part.rating_for_opponents),)
    return ()


def _seeded(standing: PlayerState, rules: ChessRules) -> PlayerState:
    """Return a standing with what follows from the K of an imported list about the past."""
    if standing.k is None:
        return standing
    if top_was_reached(standing.k, rules):
        return replace(standing, peak=max(standing.peak, rules.k_top_from.value))
    if first_games_are_over(standing.k, rules):
        return replace(standing, games=max(standing.games, rules.k_new_games.value))
    return standing


def _newcomer(
    before: PlayerState, pool: Sequence[Performance], frame: Frame, register: RegisterFacts
) -> PlayerPeriod:
    """Return an unrated player: all events in the window as one, published when the conditions are met (7.14, 8.3).

    Also without a new event: an old one that leaves the window, or another edition of the list, may decide it.
    """
    idle = replace(before, delisted=False)
    if not before.tranches and not pool:
        return PlayerPeriod(before, idle)
    tranches = sorted((*before.tranches, *pool), key=lambda tranche: tranche.last_day or date.min)
    entry = frame.entry(tranches, affiliated=before.player in register.affiliated)
    if entry.rating is None:
        inside, _, _ = within_window(tranches, frame.day, frame.rules)
        waiting = replace(idle, tranches=tuple(inside))
        if not pool and waiting.tranches == before.tranches:
            return PlayerPeriod(before, waiting)
        return PlayerPeriod(before, waiting, (), entry, 0, entry.steps)
    entered = PlayerState(
        before.player,
        rating=entry.rating,
        games=entry.games,
        peak=before.peak,
        entered=frame.day,
        last_list=frame.day,
    )
    after, more = _settled(entered, frame, register)
    after = replace(after, entry=after.rating)
    return PlayerPeriod(before, after, (), entry, entry.games, (*entry.steps, *more))


# ------------------------------------------------------------------------------------- what the list does to all


def _settled(
    standing: PlayerState, frame: Frame, register: RegisterFacts
) -> tuple[PlayerState, tuple[Step, ...]]:
    """Return a standing as the list has it, with the player's facts from the register."""
    standard, dead = register.standard.get(standing.player), standing.player in register.dead
    return settled(standing, frame.day, frame.rules, standard=standard, dead=dead)


def _unmoved(standing: PlayerState, frame: Frame, register: RegisterFacts) -> bool:
    """Return whether the list leaves a player unchanged; most players of a long list, so this must be quick."""
    if standing.tranches or standing.delisted:
        return False
    if standing.rating is None:
        return True
    adjustment = frame.rules.one_off_adjustment
    return (
        standing.k is None
        and frame.rules.floor.value <= standing.rating <= standing.peak
        and not (adjustment and adjustment.value.on == frame.day)
        and standing.inactive
        == (standing.player in register.dead or is_inactive(standing, frame.day, frame.rules))
    )
