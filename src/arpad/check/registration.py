"""Chapter 0: registration and arbiters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from arpad.check.case import Case, error, info, warning
from arpad.check.place import of_header, of_player
from arpad.model import Finding, Rule
from arpad.rules import Notice, StrongField


def registered_in_time(case: Case) -> Iterator[Finding]:
    """The event must be registered so long before its first day."""
    rule, first = case.rules.registration, case.report.header.first_day
    if first is None:
        return
    deadline = rule.value.deadline(first)
    if case.facts.registered is None:
        yield info("registration-unknown", rule.article, deadline=deadline)
    elif case.facts.registered > deadline:
        yield _late(case, rule.article, deadline) or error(
            "registered-late", rule.article, registered=case.facts.registered, deadline=deadline
        )


def registered_for_norms(case: Case) -> Iterator[Finding]:
    """Events in which norms can be made must be registered earlier."""
    rule = case.rules.registration_norms
    deadline = _missed(case, rule.value) if rule else None
    if rule is None or deadline is None:
        return
    norms = True if any(player.norm for player in case.facts.players.values()) else case.facts.norms
    if norms is None and _missed(case, case.rules.registration.value) is None:
        yield info("norms-unknown", rule.article, deadline=deadline)
    elif norms:
        yield _late(case, rule.article, deadline) or error(
            "registered-late-for-norms", rule.article, deadline=deadline
        )


def registered_for_strong_field(case: Case) -> Iterator[Finding]:
    """Events with very strong players must be registered earlier."""
    rule = case.rules.registration_strong
    deadline = _missed(case, rule.value.notice) if rule else None
    if rule is None or deadline is None:
        return
    place = _strong(case, rule, "w")
    if place is not None:
        entrant = case.report.entrants[place]
        where = of_player(case.report, place, "rating")
        about = {"name": entrant.name, "rating": case.ratings[place], "deadline": deadline}
        yield _late(case, rule.article, deadline) or error(
            "registered-late-for-strong-field", rule.article, **where, **about
        )
    elif (place := _strong(case, rule, "")) is not None:
        entrant = case.report.entrants[place]
        where = of_player(case.report, place, "rating")
        yield info("strong-field-unclear", rule.article, **where, name=entrant.name, deadline=deadline)


def _strong(case: Case, rule: Rule[StrongField], sex: str) -> int | None:
    """The first player above the limit, that for women holding for players of this sex."""
    for place, rating in enumerate(case.ratings):
        limit = rule.value.women_above if case.report.entrants[place].sex == sex else rule.value.above
        if rating is not None and rating > limit:
            return place
    return None


def _missed(case: Case, notice: Notice) -> date | None:
    """The deadline, where it is known to have been missed."""
    first, registered = case.report.header.first_day, case.facts.registered
    if first is None or registered is None:
        return None
    deadline = notice.deadline(first)
    return deadline if registered > deadline else None


def _late(case: Case, article: str, deadline: date) -> Finding | None:
    """A late registration that does no harm: accepted, or of an official event."""
    if case.facts.late_registration_accepted:
        return info("registered-late-accepted", article, deadline=deadline)
    if case.facts.official and case.rules.official_always_rated.value:
        return info("registered-late-official", case.rules.official_always_rated.article, deadline=deadline)
    return None


def arbiters(case: Case) -> Iterator[Finding]:
    """All arbiters must be licensed, or the event is not rated."""
    rule = case.rules.licensed_arbiters
    if rule is None:
        return
    if not case.report.header.chief_arbiter:
        yield warning("chief-arbiter-missing", rule.article, **of_header(case.report, "102"))
    if case.facts.licensed_arbiters is None:
        yield info("licences-unknown", rule.article)
    elif not case.facts.licensed_arbiters:
        yield error("arbiters-not-licensed", rule.article)


CHECKS = (registered_in_time, registered_for_norms, registered_for_strong_field, arbiters)
