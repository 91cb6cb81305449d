"""The first rating of an unrated player (8.2, 8.3, 7.14): performances, pooling, and when it is published."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from arpad.model.chess import ALL_PLAY_ALL, Entry, EntryValue, EventKind, Performance, RoundRobin
from arpad.model.exact import HalfPoints, fractional_score, from_hundredths, half_up, points
from arpad.model.rules import Rule, Step, step
from arpad.regulations.calendar import first_list_for
from arpad.regulations.fide.rules import ChessRules, add_months

# ------------------------------------------------------------------------------------- one event (8.21-8.25)


def swiss_performance(
    event: str,
    ratings: Sequence[int],
    score: HalfPoints,
    *,
    last_day: date | None = None,
    kind: EventKind = EventKind.SWISS,
    team_championship: bool = False,
    opponents: int | None = None,
) -> Performance:
    """Return what an unrated player did against the rated opponents of a Swiss or team event (8.21a).

    ``opponents`` is how many different ones they are; without it, one for each game.
    """
    return Performance(
        event,
        kind,
        games=len(ratings),
        score=score,
        opponents_total=Fraction(sum(ratings)),
        opponents=len(ratings) if opponents is None else opponents,
        rated_games=len(ratings),
        rated_score=score,
        last_day=last_day,
        team_championship=team_championship,
    )


def all_games(table: RoundRobin, number: int, rules: ChessRules) -> Performance:  # noqa: ARG001  one signature for all editions
    """Return a round robin with all its games, at the average Rc (new) of its own procedure (7.14a, 8.21b)."""
    entry = table.entries[number]
    return Performance(
        "",
        EventKind.ROUND_ROBIN,
        games=entry.games,
        score=entry.score,
        opponents_total=Fraction(entry.rc_new * entry.games),
        opponents=table.players - 1,
        rated_games=entry.rated_opponents * table.games // (table.players - 1),
        rated_score=entry.rated_score,
        steps=table.steps + entry.steps,
    )


def all_games_or_rated_ones(table: RoundRobin, number: int, rules: ChessRules) -> Performance:
    """Return a round robin with all games if they are enough for a rating, else with those against rated opponents.

    Articles (guide 8, 9).
    """
    whole = all_games(table, number, rules)
    entry = table.entries[number]
    if entry.games >= rules.minimum_games.value:
        return whole
    return replace(
        whole,
        games=entry.rated_games,
        score=entry.rated_score,
        opponents_total=Fraction(entry.rated_total),
        opponents=entry.rated_opponents,
        steps=(),
    )


def performance_value(
    average: Fraction,
    score: HalfPoints,
    games: int,
    rules: ChessRules,
    *,
    opponents: int | None = None,
) -> tuple[Fraction, tuple[Step, ...]]:
    """Return Ru from the average of the competition and the score: at 50 %, above it, below it.

    ``opponents`` is the n of a round robin: there, dp below 50 % is multiplied by n/(n+1).

    Articles (8.2, 8.22, 8.23, 8.24, 8.25; guide 10, 11, 12).
    """
    above = score - games
    if above == 0:
        return average, (step(rules.articles.get("half", ""), "entry-half", average),)
    if above > 0 and rules.entry_bonus:
        bonus = rules.entry_bonus
        value = average + above * bonus.value
        return value, (
            step(bonus.article, "entry-above", value, average=average, halves=above, bonus=bonus.value),
        )
    p = fractional_score(score, games)
    dp = rules.fraction_table.value.difference(p)
    table_step = step(rules.fraction_table.article, "dp", dp, p=from_hundredths(p))
    if opponents is None:
        value = average + dp
        return value, (
            table_step,
            step(rules.articles["below"], "entry-dp", value, average=average, dp=dp),
        )
    value = average + Fraction(dp * opponents, opponents + 1)
    return value, (
        table_step,
        step(
            rules.articles.get("below-round-robin", ""),
            "entry-dp-round-robin",
            value,
            average=average,
            dp=dp,
            n=opponents,
            n1=opponents + 1,
        ),
    )


# --------------------------------------------------------------------------- several events together (8.3)


def as_one_tournament(performances: Sequence[Performance], rules: ChessRules) -> EntryValue:
    """Return the value of all games as if played in one tournament (7.14e, 8.3, 8.34)."""
    games, score, total = _pool(performances)
    average = total / games
    alone = performances[0] if len(performances) == 1 and performances[0].kind in ALL_PLAY_ALL else None
    value, steps = performance_value(
        average, score, games, rules, opponents=alone.opponents if alone else None
    )
    article = rules.articles.get("round-robin-average", "") if alone else rules.articles["pooled"]
    return EntryValue(
        value,
        average,
        (
            step(article, "average", average, games=games, score=points(score), events=len(performances)),
            *steps,
        ),
    )


def with_hypothetical_draws(performances: Sequence[Performance], rules: ChessRules) -> EntryValue:
    """Return the value of all games and of draws with imaginary opponents, up to a cap (8.2.2, 8.2.3)."""
    games, score, total = _pool(performances)
    steps: list[Step] = []
    if hypothetical := rules.entry_hypothetical:
        extra = hypothetical.value
        games, score, total = (
            games + extra.opponents,
            score + extra.opponents,
            total + extra.opponents * extra.rating,
        )
        steps.append(
            step(
                hypothetical.article,
                "hypothetical",
                extra.opponents,
                rating=extra.rating,
                games=games,
                score=points(score),
            )
        )
    average = total / games
    steps.append(
        step(
            rules.articles["pooled"],
            "average",
            average,
            games=games,
            score=points(score),
            events=len(performances),
        )
    )
    value, formula_steps = performance_value(average, score, games, rules)
    steps.extend(formula_steps)
    if rules.entry_cap and value > rules.entry_cap.value:
        value = Fraction(rules.entry_cap.value)
        steps.append(step(rules.entry_cap.article, "entry-cap", rules.entry_cap.value))
    return EntryValue(value, average, tuple(steps))


def mean_of_tranches(performances: Sequence[Performance], rules: ChessRules) -> EntryValue:
    """Return the mean of the values of the tranches, weighted by games (guide 4, 6, 13, 14)."""
    games, _, total = _pool(performances)
    steps: list[Step] = []
    weighted = Fraction(0)
    for number, performance in enumerate(performances, start=1):
        n = performance.opponents if performance.kind in ALL_PLAY_ALL else None
        value, tranche_steps = performance_value(
            performance.average, performance.score, performance.games, rules, opponents=n
        )
        weighted += value * performance.games
        steps.extend(tranche_steps)
        steps.append(
            step(
                rules.articles["pooled"],
                "tranche",
                value,
                number=number,
                games=performance.games,
                score=points(performance.score),
            )
        )
    mean = weighted / games
    steps.append(
        step(rules.articles["pooled"], "tranche-mean", mean, games=games, tranches=len(performances))
    )
    return EntryValue(mean, total / games, tuple(steps))


def _pool(performances: Sequence[Performance]) -> tuple[int, HalfPoints, Fraction]:
    return (
        sum(performance.games for performance in performances),
        sum(performance.score for performance in performances),
        sum((performance.opponents_total for performance in performances), Fraction(0)),
    )


# ------------------------------------------------------------------------ the first event that does not count


def first_event_minimum(kind: EventKind, rules: ChessRules) -> tuple[Rule[int], Rule[int] | None]:
    """Return the half-points and rated opponents that a first event of a kind needs (6.1, 6.31, 6.41, 8.21, 8.2.1)."""
    if kind in ALL_PLAY_ALL:
        return rules.first_score_round_robin, rules.first_rated_opponents
    return rules.first_score_swiss, rules.first_rated_opponents_swiss


def ignored_as_first(performance: Performance, rules: ChessRules) -> Step | None:
    """Return why a first event is ignored, or None (6.1, 6.31, 6.41, 8.21, 8.31, 8.2.1; guide 7)."""
    if failed := _too_little(performance, rules):
        return failed
    if rules.first_at_floor:
        value = half_up(rules.entry_formula.value([performance], rules).value)
        if value < rules.floor.value:
            floor = rules.floor.value
            article = rules.first_at_floor.article
            return step(article, "first-event-floor", value, event=performance.event, floor=floor)
    return None


def ignored_as_later(performance: Performance, rules: ChessRules) -> Step | None:
    """Return why a later event is ignored if the edition tests every event, or None."""
    return _too_little(performance, rules) if rules.every_event_tested else None


def _too_little(performance: Performance, rules: ChessRules) -> Step | None:
    """Return what an event lacks: points, or rated opponents."""
    round_robin = performance.kind in ALL_PLAY_ALL
    needed, opponents = first_event_minimum(performance.kind, rules)
    score = performance.score if round_robin else performance.rated_score
    event = performance.event
    if score < needed.value:
        minimum = points(needed.value)
        return step(needed.article, "first-event-score", points(score), event=event, needed=minimum)
    if opponents:
        # 8.21 counts rated opponents, however often they were met; 6.41 of a Swiss also the games against them
        cycles = max(1, performance.games // performance.opponents) if round_robin else 1
        met = performance.rated_games // cycles if round_robin else performance.opponents
        if met < opponents.value:
            article = opponents_article(performance.rated_games, opponents, rules)
            return step(article, "first-event-opponents", met, event=event, needed=opponents.value)
    return None


def opponents_article(rated_games: int, minimum: Rule[int], rules: ChessRules) -> str:
    """Return the article that a first event with too few rated opponents fails: 8.21 if the games were enough."""
    of_opponents = rules.first_rated_opponents
    return of_opponents.article if of_opponents and rated_games >= minimum.value else minimum.article


def different_opponents(opponents: Iterable[object], rules: ChessRules) -> int | None:
    """Return how many different opponents there are, if the edition asks for that of a Swiss; else None (8.21)."""
    return len(set(opponents)) if rules.first_rated_opponents_swiss else None


# -------------------------------------------------------------------------------------------- the window (7.14c)


def months_before_list(months: int, list_day: date, days: Sequence[date]) -> date:  # noqa: ARG001  one signature
    """Return the first day of a window of ``months`` before the day of the list (7.14c)."""
    return add_months(list_day, -months)


def months_with_the_lists_own(months: int, list_day: date, days: Sequence[date]) -> date:  # noqa: ARG001  one signature
    """Return the first day of a window of ``months``, the last of which is the list's own month (7.14c)."""
    return add_months(list_day.replace(day=1), 1 - months)


