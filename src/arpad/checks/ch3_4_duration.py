"""Chapters 3 and 4: games and hours per day, how long the event lasts."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from arpad.checks.ch1_2_time_control import rests_on_approval
from arpad.checks.context import Case, error, info, of_header, warning
from arpad.checks.header import days_of_rounds
from arpad.model.rules import Fact, Finding, Rule
from arpad.regulations.calendar import list_after


def _busiest(case: Case) -> tuple[date | None, int]:
    """Return the day with most rounds and their number; if rounds have no days, the number that some day must have had.

    Return no day and 0 if neither the rounds nor the tournament have days.
    """
    played = set(case.rounds_played)
    by_day = Counter(day for number, day in days_of_rounds(case.report) if number in played)
    busiest = max(by_day.items(), key=lambda item: item[1], default=(None, 0))
    if case.days is None or (by_day and by_day.total() == len(played)):
        return busiest
    least = -(-len(played) // case.days)
    if busiest[1] >= least:
        return busiest
    return (case.report.header.first_day if case.days == 1 else None), least


def days_known(case: Case) -> Iterator[Finding]:
    """Report rounds without days if the edition limits the games of a day."""
    rule = case.rules.games_per_day or case.rules.hours_per_day
    dated = {number for number, _ in days_of_rounds(case.report)}
    if rule is not None and case.days != 1 and not dated.issuperset(case.rounds_played):
        yield info("round-days-unknown", rule.article, **of_header(case.report, "132"))


def games_per_day(case: Case) -> Iterator[Finding]:
    """Check the number of games a day (2024 RB 3.1.1, RB 3.1.2; 2009 3.1)."""
    rule, (day, games) = case.rules.games_per_day, _busiest(case)
    if rule is None or games <= rule.value:
        return
    about: dict[str, Fact] = {**of_header(case.report, "132"), "games": games, "most": rule.value}
    if day is None:
        yield error("too-many-games-some-day", rule.article, **about)
    else:
        yield error("too-many-games-a-day", rule.article, **about, day=day)


def hours_per_day(case: Case) -> Iterator[Finding]:
    """Check the hours of play a day (3.1); a round counts twice its sixty moves (reading 11)."""
    rule, (day, games) = case.rules.hours_per_day, _busiest(case)
    hours = 2 * games * (case.minutes or 0) / Fraction(60)
    if rule is None or hours <= rule.value:
        return
    about: dict[str, Fact] = {
        **of_header(case.report, "132"),
        "games": games,
        "most": rule.value,
        "hours": hours,
    }
    if day is None:
        yield error("too-many-hours-some-day", rule.article, **about)
    else:
        yield error("too-many-hours-a-day", rule.article, **about, day=day)


def fast_rounds(case: Case) -> Iterator[Finding]:
    """Check that an approved fast time control has few rounds a day."""
    rule = case.rules.fast_by_approval
    if rule is None or not rests_on_approval(case):
        return
    (_, rounds), most = _busiest(case), rule.value.rounds_per_day
    if rounds > most:
        where = of_header(case.report, "132")
        yield error("fast-too-many-rounds", rule.article, **where, rounds=rounds, most=most)


def duration(case: Case) -> Iterator[Finding]:
    """Check the length of the event; leagues and approved events may last longer (2017 and 2009 4.1, 4.11, 4.12)."""
    rule, days = case.rules.duration_days, case.days
    length_rule, header = rule or case.rules.interim_after_days, case.report.header
    if length_rule is not None and (header.first_day is None or header.last_day is None):
        yield info("duration-unknown", length_rule.article)
    elif rule is not None and days is not None and days > rule.value:
        exempt = _exempt(case)
        if exempt is None:
            yield error("too-long", rule.article, **of_header(case.report, "052"), days=days, most=rule.value)
        else:
            yield info("long-but-allowed", exempt.article, days=days, most=rule.value)


def _exempt(case: Case) -> Rule[bool] | None:
    league, longer = case.rules.league_exempt, case.rules.longer_by_approval
    if case.facts.league and league and league.value:
        return league
    if case.facts.longer_approved and longer and longer.value:
        return longer
    return None


def interim_reports(case: Case) -> Iterator[Finding]:
    """Report a long event without monthly interim reports (2024 4.1; 2017 4.13)."""
    rule, days = case.rules.interim_after_days, case.days
    if rule is None or days is None or days <= rule.value:
        return
    if case.facts.interim_reports is None:
        yield info("interim-reports-unknown", rule.article, days=days, after=rule.value)
    elif not case.facts.interim_reports:
        yield warning("interim-reports-missing", rule.article, days=days, after=rule.value)


def ratings_by_round(case: Case) -> Iterator[Finding]:
    """Report that an event over several lists may use the ratings of each round, if agreed before (2009 4.13)."""
    rule, first, last = case.rules.ratings_by_round, case.report.header.first_day, case.report.header.last_day
    if rule is None or first is None or last is None:
        return
    following = list_after(first, case.rules)
    if last >= following:
        yield info("ratings-of-first-day", rule.article, first=first, following=following)


CHECKS = (days_known, games_per_day, hours_per_day, fast_rounds, duration, interim_reports, ratings_by_round)
