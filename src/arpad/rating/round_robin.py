"""The calculator of round robins with unrated players (8.21b, 8.25, 8.58): a cross-table in, figures out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations

from arpad.model.chess import (
    Change,
    Entry,
    EventKind,
    PlayerFacts,
    RatedGame,
    RoundRobin,
    RoundRobinEntry,
)
from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints, Hundredths, fractional_score
from arpad.model.rules import Edition, Finding, ListName, Step, step
from arpad.model.typed_values import (
    HIGHEST_K,
    check_rating,
    check_within,
    parse_integer,
    parse_score,
    parse_within,
)
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.change import coefficient, rating_change
from arpad.regulations.fide.entry_rating import entry_rating
from arpad.regulations.fide.event_kind import Meetings
from arpad.regulations.fide.round_robin import CrossTable, round_robin
from arpad.regulations.fide.rules import ChessRules, RoundRobinTranche
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Entrant, Header, Report
from arpad.reports.time_control import read_time_control

FORM = "RATING|-:RESULTS[:K[:NAME]]"
FEWEST, MOST = 3, 60
"""Players: two are a match."""

NEWEST = next(
    edition
    for edition in reversed(CHESS_EDITIONS)
    if edition.on(ListName.STANDARD).round_robin_entry and not edition.by_name_only
)
"""The last edition that has these articles."""


@dataclass(frozen=True, slots=True)
class RoundRobinPlayer:
    """A participant as passed to the calculator."""

    rating: int | None
    """None: unrated."""

    results: str
    """The points in all (``7.5``), or a row of the cross-table: ``1``, ``=`` or ``0`` a game, ``x`` for the player."""

    k: int | None = None
    """K of a rated player; without it, that of a player with at least thirty games."""

    name: str = ""
    counted_before: bool = False
    """Whether an unrated player has an earlier event that counts."""


def parse_player(text: str) -> RoundRobinPlayer:
    """Return the player that a text written ``RATING|-:RESULTS[:K[:NAME]]`` names."""
    rating, *more = text.split(":", 3)
    if not more or not more[0].strip():
        raise BadInput("bad-form", option="player", value=text, accepted=FORM)
    k = more[1].strip() if len(more) > 1 else ""
    return RoundRobinPlayer(
        None if rating.strip() in ("", "-", "–") else parse_integer(rating, "player"),
        more[0].strip(),
        parse_integer(k, "player") if k else None,
        more[2].strip() if len(more) > 2 else "",  # noqa: PLR2004  the fourth part
    )


def with_earlier_events(
    players: Sequence[RoundRobinPlayer], numbers: Iterable[str]
) -> list[RoundRobinPlayer]:
    """Return the players; those with these numbers are marked as having an earlier event that counts."""
    places = {parse_within(text, "counted_before", 1, len(players)) for text in numbers if players}
    return [replace(player, counted_before=number in places) for number, player in enumerate(players, 1)]


def cross_table(players: Sequence[RoundRobinPlayer], cycles: int) -> tuple[CrossTable, bool]:
    """Return the cross-table, and whether it is exact: points alone do not give the results."""
    ratings = {number: player.rating for number, player in enumerate(players, 1)}
    rows = [_row(number, player.results, len(players), cycles) for number, player in enumerate(players, 1)]
    if all(isinstance(row, dict) for row in rows):
        scores = {(n, opponent): score for n, row in enumerate(rows, 1) for opponent, score in _pairs(row)}
        for (number, opponent), score in scores.items():
            if number < opponent and score + scores[opponent, number] != 2 * cycles:
                raise BadInput("round-robin-contradiction", first=number, second=opponent)
        return CrossTable(ratings, scores, cycles), True
    totals = {n: row if isinstance(row, int) else sum(row.values()) for n, row in enumerate(rows, 1)}
    return CrossTable(ratings, _some_scores(totals, cycles), cycles), False


def _pairs(row: int | Mapping[int, HalfPoints]) -> list[tuple[int, HalfPoints]]:
    return [] if isinstance(row, int) else list(row.items())


def _row(number: int, text: str, players: int, cycles: int) -> int | dict[int, HalfPoints]:
    """Return a player's half-points by opponent, or their sum if only points are given."""
    plain = re.sub(r"[\s,;|]", "", text.lower().replace("½", "=").replace("*", "x"))
    row = re.fullmatch(r"([01=]*)(x+)([01=]*)", plain)
    if row is None:
        score = parse_score(text, "player")
        most = (players - 1) * cycles
        if score > 2 * most:
            raise BadInput("round-robin-points", number=number, value=text, high=most)
        return score
    left, right = row[1], row[3]
    if len(left) != cycles * (number - 1) or len(right) != cycles * (players - number):
        raise BadInput("round-robin-row", number=number, value=text, games=(players - 1) * cycles)
    worth = [{"1": 2, "=": 1, "0": 0}[sign] for sign in left + right]
    opponents = [opponent for opponent in range(1, players + 1) if opponent != number]
    return {opponent: sum(worth[at * cycles : (at + 1) * cycles]) for at, opponent in enumerate(opponents)}


