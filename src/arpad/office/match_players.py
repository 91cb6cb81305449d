"""Who is who: entrants of a report found in the register by number, then by name and birth; doubts go to a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arpad.model.names import same_person_name
from arpad.model.people import Person, birth_year, births_agree
from arpad.model.rules import Finding, ListName, Severity
from arpad.office.player_lookup import PlayerLookup
from arpad.reports.report import Entrant, Report

NEW = 0
"""Decides that an entrant is nobody the register knows."""

DOUBTS = frozenset({"match-ambiguous", "match-other-name", "match-twice"})
"""What a person answers entrant by entrant: set aside, it would leave games to the wrong player."""


class Match(NamedTuple):
    """An entrant and the player he is taken for; without one he is a newcomer, or a person has to say."""

    entrant: Entrant
    player: int | None
    finding: Finding | None = None

    @property
    def undecided(self) -> bool:
        """Whether a person has to say who he is."""
        return self.finding is not None and self.finding.severity == Severity.ERROR


def match(
    roll: PlayerLookup, report: Report, on_list: ListName, decided: Mapping[int, int] | None = None
) -> list[Match]:
    """Every entrant in order; ``decided`` maps start numbers to players, or to ``NEW``."""
    players, people, kept, decided = roll.players(on_list), roll.people, roll.kept, decided or {}
    found = []
    for entrant in report.entrants:
        player = players.get(entrant.id)
        if entrant.number in decided:
            found.append(Match(entrant, decided[entrant.number] or None))
        elif player is None:
            found.append(_by_name(roll, entrant))
        else:
            listed = people[kept.get(player, player)].name
            same = listed == entrant.name
            found.append(Match(entrant, player) if same else _by_number(entrant, player, listed))
    return _told_apart(found, kept)


def _by_number(entrant: Entrant, player: int, listed: str) -> Match:
    """The number he was found by stays on record; a merge that is undone must not take his games along."""
    if same_person_name(listed, entrant.name) or not entrant.name:
        return Match(entrant, player)
    facts: dict[str, int | str] = {"id": entrant.id, "listed": listed, "player": player}
    return Match(entrant, player, _doubt("match-other-name", entrant, **facts))


def _by_name(roll: PlayerLookup, entrant: Entrant) -> Match:
    """The same name and the same birth are one person; the same name alone is for somebody to decide."""
    same = [p for p in roll.named(entrant.name) if births_agree(entrant.born, p.born)]
    certain = [p for p in same if birth_year(entrant.born) and birth_year(entrant.born) == birth_year(p.born)]
    if len(certain) == 1 and len(same) == 1 and not (entrant.id and _numbered(certain[0])):
        return Match(entrant, certain[0].id)
    if not same:
        return Match(entrant, None)
    some = ", ".join(
        f"{p.id} {p.name} ({p.federation or '?'}, {birth_year(p.born) or '?'})" for p in same[:5]
    )
    return Match(entrant, None, _doubt("match-ambiguous", entrant, candidates=some))


def _numbered(person: Person) -> bool:
    """Whether a body knows him by a number: then another number is another person, or an error."""
    return bool(person.identifiers)


def _told_apart(found: list[Match], kept: Mapping[int, int]) -> list[Match]:
    """Two entrants cannot be one player."""
    players = [kept.get(one.player, one.player) for one in found if one.player is not None]
    if len(set(players)) == len(players):
        return found
    seen: dict[int, Entrant] = {}
    told = []
    for one in found:
        player = None if one.player is None else kept.get(one.player, one.player)
        if player is not None and player in seen and not one.undecided:
            other = seen[player].number
            told.append(one._replace(finding=_doubt("match-twice", one.entrant, player=player, other=other)))
            continue
        if player is not None:
            seen[player] = one.entrant
        told.append(one)
    return told


def _doubt(code: str, entrant: Entrant, **facts: int | str) -> Finding:
    about = {"name": entrant.name, "number": entrant.number, **facts}
    return Finding(Severity.ERROR, code, line=entrant.line, player=entrant.number, facts=about)


def findings(matches: Sequence[Match]) -> list[Finding]:
    """What a person has to decide."""
    return [one.finding for one in matches if one.finding is not None]
