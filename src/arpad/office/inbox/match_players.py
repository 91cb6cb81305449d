"""Match the entrants of a report with the register: by number or alias, else an officer decides among candidates."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arpad.model.names import spelled
from arpad.model.people import Birth, birth_year, births_agree
from arpad.model.rules import Fact, Finding, Severity
from arpad.office.inbox.find_players import EntrantsFound, PlayerLookup
from arpad.office.parts import listed_candidates, must_be_decided
from arpad.office.register.entrant_numbers import ReportNumbers
from arpad.reports.entrant_match import Candidate, EntrantNumbers, Matched, Numbers, Outcome, match_entrant
from arpad.reports.event_facts import KnownPlayer
from arpad.reports.report import Entrant, Report

DOUBTS = frozenset({"match-ambiguous", "match-other-name", "match-strong-new", "match-twice"})
"""Findings that an officer answers entrant by entrant: overruled, they could give games to the wrong player."""

_EXAMPLES = 5


class Match(NamedTuple):
    """An entrant and the registered player; without a player, either a newcomer or a doubt."""

    entrant: Entrant
    player: int | None
    outcome: Outcome
    candidates: tuple[Candidate, ...] = ()
    finding: Finding | None = None
    decided: bool = False
    """Whether an officer decided it for this report."""

    numbers: Numbers = ()
    """Numbers of known scheme that no player has yet."""

    unknown_number: str = ""
    """The number in the report, if nobody said of which scheme it is."""

    @property
    def undecided(self) -> bool:
        """Whether an officer has to decide which player it is."""
        return self.finding is not None and self.finding.severity == Severity.ERROR


def source_of(report: Report) -> str:
    """Return the source of the names in a report, within which an alias counts: the tournament's federation."""
    return report.header.federation


def match_entrants(
    lookup: PlayerLookup,
    report: Report,
    found: EntrantsFound,
    entries: Mapping[int, KnownPlayer],
    decided: Mapping[int, int] | None = None,
) -> list[Match]:
    """Match all entrants in their order; ``decided`` maps start numbers to players, or to ``NEW``.

    ``entries`` are the entries of the list in force, whose ratings are compared.
    """
    decided, meaning = decided or {}, found.meaning
    matches = []
    for entrant, numbers, holders, certain in zip(report.entrants, *found[1:], strict=True):
        if entrant.number in decided:
            match = match_decided(lookup, meaning, entrant, decided[entrant.number], holders)
        elif certain is None:
            match = match_uncertain(lookup, report, meaning, entries, entrant, holders)
        else:
            # the number found, not the merge target: so an unmerge leaves the games with it
            match = Match(entrant, certain, Outcome.CERTAIN)
            if numbers != ((meaning.column, entrant.id),):  # else no other number, and the player has it
                match = _with_numbers(lookup, meaning, match, held=bool(holders))
        matches.append(match)
    return _without_repeats(matches, lookup.merged_into)


def unmatched_entrants(matches: Sequence[Match]) -> tuple[tuple[Entrant, Numbers], ...]:
    """Return the entrants who are not certain, with their numbers of known scheme."""
    return tuple(
        [
            (match.entrant, match.numbers)
            for match in matches
            if match.outcome != Outcome.CERTAIN and not match.decided
        ]
    )


def match_findings(matches: Sequence[Match]) -> list[Finding]:
    """Return the doubts that an officer has to decide, and what else is to be said about numbers."""
    findings = [match.finding for match in matches if match.finding is not None]
    unknown = [match.unknown_number for match in matches if match.unknown_number]
    if unknown:
        examples = ", ".join(unknown[:_EXAMPLES]) + (" …" if len(unknown) > _EXAMPLES else "")
        facts: dict[str, Fact] = {"players": len(unknown), "examples": examples}
        findings.append(Finding(Severity.WARNING, "numbers-unknown-scheme", facts=facts))
    return findings


def match_decided(
    lookup: PlayerLookup, meaning: ReportNumbers, entrant: Entrant, player: int, holders: Sequence[int]
) -> Match:
    """Match an entrant as an officer decided; a number that belongs to another player stays with that player."""
    outcome = Outcome.CERTAIN if player else Outcome.NEW
    others = [holder for holder in holders if lookup.present(holder) != lookup.present(player)]
    finding = None
    if others:
        listed = lookup.people[lookup.present(others[0])].name
        finding = _finding(
            Severity.WARNING, "match-number-held", entrant, id=entrant.id, player=others[0], listed=listed
        )
    match = Match(entrant, player or None, outcome, finding=finding, decided=True)
    return _with_numbers(lookup, meaning, match, held=bool(holders))


