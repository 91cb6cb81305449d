"""Compare the entrants of reports with the reference list in force on the first day; guests get its ratings."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.checks.context import of_player
from arpad.lists.inputs import Guests
from arpad.lists.reference import rating_column
from arpad.model.errors import NoEdition
from arpad.model.federations import FEDERATIONS, known_federation
from arpad.model.json_values import to_birth
from arpad.model.names import same_person_name
from arpad.model.people import Person, birth_year, births_agree
from arpad.model.rules import Fact, Finding, ListName, Severity
from arpad.office.fide.rows import (
    Reference,
    newest_reference,
    read_numbers,
    read_players,
    reference_in_force,
    references,
)
from arpad.office.inbox.find_players import EntrantsFound, PlayerLookup
from arpad.office.inbox.match_players import Match
from arpad.office.lists.ownership import Ownership, owned_by_day, ownership, owns_newcomer
from arpad.office.register import rows as register
from arpad.office.register.entrant_numbers import ReportNumbers
from arpad.office.register.rows import load_people
from arpad.regulations.editions import in_force
from arpad.reports.entrant_match import Candidate, Registered, rank
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.name_scores import name_score, name_words
from arpad.reports.report import Entrant, Report
from arpad.store.settings import read_setting

_SEXES = {"m": "M", "w": "F"}


class ReferencePlayer(NamedTuple):
    """The columns of a reference list with which the entrants of reports are compared."""

    name: str
    born: str
    sex: str
    federation: str
    inactive: bool
    rating: int | None
    rapid_rating: int | None
    blitz_rating: int | None

    def agrees(self, entrant: Entrant) -> bool:
        """Return whether an entrant has the same name, birth, sex and federation, and the player is active."""
        return (
            self.name == entrant.name
            and to_birth(self.born) == entrant.born
            and self.sex == _SEXES.get(entrant.sex)
            and self.federation == entrant.federation
            and not self.inactive
        )


@dataclass(frozen=True, slots=True)
class ReferenceOfDay:
    """What reports of one list and first day need: the reference list's rows of their players, and who is owned."""

    reference: Reference | None
    players: Mapping[int, ReferencePlayer]
    """By FIDE ID."""

    owner: Ownership | None
    owned: Collection[int]
    """Registered players of the reports whom the office owns on that day."""

    numbers: Mapping[int, int]
    """Guest of the register → FIDE ID."""

    takes_standard: bool
    """Whether the edition lets the standard rating stand in for a missing one."""

    def findings(self, report: Report, in_report: Mapping[int, int]) -> list[Finding]:
        """Return how the entrants differ from the reference list; ``in_report`` has their FIDE IDs."""
        findings: list[Finding] = []
        if self.reference is None:
            return findings
        for index, entrant in enumerate(report.entrants):
            if entrant.number in in_report:
                player = self.players.get(in_report[entrant.number])
                if player is None or not player.agrees(entrant):  # most agree
                    findings += _differences(report, index, player, self.reference)
        return findings

    def guest_rating(
        self, match: Match, on_list: ListName, merged: Mapping[int, int], in_report: Mapping[int, int]
    ) -> int | None:
        """Return the rating of a guest on the reference list; None for others, and if it has none."""
        if self.owner is None or not self._is_guest(match, self.owner, merged):
            return None
        player = merged.get(match.player or 0, match.player or 0)
        number = self.numbers.get(player) or in_report.get(match.entrant.number, 0)
        row = self.players.get(number)
        if row is None:
            return None
        ratings = {ListName.RAPID: row.rapid_rating, ListName.BLITZ: row.blitz_rating}
        return ratings.get(on_list, row.rating) or (row.rating if self.takes_standard else None)

    def guests(self, matches: Iterable[Match], merged: Mapping[int, int]) -> frozenset[int]:
        """Return the start numbers of the entrants whom the office does not own; nobody without a rule."""
        if self.owner is None:
            return frozenset()
        owner = self.owner
        return frozenset(match.entrant.number for match in matches if self._is_guest(match, owner, merged))

    def _is_guest(self, match: Match, owner: Ownership, merged: Mapping[int, int]) -> bool:
        if match.player is not None:
            return merged.get(match.player, match.player) not in self.owned
        return not owns_newcomer(owner, match.entrant.federation)


