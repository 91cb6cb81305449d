"""The deadlines of a tournament by its edition: registration, and the reports of arbiter and federation."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from arpad.regulations.calendar import due_list, list_after
from arpad.regulations.fide.rules import ChessRules

_DAY = timedelta(days=1)


class DeadlineKind(StrEnum):
    """What must be done."""

    REGISTRATION = "registration"
    NORMS = "norms"
    ARBITER_REPORT = "arbiter-report"
    FEDERATION_REPORT = "federation-report"
    DUE_LIST = "due-list"
    LAST_LIST = "last-list"


BEFORE_THE_EVENT = frozenset({DeadlineKind.REGISTRATION, DeadlineKind.NORMS})


@dataclass(frozen=True, slots=True)
class Deadline:
    """The last day on which something is in time, with its article."""

    kind: DeadlineKind
    day: date
    article: str


def deadlines_of(
    first_day: date, last_day: date, rules: ChessRules, *, norms: bool = False
) -> tuple[Deadline, ...]:
    """Return the deadlines of a tournament, in their order, each with its article."""
    registration = rules.registration
    dated = [
        Deadline(DeadlineKind.REGISTRATION, registration.value.deadline(first_day), registration.article)
    ]
    if norms and rules.registration_norms:
        rule = rules.registration_norms
        dated.append(Deadline(DeadlineKind.NORMS, rule.value.deadline(first_day), rule.article))
    if days := rules.arbiter_report_days:
        dated.append(Deadline(DeadlineKind.ARBITER_REPORT, last_day + days.value * _DAY, days.article))
    if days := rules.federation_report_days:
        dated.append(Deadline(DeadlineKind.FEDERATION_REPORT, last_day + days.value * _DAY, days.article))
    if due := rules.report_due_days:
        before = due_list(last_day, due.value, rules) - _DAY
        dated.append(Deadline(DeadlineKind.DUE_LIST, before, due.article))
    if lists := rules.report_within_lists:
        before = list_after(last_day, rules, lists.value) - _DAY
        dated.append(Deadline(DeadlineKind.LAST_LIST, before, lists.article))
    return tuple(sorted(dated, key=lambda deadline: deadline.day))
