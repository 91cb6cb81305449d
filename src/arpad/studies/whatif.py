"""What if a rule were different: a history replayed under other editions, and the two outcomes side by side.

The games are those that were played: no player enters another event or meets another opponent because of a different
rating. ``simulate`` answers the other question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import CHESS_EDITIONS, EditionByDay, editions_in, in_turn
from arpad.regulations.fide import editions as fide
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.own_editions import own_edition
from arpad.studies.history import History, HistoryGame
from arpad.studies.points import accounts, lifts, total
from arpad.studies.replay import ReplayedPeriod, all_lists, rated_games, ratings_of, replay

if TYPE_CHECKING:
    from arpad.studies.statistics import Interval

THRESHOLDS = (1400, 1600, 1800, 2000, 2200, 2300, 2400, 2500, 2650)
MOVERS = 20
FIGURES = (
    "rated", "average", "deviation", "newcomers", "newcomer_average", "left", "drift", "log_loss", "brier",
)  # fmt: skip
"""The figures of an outcome that are one number."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the two outcomes."""

    edition: str
    rated: int
    average: float
    deviation: float
    newcomers: int
    newcomer_average: float | None
    left: int
    log_loss: float | None
    """Of the expectations of its own lists, over the games that both outcomes rate."""

    brier: float | None
    drift: float | None
    """Points a year of settled adults, if enough of them can be followed."""

    points: Mapping[str, Fraction]
    """The ledger over the whole time."""

    above: Mapping[int, int]
    """Players at or above each threshold on the last list."""