def load_references(
    connection: Connection, lookup: PlayerLookup, days: Collection[tuple[ListName, date]]
) -> dict[tuple[ListName, date], ReferenceOfDay]:
    """Return what the reference lists say about the players of some reports, by list and first day."""
    kept = references(connection)
    owners = {on_list: ownership(connection, on_list) for on_list in {on_list for on_list, _ in days}}
    if not kept and not any(owners.values()):
        return {}
    everybody = {on_list: {day: lookup.people for on, day in days if on == on_list} for on_list in owners}
    owned = {
        on_list: owned_by_day(connection, owner, everybody[on_list]) if owner else {}
        for on_list, owner in owners.items()
    }
    guests = {
        player
        for by_day in owned.values()
        for own in by_day.values()
        for player in lookup.people.keys() - own
    }
    numbers = fide_numbers(connection, guests)
    asked = {int(number) for number in lookup.asked.get("fide", ()) if _digits(number)}
    players: dict[int, dict[int, ReferencePlayer]] = {}
    of_day = {}
    for on_list, day in days:
        owner, takes_standard = owners[on_list], _takes_standard(lookup, on_list, day)
        reference = reference_in_force(kept, on_list, day, takes_standard=takes_standard)
        if reference is not None and reference.id not in players:
            table = read_numbers(connection, reference.id, asked | {*numbers.values()})
            rows = table.select("id", *ReferencePlayer._fields).rows()
            players[reference.id] = {number: ReferencePlayer(*said) for number, *said in rows}
        of_day[on_list, day] = ReferenceOfDay(
            reference,
            players[reference.id] if reference else {},
            owner,
            owned[on_list].get(day, ()),
            numbers,
            takes_standard,
        )
    return of_day


def fide_numbers_in(report: Report, found: EntrantsFound, lookup: PlayerLookup) -> dict[int, int]:
    """Return the FIDE IDs in a report, by start number: not those of another scheme, or of an unknown one."""
    numbers, meaning = {}, found.meaning
    for entrant, pairs in zip(report.entrants, found.numbers, strict=True):
        known = pairs
        if pairs != (("fide", entrant.id),) or not meaning.column:
            known = meaning.known(entrant, lookup.fide_numbers)
            if not meaning.column and ("fide", entrant.id) in lookup.holders:
                known = (*known, ("fide", entrant.id))
        for scheme, number in known:
            if scheme == "fide" and _digits(number):
                numbers[entrant.number] = int(number)
    return numbers


def _takes_standard(lookup: PlayerLookup, on_list: ListName, day: date) -> bool:
    try:
        return in_force(lookup.editions, on_list, day).on(on_list).entry_takes_standard is not None
    except (NoEdition, ValueError):
        return False


def _digits(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) <= 15  # noqa: PLR2004  as in a list


def _differences(
    report: Report, index: int, row: ReferencePlayer | None, reference: Reference
) -> Iterable[Finding]:
    """Yield how an entrant with a FIDE ID differs from the reference list."""
    entrant = report.entrants[index]
    facts: dict[str, Fact] = {"id": entrant.id, "name": entrant.name, "day": reference.day}
    if row is None:
        yield _finding("reference-number-unknown", report, index, "id", facts)
        return
    if not same_person_name(row.name, entrant.name):
        yield _finding("reference-name-differs", report, index, "name", {**facts, "listed": row.name})
        return
    for field, code, given, listed in _compared(entrant, row):
        yield _finding(code, report, index, field, {**facts, "given": given, "listed": listed})
    if row.inactive:
        yield _finding("reference-inactive", report, index, "id", facts, Severity.INFO)


