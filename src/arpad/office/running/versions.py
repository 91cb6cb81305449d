"""Versions of tournaments in progress: an arbiter sends the report after each round, and its page shows it.

A version is not put on file: it is stored apart from the reports, no list reads it, and only the latest has its bytes.
Everything that the page shows is computed when the version arrives.
"""

from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from hashlib import sha256

from sqlalchemy import Connection

from arpad.checks.arbiter_licences import named_arbiters
from arpad.explain.running_document import Identity, RunningDocument, running_document
from arpad.model.canonical_json import dump
from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import to_state
from arpad.model.retention import amount_of
from arpad.model.rules import ListName, Severity
from arpad.office.editions.acts import title_editions
from arpad.office.inbox.check_report import CheckedReport, check, event_days, known_facts
from arpad.office.inbox.match_players import Match
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import publication_in_force
from arpad.office.office import ActContext, Office, record_act, today, utc
from arpad.office.register.number_rows import merge_targets_of
from arpad.office.registrations.rows import registered_events
from arpad.office.reports.tables import ACCEPTED
from arpad.office.running import rows
from arpad.office.running.acts import LONGEST_NAME, NAME, MayReplace, emptied, final_of, final_on_file
from arpad.office.running.rows import RunningTournament
from arpad.office.running.tables import running_versions
from arpad.office.settings.acts import SHOWN, with_defaults
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.rating.preview import RatedReport, rate
from arpad.rating.running_tournament import EntryOutlook, NextGame, entry_outlook, next_games
from arpad.regulations.systems import system_of
from arpad.reports.entrant_match import Outcome
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import read_report
from arpad.reports.report import Report

FORGOTTEN_DAYS = amount_of("running_tournaments")
"""After so many days without a version a tournament is ended by itself."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A version that arrived."""

    tournament: RunningTournament
    again: bool
    """Whether the same bytes were there already, so that nothing was done."""


# ------------------------------------------------------------------------------------------------------ sending


