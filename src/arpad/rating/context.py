"""The setting of a report: which edition, which list, and what is known of each participant; every guess is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from arpad.checks import classify
from arpad.checks.context import warning
from arpad.checks.positions import of_player
from arpad.model.errors import NoEdition
from arpad.model.rules import CHESS_LISTS, Edition, Fact, Finding, ListName, Severity
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.report import Entrant, Report
from arpad.reports.time_control import TimeControl

FIRST_DAY_DECIDES = "0.1"
"""The article that makes the first day decide; the same number in every edition."""


@dataclass(frozen=True, slots=True)
class RatingContext:
    """Under which rules a report is rated."""

    edition: Edition[ChessRules] | None
    """None if no edition can rate the report: the preview then shows only the games."""

    on_list: ListName
    lists: Mapping[ListName, ChessRules]
    """The edition in force on each list, to find the list of the time control."""

    findings: tuple[Finding, ...]

    by_control: bool = False
    """Whether the list follows from the time control; else it was stated, or is assumed to be the standard one."""


def choose_context(
    report: Report,
    facts: EventFacts,
    edition: Edition[ChessRules] | None,
    control: TimeControl,
    highest: int | None,
    known: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
) -> RatingContext:
    """Return the edition of the first day and the list of the time control; with a finding if there is none.

    ``edition`` is one requested by name; without it, one of those ``known`` is in force.
    """
    day = report.header.first_day
    findings: list[Finding] = []
    if day is None:
        findings.append(Finding(Severity.ERROR, "no-first-day", FIRST_DAY_DECIDES))
    editions = dict.fromkeys(edition.lists, edition) if edition else _in_force(day, known)
    lists = {name: found.on(name) for name, found in editions.items()}
    classified = classify(control, highest, lists) if lists and not facts.list else None
    on_list = facts.list or classified or ListName.STANDARD
    chosen = editions.get(on_list)
    if chosen is None and edition is not None:
        about: dict[str, Fact] = {"edition": edition.id, "list": str(on_list)}
        findings.append(Finding(Severity.ERROR, "edition-without-list", FIRST_DAY_DECIDES, facts=about))
    elif chosen is None and day is not None:
        about = {"day": day, "list": str(on_list), "first": _first_day(on_list, known)}
        code = "no-such-list-yet" if editions else "before-first-edition"
        findings.append(Finding(Severity.ERROR, code, FIRST_DAY_DECIDES, facts=about))
    return RatingContext(chosen, on_list, lists, tuple(findings), by_control=classified is not None)


def _in_force(day: date | None, known: Sequence[Edition[ChessRules]]) -> dict[ListName, Edition[ChessRules]]:
    """Return the edition in force on a day, list by list; rapid and blitz began later than the standard list."""
    editions: dict[ListName, Edition[ChessRules]] = {}
    for name in CHESS_LISTS if day else ():
        try:
            editions[name] = in_force(known, name, day or date.min)
        except NoEdition:
            continue
    return editions


def _first_day(on_list: ListName, known: Sequence[Edition[ChessRules]]) -> date:
    """Return the first day on which a list could be rated at all."""
    return min(edition.starts(on_list) for edition in known if on_list in edition.lists)


# ------------------------------------------------------------------------------------------- the participants


@dataclass(frozen=True, slots=True)
class ListedRating:
    """What the list in force says of a player."""

    rating: int | None
    k: int | None = None
    name: str = ""
    quick: Mapping[ListName, tuple[int | None, int | None]] = field(default_factory=dict)
    """Rating and K on rapid and blitz, if the file has all lists side by side."""

    def figures(self, on_list: ListName, rules: ChessRules | None) -> tuple[int | None, int | None]:
        """Return rating and K on a list; without one, the standard rating if the edition lets it count."""
        rating, k = self.quick.get(on_list, (self.rating, self.k))
        return self.rating if self.brings_standard(on_list, rules) else rating, k

    def brings_standard(self, on_list: ListName, rules: ChessRules | None) -> bool:
        """Return whether the player has no rating on a list and the edition lets the standard one count."""
        rating, _ = self.quick.get(on_list, (self.rating, self.k))
        return (
            rating is None
            and self.rating is not None
            and rules is not None
            and rules.entry_takes_standard is not None
        )


def participant(
    entrant: Entrant,
    facts: EventFacts,
    listed: Mapping[str, ListedRating] | None,
    on_list: ListName = ListName.STANDARD,
    rules: ChessRules | None = None,
) -> KnownPlayer:
    """Return everything known of a participant: what an officer says, else the list, else the report."""
    known = facts.player(entrant.number, entrant.id)
    if known.rating and known.k is not None and known.born:
        return known
    rating, k, games = entrant.rating, entrant.k, known.games
    from_standard = known.from_standard and rules is not None and rules.entry_takes_standard is not None
    if listed is not None and entrant.id:
        entry = listed.get(entrant.id)
        rating, listed_k = entry.figures(on_list, rules) if entry else (None, None)
        k = listed_k or k
        from_standard |= known.rating is None and entry is not None and entry.brings_standard(on_list, rules)
    if games is None and from_standard:
        games = 0  # nobody has rated games on a list and no rating there
    rating = known.rating if known.rating is not None else rating
    k = known.k if known.k is not None else k
    return KnownPlayer(
        rating or None, k, games, known.peak, known.born or entrant.born, known.affiliated,
        known.counted_before, known.norm, from_standard,
    )  # fmt: skip


def how_ratings_differ(reported: int | None, listed: int | None) -> str:
    """Return the finding code of a rating that differs between report and list, or that only one of them has."""
    if not listed:
        return "rating-only-told"
    return "rating-differs" if reported else "rating-only-listed"


def listed_findings(
    report: Report, listed: Mapping[str, ListedRating] | None, on_list: ListName, rules: ChessRules | None
) -> list[Finding]:
    """Return a finding for each rating that differs between list and report; the list has precedence."""
    findings: list[Finding] = []
    for place, entrant in enumerate(report.entrants if listed is not None else ()):
        entry = listed.get(entrant.id) if listed else None
        about: dict[str, Fact] = {"name": entrant.name, "id": entrant.id}
        if entry is None:
            code = "not-on-the-list" if entrant.id else "no-id"
        else:
            rating = entry.figures(on_list, rules)[0] or 0
            if rating == (entrant.rating or 0):
                continue
            code = how_ratings_differ(entrant.rating, rating)
            about |= {"report": entrant.rating or 0, "listed": rating}
        findings.append(warning(code, **of_player(report, place, "rating"), **about))
    return findings
