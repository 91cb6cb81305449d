"""Compare the header of a report with its lines: days, counts, rounds."""

import re
from collections.abc import Iterator
from datetime import date

from arpad.checks.context import error, first_start_numbers, of_header, of_round, warning
from arpad.model.rules import Finding
from arpad.reports.report import Report


def days_of_rounds(report: Report) -> list[tuple[int, date]]:
    """Return the rounds with a known day, also those not yet played."""
    days = [*report.round_days, *report.header.days_to_come]
    return [(number, day) for number, day in enumerate(days, start=report.first_round) if day is not None]


def bounds(report: Report) -> Iterator[Finding]:
    """Report a last day before the first."""
    first, last = report.header.first_day, report.header.last_day
    if first and last and last < first:
        yield error("last-day-before-first", **of_header(report, "052"), first=first, last=last)


def round_days(report: Report) -> Iterator[Finding]:
    """Report rounds on days outside the tournament, or earlier than the round before."""
    first, last = report.header.first_day, report.header.last_day
    before: date | None = None
    for number, day in days_of_rounds(report):
        if (first and day < first) or (last and first and first <= last < day):
            yield error("round-day-outside", **of_round(report, number), day=day)
        if before and day < before:
            yield warning("round-days-unordered", **of_round(report, number), day=day, before=before)
        before = day


def counts(report: Report) -> Iterator[Finding]:
    """Compare the header's numbers of players, rated players and teams with the lines."""
    header = report.header
    players = len(report.entrants)
    if header.players is not None and header.players != players:
        where = of_header(report, "062")
        yield error("count-of-players", **where, declared=header.players, found=players)
    rated = sum(1 for entrant in report.entrants if entrant.rating)
    if header.rated_players is not None and header.rated_players != rated:
        where = of_header(report, "072")
        yield warning("count-of-rated", **where, declared=header.rated_players, found=rated)
    teams = len(report.teams)
    if header.teams is not None and header.teams != teams:
        yield warning("count-of-teams", **of_header(report, "082"), declared=header.teams, found=teams)


def rounds_played(report: Report) -> Iterator[Finding]:
    """Report an event without any game, or with fewer rounds played than declared or dated."""
    played = max(report.paired_rounds, default=0)
    dated = max((number for number, _ in days_of_rounds(report)), default=0)
    planned = report.header.rounds or max(dated, report.round_numbers.stop - 1)
    if not played and not planned and report.entrants:
        yield error("no-games")
    if played < planned:
        where = of_header(report, "142", "XXR") or of_header(report, "132")
        yield error("stopped-early", **where, played=played, planned=planned)
    elif played > planned:
        beyond = [cells for number, cells in report.numbered_rounds() if number > planned]
        late = [
            e for index, e in enumerate(report.entrants) if any(cells.opponents[index] for cells in beyond)
        ]
        where = of_header(report, "142", "XXR")
        yield warning(
            "cells-surplus", **where, declared=planned, count=len(late), players=first_start_numbers(late)
        )


_ONLINE = re.compile(
    r"\b(?:on-?line|internet|lichess|playchess|tornelo|chess24|lidraughts)\b|chess\.com\b", re.IGNORECASE
)


def online(report: Report) -> Iterator[Finding]:
    """Report an event that calls itself online: only games over the board are rated, or hybrid ones (2024 2.1)."""
    header = report.header
    for tag, text in (("012", header.name), ("022", header.city), ("092", header.kind)):
        if match := _ONLINE.search(text):
            yield error("online-event", **of_header(report, tag), word=match[0])
            return


CHECKS = (bounds, round_days, counts, rounds_played, online)