def months_after_first_tranche(months: int, list_day: date, days: Sequence[date]) -> date:  # noqa: ARG001  one signature
    """Return the first day from which the window reaches the last one: after its end a new window begins (guide 5)."""
    last = max(days)
    return min(day for day in days if add_months(day, months) >= last)


def within_window(
    performances: Sequence[Performance], list_day: date | None, rules: ChessRules
) -> tuple[list[Performance], list[Performance], list[Step]]:
    """Return the events in the window, those that dropped out, and the steps; undated events count as inside."""
    days = [performance.last_day for performance in performances if performance.last_day]
    if not days:
        return list(performances), [], []
    start = rules.window_start.value(rules.window.value, list_day or first_list_for(max(days), rules), days)
    inside, outside, steps = [], [], []
    for performance in performances:
        if performance.last_day is None or performance.last_day >= start:
            inside.append(performance)
        else:
            outside.append(performance)
            steps.append(
                step(
                    rules.window.article,
                    "out-of-window",
                    start,
                    event=performance.event,
                    day=performance.last_day,
                    months=rules.window.value,
                )
            )
    return inside, outside, steps


# ------------------------------------------------------------------------------------------ the entry rating


def entry_rating(
    performances: Sequence[Performance],
    rules: ChessRules,
    *,
    list_day: date | None = None,
    affiliated: bool = False,
    first: bool = True,
    rules_of: Callable[[Performance], ChessRules] | None = None,
) -> Entry:
    """Return the entry rating of a newcomer from all events in order, or what is missing.

    The first-event test applies to the earliest event in the window; until one counts, every event is the first.
    ``first`` is False if an earlier event, not passed here, counts already. ``rules`` are those of the list.
    ``rules_of`` returns those of an event, for its first-event test; the latest event decides the formula.

    Articles (7.14, 7.14d, 8.3, 8.32, 8.33, 7.1.4; guide 3).
    """
    rules_of = rules_of or (lambda _: rules)
    ordered = sorted(performances, key=lambda performance: performance.last_day or date.min)
    counted, ignored, steps = within_window(ordered, list_day, rules)
    reason = "no-games"
    if rules.minimum_tranche:
        counted, small, small_steps = _tranches_large_enough(counted, rules)
        ignored += small
        steps += small_steps
        reason = "small-tranche" if small else reason
    counted, failed, failed_steps = _that_count(counted, rules_of, first=first)
    ignored += failed
    steps += failed_steps
    reason = failed_steps[-1].quantity if failed_steps else reason
    if not counted:
        return Entry(None, None, reason, 0, 0, None, (), tuple(ignored), tuple(steps))
    games, score, _ = _pool(counted)
    latest = rules_of(counted[-1])
    pooled = latest.entry_formula.value(counted, latest)
    rating = half_up(pooled.value)
    steps += [item for performance in counted for item in performance.steps]
    steps += [*pooled.steps, step(rules.articles["entry-rounding"], "entry", rating)]
    reason, conditions = _conditions(
        games, rating, minimum_games(counted, rules, affiliated=affiliated), rules
    )
    published = rating if reason == "published" else None
    steps += conditions
    return Entry(
        published, rating, reason, games, score, pooled.average, tuple(counted), tuple(ignored), tuple(steps)
    )