def match_uncertain(
    lookup: PlayerLookup,
    report: Report,
    meaning: ReportNumbers,
    entries: Mapping[int, KnownPlayer],
    entrant: Entrant,
    holders: Sequence[int],
) -> Match:
    """Match an entrant who is not certain by number: by alias, or return the doubt with its candidates.

    ``holders`` are the players who have the number.
    """
    persons = {
        lookup.present(player): lookup.registered(lookup.present(player), entries) for player in holders
    }
    numbers = EntrantNumbers(meaning.known(entrant, lookup.fide_numbers), tuple(persons.values()))
    near = [(lookup.registered(player, entries), likeness) for player, likeness in lookup.near[entrant.name]]
    named = {
        lookup.present(decision.player)
        for decision in lookup.aliases.get((spelled(entrant.name), source_of(report)), ())
        if decision.player is not None and births_agree(decision.born, entrant.born)
    }
    aliases = [lookup.registered(player, entries) for player in sorted(named)]
    matched = match_entrant(entrant, numbers, near, aliases)
    if matched.outcome != Outcome.CERTAIN and not holders:
        matched = _with_listed(lookup, entrant, meaning, matched)
    finding = None
    if matched.outcome == Outcome.DOUBTFUL:
        finding = _number_doubt(lookup, entrant, holders[0]) if holders else _name_doubt(entrant, matched)
    player = holders[0] if holders else matched.player
    match = Match(entrant, player, matched.outcome, matched.candidates, finding)
    return _with_numbers(lookup, meaning, match, held=bool(holders))


def _with_numbers(lookup: PlayerLookup, meaning: ReportNumbers, match: Match, *, held: bool) -> Match:
    """Add the numbers that the player would get: of known schemes, and the one of which nobody said the scheme.

    ``held`` is whether somebody has a number of the entrant.
    """
    entrant = match.entrant
    known = meaning.known(entrant, lookup.fide_numbers)
    numbers = tuple(pair for pair in known if pair not in lookup.holders)
    unknown = entrant.id if not held and all(value != entrant.id for _, value in known) else ""
    return match._replace(numbers=numbers, unknown_number=unknown) if numbers or unknown else match


def _number_doubt(lookup: PlayerLookup, entrant: Entrant, player: int) -> Finding:
    person = lookup.people[lookup.present(player)]
    return _finding(
        Severity.ERROR, "match-other-name", entrant, id=entrant.id, player=player,
        listed=_described(person.name, person.born), entered=_described(entrant.name, entrant.born),
    )  # fmt: skip


def _with_listed(lookup: PlayerLookup, entrant: Entrant, meaning: ReportNumbers, matched: Matched) -> Matched:
    """Add the candidates of the reference list; an entrant whom FIDE must know is a doubt also without any."""
    listed = listed_candidates(lookup, entrant, meaning)
    if not listed and (matched.candidates or not must_be_decided(lookup, entrant, meaning)):
        return matched
    return Matched(Outcome.DOUBTFUL, candidates=(*matched.candidates, *listed))


def _name_doubt(entrant: Entrant, matched: Matched) -> Finding:
    if not matched.candidates:
        return _finding(
            Severity.ERROR, "match-strong-new", entrant, title=entrant.title, rating=entrant.rating or 0
        )
    described = ", ".join(map(_candidate_text, matched.candidates[:5]))
    return _finding(Severity.ERROR, "match-ambiguous", entrant, candidates=described)


def _candidate_text(item: Candidate) -> str:
    if not item.fide:
        return f"{item.player} {item.name} ({item.federation or '?'}, {birth_year(item.born) or '?'})"
    facts = [item.title, item.federation or "?", str(birth_year(item.born) or "?"), str(item.rating or "–")]
    return f"FIDE {item.fide} {item.name} ({', '.join(filter(None, facts))})"


def _described(name: str, born: Birth) -> str:
    year = birth_year(born)
    return f"{name} ({year})" if year else name


def _without_repeats(matches: list[Match], merged_into: Mapping[int, int]) -> list[Match]:
    """Report two entrants that were matched to the same player."""
    players = [match.player for match in matches]
    if merged_into:
        players = [None if player is None else merged_into.get(player, player) for player in players]
    if len({*players} - {None}) == len(players) - players.count(None):
        return matches
    first: dict[int, Entrant] = {}
    checked = []
    for match, player in zip(matches, players, strict=True):
        if player is not None and player in first and not match.undecided:
            doubt = _finding(
                Severity.ERROR, "match-twice", match.entrant, player=player, other=first[player].number
            )
            checked.append(match._replace(finding=doubt, outcome=Outcome.DOUBTFUL))
            continue
        if player is not None:
            first[player] = match.entrant
        checked.append(match)
    return checked


def _finding(severity: Severity, code: str, entrant: Entrant, **facts: int | str) -> Finding:
    about = {"name": entrant.name, "number": entrant.number, **facts}
    return Finding(severity, code, line=entrant.line, player=entrant.number, facts=about)