@dataclass(frozen=True, slots=True)
class Mover:
    """One player's last rating under both; None without a rating."""

    player: int
    was: int | None
    would: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two outcomes of one history."""

    was: Outcome
    would: Outcome
    both: int
    """Players with a rating under both."""

    moved: int
    mean_move: float
    mean_distance: float
    movers: tuple[Mover, ...]
    """The players who move furthest."""

    gained: tuple[int, ...]
    """Players without a rating who would have one."""

    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OverWorlds:
    """A figure of the outcomes over several simulated worlds."""

    figure: str
    was: float
    would: float
    change: Interval
    """Of one outcome less the other, with its 95 % interval."""


def over_worlds(comparisons: Sequence[Comparison]) -> tuple[OverWorlds, ...]:
    """Return the figures that every world has on both sides, with the interval of their change."""
    from arpad.studies.statistics import mean_interval

    rows = []
    for figure in FIGURES:
        sides = [(getattr(it.was, figure), getattr(it.would, figure)) for it in comparisons]
        if all(was is not None and would is not None for was, would in sides):
            was, would = (fmean(column) for column in zip(*sides, strict=True))
            change = mean_interval([would - was for was, would in sides])
            rows.append(OverWorlds(figure, was, would, change))
    return tuple(rows)


def whatif(history: History, was: EditionByDay, would: EditionByDay) -> Comparison:
    """Replay under both editions and compare the last lists (11.2)."""
    runs = [list(replay(history, editions)) for editions in (was, would)]
    games = [
        {key: game for closed in run for game in rated_games(closed) for key in [_key(game)]} for run in runs
    ]
    common = sorted(games[0].keys() & games[1].keys())
    sides = [
        _side(history, run, [games_by_key[key] for key in common])
        for run, games_by_key in zip(runs, games, strict=True)
    ]
    before, after = (_last(history, run) for run in runs)
    return _compared(before, after, sides[0], sides[1])


def _compared(
    before: Mapping[int, int], after: Mapping[int, int], was: Outcome, would: Outcome
) -> Comparison:
    both = sorted(before.keys() & after.keys())
    moves = [after[player] - before[player] for player in both]
    order = sorted(both, key=lambda player: (-abs(after[player] - before[player]), player))
    return Comparison(
        was,
        would,
        len(both),
        sum(move != 0 for move in moves),
        fmean(moves) if moves else 0.0,
        fmean(abs(move) for move in moves) if moves else 0.0,
        tuple(Mover(player, before[player], after[player]) for player in order[:MOVERS]),
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(before.keys() - after.keys())),
    )


def _key(game: HistoryGame) -> tuple[str, int, int, int]:
    return game.event, game.round, game.white, game.black


def _last(history: History, run: Sequence[ReplayedPeriod]) -> Mapping[int, int]:
    return ratings_of(run[-1].period.standings if run else history.start)


def _side(history: History, run: Sequence[ReplayedPeriod], games: Sequence[HistoryGame]) -> Outcome:
    ratings = list(_last(history, run).values())
    ledger = accounts(run)
    entries = [
        happened.entry.rating
        for closed in run
        for happened in closed.period.players.values()
        if happened.entry is not None and happened.entry.rating is not None
    ]
    left = sum(account.counts["fell-below-floor"] + account.counts["floor-raised"] for account in ledger)
    scores = _scores(games)
    return Outcome(
        run[-1].period.edition if run else "",
        len(ratings),
        fmean(ratings) if ratings else 0.0,
        pstdev(ratings) if ratings else 0.0,
        len(entries),
        fmean(entries) if entries else None,
        left,
        *scores,
        _drift(history, run),
        total(ledger).points,
        {bound: sum(rating >= bound for rating in ratings) for bound in THRESHOLDS},
    )


def _drift(history: History, run: Sequence[ReplayedPeriod]) -> float | None:
    from arpad.studies.drift import cohort

    lists = all_lists(history, run)
    settled = cohort(lists[0], lists[-1], history.people, lifts(run))
    return settled.a_year.value if settled else None


def _scores(games: Sequence[HistoryGame]) -> tuple[float | None, float | None]:
    """Return log loss and Brier score of White's expectation on this outcome's own lists."""
    if not games:
        return None, None
    from arpad.studies.calibration import scored

    table = scored(games, {})[0]
    return table.log_loss, table.brier


def tried_editions(
    was: EditionByDay, instead: Edition[ChessRules] | None, changes: Sequence[str], on_list: ListName
) -> EditionByDay:
    """Return the editions to try: another one throughout, or each of the present ones, with some rules replaced."""
    bases = (instead,) if instead is not None else editions_in(was)
    tried = [
        amended(edition, changes, str(on_list)) if changes else replace(edition, id=f"{edition.id}+")
        for edition in bases
    ]
    return in_turn(on_list, tried)


def amended(base: Edition[ChessRules], changes: Sequence[str], on_list: str) -> Edition[ChessRules]:
    """Return an edition with some rules replaced, each written ``field=value``; ``none`` abolishes a rule."""
    lines = [f'id = "{base.id}+"', f'base = "{base.id}"', f"effective = {base.effective}", f"[{on_list}]"]
    for change in changes:
        field, equals, value = change.partition("=")
        if not equals or not field.strip().isidentifier():
            raise BadInput("bad-form", option="set", value=change, accepted="floor=1400")
        lines.append(f"{field.strip()} = {_toml(value.strip())}")
    try:
        return own_edition("\n".join(lines), [base, *CHESS_EDITIONS], fide.PROCEDURES)
    except BadInput as error:
        raise _as_asked(error) from None


def _as_asked(error: BadInput) -> BadInput:
    """Rephrase an error of an edition file as an error about the requested change."""
    if error.code == "own-edition-key":
        rule, accepted = str(error.facts["key"]), str(error.facts["accepted"])
        if nearly := get_close_matches(rule, accepted.split(", ")):
            return BadInput("rule-nearly", option="set", rule=rule, meant=", ".join(nearly))
        return BadInput("rule-unknown", option="set", rule=rule, accepted=accepted)
    if error.code == "own-edition-value":
        return BadInput("rule-value", option="set", **error.facts)
    return error


def _toml(value: str) -> str:
    """Return a value as the file of an edition writes it: numbers and tables as they are, everything else as a name."""
    if value == "none":
        return '"none"'
    plain = value.lstrip("-").isdecimal() or value in ("true", "false") or value[:1] in '[{"'
    quoted = value if plain else f'"{value}"'
    return f'{{ value = {quoted}, article = "what-if" }}'
