"""Decide who the entrants of a report are: a player of the register, a new one, or undecided again.

What an officer decides is remembered: the same name from the same source is that player in later reports (an alias).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth
from arpad.model.people import Person
from arpad.office.inbox.check_report import CheckedReport, check
from arpad.office.inbox.decided_report import decided_report
from arpad.office.inbox.match_players import DOUBTS, Match, source_of
from arpad.office.inbox.player_lookup import ReportToCheck
from arpad.office.office import ActContext, Office, record_act
from arpad.office.parts import new_listed_person
from arpad.office.register import rows as register
from arpad.office.register.acts import known_player, ledger_details
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import decisions_in_force
from arpad.office.reports.entrant_rows import (
    NEW,
    UNDECIDED,
    DecidedEntrant,
    EntrantDecision,
    add_decisions,
    aliases,
    decisions_about,
    revoke_alias,
)
from arpad.office.reports.rows import Filed
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import RECEIVED
from arpad.reports.entrant_match import Outcome
from arpad.reports.report import Entrant
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.settings import read_setting


class FideNumber(int):
    """As the player of a decision: somebody of the reference list, who is entered into the register with it."""


def match_report(office: Office, report: int) -> tuple[Filed, CheckedReport]:
    """Return a report on file with its entrants matched, as decided until now."""
    with office.store.reading() as connection:
        filed = report_on_file(connection, report)
        return filed, checked_now(connection, filed)


def checked_now(connection: Connection, filed: Filed, decided: ReportToCheck | None = None) -> CheckedReport:
    """Return a report on file, checked with all that was decided about it; ``decided``, if it was read already."""
    report, facts = decided or decided_report(connection, filed, decisions_in_force(connection))
    chosen = _players(decisions_about(connection, [filed.id]).get(filed.id, {}))
    accepted = rows.players_of(connection, filed.id)
    if not accepted:
        return check(connection, report, facts, chosen)
    players = dict(zip((entrant.number for entrant in report.entrants), accepted, strict=True))
    act = rows.first_accepted(connection, [filed.id])[filed.id]
    newcomers = {*ledger.act(connection, act).facts["newcomers"]}
    checked = check(connection, report, facts, players)
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


def decide_entrants(
    office: Office,
    report: int,
    matches: Mapping[int, int],
    *,
    seen: Mapping[int, int] | None = None,
    change: bool = False,
    reason: str = "",
) -> None:
    """Decide who some entrants of a received report are: start number → player, ``NEW`` or ``UNDECIDED``.

    A ``FideNumber`` is a player of the reference list, who is entered into the register with that number.

    What is decided already stays, unless ``change`` says so, or ``seen`` names the decision (start number → its
    number, 0 for none) that the officer saw: then it must still be in force.
    """
    with record_act(office, "match", reason) as act:
        connection = act.connection
        filed = report_on_file(connection, report)
        require_status(filed, RECEIVED)
        present = decisions_about(connection, [report]).get(report, {})
        read = read_filed(rows.data(connection, report), filed.file)
        if unknown := matches.keys() - read.places.keys():
            raise BadInput("match-nobody", number=min(unknown), report=report)
        matches, entered = _enter_listed(act, matches)
        for player in matches.values():
            if player not in (NEW, UNDECIDED):
                known_player(connection, player)
        changed = {
            number: player for number, player in matches.items() if _decided(present.get(number)) != player
        }
        for number in () if change else changed:
            _refuse_changed(present.get(number), number, None if seen is None else seen.get(number, 0))
        after = {number: item for number, item in present.items() if number not in changed}
        named = {number: player for number, player in changed.items() if player != UNDECIDED}
        joined_matches(after, named, merge_targets(connection))
        if not changed:
            return
        entrants = {number: read.entrants[read.places[number]] for number in changed}
        decided = decided_entrants(source_of(read), entrants, changed)
        add_decisions(connection, [(report, entrant, act.seq) for entrant in decided])
        details: dict[str, Any] = {"matches": {str(number): player for number, player in changed.items()}}
        if entered:
            details["entered"] = {str(person.id): ledger_details(person) for person in entered}
        act.record(report=report, **details)


def _enter_listed(act: ActContext, matches: Mapping[int, int]) -> tuple[dict[int, int], list[Person]]:
    """Enter the chosen players of the reference list; return the decisions with their numbers, and who is new.

    Who is in the register already, with that FIDE number, is that player.
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


def read_matches(texts: Iterable[str]) -> dict[int, int]:
    """Return decided matches out of texts as ``12=1800``, ``13=new``, ``14=open``, ``15=fide:404454``."""
    matches: dict[int, int] = {}
    for text in texts:
        number, _, choice = text.partition("=")
        player = parse_choice(choice)
        if not _is_number(number) or player is None:
            raise BadInput("match-form", given=text[:40])
        if int(number) in matches:
            raise BadInput("match-repeated", number=int(number))
        matches[int(number)] = player
    return matches


def parse_choice(text: str) -> int | None:
    """Return a decision out of a text: ``1800``, ``new``, ``open`` or ``fide:404454``; None if it is none."""
    if text in _NAMED:
        return _NAMED[text]
    scheme, colon, number = text.rpartition(":")
    if not _is_number(number) or scheme != ("fide" if colon else ""):
        return None
    return FideNumber(number) if scheme else int(number)


_NAMED = {"new": NEW, "open": UNDECIDED}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10  # noqa: PLR2004  what a number can be


def _decided(decision: EntrantDecision | None) -> int:
    if decision is None:
        return UNDECIDED
    return decision.player or NEW


def _refuse_changed(present: EntrantDecision | None, number: int, seen: int | None) -> None:
    """Refuse to decide otherwise what another officer decided meanwhile."""
    if present is None or seen == present.id:
        return
    raise BadInput(
        "match-decided-already", number=number, name=present.name, player=present.player or NEW,
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
            raise BadInput("match-same-player", first=other, second=number, player=player)
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


# ----------------------------------------------------------------------------------------------------- aliases


def aliases_in_force(office: Office, text: str = "") -> list[EntrantDecision]:
    """Return the aliases in force, those of one player if ``text`` is a number, or with a name that contains it.

    Each has the player that it means today, after merges.
    """
    with office.store.reading() as connection:
        targets = merge_targets(connection)
        present = [
            item._replace(player=targets.get(item.player or 0, item.player)) for item in aliases(connection)
        ]
    text = text.strip().casefold()
    if text.isdecimal():
        return [item for item in present if str(item.player) == text]
    return [item for item in present if text in item.name.casefold()]


def revoke_alias_of(office: Office, alias: int, reason: str) -> None:
    """Revoke an alias: later reports with this name are doubtful again; the report it came from stays as it is."""
    with record_act(office, "revoke-alias", reason, reason_needed=True) as act:
        present = {item.id: item for item in aliases(act.connection)}
        if alias not in present:
            raise BadInput("no-alias", alias=alias)
        revoke_alias(act.connection, alias, act.seq)
        act.record(alias=alias, player=present[alias].player)
