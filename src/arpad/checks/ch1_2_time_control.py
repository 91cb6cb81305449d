"""Chapters 1 and 2: rate of play, the list it belongs to, the Laws."""

import re
from collections.abc import Iterator, Mapping

from arpad.checks.context import Case, error, first_start_numbers, info, of_header, warning
from arpad.model.rules import Fact, Finding, ListName
from arpad.regulations.fide.games import approved_as_fast
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.time_control import TimeControl

_TAGS = ("122", "222")

_DECLARED = (
    (ListName.BLITZ, re.compile(r"\b(?:blitz|lampo|bullet|fulmine|relámpago|éclair)", re.IGNORECASE)),
    (ListName.RAPID, re.compile(r"\b(?:rapid|semilampo|semi-lampo|active ?chess|schnell)", re.IGNORECASE)),
    (ListName.STANDARD, re.compile(r"\b(?:standard|classical|classico|cadenza lunga)\b", re.IGNORECASE)),
)


def minutes_required(rules: ChessRules, highest_rating: int | None) -> int | None:
    """Return the minutes for sixty moves for the strongest player; the unrated count as the weakest (reading 11)."""
    if rules.time_bands is None:
        return None
    bands = rules.time_bands.value
    return next((minutes for low, minutes in bands if (highest_rating or 0) >= low), bands[-1][1])


def classify(
    control: TimeControl, highest_rating: int | None, editions_rules_by_list: Mapping[ListName, ChessRules]
) -> ListName | None:
    """Return the list of a time control (2024 RB 1.1.1, RB 1.1.2; 2009 1.2); None if it fits no list or cannot be read.

    If the edition judges the time of each game, the weakest band is enough for the list; the games of stronger players
    may still be too fast.
    """
    for name, rules in editions_rules_by_list.items():
        minutes = control.minutes(rules.moves_counted.value)
        if minutes is None:
            continue
        if rules.time_bounds is not None:
            fits = rules.time_bounds.value.hold(minutes)
        else:
            required = minutes_required(rules, None if rules.time_bands_per_game else highest_rating)
            fits = required is None or minutes >= required
        if fits:
            return name
    return None


def time_control(case: Case) -> Iterator[Finding]:
    """Report a time control that cannot be read, and what a rule supplied."""
    control, article = case.control, case.rules.moves_counted.article
    if not control.text.strip():
        yield info("time-control-missing", article)
    elif not control.readable:
        where = of_header(case.report, *_TAGS)
        yield info("time-control-unknown", article, **where, text=control.text.strip())
    elif control.assumed:
        where = of_header(case.report, *_TAGS)
        yield info("time-control-assumed", article, **where, text=control.text.strip(), minutes=case.minutes)


def undecided_list(case: Case) -> Iterator[Finding]:
    """Report an undecided list: no readable time control, no stated list (2024 1.1; 2017 1.1; 2009 1.1)."""
    if case.facts.list is None and not case.control.readable:
        where = of_header(case.report, *_TAGS)
        yield error("list-undecided", case.rules.moves_counted.article, **where)


def time_by_field(case: Case) -> Iterator[Finding]:
    """Check the time for sixty moves against the highest rating of the field (2017 1.1; 2009 1.1)."""
    rule = case.rules.time_bands
    if rule is not None and not case.rules.time_bands_per_game:
        yield from _too_short_for(case, rule.article, case.highest)


def _too_short_for(case: Case, article: str, rating: int | None) -> Iterator[Finding]:
    minutes, required = case.minutes, minutes_required(case.rules, rating)
    if minutes is None or required is None or minutes >= required:
        return
    about: dict[str, Fact] = {"minutes": minutes, "required": required}
    where = of_header(case.report, *_TAGS)
    if rating is None:
        yield error("time-too-short-for-anyone", article, **where, **about)
    else:
        yield error("time-too-short", article, **where, **about, highest=rating)


def time_by_game(case: Case) -> Iterator[Finding]:
    """Check the time for sixty moves against the stronger player of each game (2024 1.1)."""
    rule, bands, minutes = case.rules.time_bands_per_game, case.rules.time_bands, case.minutes
    if rule is None or bands is None or minutes is None:
        return
    too_short_for_all = list(_too_short_for(case, rule.article, None))
    yield from too_short_for_all
    if approved_as_fast(minutes, case.facts, case.rules):
        return
    limit = min((low for low, required in bands.value if minutes < required), default=None)
    if limit is None or too_short_for_all:
        return
    strong = {index for index, rating in enumerate(case.ratings) if rating is not None and rating >= limit}
    games = sum(count for pair, count in case.met.played.items() if not strong.isdisjoint(pair))
    if games:
        players = first_start_numbers(case.report.entrants[index] for index in sorted(strong))
        about: dict[str, Fact] = {"minutes": minutes, "games": games, "players": players}
        yield warning("time-too-short-for-games", rule.article, **of_header(case.report, *_TAGS), **about)
        fast = case.rules.fast_by_approval
        if fast and minutes >= fast.value.minutes and case.facts.fast_approved is None:
            yield info("fast-approval-unknown", fast.article, minutes=minutes)


def fast_norms(case: Case) -> Iterator[Finding]:
    """Warn that a time control that needs an approval may give no norms."""
    rule, minutes = case.rules.fast_by_approval, case.minutes
    if rule is None or rule.value.norms or not case.facts.norms or minutes is None:
        return
    if rests_on_approval(case):
        yield warning("fast-without-norms", rule.article, minutes=minutes)


