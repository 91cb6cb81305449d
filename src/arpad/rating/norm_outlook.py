"""The norms that are still possible in a tournament that is not over: what the remaining rounds must bring."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from arpad.model.exact import HalfPoints
from arpad.model.typed_values import HIGHEST_RATING
from arpad.rating.wins_left_out import Budget, Terms
from arpad.regulations.fide.titles.games import NormRecord
from arpad.regulations.fide.titles.performance import rounded_average, score_needed
from arpad.regulations.fide.titles.requirements import NormGame, norm_games_needed
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules

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
