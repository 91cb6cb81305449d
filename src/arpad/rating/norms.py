"""The search for a norm: which games of a player, taken together, meet every requirement of a title.

A norm is a choice of games: all of them, or without some wins, or, if the pairings were not fixed in advance, without
the games after some round. The search is complete: it leaves out a branch only if no choice in it can be better than
the best one so far. The choice that is reported is the first in the order of ``Choice.key`` (docs/readings.md, 72).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from arpad.model.exact import HalfPoints
from arpad.model.rules import Edition, ListName, Rule
from arpad.regulations.chess.titles.games import NormRecord
from arpad.regulations.chess.titles.performance import (
    average,
    games_counted,
    performance,
    rounded_average,
    score_needed,
)
from arpad.regulations.chess.titles.requirements import (
    Mix,
    NormGame,
    Requirement,
    exemption,
    games_of_choice,
    meets_rating,
    mix,
    norm_games_needed,
    requirements,
)
from arpad.regulations.chess.titles.rules import WOMEN_TITLES, NormTitle, TitleRules, refuses

WIN: HalfPoints = 2


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


@dataclass(frozen=True, slots=True)
class Norm:
    """The answer for one player and one title."""

    edition: Edition[TitleRules]
    title: NormTitle
    record: NormRecord
    norm: bool
    games: tuple[NormGame, ...]
    """The games used; without a norm, all that count."""

    counted: int
    """As how many games the norm counts; without a norm, how many games there are."""

    average: int | None
    raised: int | None
    performance: int | None
    needed: HalfPoints | None
    requirements: tuple[Requirement, ...]
    basis: Rule[object] | None = None
    """The article by which fewer games are enough, or a game not played counts."""

    exempt: Rule[bool] | None = None
    """The exemption that was needed."""

    warnings: tuple[str, ...] = field(default=())

    @property
    def score(self) -> HalfPoints:
        """Return the half-points of the games used."""
        return sum(game.score for game in self.games)

    @property
    def rounds(self) -> tuple[int, ...]:
        """Return the rounds used."""
        return tuple(game.round for game in self.games)

    @property
    def dropped(self) -> tuple[int, ...]:
        """Return the rounds left out although they count."""
        return tuple(sorted({game.round for game in self.record.games} - set(self.rounds)))

    @property
    def failed(self) -> tuple[Requirement, ...]:
        """Return the requirements that are not met."""
        return tuple(item for item in self.requirements if not item.holds and not item.warns)


def find_norm(record: NormRecord, title: NormTitle, edition: Edition[TitleRules]) -> Norm:
    """Return whether a player made a norm, with the best choice of games.

    Articles (B.01 1.4.1c, B.01 1.4.2c): tried only if no ordinary choice works, the last round first.
    """
    rules = edition.on(ListName.STANDARD)
    least = norm_games_needed(record.event, rules)
    if title in WOMEN_TITLES and record.player.sex != "w":
        return _no_norm(record, title, edition, least)
    best = best_choice(record, title, rules, least.value)
    if best is not None:
        return _norm(best, record, title, edition, least, None)
    if by_forfeit := _with_last_round(record, title, rules, least.value):
        return _norm(by_forfeit, record, title, edition, least, rules.last_round_forfeit)
    if by_bye := _with_bye(record, title, rules):
        fewer = Rule(rules.bye_norm.value.games, rules.bye_norm.article, rules.bye_norm.confidence)
        return _norm(by_bye, record, title, edition, fewer, rules.bye_norm)
    return _no_norm(record, title, edition, least)


# ------------------------------------------------------------------------------------------------- the search


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
    best: Choice | None = None
    for games, only_wins in _beginnings(record, rules, least):
        wins = sorted(
            (game for game in games if game.score == WIN), key=lambda game: (_value(game, rules), -game.round)
        )
        most = min(len(games) - least, len(wins)) if rules.wins_left_out.value else 0
        for number in range(most + 1):
            branch = _Branch(record, title, rules, games, tuple(wins), number, only_wins, exempt)
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


def _value(game: NormGame, rules: TitleRules) -> int:
    return rules.unrated_as.value if game.rating is None else game.rating


@dataclass(slots=True)
class _Branch:
    """The choices that leave out a number of wins from a beginning of the tournament."""

    record: NormRecord
    title: NormTitle
    rules: TitleRules
    games: tuple[NormGame, ...]
    wins: tuple[NormGame, ...]
    """By rating, the lowest first."""

    number: int
    only_wins: bool
    exempt: bool
    reach: int = 0
    """The average of the best choice so far in this branch: lower ones are not looked at."""

    def can_beat(self, best: Choice | None) -> bool:
        """Return whether a choice here could be valid and better: without the lowest wins the average is highest."""
        kept = len(self.games) - self.number
        score = sum(game.score for game in self.games) - WIN * self.number
        mean = self._highest_average(sum(_value(game, self.rules) for game in self.wins[: self.number]))
        needed = score_needed(mean, kept, self.title, self.rules)
        if needed is None or score < needed:
            return False
        base = games_of_choice(kept, self.record.event, self.rules)
        counted = games_counted(base, score, needed, self.rules)
        rp = performance(mean, score, kept, self.rules)
        return best is None or (counted, kept, self.only_wins, rp) >= best.key[:4]

    def _highest_average(self, left_out: int) -> int:
        """Return the highest average with ratings of this sum left out, whichever opponent is raised."""
        values = [_value(game, self.rules) for game in self.games]
        raised = max(0, self.rules.raised_to.value.of(self.title) - min(values))
        return rounded_average(sum(values) - left_out + raised, len(values) - self.number)

    def choices(self) -> Iterator[Choice]:
        """Yield the valid choices, as long as their average is at least that of the best one."""
        for left_out in self._left_out(0, self.number, 0):
            rounds = {game.round for game in left_out}
            kept = tuple(game for game in self.games if game.round not in rounds)
            if choice := valid_choice(
                kept, self.record, self.title, self.rules, only_wins=self.only_wins, exempt=self.exempt
            ):
                yield choice

    def _left_out(self, start: int, number: int, total: int) -> Iterator[tuple[NormGame, ...]]:
        """Yield each set of wins to leave out, except those whose average cannot reach the best one."""
        if number == 0:
            yield ()
            return
        for index in range(start, len(self.wins) - number + 1):
            least = sum(_value(game, self.rules) for game in self.wins[index : index + number])
            if self.reach and self._highest_average(total + least) < self.reach:
                return  # the wins that follow have higher ratings
            win = self.wins[index]
            for others in self._left_out(index + 1, number - 1, total + _value(win, self.rules)):
                yield (win, *others)


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


def _mix_holds(found: Mix, rules: TitleRules, *, exempt: bool) -> bool:
    unrated = found.unrated_hold or not refuses(rules.unrated_share)
    return found.titles_hold and unrated and (exempt or found.federations_hold)


# ---------------------------------------------------------------------------------------------- special cases


def _with_last_round(record: NormRecord, title: NormTitle, rules: TitleRules, least: int) -> Choice | None:
    """Return the choice of all games with the last one lost, if only that game is missing (B.01 1.4.2c)."""
    if record.last_forfeit is None or len(record.games) != least - 1 or not rules.last_round_forfeit.value:
        return None
    games = (*record.games, record.last_forfeit)
    exempt = exemption(record.player, record.event, rules) is not None
    return valid_choice(games, record, title, rules, only_wins=True, exempt=exempt)


def _with_bye(record: NormRecord, title: NormTitle, rules: TitleRules) -> Choice | None:
    """Return the choice of eight games in nine rounds, if the ninth was a forfeit win or a bye (B.01 1.4.1c)."""
    rule = rules.bye_norm.value
    if (
        record.event.rounds != rule.rounds
        or len(record.games) != rule.games
        or len(record.bye_rounds) != rule.rounds - rule.games
    ):
        return None
    exempt = exemption(record.player, record.event, rules) is not None
    return valid_choice(record.games, record, title, rules, only_wins=True, exempt=exempt, base=rule.counted)


# --------------------------------------------------------------------------------------------------- answers


def _norm(
    choice: Choice,
    record: NormRecord,
    title: NormTitle,
    edition: Edition[TitleRules],
    least: Rule[int],
    basis: Rule[object] | None,
) -> Norm:
    rules = edition.on(ListName.STANDARD)
    found = mix(choice.games, title, record.player, record.event, rules)
    exempt = None if found.federations_hold else exemption(record.player, record.event, rules)
    checks = tuple(
        requirements(
            choice.games, title, record.player, record.event, rules, least, exempt=exempt is not None
        )
    )
    raised = average([game.rating for game in choice.games], title, rules).raised
    return Norm(
        edition, title, record, norm=True, games=choice.games, counted=choice.counted, average=choice.average,
        raised=raised, performance=choice.performance, needed=choice.needed, requirements=checks, basis=basis,
        exempt=exempt, warnings=_warnings(record, rules, choice),
    )  # fmt: skip


def _warnings(record: NormRecord, rules: TitleRules, choice: Choice) -> tuple[str, ...]:
    """Return the codes of restrictions that this edition may have and that the choice does not keep."""
    if record.event.fixed and not choice.only_wins and not refuses(rules.fixed_all_rounds):
        return ("end-left-out-unknown",)
    return ()


def _no_norm(record: NormRecord, title: NormTitle, edition: Edition[TitleRules], least: Rule[int]) -> Norm:
    """Return the answer for a player without a norm: every requirement over all games that count."""
    rules, games = edition.on(ListName.STANDARD), record.games
    exempt = exemption(record.player, record.event, rules)
    checks = tuple(
        requirements(games, title, record.player, record.event, rules, least, exempt=exempt is not None)
    )
    if not games:
        return Norm(edition, title, record, norm=False, games=(), counted=0, average=None, raised=None,
                    performance=None, needed=None, requirements=checks)  # fmt: skip
    mean = average([game.rating for game in games], title, rules)
    score = sum(game.score for game in games)
    return Norm(
        edition, title, record, norm=False, games=games, counted=len(games), average=mean.value, raised=mean.raised,
        performance=performance(mean.value, score, len(games), rules),
        needed=score_needed(mean.value, len(games), title, rules), requirements=checks,
    )  # fmt: skip