def rests_on_approval(case: Case) -> bool:
    """Return whether the time is too short for a player of the field and counts only by approval."""
    minutes, required = case.minutes, minutes_required(case.rules, case.highest)
    short = minutes is not None and required is not None and minutes < required
    return short and minutes is not None and approved_as_fast(minutes, case.facts, case.rules)


def equal_times(case: Case) -> Iterator[Finding]:
    """Report games in which the players have different times; they are not rated (2024 RB 1.2)."""
    rule = case.rules.equal_times
    if rule is not None and case.control.black:
        games = sum(case.met.played.values())
        yield warning("unequal-times", rule.article, **of_header(case.report, *_TAGS), games=games)


def first_control(case: Case) -> Iterator[Finding]:
    """Check the number of moves of the first control, if there is one (2024 1.2; 2017 1.2; 2009 1.3)."""
    rule, moves = case.rules.first_control, case.control.first_control
    if rule is None or moves is None:
        return
    required = rule.value.moves
    if moves == required or (rule.value.or_more and moves > required):
        return
    about: dict[str, Fact] = {**of_header(case.report, *_TAGS), "moves": moves, "required": required}
    if rule.value.or_more:
        yield error("first-control-too-short", rule.article, **about)
    else:
        yield error("first-control-moves", rule.article, **about)


def time_bounds(case: Case) -> Iterator[Finding]:
    """Check that the time is within the bounds of rapid or blitz (2024 RB 1.1.1, RB 1.1.2; 2017 1.3, 1.4)."""
    rule, minutes = case.rules.time_bounds, case.minutes
    if rule is None or minutes is None or rule.value.hold(minutes):
        return
    about: dict[str, Fact] = {"list": str(case.on_list), "minutes": minutes}
    about |= {"least": rule.value.least, "most": rule.value.most}
    yield error("time-out-of-bounds", rule.article, **of_header(case.report, *_TAGS), **about)


def belongs_to(case: Case) -> Iterator[Finding]:
    """Compare the list of the time control with the list of the report (2017 1.4; 2009 1.2)."""
    minutes = case.minutes
    if minutes is None or not case.lists:
        return
    own_list = classify(case.control, case.highest, case.lists)
    if own_list == case.on_list:
        return
    where = of_header(case.report, *_TAGS)
    if own_list is None:
        article = case.rules.moves_counted.article
        yield error("no-list", article, **where, minutes=minutes)
    else:
        rules = case.lists[own_list]
        article = (rules.time_bounds or rules.time_bands or rules.moves_counted).article
        yield error(
            "wrong-list", article, **where, minutes=minutes, list=str(case.on_list), belongs=str(own_list)
        )


def declared_list(report_texts: tuple[str, ...]) -> ListName | None:
    """Return the list that a name or type of tournament mentions, None if it mentions none or several."""
    lists = {name for text in report_texts for name, pattern in _DECLARED if pattern.search(text)}
    return lists.pop() if len(lists) == 1 else None


def as_declared(case: Case) -> Iterator[Finding]:
    """Report an event that calls itself rapid or blitz but is reported for another list."""
    header = case.report.header
    declared = declared_list((header.kind, header.name))
    if declared is not None and declared != case.on_list:
        where = of_header(case.report, "092" if declared_list((header.kind,)) else "012")
        article = (case.rules.time_bounds or case.rules.moves_counted).article
        yield error("declared-list-differs", article, **where, declared=str(declared), list=str(case.on_list))


def laws(case: Case) -> Iterator[Finding]:
    """Check that the event followed the Laws, or had approved deviations (2024 2.1, RB 2.1; 2017 2.1; 2009 2.1)."""
    rule = case.rules.deviations_approved
    if rule is None:
        return
    facts = case.facts
    if facts.deviations is None:
        yield info("deviations-unknown", rule.article)
    elif not facts.deviations:
        return
    elif not rule.value:
        yield error("deviations-not-allowed", rule.article)
    elif facts.deviations_approved is None:
        yield info("deviations-approval-unknown", rule.article)
    elif not facts.deviations_approved:
        yield error("deviations-not-approved", rule.article)


def hybrid(case: Case) -> Iterator[Finding]:
    """Check that a hybrid event was approved and its games were sent (2024 0.2, 2.1, 9.4, RB 0.2, RB 2.1, RB 8.4).

    Earlier editions do not rate hybrid events.
    """
    rule, facts = case.rules.hybrid_by_approval, case.facts
    if not facts.hybrid:
        return
    if rule is None:
        laws_of = case.rules.deviations_approved
        yield error("hybrid-not-provided", laws_of.article if laws_of else "")
    elif facts.hybrid_approved is None:
        yield info("hybrid-approval-unknown", rule.article)
    elif not facts.hybrid_approved:
        yield error("hybrid-not-approved", rule.article)
    sent = case.rules.hybrid_games
    if sent is None or facts.games_sent or case.report.format == "pgn":
        return
    if facts.games_sent is None:
        yield info("hybrid-games-unknown", sent.article)
    else:
        yield error("hybrid-games-missing", sent.article)


CHECKS = (
    time_control,
    undecided_list,
    time_by_field,
    time_by_game,
    fast_norms,
    first_control,
    time_bounds,
    equal_times,
    belongs_to,
    as_declared,
    laws,
    hybrid,
)
