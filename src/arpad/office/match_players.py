"""Match the entrants of a report with the register: by number, then by name and birth; an officer decides doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arpad.model.names import same_person_name
from arpad.model.people import birth_year, births_agree
from arpad.model.rules import Finding, ListName, Severity
from arpad.office.player_lookup import PlayerLookup
from arpad.reports.report import Entrant, Report

NEW = 0
"""As the player of a decided match: the entrant is not in the register."""

DOUBTS = frozenset({"match-ambiguous", "match-other-name", "match-twice"})
"""Findings that an officer answers entrant by entrant: overruled, they could give games to the wrong player."""


class Match(NamedTuple):
    """An entrant and the registered player; without a player, either a newcomer or a doubt."""

    entrant: Entrant
    player: int | None
    finding: Finding | None = None

    @property
    def undecided(self) -> bool:
        """Whether an officer has to decide which player it is."""
        return self.finding is not None and self.finding.severity == Severity.ERROR


def match_entrants(
    lookup: PlayerLookup, report: Report, on_list: ListName, decided: Mapping[int, int] | None = None
) -> list[Match]:
    """Match all entrants in their order; ``decided`` maps start numbers to players, or to ``NEW``."""
    players, people, merged_into = lookup.players(on_list), lookup.people, lookup.merged_into
    decided = decided or {}
    matches = []
    for entrant in report.entrants:
        player = players.get(entrant.id)
        if entrant.number in decided:
            matches.append(Match(entrant, decided[entrant.number] or None))
        elif player is None:
            matches.append(_match_by_name(lookup, entrant))
        else:
            name = people[merged_into.get(player, player)].name
            matches.append(
                Match(entrant, player) if name == entrant.name else _match_by_number(entrant, player, name)
            )
    return _without_repeats(matches, merged_into)


def match_findings(matches: Sequence[Match]) -> list[Finding]:
    """Return the findings that an officer has to decide."""
    return [match.finding for match in matches if match.finding is not None]


def _match_by_number(entrant: Entrant, player: int, listed: str) -> Match:
    """Match an entrant with the player who has the number, if the names agree.

    Keep the number found, not the merge target, so that an unmerge leaves the games with it.
    """
    if same_person_name(listed, entrant.name) or not entrant.name:
        return Match(entrant, player)
    facts: dict[str, int | str] = {"id": entrant.id, "listed": listed, "player": player}
    return Match(entrant, player, _doubt("match-other-name", entrant, **facts))


def _match_by_name(lookup: PlayerLookup, entrant: Entrant) -> Match:
    """Match an entrant with the only player of the same name and birth year; the same name alone is a doubt."""
    candidates = [person for person in lookup.named(entrant.name) if births_agree(entrant.born, person.born)]
    if not candidates:
        return Match(entrant, None)
    person, year = candidates[0], birth_year(entrant.born)
    same_birth = bool(year) and year == birth_year(person.born)
    # a player with a number of a body and an entrant with another one are two persons, or one of them is an error
    if len(candidates) == 1 and same_birth and not (entrant.id and person.identifiers):
        return Match(entrant, person.id)
    described = ", ".join(
        f"{person.id} {person.name} ({person.federation or '?'}, {birth_year(person.born) or '?'})"
        for person in candidates[:5]
    )
    return Match(entrant, None, _doubt("match-ambiguous", entrant, candidates=described))


def _without_repeats(matches: list[Match], merged_into: Mapping[int, int]) -> list[Match]:
    """Report two entrants that were matched to the same player."""
    players = [
        None if match.player is None else merged_into.get(match.player, match.player) for match in matches
    ]
    matched = [player for player in players if player is not None]
    if len(set(matched)) == len(matched):
        return matches
    first: dict[int, Entrant] = {}
    checked = []
    for match, player in zip(matches, players, strict=True):
        if player is not None and player in first and not match.undecided:
            doubt = _doubt("match-twice", match.entrant, player=player, other=first[player].number)
            checked.append(match._replace(finding=doubt))
            continue
        if player is not None:
            first[player] = match.entrant
        checked.append(match)
    return checked


def _doubt(code: str, entrant: Entrant, **facts: int | str) -> Finding:
    about = {"name": entrant.name, "number": entrant.number, **facts}
    return Finding(Severity.ERROR, code, line=entrant.line, player=entrant.number, facts=about)
