"""Decide who the entrants of a report are: a player of the register, a new one, or undecided again.

What an officer decides is remembered: the same name from the same source is that player in later reports (an alias).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth
from arpad.model.people import Person, birth_year
from arpad.model.typed_values import parse_integer
from arpad.office.declared import Reading, Reason, ReportNumber, act, query
from arpad.office.inbox.check_report import CheckedReport, check, decided_report
from arpad.office.inbox.find_players import ReportToCheck
from arpad.office.inbox.match_players import DOUBTS, Match, source_of
from arpad.office.office import ActContext, Office
from arpad.office.parts import new_listed_person
from arpad.office.register import rows as register
from arpad.office.register.acts import known_player, ledger_details
from arpad.office.register.number_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.acts import OF_REPORT
from arpad.office.reports.entrant_rows import (
    NEW,
    UNDECIDED,
    DecidedEntrant,
    EntrantDecision,
    add_decisions,
    decisions_about,
)
from arpad.office.reports.rows import Filed, decisions_in_force
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import RECEIVED
from arpad.reports.entrant_match import Candidate, Outcome
from arpad.reports.report import Entrant
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.settings import read_setting


class FideNumber(int):
    """As the player of a decision: somebody of the reference list, who is entered into the register with it."""

    def __str__(self) -> str:
        """Return it as people write it."""
        return f"fide:{int(self)}"


def parse_choice(text: str, parameter: str = "matches") -> int:
    """Return the player in a text: ``1800``, ``new``, ``open`` for undecided, or ``fide:404454``."""
    if text in _NAMED:
        return _NAMED[text]
    scheme, colon, number = text.rpartition(":")
    if not _is_number(number) or scheme != ("fide" if colon else ""):
        raise BadInput("match-form", option=parameter, given=text[:40])
    return FideNumber(number) if scheme else int(number)


_NAMED = {"new": NEW, "open": UNDECIDED, str(UNDECIDED): UNDECIDED}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10  # noqa: PLR2004  what a number can be


def by_start_number(pairs: Mapping[Any, int], parameter: str = "matches") -> dict[int, int]:
    """Return pairs of a start number and something as numbers."""
    if wrong := [number for number in map(str, pairs) if not _is_number(number)]:
        raise BadInput("match-form", option=parameter, given=wrong[0][:40])
    return {int(number): value for number, value in pairs.items()}


Matches = Annotated[
    Mapping[Any, int],
    Accepts("8=new", longest=500, word="matches", personal=False, read=parse_choice, picks="player"),
]
"""Start number → player, ``NEW`` or ``UNDECIDED``."""

Seen = Annotated[
    Mapping[Any, int], Accepts("8=0", longest=500, word="seen-decisions", personal=False, read=parse_integer)
]
Change = Annotated[bool, Accepts("false", word="change-decided")]


@dataclass(frozen=True, slots=True)
class MatchCandidate:
    """A player who may be an entrant; ``score`` is higher the likelier.

    ``player`` is the number in the register. A player of the reference list who is not in it has none, but a ``fide``
    number, and is named as ``fide:404454`` in a decision.
    """

    player: int | None
    fide: str | None
    name: str
    federation: str
    born: int | None
    title: str
    rating: int | None
    score: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchedEntrant:
    """An entrant: certain, doubtful with candidates, or new; ``player`` is given if it is certain."""

    number: int
    name: str
    federation: str
    born: int | None
    title: str
    rating: int | None
    id: str
    outcome: str
    decided: bool
    player: int | None
    candidates: tuple[MatchCandidate, ...]


@dataclass(frozen=True, slots=True)
class ReportMatches:
    """The entrants of a report; it can be accepted when none is undecided."""

    report: int
    status: str
    undecided: int
    matches: tuple[MatchedEntrant, ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """What was decided about the entrants of a report: how many, and the start numbers that are still doubtful."""

    report: int
    players: int
    doubtful: int
    undecided: tuple[int, ...]


def matched_entrant(match: Match) -> MatchedEntrant:
    """Return an entrant with the outcome, the player if it is certain, and the candidates."""
    entrant = match.entrant
    return MatchedEntrant(
        entrant.number, entrant.name, entrant.federation, birth_year(entrant.born), entrant.title, entrant.rating,
        entrant.id, str(match.outcome), match.decided,
        None if match.outcome == Outcome.DOUBTFUL else match.player,
        tuple(_candidate(candidate) for candidate in match.candidates),
    )  # fmt: skip


def _candidate(candidate: Candidate) -> MatchCandidate:
    return MatchCandidate(
        candidate.player or None, candidate.fide or None, candidate.name, candidate.federation,
        birth_year(candidate.born), candidate.title, candidate.rating, candidate.score, tuple(candidate.reasons),
    )  # fmt: skip


def doubtful_entrants(
    connection: Connection, matches: Sequence[Match]
) -> tuple[tuple[Entrant, tuple[Candidate, ...]], ...]:
    """Return the entrants in doubt, each with the candidates who have a FIDE ID."""
    doubtful = [match for match in matches if match.undecided]
    people = register.load_people(
        connection, {it.player for match in doubtful for it in match.candidates if it.player}
    )

    def with_id(candidate: Candidate) -> Candidate:
        known = people.get(candidate.player)
        return candidate._replace(fide=known.identifier("fide")) if known else candidate

    return tuple(
        (match.entrant, tuple(it for it in map(with_id, match.candidates) if it.fide)) for match in doubtful
    )


@query("matches", OF_REPORT, path="/reports/{report}/matches", says="inbox.matches")
def matches(reading: Reading, report: ReportNumber) -> ReportMatches:
    """Show who the entrants of a report are, with the candidates for those in doubt."""
    filed = report_on_file(reading.connection, report)
    found = checked_now(reading.connection, filed).matches
    undecided = sum(match.undecided for match in found)
    return ReportMatches(report, filed.status, undecided, tuple(matched_entrant(match) for match in found))


def match_report(office: Office, report: int) -> tuple[Filed, CheckedReport]:
    """Return a report on file with its entrants matched, as decided until now."""
    with office.store.reading() as connection:
        filed = report_on_file(connection, report)
        return filed, checked_now(connection, filed)


def checked_now(
    connection: Connection,
    filed: Filed,
    decided: ReportToCheck | None = None,
    players: Mapping[int, int] | None = None,
) -> CheckedReport:
    """Return a report on file, checked with all that was decided about it; ``decided``, if it was read already.

    ``players`` is who its entrants are, if that is decided in the present act.
    """
    report, facts = decided or decided_report(connection, filed, decisions_in_force(connection))
    about = decisions_about(connection, [filed.id]).get(filed.id, {}) if players is None else {}
    chosen = _players(about) if players is None else players
    accepted = rows.players_of(connection, filed.id)
    if not accepted:
        return check(connection, report, facts, chosen)
    settled = dict(zip((entrant.number for entrant in report.entrants), accepted, strict=True))
    act = rows.first_accepted(connection, [filed.id])[filed.id]
    newcomers = {*ledger.act(connection, act).facts["newcomers"]}
    checked = check(connection, report, facts, settled)
    matches = [
        _settled(match, new=match.player in newcomers, decided=match.entrant.number in chosen)
        for match in checked.matches
    ]
    findings = tuple(finding for finding in checked.findings if finding.code not in DOUBTS)
    return replace(checked, matches=matches, findings=findings)


def _settled(match: Match, *, new: bool, decided: bool) -> Match:
    """Return the match of an entrant whose report was accepted: nothing is asked any more."""
    asks = match.finding is not None and match.finding.code in DOUBTS
    return match._replace(
        outcome=Outcome.NEW if new else Outcome.CERTAIN,
        decided=decided,
        finding=None if asks else match.finding,
        candidates=(),
    )


@act("match", OF_REPORT, says="inbox.matched", page="/desk/reports/{report}")
def decide_entrants(
    act: ActContext,
    report: ReportNumber,
    matches: Matches,
    *,
    seen: Seen = {},  # noqa: B006  nobody changes it
    change: Change = False,
    reason: Reason = "",  # noqa: ARG001  the ledger has it
) -> Matched:
    """Decide who entrants of a received report are; it is remembered for later reports.

    A player of the reference list is entered into the register with that FIDE ID. What is decided already stays,
    unless --change says so, or --seen names the decision (its number, 0 for none) that was seen: then it must still
    be in force.
    """
    connection, chosen = act.connection, by_start_number(matches)
    filed = report_on_file(connection, report)
    require_status(filed, RECEIVED)
    present = decisions_about(connection, [report]).get(report, {})
    read = read_filed(rows.data(connection, report), filed.file)
    if unknown := chosen.keys() - read.places.keys():
        raise BadInput("match-nobody", option="matches", number=min(unknown), report=report)
    chosen, entered = _enter_listed(act, chosen)
    for player in chosen.values():
        if player not in (NEW, UNDECIDED):
            known_player(connection, player)
    changed = {number: player for number, player in chosen.items() if _decided(present.get(number)) != player}
    shown = by_start_number(seen, "seen")
    for number in () if change else changed:
        _refuse_changed(present.get(number), number, shown.get(number, 0) if shown else None)
    after = {number: item for number, item in present.items() if number not in changed}
    named = {number: player for number, player in changed.items() if player != UNDECIDED}
    joined = joined_matches(after, named, merge_targets(connection))
    act.unchanged = not changed
    if changed:
        entrants = {number: read.entrants[read.places[number]] for number in changed}
        decided = decided_entrants(source_of(read), entrants, changed)
        add_decisions(connection, [(report, entrant, act.seq) for entrant in decided])
        act.record(matches={str(number): player for number, player in changed.items()})
    if entered:
        act.record(entered={str(person.id): ledger_details(person) for person in entered})
    left = tuple(
        it.entrant.number for it in checked_now(connection, filed, players=joined).matches if it.undecided
    )
    return Matched(report, len(chosen), len(left), left)


def _enter_listed(act: ActContext, matches: Mapping[int, int]) -> tuple[dict[int, int], list[Person]]:
    """Enter the chosen players of the reference list; return the decisions with their numbers, and who is new.

    Who is in the register already, with that FIDE ID, is that player.
    """
    chosen = {number: int(choice) for number, choice in matches.items() if isinstance(choice, FideNumber)}
    if not chosen:
        return dict(matches), []
    held = register.by_identifier(act.connection, "fide", {str(number) for number in chosen.values()})
    targets, home = merge_targets(act.connection), read_setting(act.connection, "federation")
    players, entered = dict(matches), []
    for start, number in chosen.items():
        player = held.get(str(number))
        if player is None:
            person = new_listed_person(act.connection, number, register.next_player(act.connection), home)
            register.add_people(act.connection, [(person, act.seq)])
            entered.append(person)
            player = held[str(number)] = person.id
        players[start] = targets.get(player, player)
    return players, entered


def _decided(decision: EntrantDecision | None) -> int:
    if decision is None:
        return UNDECIDED
    return decision.player or NEW


def _refuse_changed(present: EntrantDecision | None, number: int, seen: int | None) -> None:
    """Refuse to decide otherwise what another officer decided meanwhile."""
    if present is None or seen == present.id:
        return
    raise BadInput(
        "match-decided-already", option="matches", number=number, name=present.name, player=present.player or NEW,
        author=present.author, day=present.at[:10],
    )  # fmt: skip


def joined_matches(
    present: Mapping[int, EntrantDecision], matches: Mapping[int, int], targets: Mapping[int, int]
) -> dict[int, int]:
    """Return what was decided together with what is decided now; refuse contradictions and a player named twice.

    ``targets`` maps merged players to those kept.
    """
    for number, player in matches.items():
        if number in present and _decided(present[number]) != player:
            _refuse_changed(present[number], number, None)
    joined = {**_players(present), **matches}
    first: dict[int, int] = {}
    for number, player in sorted(joined.items()):
        if player == NEW:
            continue
        other = first.setdefault(targets.get(player, player), number)
        if other != number:
            raise BadInput("match-same-player", option="matches", first=other, second=number, player=player)
    return joined


def _players(decided: Mapping[int, EntrantDecision]) -> dict[int, int]:
    return {number: decision.player or NEW for number, decision in decided.items()}


def decided_entrants(
    source: str, entrants: Mapping[int, Entrant], matches: Mapping[int, int]
) -> tuple[DecidedEntrant, ...]:
    """Return what is remembered of decisions about the entrants of a report, by start number."""
    return tuple(
        (number, player, entrants[number].name, from_birth(entrants[number].born), source)
        for number, player in sorted(matches.items())
    )
