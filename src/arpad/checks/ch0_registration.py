"""Chapter 0: registration and arbiters."""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from arpad.checks.context import Case, error, info, of_header, of_player, warning
from arpad.model.rules import Body, Fact, Finding, Rule
from arpad.regulations.fide.rules import Notice, StrongField
from arpad.reports.event_facts import read_schedule


def registered_in_time(case: Case) -> Iterator[Finding]:
    """Check that the event was registered in time (2024 0.2.2, 0.2.4, RB 0.2; 2017 0.2; 2009 0.4)."""
    rule, first = case.rules.registration, case.report.header.first_day
    strong = case.rules.registration_strong
    if case.facts.registration_refused or case.facts.registration_cancelled:
        return  # that is said by ``registration_in_force``
    if first is None or (strong and case.facts.registered and _strong(case, strong, "w") is not None):
        return  # a very strong field has a notice of its own
    deadline = rule.value.deadline(first)
    if case.facts.registered is None:
        yield info("registration-unknown", rule.article, deadline=deadline)
    elif case.facts.registered > deadline:
        allowed = case.rules.late_registration or Rule(Body.QC, rule.article)
        yield _late(case, allowed, deadline) or error(
            "registered-late", rule.article, registered=case.facts.registered, deadline=deadline
        )


def registration_in_force(case: Case) -> Iterator[Finding]:
    """Check that the registration was not refused or cancelled (2024 0.2; 2017 0.2; 2009 0.4)."""
    article = _registration_article(case)
    if case.facts.registration_refused:
        yield error("registration-refused", article)
    elif case.facts.registration_cancelled:
        yield error("registration-cancelled", article)


def _registration_article(case: Case) -> str:
    """Return the article that asks for a registration: of 0.2.2, which says how early, 0.2."""
    return ".".join(case.rules.registration.article.split(".")[:2])


def follows_schedule(case: Case) -> Iterator[Finding]:
    """Compare days and rounds with the registered playing schedule (2017 0.2)."""
    schedule, header = read_schedule(case.facts.schedule), case.report.header
    if not schedule:
        return
    article = _registration_article(case)
    first, last = schedule[0].day, schedule[-1].day
    planned = sum(item.rounds for item in schedule)
    played = Counter([*case.report.round_days, *header.days_to_come])
    rounds = max(header.rounds or 0, len(case.report.rounds))
    if header.first_day is not None and (header.first_day, header.last_day or header.first_day) != (
        first,
        last,
    ):
        days: dict[str, Fact] = {"first": header.first_day, "last": header.last_day or header.first_day}
        yield warning(
            "schedule-days", article, **of_header(case.report, "042"), **days, registered_first=first,
            registered_last=last,
        )  # fmt: skip
    elif played and None not in played:
        scheduled = {item.day: item.rounds for item in schedule}
        for day in sorted({*scheduled, *(day for day in played if day is not None)}):
            if played[day] != scheduled.get(day, 0):
                yield warning(
                    "schedule-day", article, day=day, rounds=played[day], registered=scheduled.get(day, 0)
                )
    if rounds != planned:
        yield warning("schedule-rounds", article, rounds=rounds, registered=planned)


def registered_for_norms(case: Case) -> Iterator[Finding]:
    """Check that an event with title norms was registered earlier (2024 B.01 1.1.1; 2017 0.2)."""
    rule = case.rules.registration_norms
    deadline = _missed(case, rule.value) if rule else None
    if rule is None or deadline is None:
        return
    norms = True if any(player.norm for player in case.facts.players.values()) else case.facts.norms
    if norms is None and _missed(case, case.rules.registration.value) is None:
        yield info("norms-unknown", rule.article, deadline=deadline)
    elif norms:
        yield _late(case, Rule(None, rule.article), deadline) or error(
            "registered-late-for-norms", rule.article, deadline=deadline
        )


def registered_for_strong_field(case: Case) -> Iterator[Finding]:
    """Check that an event with very strong players was registered earlier (2024 0.2.1, 0.2.3)."""
    rule = case.rules.registration_strong
    deadline = _missed(case, rule.value.notice) if rule else None
    if rule is None or deadline is None:
        return
    strong = _strong(case, rule, "w")
    index = _strong(case, rule, "") if strong is None else strong
    if index is None:
        return
    about = {**of_player(case.report, index, "rating"), "name": case.report.entrants[index].name}
    if strong is None:
        yield info("strong-field-unclear", rule.article, **about, deadline=deadline)
    else:
        about |= {"rating": case.ratings[index], "deadline": deadline}
        allowed = case.rules.late_registration_strong or Rule(Body.QC, rule.article)
        yield _late(case, allowed, deadline) or error(
            "registered-late-for-strong-field", rule.article, **about
        )


def _strong(case: Case, rule: Rule[StrongField], sex: str) -> int | None:
    """Return the first player above the rating limit; women have a lower limit."""
    for index, rating in enumerate(case.ratings):
        limit = rule.value.women_above if case.report.entrants[index].sex == sex else rule.value.above
        if rating is not None and rating > limit:
            return index
    return None


def _missed(case: Case, notice: Notice) -> date | None:
    """Return the deadline if it was missed, else None."""
    first, registered = case.report.header.first_day, case.facts.registered
    if first is None or registered is None:
        return None
    deadline = notice.deadline(first)
    return deadline if registered > deadline else None


def _late(case: Case, allowed: Rule[Body | None], deadline: date) -> Finding | None:
    """Return the finding about an accepted late registration or an official event, else None.

    ``allowed`` names the bodies that may accept it, if the edition names any.
    """
    by, official = case.facts.late_registration_by, case.rules.official_always_rated
    accepted = case.facts.late_registration_accepted
    accepted = by is not None if accepted is None else accepted
    if accepted and (by is None or by == (allowed.value or by)):
        return info("registered-late-accepted", allowed.article, deadline=deadline)
    if case.facts.official and official.value:
        return info("registered-late-official", official.article, deadline=deadline)
    if accepted:
        about: dict[str, Fact] = {"by": str(by), "required": str(allowed.value), "deadline": deadline}
        return error("late-registration-by-other", allowed.article, **about)
    return None


def arbiters(case: Case) -> Iterator[Finding]:
    """Check that all arbiters are licensed (2017 0.3) or have paid the fee (2024 B.06.1 6.1, B.06.1 6.2)."""
    rule, licensed = case.rules.licensed_arbiters or case.rules.arbiters_fee, case.facts.licensed_arbiters
    if rule is None:
        return
    if not case.report.header.chief_arbiter:
        yield warning("chief-arbiter-missing", rule.article, **of_header(case.report, "102"))
    if case.rules.licensed_arbiters:
        if licensed is None:
            yield info("licences-unknown", rule.article)
        elif not licensed:
            yield error("arbiters-not-licensed", rule.article)
    elif licensed is None:
        yield info("arbiters-fee-unknown", rule.article)
    elif not licensed:
        yield warning("arbiters-fee-unpaid", rule.article)


CHECKS = (
    registered_in_time,
    registration_in_force,
    follows_schedule,
    registered_for_norms,
    registered_for_strong_field,
    arbiters,
)