def _some_scores(totals: Mapping[int, HalfPoints], cycles: int) -> dict[tuple[int, int], HalfPoints]:
    """Return a cross-table with these points; refuse points that no round robin can have.

    One player after the other gives the half-points they did not score, each to the opponent who lacks most: what the
    others then lack is as even as it can be.
    """
    games = cycles * len(totals) * (len(totals) - 1) // 2
    if sum(totals.values()) != 2 * games:
        raise BadInput("round-robin-sum", games=games)
    lacking, scores = dict(totals), dict[tuple[int, int], HalfPoints]()
    for player in totals:
        own = lacking.pop(player)
        scores |= {(opponent, player): 0 for opponent in lacking}
        for _ in range(2 * cycles * len(lacking) - own):
            open_ = [opponent for opponent in lacking if scores[opponent, player] < 2 * cycles]
            if not open_:
                raise BadInput("round-robin-impossible")
            opponent = max(open_, key=lambda it: lacking[it])
            lacking[opponent] -= 1
            scores[opponent, player] += 1
        if own > 2 * cycles * len(lacking):
            raise BadInput("round-robin-impossible")
        scores |= {(player, opponent): 2 * cycles - scores[opponent, player] for opponent in lacking}
    return scores


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent as a rated player meets them: the rating they count with, and the points of all games with them."""

    number: int
    rating: int
    score: HalfPoints | None
    """None if only the total points are known."""


@dataclass(frozen=True, slots=True)
class RoundRobinFigures:
    """The result of one player: a rated player's change, or an unrated one's ratings."""

    number: int
    name: str
    rating: int | None
    score: HalfPoints
    p: Hundredths | None
    dp: int | None
    """None if the articles do not need it: an unrated player with half the points or more."""

    opponents: tuple[Opponent, ...] = ()
    change: Change | None = None
    unrated: RoundRobinEntry | None = None
    entry: Entry | None = None
    removed: bool = False
    """A first event with too few points: it counts for no player (6.1)."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundRobinRating:
    """The result of a round robin with unrated players."""

    cycles: int
    table: RoundRobin
    players: tuple[RoundRobinFigures, ...]
    findings: tuple[Finding, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the whole derivation: the tournament, then player by player."""
        return (*self.table.steps, *(item for player in self.players for item in player.steps))


def rate_round_robin(
    players: Sequence[RoundRobinPlayer],
    edition: Edition[ChessRules],
    on_list: ListName = ListName.STANDARD,
    *,
    cycles: int = 1,
    day: date | None = None,
) -> RoundRobinRating:
    """Rate a round robin by the articles of an edition; ``day`` decides K (8.58)."""
    rules = edition.on(on_list)
    tranche = rules.round_robin_entry
    if tranche is None:
        raise BadInput("no-round-robin-articles", edition=edition.id)
    _refuse_field(players)
    table, exact = cross_table(players, cycles)
    numbered = dict(enumerate(players, 1))
    newcomers = {n for n, player in numbered.items() if player.rating is None and not player.counted_before}
    result = round_robin(table, rules, newcomers)
    if not exact and any(item.quantity == "removed" and item.facts["score"] for item in result.steps):
        raise BadInput("round-robin-rows-needed")
    left = table.without(set(result.ignored))
    figures = []
    for number, player in numbered.items():
        if number in result.ignored:
            removed = tuple(s for s in result.steps if s.quantity == "removed" and s.value == number)
            score = table.score(number)
            own = RoundRobinFigures(number, player.name, None, score, None, None, removed=True, steps=removed)
        elif player.rating is None:
            own = _unrated(number, player, result, rules, tranche.value, exact=exact)
        else:
            own = _rated(
                number, player, player.rating, left, result, rules, day or edition.effective, exact=exact
            )
        figures.append(own)
    findings = _composition(players, edition, on_list, cycles)
    return RoundRobinRating(cycles, result, tuple(figures), findings)


def _refuse_field(players: Sequence[RoundRobinPlayer]) -> None:
    """Refuse players that the articles exclude."""
    if not FEWEST <= len(players) <= MOST:
        raise BadInput("round-robin-players", option="player", value=len(players), low=FEWEST, high=MOST)
    for player in players:
        if player.rating is not None:
            check_rating(player.rating, "player")
        if player.k is not None:
            check_within(player.k, "player", 1, HIGHEST_K)
    unrated = sum(player.rating is None for player in players)
    if unrated == 0:
        raise BadInput("round-robin-all-rated")
    if unrated == len(players):
        raise BadInput("round-robin-none-rated")


# --------------------------------------------------------------------------------------------- player by player


def _unrated(
    number: int,
    player: RoundRobinPlayer,
    result: RoundRobin,
    rules: ChessRules,
    tranche: RoundRobinTranche,
    *,
    exact: bool,
) -> RoundRobinFigures:
    """Return an unrated player's ratings, and the entry rating of this tournament alone."""
    own_entry = result.entries[number]
    performance = tranche(result, number, rules)
    if performance.games != result.games and not exact:
        raise BadInput("round-robin-rows-needed")
    entry = entry_rating([performance], rules, first=not player.counted_before)
    below = own_entry.score < result.games
    p = fractional_score(own_entry.score, result.games)
    of_table = (*result.steps, *own_entry.steps)
    dp = rules.fraction_table.value.difference(p) if below else None
    steps = (*own_entry.steps, *(item for item in entry.steps if item not in of_table))
    return RoundRobinFigures(
        number, player.name, None, own_entry.score, p, dp, unrated=own_entry, entry=entry, steps=steps
    )


def _rated(
    number: int,
    player: RoundRobinPlayer,
    own: int,
    table: CrossTable,
    result: RoundRobin,
    rules: ChessRules,
    day: date,
    *,
    exact: bool,
) -> RoundRobinFigures:
    """Return a rated player's change against all others, the unrated with Ru (new)."""
    opponents, games = [], []
    for opponent, rating in table.ratings.items():
        if opponent == number:
            continue
        met = rating if rating is not None else result.entries[opponent].ru_new
        score = table.scores[number, opponent]
        opponents.append(Opponent(opponent, met, score if exact else None))
        parts = (max(0, min(2, score - 2 * game)) for game in range(table.cycles))  # only their sum matters
        games += [RatedGame(own, met, part) for part in parts]
    k, k_steps = coefficient(PlayerFacts(own, rules.k_new_games.value), day, rules)
    if player.k is not None:
        k, k_steps = player.k, (step(rules.k_usual.article, "k-given", player.k),)
    change = rating_change(own, k, games, rules)
    score, steps = table.score(number), (*k_steps, *change.steps)
    p = fractional_score(score, result.games) if result.games else None
    dp = rules.fraction_table.value.difference(p) if p is not None else None
    return RoundRobinFigures(number, player.name, own, score, p, dp, tuple(opponents), change, steps=steps)


def _composition(
    players: Sequence[RoundRobinPlayer], edition: Edition[ChessRules], on_list: ListName, cycles: int
) -> tuple[Finding, ...]:
    """Return the findings of the articles on the composition of a round robin."""
    from arpad.checks.ch5_6_composition import (
        championship,
        round_robin_double,
        round_robin_share,
        round_robin_small,
    )
    from arpad.checks.context import Case

    entrants = tuple(Entrant(number, player.name, player.rating) for number, player in enumerate(players, 1))
    kind = EventKind.DOUBLE_ROUND_ROBIN if cycles > 1 else EventKind.ROUND_ROBIN
    all_met = dict.fromkeys(combinations(range(len(players)), 2), cycles)
    case = Case(
        Report(Header(), entrants, ()),
        EventFacts(),
        edition.id,
        edition.on(on_list),
        on_list,
        Meetings(len(players), 0, lambda: (all_met, all_met), stated=kind),
        read_time_control(""),
        tuple(player.rating for player in players),
    )
    checks = (round_robin_share, round_robin_small, round_robin_double, championship)
    return tuple(finding for check in checks for finding in check(case))
