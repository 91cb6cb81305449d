"""Title norms: which games of a player, taken together, meet every requirement of a title.

A norm is a choice of games: all of them, or without some wins, or, if the pairings were not fixed in advance, without
the games after some round. The choice that is reported is the first in the order of ``Choice.key``
(docs/readings.md, 72). In a tournament that is not over, the outlook says what the remaining rounds must bring.
"""

from bisect import bisect_left
from dataclasses import dataclass, field, replace

from arpad.model.exact import HalfPoints
from arpad.model.rules import Edition, ListName, Rule
from arpad.model.typed_values import HIGHEST_RATING
from arpad.rating.norm_search import Choice, best_choice, valid_choice
from arpad.rating.wins_left_out import Budget, Terms
from arpad.regulations.fide.titles.games import NormRecord
from arpad.regulations.fide.titles.performance import average, performance, rounded_average, score_needed
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


# -------------------------------------------------------------------------------------- what the next rounds must bring


WIN: HalfPoints = 2


@dataclass(frozen=True, slots=True)
class Outlook:
    """The points and the opponents that a norm still needs in the remaining rounds."""

    rounds: int
    average: int
    """The average of the remaining opponents that the score is reckoned with."""

    score: HalfPoints | None
    """The half-points needed from them; None if no score is enough against that average."""

    least_average: int | None
    """The least average of the remaining opponents with which a win in every round is enough; None if none is."""

    titled: int
    """Opponents with a title that are needed among the remaining ones."""

    sought: int
    federations: int
    own: int | None
    """Opponents of the own federation that are allowed; None if an exemption frees from the limit."""

    dropped: tuple[int, ...]
    """Wins that are left out for it."""

    possible: bool
    """Whether the remaining rounds can bring all of that."""


def outlook(record: NormRecord, title: NormTitle, rules: TitleRules, rounds: int) -> Outlook:
    """Return what the remaining rounds must bring, for the choice of games that needs the fewest points.

    Any number of wins may be left out, the lowest opponents first, as long as enough games remain.
    """
    least = norm_games_needed(record.event, rules).value
    terms = Terms(record, title, rules, Budget())
    wins = sorted(
        (game for game in record.games if game.score == WIN),
        key=lambda game: (terms.value(game), -game.round),
    )
    most = min(len(wins), max(0, len(record.games) + rounds - least))
    return min((_with(terms, rounds, wins[:number], least) for number in range(most + 1)), key=_order)


def _order(item: Outlook) -> tuple[bool, int, int]:
    score = 2 * item.rounds + 1 if item.score is None else item.score
    return not item.possible, score, len(item.dropped)


def _with(terms: Terms, rounds: int, left_out: list[NormGame], least: int) -> Outlook:
    rounds_out = {game.round for game in left_out}
    games = [game for game in terms.record.games if game.round not in rounds_out]
    least_average = terms.rules.least_average.value.of(terms.title)
    mean = rounded_average(terms.total(games), len(games)) if games else least_average
    score = _needed(games, rounds, mean, terms)
    lowest = _least_average(games, rounds, terms)
    now = terms.mix(games)
    # The limits are those of all games: opponents to come are taken as untitled and of an unknown federation.
    unknown = [NormGame(0, 0, "", mean, "", f"to come {number}") for number in range(rounds)]
    then = terms.mix([*games, *unknown])
    exempt = terms.exempt or not then.federations_tested
    titled, sought = max(0, then.titled_least - now.titled), max(0, then.sought_least - now.sought)
    federations = 0 if exempt else max(0, then.federations_least - now.federations)
    own = None if exempt else then.own_most - now.own
    possible = (
        len(games) + rounds >= least
        and lowest is not None
        and max(titled, sought, federations) <= rounds
        and (exempt or (then.own <= then.own_most and then.one <= then.one_most))
    )
    return Outlook(
        rounds, mean, score, lowest, titled, sought, federations, own, tuple(sorted(rounds_out)), possible
    )


def _needed(games: list[NormGame], rounds: int, mean: int, terms: Terms) -> HalfPoints | None:
    """Return the half-points needed against opponents of an average, or None if no score is enough."""
    number, scored = len(games) + rounds, sum(game.score for game in games)
    whole = rounded_average(terms.total(games) + rounds * mean, number)
    needed = score_needed(whole, number, terms.title, terms.rules)
    if needed is None or needed - scored > 2 * rounds:
        return None
    return max(0, needed - scored)


def _least_average(games: list[NormGame], rounds: int, terms: Terms) -> int | None:
    """Return the least average of the remaining opponents with which winning every round is enough."""
    averages = range(HIGHEST_RATING + 1)
    least = bisect_left(averages, True, key=lambda mean: _needed(games, rounds, mean, terms) is not None)  # noqa: FBT003  the first average that is enough
    return least if least in averages else None