def _compared(entrant: Entrant, row: ReferencePlayer) -> Sequence[tuple[str, str, Fact, Fact]]:
    sex, federation = _SEXES.get(entrant.sex, ""), entrant.federation.upper()
    differences: list[tuple[str, str, Fact, Fact]] = []
    born = to_birth(row.born)
    if not births_agree(entrant.born, born):
        years = birth_year(entrant.born), birth_year(born)
        day_differs = years[0] == years[1]
        given, listed = (entrant.born, born) if day_differs else years
        differences.append(("born", "reference-birth-differs", str(given), str(listed)))
    if sex and row.sex and sex != row.sex:
        differences.append(("sex", "reference-sex-differs", sex, row.sex))
    if federation and row.federation and federation != row.federation:
        differences.append(("federation", "reference-federation-differs", federation, row.federation))
    return differences


def _finding(
    code: str,
    report: Report,
    index: int,
    field: str,
    facts: Mapping[str, Fact],
    severity: Severity = Severity.WARNING,
) -> Finding:
    place = of_player(report, index, field)
    about = {**facts, "cell": place.pop("cell")} if "cell" in place else dict(facts)
    return Finding(severity, code, facts=about, **place)  # type: ignore[arg-type]


def rated_guests(
    connection: Connection,
    players: Collection[int],
    on_list: ListName,
    day: date,
    *,
    takes_standard: bool,
) -> Guests | None:
    """Return guests with the ratings of the reference list in force on a day; None if there is none.

    On a rapid or blitz list the standard rating may stand in.
    """
    reference = reference_in_force(references(connection), on_list, day, takes_standard=takes_standard)
    if reference is None:
        return None
    numbers = fide_numbers(connection, players)
    columns = ["id", rating_column(on_list)]
    if takes_standard and rating_column(ListName.STANDARD) not in columns:
        columns.append(rating_column(ListName.STANDARD))
    rows = read_numbers(connection, reference.id, numbers.values(), columns).iter_rows()
    ratings = {number: next((figure for figure in figures if figure), None) for number, *figures in rows}
    return Guests(
        {player: ratings.get(numbers.get(player, 0)) for player in sorted(players)},
        reference.source,
        reference.day,
        reference.sha256,
    )


def fide_numbers(connection: Connection, players: Iterable[int]) -> dict[int, int]:
    """Return the FIDE IDs of some players."""
    numbers = {
        player: next((value for scheme, value in identifiers if scheme == "fide"), "")
        for player, (_, _, identifiers) in load_people(connection, players).rows.items()
    }
    return {player: int(number) for player, number in numbers.items() if number.isdigit()}


STRONG = 2200
"""A rating from which on FIDE knows a player."""

MOST_LISTED = 5
"""Candidates of the reference list that an officer is shown."""

_SAYS_MORE = frozenset({"same-federation", "same-birth", "same-birth-year", "same-title"})
"""Reasons besides the name for which a player of the reference list may be an entrant."""


def load_listed(
    connection: Connection, lookup: PlayerLookup, entrants: Iterable[tuple[Entrant, ReportNumbers]]
) -> None:
    """Load the players of the newest reference list with the names of some entrants, who are not certain by number."""
    from arpad.office.fide.name_rows import numbers_with_words

    newest = newest_reference(connection)
    lookup.has_reference = newest is not None
    names = {
        entrant.name: is_strong(entrant)
        for entrant, meaning in entrants
        if needs_fide(entrant, meaning, lookup.fide_numbers)
    }
    if newest is None or not names:
        return
    wanted = {(name, False): (name, 2) for name in names}
    # FIDE may have another first name of a strong player, as Anthony for Tony
    wanted |= {(name, True): (name.partition(",")[0], 9) for name, strong in names.items() if strong}
    numbers = numbers_with_words(connection, newest.id, wanted)
    rows = read_players(connection, newest.id, {number for of_name in numbers.values() for number in of_name})
    held = register.by_identifier(connection, "fide", {str(number) for number in rows})
    lookup.home = read_setting(connection, "federation")
    for (name, _), of_name in numbers.items():
        words = name_words(name)
        lookup.listed.setdefault(name, []).extend(
            (rows[number], name_score(words, name_words(rows[number].name)))
            for number in of_name
            if number in rows and str(number) not in held
        )


