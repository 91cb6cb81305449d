"""Which reports a user of the desk may see and decide about; a bound officer (9.3) only those of the federation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import Connection

from arpad.office.register.rows import load_people
from arpad.office.reports import rows
from arpad.office.reports.acts import federations_of_acts, may_see
from arpad.office.reports.rows import Decision, Filed, filed
from arpad.office.reports.status import report_on_file
from arpad.office.users import User
from arpad.store.ledger import Act, acts_between, next_seq
from arpad.web.reader import caller_of, signed_in_user
from arpad.web.requests import Refused, WebRequest, require_office


def refuse_others(connection: Connection, user: User, number: int) -> None:
    """Refuse a file that another user has sent before, without revealing its status."""
    filed = rows.filed(connection, [number])[number]
    if not may_see(connection, user, filed):
        raise Refused(409, "sent-by-another")


def visible_report(connection: Connection, user: User, number: int) -> Filed:
    """Return a report on file; refuse one that the user may not see."""
    filed = report_on_file(connection, number)
    if not may_see(connection, user, filed):
        raise Refused(403, "not-your-report")
    return filed


def own_report(request: WebRequest, number: int) -> Filed:
    """Return a report that the user may see."""
    with require_office(request).store.reading() as connection:
        return visible_report(connection, signed_in_user(request), number)


EXAMINED = 5_000
"""Acts that one page of the ledger of a bound officer looks at."""


def reads(request: WebRequest) -> Callable[[str], bool]:
    """Return whether the user may read what is of a federation."""
    return caller_of(request).officer_of


def own_key(request: WebRequest) -> tuple[str, ...]:
    """Return what a kept part of a page depends on: the federations that the officer is bound to, none for all."""
    federations = caller_of(request).federations
    return () if "" in federations else tuple(sorted(federations))


def own_players(request: WebRequest, connection: Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Return those among some players whom the user may read."""
    may = reads(request)
    if may(""):
        return frozenset(numbers)
    people = load_people(connection, numbers)
    return frozenset(number for number, person in people.items() if may(person.federation))


def own_decisions(
    request: WebRequest, connection: Connection, decisions: Iterable[Decision]
) -> list[Decision]:
    """Return those among some decisions that are about a report, a player or a federation that the user may read."""
    decisions, may = list(decisions), reads(request)
    if may(""):
        return decisions
    players = own_players(request, connection, {it.player for it in decisions if it.player is not None})
    reports = filed(connection, [it.report for it in decisions if it.report is not None])
    return [
        it
        for it in decisions
        if it.player in players
        or (it.report in reports and may(reports[it.report].federation))
        or (it.federation and may(it.federation))
    ]


def own_acts(request: WebRequest, connection: Connection, before: int, most: int) -> tuple[list[Act], int]:
    """Return the latest acts before one that a bound officer may read, and the act to go on before; 0 at the end.

    These are the officer's own acts, and those that name only what is of the federation.
    """
    user, may = signed_in_user(request), reads(request)
    own: list[Act] = []
    until = min(before, next_seq(connection)) - 1
    lowest = max(1, until - EXAMINED + 1)
    while until >= lowest and len(own) < most:
        first = max(lowest, until - most + 1)
        acts = acts_between(connection, first, until)[::-1]
        federations = federations_of_acts(connection, acts)
        for act in acts:
            named = federations[act.seq]
            if act.author == user.login or (named and all(may(federation) for federation in named)):
                own.append(act)
                if len(own) == most:
                    return own, act.seq if act.seq > 1 else 0
        until = first - 1
    return own, until + 1 if until >= 1 else 0
