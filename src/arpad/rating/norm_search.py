"""The best choice of a player's games for a norm: without some wins, or without the games after some round.

The search is complete for up to 19 games, the longest event of the Annex: it leaves out a branch only if no choice in
it can be valid and better than the best one so far. Of more games, it leaves out the lowest opponents of a kind first,
and at most ``MOST_STEPS`` sets of each number of wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from arpad.model.exact import HalfPoints
from arpad.regulations.chess.titles.games import NormRecord
from arpad.regulations.chess.titles.performance import (
    games_counted,
    least_average,
    performance,
    rounded_average,
    score_needed,
)
from arpad.regulations.chess.titles.requirements import (
    DOUBLE_ROUND_ROBIN,
    TEAM,
    Mix,
    NormGame,
    exemption,
    games_of_choice,
    meets_rating,
    mix,
)
from arpad.regulations.chess.titles.rules import NormTitle, TitleRules, refuses

WIN: HalfPoints = 2
MOST_SEARCHED = 19
MOST_STEPS = 2_000
"""Sets of wins that are looked at in one branch of a longer event."""


class Choice(NamedTuple):
    """A valid choice of games, as good as its place in the order."""

    games: tuple[NormGame, ...]
    counted: int
    """As how many games it counts."""

    only_wins: bool
    """Whether nothing but wins is left out."""

    average: int
    performance: int
    needed: HalfPoints

    @property
    def key(self) -> tuple[int, int, bool, int, tuple[int, ...]]:
        """Return the place in the order: the largest is the best.

        Most games counted; then most games; then only wins left out; then the highest performance; then the earliest
        rounds.
        """
        earliest = tuple(-game.round for game in self.games)
        return self.counted, len(self.games), self.only_wins, self.performance, earliest


def best_choice(record: NormRecord, title: NormTitle, rules: TitleRules, least: int) -> Choice | None:
    """Return the best valid choice of at least so many games, or None.

    Articles (B.01 1.4.1e, B.01 1.4.1f).
    """
    if len(record.games) < least:
        return None
    whole = mix(record.games, title, record.player, record.event, rules)
    exempt = exemption(record.player, record.event, rules) is not None
    if record.event.fixed and refuses(rules.complete_mix) and not _mix_holds(whole, rules, exempt=exempt):
        return None
    always_tested = not exempt and record.event.system != TEAM  # team events: only from nine games on
    if always_tested and whole.federations < whole.federations_least:
        return None  # fewer games have no more federations
    best: Choice | None = None
    for games, only_wins in _beginnings(record, rules, least):
        wins = [game for game in games if game.score == WIN]
        most = min(len(games) - least, len(wins)) if rules.wins_left_out.value else 0
        for number in range(most + 1):
            branch = _Branch(record, title, rules, games, number, only_wins, exempt)
            if not branch.can_beat(best):
                continue
            for choice in branch.choices():
                if best is None or choice.key > best.key:
                    best = choice
                    branch.reach = choice.average
    return best


def _beginnings(
    record: NormRecord, rules: TitleRules, least: int
) -> Iterator[tuple[tuple[NormGame, ...], bool]]:
    """Yield the games up to each round after which the rest may be left out, all of them first.

    If the rest has only wins, leaving it out is leaving out wins.
    """
    games = record.games
    yield games, True
    if not rules.end_left_out.value or (record.event.fixed and refuses(rules.fixed_all_rounds)):
        return
    only_wins = True
    for end in range(len(games) - 1, least - 1, -1):
        only_wins = only_wins and games[end].score == WIN
        if not only_wins:
            yield games[:end], False


class _Win(NamedTuple):
    """A game that may be left out, as far as the limits look at it."""

    value: int
    titled: bool
    sought: bool
    federation: str
    game: NormGame

    @property
    def kind(self) -> tuple[bool, bool, str]:
        """Return what the limits on opponents look at."""
        return self.titled, self.sought, self.federation


@dataclass(frozen=True, slots=True)
class _Limits:
    """How many wins of a kind may be left out, and how many must be; each opponent is met once."""

    titled: int
    sought: int
    federations: tuple[tuple[str, int], ...]
    """Federations with too many opponents: at least so many of them must go."""

    def allow(self, left_out: tuple[_Win, ...], more: int) -> bool:
        """Return whether these wins and so many more can be left out."""
        return (
            sum(win.titled for win in left_out) <= self.titled
            and sum(win.sought for win in left_out) <= self.sought
            and all(
                excess - sum(win.federation == federation for win in left_out) <= more
                for federation, excess in self.federations
            )
        )


@dataclass(slots=True)
class _Branch:
    """The choices that leave out a number of wins from a beginning of the tournament."""

    record: NormRecord
    title: NormTitle
    rules: TitleRules
    games: tuple[NormGame, ...]
    number: int
    only_wins: bool
    exempt: bool
    reach: int = field(init=False)
    """The average that a choice must have: at first the one that its score needs, then that of the best choice."""

    wins: tuple[_Win, ...] = field(init=False)
    """By rating, the lowest first; of equal ones the latest round first."""

    steps: int = 0
    """Sets of wins looked at."""

    highest: int = field(init=False)
    """The sum of the ratings of all games, with the most that an opponent can be raised."""

    limits: _Limits | None = field(init=False)
    """None if an opponent is met twice: then only a whole choice can be tested."""

    def __post_init__(self) -> None:
        """Prepare the wins, the limits, and the average that is needed."""
        rules, kept = self.rules, len(self.games) - self.number
        titled, sought = rules.titled_share.value.titles, rules.sought(self.title).value.titles
        wins = [
            _Win(_value(game, rules), game.title in titled, game.title in sought, game.federation, game)
            for game in self.games
            if game.score == WIN
        ]
        wins.sort(key=lambda win: (win.value, win.kind, -win.game.round))
        self.wins = tuple(wins)
        values = [_value(game, rules) for game in self.games]
        self.highest = sum(values) + max(0, rules.raised_to.value.of(self.title) - min(values))
        score = sum(game.score for game in self.games) - WIN * self.number
        self.reach = least_average(score, kept, self.title, rules)
        met_once = len({game.person for game in self.games}) == len(self.games)
        self.limits = (
            self._limits(kept) if met_once and self.record.event.system != DOUBLE_ROUND_ROBIN else None
        )

    def _limits(self, kept: int) -> _Limits:
        player, event = self.record.player, self.record.event
        now = mix(self.games, self.title, player, event, self.rules)
        then = mix(
            self.games[:kept], self.title, player, event, self.rules
        )  # for the limits of so many games
        excesses: dict[str, int] = {}
        if then.federations_tested and not self.exempt:
            counts = Counter(game.federation for game in self.games if game.federation)
            for federation, count in counts.items():
                most = min(then.one_most, then.own_most) if federation == player.federation else then.one_most
                if count > most:
                    excesses[federation] = count - most
        return _Limits(
            now.titled - then.titled_least, now.sought - then.sought_least, tuple(excesses.items())
        )

    def can_beat(self, best: Choice | None) -> bool:
        """Return whether a choice here could be valid and better: without the lowest wins the average is highest."""
        kept = len(self.games) - self.number
        score = sum(game.score for game in self.games) - WIN * self.number
        mean = self._highest_average(sum(win.value for win in self.wins[: self.number]))
        needed = score_needed(mean, kept, self.title, self.rules)
        if needed is None or score < needed or (self.limits and not self.limits.allow((), self.number)):
            return False
        base = games_of_choice(kept, self.record.event, self.rules)
        counted = games_counted(base, score, needed, self.rules)
        rp = performance(mean, score, kept, self.rules)
        return best is None or (counted, kept, self.only_wins, rp) >= best.key[:4]

    def _highest_average(self, left_out: int) -> int:
        """Return the highest average with ratings of this sum left out, whichever opponent is raised."""
        return rounded_average(self.highest - left_out, len(self.games) - self.number)

    def choices(self) -> Iterator[Choice]:
        """Yield the valid choices, as long as their average is at least that of the best one."""
        for left_out in self._left_out((), 0):
            rounds = {win.game.round for win in left_out}
            kept = tuple(game for game in self.games if game.round not in rounds)
            if choice := valid_choice(
                kept, self.record, self.title, self.rules, only_wins=self.only_wins, exempt=self.exempt
            ):
                yield choice

    def _left_out(self, chosen: tuple[_Win, ...], start: int) -> Iterator[tuple[_Win, ...]]:
        """Yield each set of wins to leave out, except those that cannot be valid or better."""
        self.steps += 1
        if len(self.games) > MOST_SEARCHED and self.steps > MOST_STEPS:
            return
        more = self.number - len(chosen)
        if more == 0:
            yield chosen
            return
        total = sum(win.value for win in chosen)
        skipped: set[object] = set()
        for index in range(start, len(self.wins) - more + 1):
            least = sum(win.value for win in self.wins[index : index + more])
            if self._highest_average(total + least) < self.reach:
                return  # the wins that follow have higher ratings
            win = self.wins[index]
            if self._like(win) in skipped:
                continue  # leaving out its like is as good, and keeps an earlier round
            skipped.add(self._like(win))
            with_it = (*chosen, win)
            if self.limits is None or self.limits.allow(with_it, more - 1):
                yield from self._left_out(with_it, index + 1)

    def _like(self, win: _Win) -> object:
        """Return what makes a win as good as another to leave out."""
        if len(self.games) > MOST_SEARCHED:
            federation = win.federation if win.federation == self.record.player.federation else ""
            return win.titled, win.sought, federation
        return win.game if self.limits is None else (win.value, win.kind, win.game.rating is None)


def _value(game: NormGame, rules: TitleRules) -> int:
    return rules.unrated_as.value if game.rating is None else game.rating


def valid_choice(
    games: tuple[NormGame, ...],
    record: NormRecord,
    title: NormTitle,
    rules: TitleRules,
    *,
    only_wins: bool,
    exempt: bool,
    base: int | None = None,
) -> Choice | None:
    """Return a choice of games with its figures if it meets every requirement but the number of games, else None."""
    figures = meets_rating(games, title, rules)
    if figures is None or not _mix_holds(
        mix(games, title, record.player, record.event, rules), rules, exempt=exempt
    ):
        return None
    mean, needed = figures
    score = sum(game.score for game in games)
    counted = games_counted(
        base if base is not None else games_of_choice(len(games), record.event, rules), score, needed, rules
    )
    return Choice(games, counted, only_wins, mean, performance(mean, score, len(games), rules), needed)


def _mix_holds(opponents: Mix, rules: TitleRules, *, exempt: bool) -> bool:
    unrated = opponents.unrated_hold or not refuses(rules.unrated_share)
    return opponents.titles_hold and unrated and (exempt or opponents.federations_hold)
