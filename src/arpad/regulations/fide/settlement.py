"""What a list does to a standing at the end of its period: one-off adjustments, the floor, activity (7.21, 7.23)."""

from dataclasses import replace
from datetime import date

from arpad.model.chess import PlayerState
from arpad.model.rules import Step, step
from arpad.regulations.fide.change import adjust_once
from arpad.regulations.fide.rules import ChessRules, OneOffAdjustment, add_months


def settled(
    standing: PlayerState, day: date, rules: ChessRules, *, standard: int | None = None, dead: bool = False
) -> tuple[PlayerState, tuple[Step, ...]]:
    """Apply one-off adjustments, then the floor, below which a player is delisted (7.21), then activity."""
    steps: list[Step] = []
    rating = standing.rating or 0
    if rules.one_off_adjustment and rules.one_off_adjustment.value.on == day:
        adjustment = rules.one_off_adjustment.value
        raised = adjust_once(rating, adjustment, standard)
        if raised != rating:
            steps.append(_lifted(rules.one_off_adjustment.article, adjustment, rating, raised, standard))
            rating = raised
    if rating < rules.floor.value:
        steps.append(step(rules.articles["delisted"], "delisted", rating, floor=rules.floor.value))
        delisted = PlayerState(
            standing.player, peak=standing.peak, last_list=standing.last_list, delisted=True
        )
        return delisted, tuple(steps)
    inactive = dead or is_inactive(standing, day, rules)
    return replace(standing, rating=rating, peak=max(standing.peak, rating), inactive=inactive), tuple(steps)


def _lifted(
    article: str, adjustment: OneOffAdjustment, rating: int, raised: int, standard: int | None
) -> Step:
    """Return the step of a one-off adjustment, with the figures from which it follows."""
    if adjustment.below is not None and rating < adjustment.below:
        percent = 100 * adjustment.share
        return step(article, "lifted", raised, rating=rating, below=adjustment.below, percent=percent)
    minus = adjustment.standard_minus
    return step(article, "lifted-to-standard", raised, rating=rating, standard=standard, minus=minus)


def is_inactive(standing: PlayerState, day: date, rules: ChessRules) -> bool:
    """Return whether the last rated game is a year of lists ago (7.23)."""
    since = standing.last_list
    return since is None or since <= add_months(day, -rules.inactive_months.value)
