"""Chapters 9 and 13: when the report was sent, and which federations the players belong to."""

from collections.abc import Iterator

from arpad.checks.context import Case, error, first_start_numbers, info, of_player, warning
from arpad.checks.participants import check_members
from arpad.model.rules import Finding
from arpad.regulations.calendar import due_list, list_after


def received_known(case: Case) -> Iterator[Finding]:
    """Report that the day of receipt is unknown if the edition sets a deadline."""
    rules = case.rules
    rule = rules.report_within_lists or rules.federation_report_days or rules.arbiter_report_days
    if rule is not None and (case.facts.received is None or case.report.header.last_day is None):
        yield info("received-unknown", rule.article)


def reported_by_arbiter(case: Case) -> Iterator[Finding]:
    """Check the deadline of the chief arbiter (2017 9.1)."""
    rule, federation = case.rules.arbiter_report_days, case.rules.federation_report_days
    late = _days_late(case)
    if rule is None or late is None or late <= rule.value or (federation and late > federation.value):
        return
    yield warning("reported-late-by-arbiter", rule.article, days=late, most=rule.value)


def reported_by_federation(case: Case) -> Iterator[Finding]:
    """Check the deadline of the federation (2017 9.1)."""
    rule, late = case.rules.federation_report_days, _days_late(case)
    if rule is not None and late is not None and late > rule.value:
        yield warning("reported-late-by-federation", rule.article, days=late, most=rule.value)


def _days_late(case: Case) -> int | None:
    received, last = case.facts.received, case.report.header.last_day
    return None if received is None or last is None else (received - last).days


def reported_for_list(case: Case) -> Iterator[Finding]:
    """Check that the report did not miss too many lists; else it is not rated (2024 9.1, RB 8.1)."""
    rule, received, last = case.rules.report_within_lists, case.facts.received, case.report.header.last_day
    if rule is None or received is None or last is None:
        return
    deadline = list_after(last, case.rules, rule.value)
    if received >= deadline:
        yield error("reported-too-late", rule.article, received=received, lists=rule.value, deadline=deadline)


def reported_for_due_list(case: Case) -> Iterator[Finding]:
    """Check that the report arrived for the next list, or the second one after a late end (2024 9.1, RB 8.1)."""
    rule, received, last = case.rules.report_due_days, case.facts.received, case.report.header.last_day
    within = case.rules.report_within_lists
    if rule is None or received is None or last is None:
        return
    due = due_list(last, rule.value, case.rules)
    if received >= due and not (within and received >= list_after(last, case.rules, within.value)):
        yield warning("reported-after-due-list", rule.article, received=received, due=due)


def received_in_time_order(case: Case) -> Iterator[Finding]:
    """Report that a report was received before the end of the event."""
    late = _days_late(case)
    if late is not None and late < 0:
        yield warning("received-before-end", last=case.report.header.last_day, received=case.facts.received)


def federations(case: Case) -> Iterator[Finding]:
    """Check that the players belong to member federations (2024 10.1, RB 9.1; 2017 13.1; 2009 13.1)."""
    article = case.rules.articles.get("federation", "")
    report, suspended = case.report, set(case.facts.suspended_federations)
    of_players = report.column("federation")
    if without := [index for index, federation in enumerate(of_players) if not federation]:
        players = first_start_numbers(report.entrants[index] for index in without)
        where = of_player(case.report, without[0], "federation")
        yield warning("federation-missing", article, **where, count=len(without), players=players)
    for index, federation in enumerate(of_players):
        if federation and federation in suspended:
            entrant = report.entrants[index]
            where = of_player(case.report, index, "federation")
            yield warning(
                "federation-suspended", article, **where, name=entrant.name, federation=entrant.federation
            )


def deaths(case: Case) -> Iterator[Finding]:
    """Report a player who died before the event: another one played, or the register is wrong (2024 10.2, RB 9.2)."""
    rule, first = case.rules.deaths_reported, case.report.header.first_day
    any_death = {player.died for player in case.facts.players.values()} - {None}
    for index, entrant in enumerate(case.report.entrants if any_death else ()):
        died = case.facts.player(entrant.number, entrant.id).died
        if died is None or first is None or died >= first:
            continue
        where = of_player(case.report, index, "name")
        if rule is not None:
            yield error("player-deceased", rule.article, **where, name=entrant.name, died=died, first=first)
        else:
            yield warning("player-deceased-before", **where, name=entrant.name, died=died, first=first)


def members(case: Case) -> Iterator[Finding]:
    """Check that the players are members on the first day, if an own edition requires it."""
    yield from check_members(case.report, case.facts, case.rules.membership)


CHECKS = (
    received_known,
    received_in_time_order,
    reported_by_arbiter,
    reported_by_federation,
    reported_for_due_list,
    reported_for_list,
    federations,
    deaths,
    members,
)
