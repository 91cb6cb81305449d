"""Take the ratings in force: the lists of the first days of events, who is a member there, and the reference list."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.model.chess import PlayerState
from arpad.model.errors import NoEdition
from arpad.model.federations import is_foreign
from arpad.model.rules import Edition, Fact, Finding, ListName, Rule, Severity
from arpad.office.inbox.find_players import PlayerLookup, ReportToCheck
from arpad.office.inbox.match_players import Match
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import publication_in_force
from arpad.office.parts import load_references, members_on
from arpad.office.register import rows as register
from arpad.rating.context import how_ratings_differ
from arpad.rating.event import control_of
from arpad.regulations.editions import in_force
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.membership import Members
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.systems import system_of
from arpad.reports.event_facts import NOTHING_KNOWN, EventFacts, KnownPlayer
from arpad.reports.report import Entrant, Report
from arpad.store.settings import read_setting

_DEFAULT = PlayerState(0)
_NOT_LISTED = KnownPlayer(games=_DEFAULT.games, peak=_DEFAULT.peak)


class Memberships(NamedTuple):
    """The members of clubs on a day, and who is a guest."""

    members: frozenset[int]
    home: str
    """The federation that keeps the register; empty if it has no name."""

    federations: Mapping[int, str]
    """The registered federation of each player."""

    def is_guest(self, player: int | None, entered: str) -> bool:
        """Return whether a player is of another federation; a newcomer's is that of the report."""
        federation = entered if player is None else self.federations.get(player, entered)
        return bool(self.home) and is_foreign(federation, self.home)


@dataclass(slots=True)
class RatingsInForce:
    """What is in force for the players of some reports, by list and first day."""

    editions: Sequence[Edition[Any]]
    entries: dict[tuple[ListName, date], Mapping[int, KnownPlayer]] = field(default_factory=dict)
    """The players on the list then in force, or with a standard rating that counts for it; without their own facts."""

    memberships: dict[date, Memberships] = field(default_factory=dict)
    """The members on the first days of events whose edition requires membership."""

    references: Mapping[tuple[ListName, date], Any] = field(default_factory=dict)
    """What the reference lists say, if the office keeps some."""

    def entries_on(self, on_list: ListName, day: date | None) -> Mapping[int, KnownPlayer]:
        """Return the entries of the list in force on a day."""
        return self.entries.get((on_list, day), {}) if day else {}

    def reference_on(self, on_list: ListName, day: date | None) -> Any:
        """Return what the reference list in force on a day says, None if there is none."""
        return self.references.get((on_list, day)) if day else None

    def membership_rule(self, on_list: ListName, day: date | None) -> Rule[Members] | None:
        """Return which players of an event of that day must be members."""
        rules: ChessRules | DraughtsRules | None = self._rules(on_list, day) if day else None
        return None if rules is None else rules.membership

    def uses_standard(self, on_list: ListName, day: date) -> bool:
        """Return whether players unrated on a list take part with their standard rating, in an event of that day."""
        rules = self._rules(on_list, day)
        return isinstance(rules, ChessRules) and rules.entry_takes_standard is not None

    def _rules(self, on_list: ListName, day: date) -> Any:
        try:
            return in_force(self.editions, on_list, day).on(on_list)
        except NoEdition:
            return None


def load_ratings(
    connection: Connection,
    lookup: PlayerLookup,
    first_days: Collection[tuple[ListName, date]],
) -> RatingsInForce:
    """Load what is in force on the first days of some reports, whose players were found."""
    ratings = RatingsInForce(lookup.editions)
    days = {(on_list, day) for on_list, day in first_days if not system_of(on_list).rates_again}
    _load_entries(connection, ratings, sorted(lookup.people), days)
    for on_list, day in first_days:
        if day not in ratings.memberships and ratings.membership_rule(on_list, day):
            people = register.load_people(connection, lookup.people, on=day).rows
            federations = {number: facts.federation for number, (_, facts, _) in people.items()}
            members = frozenset(members_on(connection, day))
            home = read_setting(connection, "federation")
            ratings.memberships[day] = Memberships(members, home, federations)
    ratings.references = load_references(connection, lookup, days)
    return ratings


