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
from arpad.rating.wins_left_out import Budget, Terms
from arpad.regulations.fide.titles.games import NormRecord
from arpad.regulations.fide.titles.performance import average, performance, score_needed
from arpad.regulations.fide.titles.requirements import NormGame, Requirement, norm_games_needed, requirements
from arpad.regulations.fide.titles.rules import WOMEN_TITLES, NormTitle, TitleRules, refuses


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
    terms, least = Terms(record, title, rules, budget or Budget()), norm_games_needed(record.event, rules)
    if title in WOMEN_TITLES and record.player.sex != "w":
        return _answer(terms, edition, least)
    found = best_choice(terms, least.value)
    if found.choice is not None:
        norm = _answer(terms, edition, least, found.choice)
        return norm if found.complete else replace(norm, warnings=(*norm.warnings, "search-stopped"))
    if not found.complete:
        return replace(_answer(terms, edition, least), norm=None)
    if by_forfeit := _with_last_round(terms, least.value):
        return _answer(terms, edition, least, by_forfeit, rules.last_round_forfeit)
    if by_bye := _with_bye(terms):
        fewer = Rule(rules.bye_norm.value.games, rules.bye_norm.article, rules.bye_norm.confidence)
        return _answer(terms, edition, fewer, by_bye, rules.bye_norm)
    return _answer(terms, edition, least)


# ---------------------------------------------------------------------------------------------- special cases


def _with_last_round(terms: Terms, least: int) -> Choice | None:
    """Return the choice of all games with the last one lost, if only that game is missing (B.01 1.4.2c)."""
    games, forfeit = terms.record.games, terms.record.last_forfeit
    if forfeit is None or len(games) != least - 1 or not terms.rules.last_round_forfeit.value:
        return None
    return valid_choice((*games, forfeit), terms, only_wins=True)


def _with_bye(terms: Terms) -> Choice | None:
    """Return the choice of eight games in nine rounds, if the ninth was a forfeit win or a bye (B.01 1.4.1c)."""
    rule, record = terms.rules.bye_norm.value, terms.record
    played = (record.event.rounds, len(record.games), len(record.bye_rounds))
    if played != (rule.rounds, rule.games, rule.rounds - rule.games):
        return None
    return valid_choice(record.games, terms, only_wins=True, base=rule.counted)


# --------------------------------------------------------------------------------------------------- answers


def _answer(
    terms: Terms,
    edition: Edition[TitleRules],
    least: Rule[int],
    choice: Choice | None = None,
    basis: Rule[object] | None = None,
) -> Norm:
    """Return the norm of a choice of games; without one no norm, with every requirement over all games that count."""
    record, title, rules = terms.record, terms.title, terms.rules
    games = choice.games if choice else record.games
    exempt = None if choice and terms.mix(games).federations_hold else terms.exemption
    checks = requirements(games, title, record.player, record.event, rules, least, exempt=exempt is not None)
    norm = Norm(
        edition, title, record, norm=choice is not None, games=games, counted=choice.counted if choice else len(games),
        average=None, raised=None, performance=None, needed=None, requirements=tuple(checks), basis=basis,
        exempt=exempt if choice else None,
    )  # fmt: skip
    if not games:
        return norm
    mean = average([game.rating for game in games], title, rules)
    made = performance(mean.value, norm.score, len(games), rules)
    needed = score_needed(mean.value, len(games), title, rules)
    # a restriction that this edition may have
    fixed = record.event.fixed and not refuses(rules.fixed_all_rounds)
    doubts = ("end-left-out-unknown",) if choice and not choice.only_wins and fixed else ()
    return replace(
        norm, average=mean.value, raised=mean.raised, performance=made, needed=needed, warnings=doubts
    )
