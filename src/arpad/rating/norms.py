"""Title norms: which games of a player, taken together, meet every requirement of a title.

A norm is a choice of games: all of them, or without some wins, or, if the pairings were not fixed in advance, without
the games after some round. The choice that is reported is the first in the order of ``Choice.key``
(docs/readings.md, 72).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from arpad.model.exact import HalfPoints
from arpad.model.rules import Edition, ListName, Rule
from arpad.rating.norm_search import Choice, best_choice, valid_choice
from arpad.rating.wins_left_out import Budget
from arpad.regulations.fide.titles.games import NormRecord
from arpad.regulations.fide.titles.performance import (
    average,
    performance,
    score_needed,
)
from arpad.regulations.fide.titles.requirements import (
    NormGame,
    Requirement,
    exemption,
    mix,
    norm_games_needed,
    requirements,
)
from arpad.regulations.fide.titles.rules import WOMEN_TITLES, NormTitle, TitleRules, refuses

WIN: HalfPoints = 2


@dataclass(frozen=True, slots=True)
class Norm:
    """The answer for one player and one title."""

    edition: Edition[TitleRules]
    title: NormTitle
    record: NormRecord
    norm: bool | None
    """Whether a norm was made; None if the search took too many steps and was stopped before it found one."""

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
    def verdict(self) -> str:
        """Return ``yes``, ``no`` or ``undecided``."""
        return "undecided" if self.norm is None else "yes" if self.norm else "no"

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


def find_norm(
    record: NormRecord, title: NormTitle, edition: Edition[TitleRules], budget: Budget | None = None
) -> Norm:
    """Return whether a player made a norm, with the best choice of games; or undecided, if that took too many steps.

    ``budget`` is shared by the searches of a report.
    Articles (B.01 1.4.1c, B.01 1.4.2c): tried only if no ordinary choice works, the last round first.
    """
    rules = edition.on(ListName.STANDARD)
    least = norm_games_needed(record.event, rules)
    if title in WOMEN_TITLES and record.player.sex != "w":
        return _no_norm(record, title, edition, least)
    found = best_choice(record, title, rules, least.value, budget or Budget())
    if found.choice is not None:
        norm = _norm(found.choice, record, title, edition, least, None)
        return norm if found.complete else replace(norm, warnings=(*norm.warnings, "search-stopped"))
    if not found.complete:
        return replace(_no_norm(record, title, edition, least), norm=None)
    if by_forfeit := _with_last_round(record, title, rules, least.value):
        return _norm(by_forfeit, record, title, edition, least, rules.last_round_forfeit)
    if by_bye := _with_bye(record, title, rules):
        fewer = Rule(rules.bye_norm.value.games, rules.bye_norm.article, rules.bye_norm.confidence)
        return _norm(by_bye, record, title, edition, fewer, rules.bye_norm)
    return _no_norm(record, title, edition, least)


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
    opponents = mix(choice.games, title, record.player, record.event, rules)
    exempt = None if opponents.federations_hold else exemption(record.player, record.event, rules)
    checks = tuple(
        requirements(
            choice.games, title, record.player, record.event, rules, least, exempt=exempt is not None
        )
    )
    raised = average([game.rating for game in choice.games], title, rules).raised
    # a restriction that this edition may have
    is_doubtful = record.event.fixed and not choice.only_wins and not refuses(rules.fixed_all_rounds)
    return Norm(
        edition, title, record, norm=True, games=choice.games, counted=choice.counted, average=choice.average,
        raised=raised, performance=choice.performance, needed=choice.needed, requirements=checks, basis=basis,
        exempt=exempt, warnings=("end-left-out-unknown",) if is_doubtful else (),
    )  # fmt: skip


def _no_norm(record: NormRecord, title: NormTitle, edition: Edition[TitleRules], least: Rule[int]) -> Norm:
    """Return the answer for a player without a norm: every requirement over all games that count."""
    rules, games = edition.on(ListName.STANDARD), record.games
    exempt = exemption(record.player, record.event, rules)
    checks = tuple(
        requirements(games, title, record.player, record.event, rules, least, exempt=exempt is not None)
    )
    norm = Norm(edition, title, record, norm=False, games=games, counted=len(games), average=None, raised=None,
                performance=None, needed=None, requirements=checks)  # fmt: skip
    if not games:
        return norm
    mean = average([game.rating for game in games], title, rules)
    made = performance(mean.value, norm.score, len(games), rules)
    needed = score_needed(mean.value, len(games), title, rules)
    return replace(norm, average=mean.value, raised=mean.raised, performance=made, needed=needed)