def _load_entries(
    connection: Connection,
    ratings: RatingsInForce,
    players: Sequence[int],
    days: Iterable[tuple[ListName, date]],
) -> None:
    """Load the entries of players on the lists in force on some days, with a standard rating that counts there."""
    by_publication: dict[int, dict[int, KnownPlayer]] = {}

    def entries_on(on_list: ListName, day: date) -> dict[int, KnownPlayer]:
        publication = publication_in_force(lists.all_publications(connection, on_list), day)
        if publication is None:
            return {}
        if publication.id not in by_publication:
            by_publication[publication.id] = {
                player: KnownPlayer(rating, k, games, peak, None, False, counted)  # noqa: FBT003  in order: half the time
                for player, rating, k, games, peak, counted in list_rows.chess_figures(
                    connection, publication, players
                )
            }
        return by_publication[publication.id]

    for on_list, day in days:
        entries = entries_on(on_list, day)
        if ratings.uses_standard(on_list, day):
            added = {
                player: entries.get(player, _NOT_LISTED)._replace(rating=entry.rating, from_standard=True)
                for player, entry in entries_on(ListName.STANDARD, day).items()
                if entry.rating is not None and entries.get(player, _NOT_LISTED).rating is None
            }
            entries = {**entries, **added}
        ratings.entries[on_list, day] = entries


class RatedField(NamedTuple):
    """A report with the ratings in force, the facts with those of its players, and what differs."""

    listed: Report
    facts: EventFacts
    differences: list[Finding]


def with_ratings_in_force(
    lookup: PlayerLookup,
    ratings: RatingsInForce,
    item: ReportToCheck,
    on_list: ListName,
    matches: Sequence[Match],
    in_report: Mapping[int, int],
) -> RatedField:
    """Replace the ratings of a report by those in force; the players get the facts of list and register.

    While its first day is unknown no list is in force, so its own ratings stay. ``in_report`` has its FIDE IDs.
    """
    report, facts = item
    day = report.header.first_day
    entries, reference = ratings.entries_on(on_list, day), ratings.reference_on(on_list, day)
    entrants, differences, players = [], [], dict(facts.players)
    changed = False
    for match in matches:
        entrant = match.entrant
        player = None if match.player is None else lookup.present(match.player)
        entry = entries.get(player) if player is not None else None
        rating = entry.rating if entry is not None else None
        if reference is not None:
            rating = reference.guest_rating(match, on_list, lookup.merged_into, in_report) or rating
        if day is None:
            rating = entrant.rating
        if rating != (entrant.rating or None) and not match.undecided:
            differences.append(_rating_difference(entrant, rating))
        if rating != entrant.rating:
            entrant, changed = replace(entrant, rating=rating), True
        entrants.append(entrant)
        if player is None:
            continue
        person, number = lookup.people[player], str(entrant.number)
        if entry is not None and number not in players:
            players[number] = entry._replace(
                rating=rating, born=person.born, affiliated=bool(person.affiliation)
            )
        if person.died is not None:
            players[number] = players.get(number, NOTHING_KNOWN)._replace(died=person.died)
    listed = replace(report, entrants=tuple(entrants)) if changed else report
    undecided = facts.list is None and not control_of(report, facts).readable
    facts = replace(facts, players=players, list=None if undecided else on_list)
    return RatedField(listed, facts, differences)


def with_memberships(
    lookup: PlayerLookup, ratings: RatingsInForce, item: ReportToCheck, matches: Sequence[Match]
) -> EventFacts:
    """Add to the facts of an event who is a member on the first day, if the edition asks for it."""
    report, facts = item
    day = report.header.first_day
    known = ratings.memberships.get(day) if day else None
    if known is None:
        return facts
    players = dict(facts.players)
    for match in matches:
        entrant = match.entrant
        player = None if match.player is None else lookup.present(match.player)
        key = entrant.id if entrant.id in facts.players else str(entrant.number)
        players[key] = facts.player(entrant.number, entrant.id)._replace(
            member=player in known.members, guest=known.is_guest(player, entrant.federation)
        )
    return replace(facts, players=players)


def _rating_difference(entrant: Entrant, rating: int | None) -> Finding:
    """Return the finding that the rating of an entrant is not the one in force."""
    facts: dict[str, Fact] = {"name": entrant.name, "report": entrant.rating or 0, "listed": rating or 0}
    code = how_ratings_differ(entrant.rating, rating)
    return Finding(Severity.WARNING, code, line=entrant.line, player=entrant.number, facts=facts)
