"""The context of a report: edition, list, and the facts about each participant; every assumption is a finding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from arpad.checks import classify
from arpad.checks.context import of_player, warning
from arpad.model.errors import NoEdition
from arpad.model.rules import CHESS_LISTS, Edition, Fact, Finding, ListName, Severity
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.rules import ChessRules
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

    @property
    def rules(self) -> ChessRules | None:
        """Return the rules of the edition on the list."""
        return None if self.edition is None else self.edition.on(self.on_list)


def choose_context(
    report: Report,
    facts: EventFacts,
    edition: Edition[ChessRules] | None,
    control: TimeControl,
    highest: int | None,
    candidates: Sequence[Edition[ChessRules]] = CHESS_EDITIONS,
) -> RatingContext:
    """Return the edition of the first day and the list of the time control; with a finding if there is none.

    ``edition`` is one requested by name; without it, one of those ``candidates`` is in force.
    """
    day = report.header.first_day
    findings: list[Finding] = []
    if day is None:
        findings.append(Finding(Severity.ERROR, "no-first-day", FIRST_DAY_DECIDES))
    editions = dict.fromkeys(edition.lists, edition) if edition else _in_force(day, candidates)
    lists = {name: used.on(name) for name, used in editions.items()}
    classified = classify(control, highest, lists) if lists and not facts.list else None
    on_list = facts.list or classified or ListName.STANDARD
    chosen = editions.get(on_list)
    if chosen is None and edition is not None:
        about: dict[str, Fact] = {"edition": edition.id, "list": str(on_list)}
        findings.append(Finding(Severity.ERROR, "edition-without-list", FIRST_DAY_DECIDES, facts=about))
    elif chosen is None and day is not None:
        about = {"day": day, "list": str(on_list), "first": _first_day(on_list, candidates)}
        code = "no-such-list-yet" if editions else "before-first-edition"
        findings.append(Finding(Severity.ERROR, code, FIRST_DAY_DECIDES, facts=about))
    return RatingContext(chosen, on_list, lists, tuple(findings), by_control=classified is not None)


def _in_force(
    day: date | None, candidates: Sequence[Edition[ChessRules]]
) -> dict[ListName, Edition[ChessRules]]:
    """Return the edition in force on a day, list by list; rapid and blitz began later than the standard list."""
    editions: dict[ListName, Edition[ChessRules]] = {}
    for name in CHESS_LISTS if day else ():
        try:
            editions[name] = in_force(candidates, name, day or date.min)
        except NoEdition:
            continue
    return editions


def _first_day(on_list: ListName, candidates: Sequence[Edition[ChessRules]]) -> date:
    """Return the first day on which a list could be rated at all."""
    return min(edition.starts(on_list) for edition in candidates if on_list in edition.lists)


# ------------------------------------------------------------------------------------------- the participants


@dataclass(frozen=True, slots=True)
class ListedRating:
    """A player on the list in force."""

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
    """Return the facts about a participant: an officer's, else the list's, else the report's."""
    given_facts = facts.player(entrant.number, entrant.id)
    if given_facts.rating and given_facts.k is not None and given_facts.born:
        return given_facts
    rating, k, games = entrant.rating, entrant.k, given_facts.games
    from_standard = given_facts.from_standard and rules is not None and rules.entry_takes_standard is not None
    if listed is not None and entrant.id:
        entry = listed.get(entrant.id)
        rating, listed_k = entry.figures(on_list, rules) if entry else (None, None)
        k = listed_k or k
        from_standard |= (
            given_facts.rating is None and entry is not None and entry.brings_standard(on_list, rules)
        )
    if games is None and from_standard:
        games = 0  # a player with rated games on a list has a rating there
    rating = given_facts.rating if given_facts.rating is not None else rating
    k = given_facts.k if given_facts.k is not None else k
    return KnownPlayer(
        rating or None, k, games, given_facts.peak, given_facts.born or entrant.born, given_facts.affiliated,
        given_facts.counted_before, given_facts.norm, from_standard,
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
    for index, entrant in enumerate(report.entrants if listed is not None else ()):
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
        findings.append(warning(code, **of_player(report, index, "rating"), **about))
    return findings
