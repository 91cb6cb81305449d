"""Which reports, players, decisions and acts somebody may see; a bound officer (9.3) only those of the federation."""

from collections.abc import Iterable

from sqlalchemy import Connection

from arpad.model.errors import NotAllowed
from arpad.office.register.rows import load_people
from arpad.office.reports.acts import federations_of_acts, may_see
from arpad.office.reports.rows import Decision, Filed, filed
from arpad.office.reports.status import report_on_file
from arpad.office.users import Caller, User
from arpad.store.ledger import Act, acts_between, next_seq


def visible_report(connection: Connection, user: User, number: int) -> Filed:
    """Return a report on file; refuse one that the user may not see."""
    filed = report_on_file(connection, number)
    if not may_see(connection, user, filed):
        raise NotAllowed("not-your-report")
    return filed


EXAMINED = 5_000
"""Acts that one page of the ledger of a bound officer looks at."""


def own_key(caller: Caller) -> tuple[str, ...]:
    """Return what a kept part of a page depends on: the federations that the officer is bound to, none for all."""
    federations = caller.federations
    return () if "" in federations else tuple(sorted(federations))


def own_players(caller: Caller, connection: Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Return those among some players whom an officer may read."""
    may = caller.officer_of
    if may(""):
        return frozenset(numbers)
    people = load_people(connection, numbers)
    return frozenset(number for number, person in people.items() if may(person.federation))


def own_decisions(caller: Caller, connection: Connection, decisions: Iterable[Decision]) -> list[Decision]:
    """Return those among some decisions that are about a report, a player or a federation that an officer may read."""
    decisions, may = list(decisions), caller.officer_of
    if may(""):
        return decisions
    players = own_players(caller, connection, {it.player for it in decisions if it.player is not None})
    reports = filed(connection, [it.report for it in decisions if it.report is not None])
    return [
        it
        for it in decisions
        if it.player in players
        or (it.report in reports and may(reports[it.report].federation))
        or (it.federation and may(it.federation))
    ]


def own_acts(caller: Caller, connection: Connection, before: int, most: int) -> tuple[list[Act], int]:
    """Return the latest acts before one that a bound officer may read, and the act to go on before; 0 at the end.

    These are the officer's own acts, and those that name only what is of the federation.
    """
    login, may = caller.user.login if caller.user is not None else "", caller.officer_of
    own: list[Act] = []
    until = min(before, next_seq(connection)) - 1
    lowest = max(1, until - EXAMINED + 1)
    while until >= lowest and len(own) < most:
        first = max(lowest, until - most + 1)
        acts = acts_between(connection, first, until)[::-1]
        federations = federations_of_acts(connection, acts)
        for act in acts:
            named = federations[act.seq]
            if act.author == login or (named and all(may(federation) for federation in named)):
                own.append(act)
                if len(own) == most:
                    return own, act.seq if act.seq > 1 else 0
        until = first - 1
    return own, until + 1 if until >= 1 else 0