def needs_fide(entrant: Entrant, meaning: ReportNumbers, fide_numbers: frozenset[str]) -> bool:
    """Return whether an entrant of a chess report has no FIDE ID."""
    known = meaning.known(entrant, fide_numbers)
    return "fide" in meaning.schemes and all(scheme != "fide" for scheme, _ in known)


def is_strong(entrant: Entrant) -> bool:
    """Return whether FIDE must know an entrant: by a title, or by the rating in the report."""
    return bool(entrant.title) or (entrant.rating or 0) >= STRONG


def must_be_decided(lookup: PlayerLookup, entrant: Entrant, meaning: ReportNumbers) -> bool:
    """Return whether an entrant without candidates may not simply be new.

    A number of another body says who somebody is, unless the office can look the player up at FIDE.
    """
    numbered = bool(entrant.id or meaning.national.get(entrant.number))
    return (
        is_strong(entrant)
        and needs_fide(entrant, meaning, lookup.fide_numbers)
        and (lookup.has_reference or not numbered)
    )


def listed_candidates(lookup: PlayerLookup, entrant: Entrant, meaning: ReportNumbers) -> list[Candidate]:
    """Return the players of the reference list who may be an entrant, the likeliest first."""
    if not needs_fide(entrant, meaning, lookup.fide_numbers):
        return []
    near = {row.id: (row, likeness) for row, likeness in lookup.listed.get(entrant.name, ())}
    scored = {
        number: candidate
        for number, (row, likeness) in near.items()
        for candidate in rank(entrant, (), [(_as_registered(row), likeness)])
        if _says_more(candidate, entrant, lookup.home)
    }
    if is_strong(entrant):
        scored |= _same_surname(entrant, near, scored)
    ordered = sorted(scored.items(), key=lambda item: (-item[1].score, item[0]))
    return [candidate._replace(fide=str(number)) for number, candidate in ordered[:MOST_LISTED]]


def _same_surname(
    entrant: Entrant, near: Mapping[int, tuple[ListRow, int]], scored: Mapping[int, Candidate]
) -> dict[int, Candidate]:
    """Return the players with the surname of a strong entrant who also have the title or a rating near theirs."""
    candidates: dict[int, Candidate] = {}
    for number, (row, _) in near.items():
        # as alike as a name must be, so that everything else is compared
        for candidate in () if number in scored else rank(entrant, (), [(_as_registered(row), 100)]):
            reasons = tuple("other-name" if it == "near-name" else it for it in candidate.reasons)
            if {"same-title", "near-rating"} & {*reasons} and "other-federation" not in reasons:
                candidates[number] = candidate._replace(score=candidate.score - 20, reasons=reasons)
    return candidates


def _says_more(candidate: Candidate, entrant: Entrant, home: str) -> bool:
    """Return whether more than the name speaks for a player of the reference list."""
    reasons = {*candidate.reasons}
    if reasons & _SAYS_MORE:
        return True
    if entrant.federation in FEDERATIONS:
        return "near-rating" in reasons and "other-federation" not in reasons
    return "near-rating" in reasons or candidate.federation == home


def _as_registered(row: ListRow) -> Registered:
    return Registered(
        0, row.name, row.federation, row.known_sex, row.born, row.title or row.women_title, row.rating
    )


def listed_person(row: ListRow, player: int, home: str) -> Person:
    """Return a player of the reference list as a new one of the register; ``home`` is the office's own federation."""
    return Person(
        player, row.name, known_federation(row.federation, home), row.known_sex, row.born, row.title, row.women_title,
        row.other_titles, identifiers=(("fide", str(row.id)),),
    )  # fmt: skip


def new_listed_person(connection: Connection, number: int, player: int, home: str) -> Person:
    """Return a player of the newest reference list as a new one of the register, under a number of ours."""
    from arpad.office.fide.reference import listed_at_fide

    return listed_person(listed_at_fide(connection, number), player, home)
