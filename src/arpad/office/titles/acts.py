"""Titles in the office: norms on record, whether an application would succeed, and titles that a rating gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.drafts.load_events import load_events
from arpad.office.editions.acts import title_editions
from arpad.office.lists.history_rows import player_history
from arpad.office.lists.rows import all_publications
from arpad.office.office import Office, record_act, today
from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.rows import load_people
from arpad.office.reports.decided_rows import decisions_in_force, with_kept_players
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.office.titles.rating_titles import title_edition
from arpad.office.titles.rows import RecordedNorm, add_norm, norms_on_record
from arpad.office.titles.rows import revoke_norm as append_revocation
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.regulations.chess.titles.awards import HeldNorm, application
from arpad.regulations.chess.titles.field import BigField
from arpad.regulations.chess.titles.requirements import Requirement
from arpad.regulations.chess.titles.rules import WOMEN_TITLES, NormTitle, TitleRules
from arpad.regulations.editions import CHESS_EDITIONS

LONGEST = 200


@dataclass(frozen=True, slots=True)
class TitleCheck:
    """Whether a player could apply for a title: every requirement, and the norms that count."""

    title: NormTitle
    edition: str
    requirements: tuple[Requirement, ...]
    norms: tuple[RecordedNorm, ...]
    peak: int

    @property
    def complete(self) -> bool:
        """Return whether every requirement is met."""
        return all(item.holds for item in self.requirements)


@dataclass(frozen=True, slots=True)
class FiledNorms:
    """The norms of an accepted report."""

    result: ReportNorms
    players: Mapping[int, int]
    """Players of the register by start number."""

    made: list[RecordedNorm]
    """The norms made, as they are put on record."""


# ------------------------------------------------------------------------------------------------ norms on record


def record_norm(office: Office, norm: RecordedNorm, *, reason: str = "") -> int:
    """Enter a norm by hand, made under the edition of the tournament's first day; return its number."""
    with record_act(office, "record-norm", reason) as act:
        checked = _checked(act.connection, norm)
        number = add_norm(act.connection, checked, act.seq)
        act.record(norm=number, player=checked.player, title=str(checked.title), event=checked.event)
    return number


def record_norms(office: Office, report: int, *, reason: str = "") -> list[int]:
    """Put the norms of an accepted report on record, except those that are there; return their numbers."""
    with record_act(office, "record-norms", reason) as act:
        made = norms_of_report(act.connection, report).made
        there = {
            (norm.player, norm.title) for norm in norms_on_record(act.connection) if norm.report == report
        }
        new = [norm for norm in made if (norm.player, norm.title) not in there]
        numbers = [add_norm(act.connection, norm, act.seq) for norm in new]
        if numbers:
            act.record(report=report, norms=numbers)
    return numbers


def revoke_norm(office: Office, norm: int, reason: str) -> None:
    """Revoke a norm on record."""
    with record_act(office, "revoke-norm", reason, reason_needed=True) as act:
        if norm not in {known.id for known in norms_on_record(act.connection)}:
            raise BadInput("no-norm", norm=norm)
        append_revocation(act.connection, norm, act.seq)
        act.record(norm=norm)


def norms_of(office: Office, player: int) -> list[RecordedNorm]:
    """Return the norms of a player, those of merged numbers included."""
    with office.store.reading() as connection:
        return player_norms(connection, player)


def player_norms(connection: Connection, player: int) -> list[RecordedNorm]:
    """Return the norms of a player that a transaction sees, those of merged numbers included."""
    merged = merge_targets(connection)
    kept = merged.get(player, player)
    numbers = [kept, *(dropped for dropped, target in merged.items() if target == kept)]
    return [replace(norm, player=kept) for norm in norms_on_record(connection, numbers)]


def _checked(connection: Connection, norm: RecordedNorm) -> RecordedNorm:
    """Return a norm with its edition; refuse one that cannot be right."""
    if not norm.event.strip():
        raise BadInput("value-missing", option="event")
    if norm.last_day < norm.first_day:
        raise BadInput("norm-days", first=norm.first_day, last=norm.last_day)
    edition = title_edition(connection, norm.first_day)
    rules = edition.on(ListName.STANDARD)
    if not 1 <= norm.games <= rules.most_games.value:
        raise BadInput("out-of-range", option="games", value=norm.games, low=1, high=rules.most_games.value)
    person = load_people(connection, [norm.player]).get(norm.player)
    if person is None:
        raise BadInput("no-player", player=norm.player)
    if norm.title in WOMEN_TITLES and person.sex != "F":
        raise BadInput("norm-for-women", title=str(norm.title), name=person.name)
    event, place = norm.event.strip()[:LONGEST], norm.place.strip()[:LONGEST]
    return replace(norm, event=event, place=place, edition=edition.id)