def _conditions(games: int, rating: int, minimum: Rule[int], rules: ChessRules) -> tuple[str, list[Step]]:
    """Return ``published``, or what is missing, with the steps that say so (7.14)."""
    if games < minimum.value:
        return "too-few-games", [step(minimum.article, "too-few-games", games, needed=minimum.value)]
    steps = [_fewer_games_enough(minimum, games, rules)] if games < rules.minimum_games.value else []
    if rating < rules.floor.value:
        return "below-floor", [
            *steps,
            step(rules.floor.article, "below-floor", rating, floor=rules.floor.value),
        ]
    return "published", steps


def _that_count(
    performances: Sequence[Performance], rules_of: Callable[[Performance], ChessRules], *, first: bool
) -> tuple[list[Performance], list[Performance], list[Step]]:
    """Return the events that count, those that are ignored, and why; until one counts, every event is the first."""
    counted: list[Performance] = []
    ignored, steps = [], []
    for performance in performances:
        test = ignored_as_first if first and not counted else ignored_as_later
        if failed := test(performance, rules_of(performance)):
            ignored.append(performance)
            steps.append(failed)
        else:
            counted.append(performance)
    return counted, ignored, steps


def minimum_games(performances: Sequence[Performance], rules: ChessRules, *, affiliated: bool) -> Rule[int]:
    """Return how many games a rating needs: fewer in team championships and for members of some associations.

    Articles (7.14a, 7.14b, 7.14f, 7.14g; guide 2).
    """
    if affiliated and rules.minimum_games_affiliated:
        return rules.minimum_games_affiliated
    team = rules.minimum_games_team_championship
    if team and sum(p.games for p in performances if p.team_championship) >= team.value:
        return team
    if all(performance.kind in ALL_PLAY_ALL for performance in performances):
        article = rules.articles.get("minimum-round-robin", rules.minimum_games.article)
        return Rule(rules.minimum_games.value, article)
    return rules.minimum_games


def _fewer_games_enough(minimum: Rule[int], games: int, rules: ChessRules) -> Step:
    """Return the step that says why fewer games are enough: a team championship (7.14f) or an association (7.14g)."""
    member = minimum is rules.minimum_games_affiliated
    quantity = "enough-games-affiliated" if member else "enough-games-team-championship"
    return step(minimum.article, quantity, games, needed=minimum.value, usual=rules.minimum_games.value)


def _tranches_large_enough(
    performances: Sequence[Performance], rules: ChessRules
) -> tuple[list[Performance], list[Performance], list[Step]]:
    needed = rules.minimum_tranche
    large, small, steps = [], [], []
    for performance in performances:
        if needed is None or performance.games >= needed.value:
            large.append(performance)
            continue
        small.append(performance)
        steps.append(
            step(
                needed.article,
                "small-tranche",
                performance.games,
                event=performance.event,
                needed=needed.value,
            )
        )
    return large, small, steps