def send_version(
    office: Office,
    data: bytes,
    file: str,
    name: str,
    *,
    facts: EventFacts | None = None,
    older: bool = False,
    may_replace: MayReplace | None = None,
    report: Report | None = None,
) -> Sent:
    """Replace the version of a tournament in progress, or begin one; the same bytes again change nothing.

    A version with fewer rounds than the present one, or one that was replaced before, is refused unless ``older``.
    ``may_replace`` decides whether the author may replace a version; None if everybody may, as on the command line.
    ``report`` is the report in the bytes, if the caller has read it already.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise BadInput("running-name", option="name", value=name[:LONGEST_NAME], most=LONGEST_NAME)
    report = report or read_report(data, file)
    if report.header.first_day is None:
        raise BadInput("running-no-first-day")
    digest = sha256(data).hexdigest()
    with office.store.reading() as connection:
        present = _present(connection, name, may_replace)
        if present is not None and present.digest == digest and not present.ended:
            return Sent(present, again=True)
        version = _version(office, connection, report, facts or EventFacts(), data, file, name)
    with record_act(office, "send-version") as act:
        present = _present(act.connection, name, may_replace)
        tournament = _replacing(act.connection, version, present, older=older)
        rows.put_tournament(act.connection, tournament)
        act.add(
            running_versions, tournament=name, version=tournament.version, rounds=tournament.rounds, digest=digest
        )  # fmt: skip
        _end_others(act, name)
        act.record(
            tournament=name, version=tournament.version, rounds=tournament.rounds, sha256=tournament.digest
        )
    return Sent(tournament, again=False)


def _present(connection: Connection, name: str, may_replace: MayReplace | None) -> RunningTournament | None:
    """Return the tournament of a name; refuse an author who may not replace it, or any if the office shows none."""
    if with_defaults(connection)["running_tournaments"] != SHOWN[0]:
        raise BadInput("running-not-shown")
    present = rows.running_tournament(connection, name)
    if present is not None and may_replace is not None and not may_replace(present):
        raise BadInput("running-not-yours", name=name)
    return present


def _replacing(
    connection: Connection, version: RunningTournament, present: RunningTournament | None, *, older: bool
) -> RunningTournament:
    """Return the version with its number; refuse one that is older than the present one, or too late."""
    final = final_on_file(connection, version)
    if final is not None:
        raise BadInput("running-final", report=final.id)
    if present is None or present.first_day != version.first_day:
        return version
    if not older:
        if version.rounds < present.rounds:
            raise BadInput("running-older", rounds=version.rounds, present=present.rounds)
        earlier = [
            sent for sent in rows.versions_of(connection, version.name) if sent.digest == version.digest
        ]
        if earlier and version.digest != present.digest:
            raise BadInput("running-sent-before", version=earlier[0].version, present=present.version)
    return replace(version, version=present.version + 1, sender=present.sender)


def _end_others(act: ActContext, name: str) -> None:
    """End the other tournaments whose final report was accepted, and those that nobody continues."""
    forgotten = str(act.today - timedelta(days=FORGOTTEN_DAYS))
    for tournament in rows.all_running(act.connection):
        if tournament.name != name:
            filed = final_of(act.connection, tournament)
            if tournament.received[:10] < forgotten or (filed is not None and filed.status == ACCEPTED):
                rows.put_tournament(act.connection, emptied(tournament, str(act.today)))


# ---------------------------------------------------------------------------------------------------- computing


def _version(
    office: Office,
    connection: Connection,
    report: Report,
    facts: EventFacts,
    data: bytes,
    file: str,
    name: str,
) -> RunningTournament:
    """Return a report as the first version of a tournament, with everything that its page shows."""
    first_day, last_day = event_days(report)
    known, _ = known_facts(
        registered_events(connection, [first_day]), report, facts, None, today(office, connection)
    )
    checked = check(connection, report, known)
    document = document_of(connection, report, checked)
    header = report.header
    return RunningTournament(
        name, header.name or name, header.federation, str(checked.on_list), first_day, last_day, office.author.strip(),
        "\n".join(text for _, text in named_arbiters(header)), 1, document.rounds, len(document.players),
        sha256(data).hexdigest(), utc(office.now()), "", None, file, data, checked.marks, dump(asdict(document)),
    )  # fmt: skip


def document_of(connection: Connection, report: Report, checked: CheckedReport) -> RunningDocument:
    """Return what the page of a version shows, with the ratings in force and the players of the register."""
    rated = checked.rated
    games: dict[int, NextGame] = {}
    if rated is not None:
        games = dict(
            next_games(rated, lambda drawn: rate(drawn, facts=checked.facts, editions=checked.editions))
        )
    severities = [finding.severity for finding in checked.findings]
    return running_document(
        report,
        checked.on_list,
        rated,
        _identities(connection, checked),
        games,
        _entries(connection, checked, rated) if rated is not None else {},
        _norms(connection, checked, rated) if rated is not None else None,
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
    )


def _identities(connection: Connection, checked: CheckedReport) -> list[Identity]:
    matched = {match.player for match in checked.matches if match.player is not None}
    targets = merge_targets_of(connection, sorted(matched))
    return [_identity(match, targets) for match in checked.matches]


def _identity(match: Match, targets: dict[int, int]) -> Identity:
    """Return the player of a certain match; of any other one all whom the entrant may be."""
    player = None if match.player is None else targets.get(match.player, match.player)
    if player is not None and match.outcome == Outcome.CERTAIN and not match.undecided:
        return Identity(player)
    candidates = {candidate.player for candidate in match.candidates} | ({player} if player else set())
    return Identity(None, tuple(sorted(candidates)))


def _entries(connection: Connection, checked: CheckedReport, rated: RatedReport) -> dict[int, EntryOutlook]:
    """Return the way of each unrated player to a first rating, after earlier events that may still count."""
    if rated.edition is None:
        return {}
    rules = rated.edition.on(rated.on_list)
    header = rated.report.header
    unrated = [
        (player.entrant, player.initial, None if match.undecided else match.player)
        for player, match in zip(rated.players, checked.matches, strict=True)
        if player.initial is not None
    ]
    registered = {player for _, _, player in unrated if player is not None}
    states = _states(connection, rated.on_list, header.first_day, registered)
    return {
        entrant.number: entry_outlook(
            initial, to_state(player, states[player]).tranches if player in states else (), rules,
            last_day=header.last_day or header.first_day,
            affiliated=checked.facts.player(entrant.number, entrant.id).affiliated,
        )
        for entrant, initial, player in unrated
    }  # fmt: skip


def _states(connection: Connection, on_list: ListName, day: date | None, players: set[int]) -> dict[int, str]:
    publication = publication_in_force(lists.all_publications(connection, on_list), day) if day else None
    return dict(list_rows.states(connection, publication.id, players)) if publication and players else {}


def _norms(connection: Connection, checked: CheckedReport, rated: RatedReport) -> ReportNorms | None:
    """Return the title norms with the ratings in force; None on rapid and blitz, or if nothing was played yet."""
    if checked.on_list != ListName.STANDARD or system_of(checked.on_list).rates_again:
        return None
    entrants = tuple(replace(player.entrant, rating=player.rating) for player in rated.players)
    try:
        options = NormOptions.of_facts(checked.facts, title_editions(connection))
        return find_norms(replace(rated.report, entrants=entrants), options)
    except ArpadError:  # no edition of the title regulations on that day, or no round
        return None
