"""The change of a rated player (8.5): difference, expectation, K, and the one rounding of a period."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from arpad.model.chess import Change, GameChange, PlayerFacts, RatedGame
from arpad.model.exact import from_hundredths, half_away_from_zero, half_up, points
from arpad.model.people import Birth, birth_year
from arpad.model.rules import Step, step
from arpad.regulations.fide.rules import ChessRules, Meanwhile, OneOffAdjustment, add_months

# ---------------------------------------------------------------------------- large gaps (8.54), by regime


def cap_every_game(games: Sequence[RatedGame], rules: ChessRules) -> tuple[bool, ...]:
    """Return which games are capped: all, unless the player computed is exempt (8.54, 8.3.1, RB 7.3.1)."""
    exempt = rules.cap_exempt_from
    return tuple(
        abs(game.own - game.opponent) > rules.cap.value and not (exempt and game.own >= exempt.value)
        for game in games
    )


def cap_one_game_per_event(games: Sequence[RatedGame], rules: ChessRules) -> tuple[bool, ...]:
    """Return which games are capped: for the higher-rated player only the one with the largest gap of each event.

    The text speaks of a benefit. To the lower-rated player the cap is none: it applies to each of their games.
    """
    largest: dict[str, int] = {}
    for index, game in enumerate(games):
        gap = game.own - game.opponent
        best = largest.get(game.event)
        if gap > rules.cap.value and (best is None or gap > games[best].own - games[best].opponent):
            largest[game.event] = index
    helped = set(largest.values())
    return tuple(
        index in helped or game.opponent - game.own > rules.cap.value for index, game in enumerate(games)
    )


def too_far_apart(game: RatedGame, rules: ChessRules) -> bool:
    """Return whether the gap to a very strong player leaves the game unrated (RB 7.3.1)."""
    far = rules.unrated_gap
    return (
        far is not None
        and abs(game.own - game.opponent) >= far.value.gap
        and max(game.own, game.opponent) > far.value.above
    )


# ------------------------------------------------------------------------------------------- games (8.51-8.55)


def game_changes(games: Sequence[RatedGame], rules: ChessRules) -> tuple[GameChange, ...]:
    """Return each game's difference as counted, its expectation, and the points above it.

    Articles (8.51, 8.55a, 8.55b, 8.3.2a, 8.3.2b).
    """
    return tuple(
        _game_change(game, rules, capped=capped)
        for game, capped in zip(games, rules.cap_rule.value(games, rules), strict=True)
    )


def _game_change(game: RatedGame, rules: ChessRules, *, capped: bool) -> GameChange:
    difference = game.own - game.opponent
    steps = [
        step(rules.articles["difference"], "difference", difference, own=game.own, opponent=game.opponent)
    ]
    if rules.unrated_gap and too_far_apart(game, rules):
        far = rules.unrated_gap
        steps.append(step(far.article, "too-far", far.value.gap, above=far.value.above))
        return GameChange(game, difference, capped=False, rated=False, expected=0, steps=tuple(steps))
    if capped:
        difference = max(-rules.cap.value, min(rules.cap.value, difference))
        steps.append(step(rules.cap.article, "capped", difference))
    elif abs(difference) > rules.cap.value and rules.cap_exempt_from:
        steps.append(step(rules.cap_exempt_from.article, "exempt", rules.cap_exempt_from.value))
    elif abs(difference) > rules.cap.value:
        steps.append(step(rules.cap_rule.article, "not-capped-again", difference))
    expected = rules.expectation_table.value.expected(difference)
    score, probability = points(game.score), from_hundredths(expected)
    steps.append(step(rules.expectation_table.article, "expected", probability))
    steps.append(
        step(rules.articles["delta"], "delta", score - probability, score=score, expected=probability)
    )
    return GameChange(game, difference, capped=capped, rated=True, expected=expected, steps=tuple(steps))


def rating_change(rating: int, k: int, games: Sequence[RatedGame], rules: ChessRules) -> Change:
    """Return the change of one player over one period: the sum of all games times K, rounded once.

    Articles (7.21, 8.5, 8.55, 8.55c, 8.3.2c, 8.3.2d).
    """
    changes = game_changes(games, rules)
    rated = sum(game.rated for game in changes)
    total = sum(game.change for game in changes)
    k_applied, k_steps = applied_k(k, rated, rules)
    change = from_hundredths(k_applied * total)
    new_rating = rules.rounding.value(rating, change)
    article, sum_ = rules.articles["total"], from_hundredths(total)
    rounded = new_rating - rating
    steps = (
        step(article, "sum", sum_, games=rated),
        *k_steps,
        step(rules.articles["change"], "change", change, k=k_applied, sum=sum_),
        step(rules.rounding.article, "new-rating", new_rating, rating=rating, change=change, rounded=rounded),
    )
    if new_rating < rules.floor.value:
        steps += (step(rules.articles["delisted"], "delisted", new_rating, floor=rules.floor.value),)
    return Change(rating, k, k_applied, changes, total, change, new_rating, steps)


# -------------------------------------------------------------------------------------------- rounding (8.57)


def round_new_rating(rating: int, change: Fraction) -> int:
    """Round the new rating, a half up: a loss of 2.5 costs 2 (8.57)."""
    return half_up(rating + change)


def round_change(rating: int, change: Fraction) -> int:
    """Round the change, a half away from zero: a loss of 2.5 costs 3 (8.57, 8.3.4)."""
    return rating + half_away_from_zero(change)


# --------------------------------------------------------------------------------------------------- K (8.56)


def coefficient(facts: PlayerFacts, on: date, rules: ChessRules) -> tuple[int, tuple[Step, ...]]:
    """Return the K of a player from the facts of the day on which the period begins (8.56, 8.3.3).

    A player who ever reached the top keeps its K; then come juniors, then newcomers, then everybody else.
    """
    top, junior, new, usual = rules.k_top, rules.k_junior, rules.k_new, rules.k_usual
    if facts.highest >= rules.k_top_from.value:
        reached = rules.k_top_from.value
        return top.value, (step(top.article, "k-top", top.value, highest=facts.highest, reached=reached),)
    if (
        junior
        and rules.k_junior_below
        and rules.k_junior_until
        and rules.k_junior_until.value(facts.born, on)
    ):
        below = rules.k_junior_below.value
        if facts.highest < below:
            quantity = "k-junior-year" if isinstance(facts.born, int) else "k-junior"
            return junior.value, (step(junior.article, quantity, junior.value, born=facts.born, below=below),)
    limit = rules.k_new_games.value
    if facts.games < limit:
        return new.value, (step(new.article, "k-new", new.value, games=facts.games, limit=limit),)
    never = rules.k_top_from.value
    return usual.value, (step(usual.article, "k-usual", usual.value, limit=limit, top=never),)


def until_eighteenth_birthday(born: Birth, on: date) -> bool:
    """Return whether a player is under eighteen; of a birth without a day, the whole eighteenth year counts (8.56)."""
    if isinstance(born, date):
        return born > add_months(on, -18 * 12)
    return until_end_of_eighteenth_year(born, on)


EIGHTEENTH = 18
"""The birthday until whose year a junior has the K of juniors."""


def until_end_of_eighteenth_year(born: Birth, on: date) -> bool:
    """Return whether the year of the eighteenth birthday is not over (8.3.3)."""
    year = birth_year(born)
    return year is not None and on.year <= year + EIGHTEENTH


def applied_k(k: int, games: int, rules: ChessRules) -> tuple[int, tuple[Step, ...]]:
    """Return K after the rule that K times the games of a period may not exceed a limit (8.56, 8.3.3)."""
    limit = rules.k_times_games
    if limit is None or k * games <= limit.value:
        return k, ()
    reduced = limit.value // games
    return reduced, (step(limit.article, "k-reduced", reduced, k=k, games=games, limit=limit.value),)


# ------------------------------------------------------------------- rated since the event began (8.4, 8.2.4)


def with_entry_rating(rating: int, entry: int | None, games: int) -> Meanwhile:  # noqa: ARG001  one signature for all editions
    """Return the rating of entry and a new player's count of games (8.4).

    A player of an imported list has no rating of entry; the rating of the previous list is used instead.
    """
    return Meanwhile(rating if entry is None else entry, 0, "meanwhile-entry")


def with_current_rating(rating: int, entry: int | None, games: int) -> Meanwhile:  # noqa: ARG001  one signature for all editions
    """Return the rating and the games of the previous list (8.2.4)."""
    return Meanwhile(rating, games, "meanwhile-current")


# ---------------------------------------------------------------------------------------- one-off adjustments


def adjust_once(rating: int, adjustment: OneOffAdjustment, standard: int | None = None) -> int:
    """Return a rating after a one-off adjustment; ``standard`` is the player's standard rating, if there is one."""
    if adjustment.below is not None and rating < adjustment.below:
        rating += half_up(adjustment.share * (adjustment.below - rating))
    if adjustment.standard_minus is not None and standard is not None:
        rating = max(rating, standard - adjustment.standard_minus)
    return rating