def norms_of_report(connection: Connection, number: int) -> FiledNorms:
    """Return the norms of an accepted report."""
    filed = report_on_file(connection, number)
    require_status(filed, ACCEPTED)
    if filed.list is not ListName.STANDARD:
        raise BadInput("norms-standard-only", report=number, list=str(filed.list))
    merged = merge_targets(connection)
    decided = with_kept_players(decisions_in_force(connection), merged)
    whole = [decision for decision in decided if decision.kind != "by-round"]
    (event,) = load_events(connection, [filed], whole, merged, filed.list, (), CHESS_EDITIONS)
    report = event.report()
    found_norms = find_norms(report, NormOptions.of_facts(event.facts, title_editions(connection)))
    header = report.header
    players = dict(zip((entrant.number for entrant in report.entrants), event.players, strict=True))
    days = [cells.day for cells in report.rounds if cells.day]
    made = [
        RecordedNorm(
            players[player.entrant.number], norm.title, header.name, header.city, event.first_day,
            header.last_day or event.first_day, norm.edition.id, norm.counted, norm.exempt is None,
            sum(days.count(day) == 1 for day in set(days)), found_norms.big is BigField.ALL,
            norm.basis is not None and norm.basis == norm.edition.on(ListName.STANDARD).bye_norm, number,
        )
        for player in found_norms.players
        for norm in player.norms
        if norm.norm
    ]  # fmt: skip
    return FiledNorms(found_norms, players, made)


# ------------------------------------------------------------------------------------------------- applications


def check_titles(
    office: Office, player: int, *, on: date | None = None, reached: int | None = None
) -> list[TitleCheck]:
    """Return whether an application for each title not held would succeed, today or on a day (B.01 1.5.2).

    ``reached`` is a rating that was reached within a period or a tournament and that the federation can prove; the
    ratings of published lists are known.
    """
    with office.store.reading() as connection:
        day = on or today(office, connection)
        kept = merge_targets(connection).get(player, player)
        person = load_people(connection, [kept], on=day).get(kept)
        if person is None:
            raise BadInput("no-player", player=player)
        norms = [norm for norm in player_norms(connection, kept) if norm.last_day <= day]
        peak = max(_peak(connection, kept, day), reached or 0)
        edition = title_edition(connection, day)
    rules = edition.on(ListName.STANDARD)
    checks = []
    for title in _titles_above(person):
        counting = _one_per_event(norm for norm in norms if _serves(norm.title, title))
        held = [_held(norm, rules) for norm in counting]
        checks.append(
            TitleCheck(title, edition.id, tuple(application(title, held, peak, rules)), counting, peak)
        )
    return checks


def _titles_above(person: Person) -> list[NormTitle]:
    """Return the titles by norms that a player does not hold yet."""
    titles = [NormTitle.GM, NormTitle.IM]
    if person.sex == "F":
        titles += [NormTitle.WGM, NormTitle.WIM]
    held = {person.title, person.women_title}
    if "GM" in held:
        return []
    below = {
        "IM": {NormTitle.IM, NormTitle.WIM},
        "WGM": {NormTitle.WGM, NormTitle.WIM},
        "WIM": {NormTitle.WIM},
    }
    done = {title for name in held for title in below.get(name, ())}
    return [title for title in titles if title not in done]


_SERVES: dict[NormTitle, frozenset[NormTitle]] = {
    NormTitle.GM: frozenset({NormTitle.GM}),
    NormTitle.IM: frozenset({NormTitle.GM, NormTitle.IM}),
    NormTitle.WGM: frozenset({NormTitle.GM, NormTitle.IM, NormTitle.WGM}),
    NormTitle.WIM: frozenset({*NormTitle}),
}
"""The norms that serve for a title: a higher norm is also one for a lower title (B.01 1.5.2)."""


def _serves(norm: NormTitle, title: NormTitle) -> bool:
    return norm in _SERVES[title]


def _one_per_event(norms: Iterable[RecordedNorm]) -> tuple[RecordedNorm, ...]:
    """Return the norm of each tournament that counts as most games: one result makes one norm of an application.

    A player who made a norm for GM often made one for IM with the same games.
    """
    best: dict[tuple[str, date], RecordedNorm] = {}
    for norm in norms:
        event = (norm.event, norm.first_day)
        if event not in best or norm.games > best[event].games:
            best[event] = norm
    return tuple(best.values())


def _held(norm: RecordedNorm, rules: TitleRules) -> HeldNorm:
    after = rules.big_swiss is not None and norm.last_day > rules.big_swiss.value.after
    return HeldNorm(norm.games, norm.normal, norm.single_days, norm.special, after, norm.by_bye)


def _peak(connection: Connection, player: int, day: date) -> int:
    """Return the highest standard rating on a published list up to a day."""
    days = {p.id: p.day for p in all_publications(connection, ListName.STANDARD)}
    history = player_history(connection, player)
    return max(
        (row.rating or 0 for number, row in history.items() if number in days and days[number] <= day),
        default=0,
    )
