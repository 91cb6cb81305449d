"""The split of an event's players into groups (table 23), and the whole table that follows from it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from arpad.model.draughts import Category
from arpad.model.errors import BadInput
from arpad.regulations.rubele.rules import DraughtsRules

FEWEST = 2
"""The minimum of a group that is not italo-svizzero: a game needs two."""

TABLE_PLAYERS = range(18, 201)
"""The players for which table 24 was printed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What table 23 sets for a number of players, rounds and groups."""

    players: int
    rounds: int
    groups: int
    critical: int
    increment: int
    first_group_cap: int
    minimum: int
    """The fewest players of an italo-svizzero group."""


@dataclass(frozen=True, slots=True)
class Split:
    """The sizes of the groups, the first group first."""

    limits: Limits
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Contender:
    """A player to be put into a group."""

    name: str
    capital: int
    category: Category
    id: str = ""


def limits(
    players: int, rounds: int, groups: int, rules: DraughtsRules, *, minimum: int | None = None
) -> Limits:
    """Return critical number, increment, cap of the first group, minimum of the others (table 23)."""
    fewest, most = rules.group_numbers.value
    if not fewest <= groups <= most:
        raise BadInput("groups-out-of-range", groups=groups, least=fewest, most=most)
    if rounds < 1:
        raise BadInput("rounds-not-positive", rounds=rounds)
    if players < 1:
        raise BadInput("players-not-positive", players=players)
    critical = rounds * groups * rules.critical_rounds.value
    increment = 2 * (max(0, players - critical) // (2 * groups))
    cap = rules.first_group_rounds.value * rounds + increment
    return Limits(players, rounds, groups, critical, increment, cap, minimum_players(rounds, rules, minimum))


def minimum_players(rounds: int, rules: DraughtsRules, stated: int | None = None) -> int:
    """Return the fewest players of an italo-svizzero group: as stated, or as the table sets it for these rounds."""
    if stated is not None:
        if stated < FEWEST:
            raise BadInput("minimum-too-small", minimum=stated, least=FEWEST)
        return stated
    table = dict(rules.group_minimums.value)
    if rounds not in table:
        raise BadInput(
            "rounds-without-minimum", option="minimum", rounds=rounds, least=min(table), most=max(table)
        )
    return table[rounds]


def split(
    players: int,
    rounds: int,
    groups: int,
    rules: DraughtsRules,
    *,
    minimum: int | None = None,
    free: Collection[int] = (),
) -> Split:
    """Fill the first group to its cap while the others reach their minimum; divide the rest evenly (table 23).

    ``free`` names the groups (1, 2, …) that are not italo-svizzero and have no minimum.
    """
    bounds = limits(players, rounds, groups, rules, minimum=minimum)
    for group in free:
        if not 1 <= group <= groups:
            raise BadInput("no-such-group", group=group, most=groups)
    minimums = [FEWEST if group in free else bounds.minimum for group in range(1, groups + 1)]
    if players < sum(minimums):
        _refuse(bounds, sum(minimums), rules, fixed_minimum=minimum is not None or bool(free))
    first = max(minimums[0], min(bounds.first_group_cap, players - sum(minimums[1:])))
    return Split(bounds, (first, *_evenly(players - first, minimums[1:])))


def _evenly(players: int, minimums: Sequence[int]) -> tuple[int, ...]:
    """Divide as evenly as the minimums allow, the odd players in the lower groups."""
    sizes = list(minimums)
    for _ in range(players - sum(sizes)):
        smallest = min(sizes)
        lowest = max(index for index, size in enumerate(sizes) if size == smallest)
        sizes[lowest] += 1
    return tuple(sizes)


def _refuse(bounds: Limits, needed: int, rules: DraughtsRules, *, fixed_minimum: bool) -> None:
    rounds = None if fixed_minimum else nearest_rounds(bounds, rules)
    groups = nearest_groups(bounds)
    code = "too-few-for-groups"
    if rounds is not None:
        code += "-try-rounds"
    if groups is not None:
        code += "-try-groups"
    raise BadInput(
        code,
        players=bounds.players,
        groups=bounds.groups,
        rounds=bounds.rounds,
        minimum=bounds.minimum,
        needed=needed,
        try_rounds=rounds,
        try_groups=groups,
    )


def nearest_rounds(bounds: Limits, rules: DraughtsRules) -> int | None:
    """Return the nearest number of rounds with which the same groups reach their minimum."""
    fitting = [
        rounds for rounds, least in rules.group_minimums.value if bounds.groups * least <= bounds.players
    ]
    return min(fitting, key=lambda rounds: abs(rounds - bounds.rounds), default=None)


def nearest_groups(bounds: Limits) -> int | None:
    """Return the largest possible number of groups if the wanted one is too large; 1 means one tournament."""
    return bounds.players // bounds.minimum or None


def seeded(players: Sequence[Contender]) -> tuple[Contender, ...]:
    """Return players in the order in which the groups are filled: by capital, then category, then name."""
    order = sorted(
        players, key=lambda player: (-player.capital, -player.category.rank, player.name.casefold())
    )
    return tuple(order)


def share_out(players: Sequence[Contender], sizes: Sequence[int]) -> tuple[tuple[Contender, ...], ...]:
    """Return the players of each group, the strongest group first."""
    order = seeded(players)
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    return tuple(order[start : start + size] for start, size in zip(starts, sizes, strict=True))


def whole_table(rules: DraughtsRules) -> Iterator[tuple[Limits, Split | None]]:
    """Return every split for 18 to 200 players; None if the groups cannot reach their minimum (table 24)."""
    fewest, most = rules.group_numbers.value
    for groups in range(fewest, most + 1):
        for rounds, least in rules.group_minimums.value:
            for players in TABLE_PLAYERS:
                fits = groups * least <= players
                yield (
                    limits(players, rounds, groups, rules),
                    split(players, rounds, groups, rules) if fits else None,
                )
