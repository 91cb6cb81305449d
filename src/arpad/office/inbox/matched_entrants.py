"""Checked reports as they are stored: the matches of their entrants, findings, and marks of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.model.rules import Finding, ListName
from arpad.office.inbox.check_report import check_reports
from arpad.office.inbox.match_players import Match
from arpad.office.inbox.player_lookup import ReportToCheck
from arpad.reports.entrant_match import Numbers, Outcome
from arpad.reports.report import Entrant


class MatchedEntrants(NamedTuple):
    """The players of a report, and the entrants about whom something is to be done: small, for other processes."""

    players: tuple[int | None, ...]
    """By place."""

    newcomers: tuple[Entrant, ...]
    """The entrants without a player, in order."""

    doubts: tuple[Match, ...]
    """The entrants whose player an officer has to decide, with the candidates."""

    numbers: tuple[tuple[int, Numbers, str], ...]
    """Place of an entrant, the numbers of known scheme that nobody has yet, and the number of unknown scheme."""

    unmatched: tuple[tuple[Entrant, Numbers], ...]
    """The entrants who are not certain, with their numbers of known scheme: a new player may be one of them."""


class CheckedEntrants(NamedTuple):
    """A checked report, as far as it is stored."""

    on_list: ListName
    entrants: MatchedEntrants
    findings: tuple[Finding, ...]
    marks: bytes
    """The marks of its games, by which another report of the same event is recognised."""


def check_entrants(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]] | None = None,
) -> dict[int, CheckedEntrants]:
    """Check reports entrant by entrant; return what is stored of them. ``matches`` as for ``check_reports``."""
    if not reports:
        return {}
    return {
        key: CheckedEntrants(
            it.on_list,
            matched_entrants([match.player for match in it.matches], enumerate(it.matches)),
            it.findings,
            it.marks,
        )
        for key, it in check_reports(connection, reports, matches).items()
    }


def matched_entrants(players: Iterable[int | None], matches: Iterable[tuple[int, Match]]) -> MatchedEntrants:
    """Return what is stored of matches; ``matches`` has at least those that are not simply certain, by place."""
    by_place = list(matches)
    return MatchedEntrants(
        tuple(players),
        tuple([match.entrant for _, match in by_place if match.player is None]),
        tuple([match for _, match in by_place if match.undecided]),
        tuple(
            [
                (place, match.numbers, match.unknown_number)
                for place, match in by_place
                if match.numbers or match.unknown_number
            ]
        ),
        tuple(
            [
                (match.entrant, match.numbers)
                for _, match in by_place
                if match.outcome != Outcome.CERTAIN and not match.decided
            ]
        ),
    )
