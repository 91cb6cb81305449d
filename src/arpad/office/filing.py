"""Filing many reports in one transaction, each with an act of its own in the ledger; accepting them likewise."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.model.errors import ArpadError
from arpad.model.json_values import dump, from_birth, from_finding, load
from arpad.model.people import Person
from arpad.office.check_report import MARK, is_near, overlap_findings
from arpad.office.examining import Outcome, Seen, Sent, Terms, examine_filed, examine_sent, loose_number
from arpad.office.office import Office, local_day, signed_by, utc
from arpad.office.report_versions import earlier_version
from arpad.office.reports import Accepted, newcomer, on_file
from arpad.store import register
from arpad.store import reports as rows
from arpad.store.bulk import add_rows, next_id
from arpad.store.ledger_chain import LedgerWriter
from arpad.store.name_index import add_words, spelled
from arpad.store.reports import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, Filed
from arpad.store.schema import entrants, players, report_statuses, reports

_REPORT = (
    "id", "digest", "data", "file", "received", "list", "name", "federation", "first_day", "last_day", "games",
    "facts", "findings", "event", "replaces", "act",
)  # fmt: skip
_PLAYER = ("id", *register.COLUMNS, "act")


@dataclass(slots=True)
class GamesOnFile:
    """Which report holds which game, among those of certain days."""

    holders: dict[int, int | tuple[int, ...]] = field(default_factory=dict)
    """Mark of a game → the report, or the reports, that hold it."""

    sizes: dict[int, int] = field(default_factory=dict)
    days: dict[int, tuple[str, str]] = field(default_factory=dict)
    first: str = ""
    last: str = ""

    def reaches(self, first: str, last: str) -> bool:
        """Whether all reports of events that were going on between two days are known."""
        return bool(self.first) and self.first <= first and last <= self.last

    def reach(self, connection: Connection, first: str, last: str) -> None:
        """Know all reports of events that were going on between two days, and what was known before."""
        self.first, self.last = min(first, self.first or first), max(last, self.last)
        self.holders, self.sizes, self.days = {}, {}, {}
        for number, marks, began, ended in rows.overlapping_days(connection, self.first, self.last):
            self.add(number, _marks(marks), began, ended)

    def add(self, number: int, mine: set[int], first: str, last: str) -> None:
        """A report more."""
        self.sizes[number], self.days[number] = len(mine), (first, last)
        if self.holders.keys().isdisjoint(mine):
            self.holders |= dict.fromkeys(mine, number)
            return
        for mark in mine:
            before = self.holders.setdefault(mark, number)
            if before != number:
                self.holders[mark] = (*(before if isinstance(before, tuple) else (before,)), number)

    def near(self, mine: set[int], first: str, last: str) -> dict[int, bool]:
        """Reports that hold half of the games or more, each with whether it holds all of them."""
        if self.holders.keys().isdisjoint(mine):
            return {}
        shared: dict[int, int] = {}
        for holder in filter(None, map(self.holders.get, mine)):
            for number in holder if isinstance(holder, tuple) else (holder,):
                shared[number] = shared.get(number, 0) + 1
        near = {}
        for number, count in shared.items():
            began, ended = self.days[number]
            if ended >= first and began <= last and is_near(count, len(mine), self.sizes[number]):
                near[number] = count == min(len(mine), self.sizes[number])
        return near


def _marks(marks: bytes) -> set[int]:
    return set(struct.unpack(f">{len(marks) // MARK}Q", marks))


@dataclass(slots=True)
class Run:
    """What lasts from one transaction of a run to the next."""

    office: Office
    reason: str = ""
    games: GamesOnFile = field(default_factory=GamesOnFile)
    fresh: dict[str, int] = field(default_factory=dict)
    """Names and numbers of the run's newcomers, with the act that brought them."""

    digests: dict[str, int] = field(default_factory=dict)
    own: int = -1
    """The run's last act."""

    others: int = 0
    """The last act of somebody else."""


@contextmanager
def filing(run: Run, terms: Terms) -> Iterator[Filing]:
    """A transaction: everything inside, or nothing; nobody else writes meanwhile."""
    office = run.office
    author, moment = signed_by(office), office.now()
    with office.store.writing() as connection:
        chain = LedgerWriter(connection, utc(moment), author, run.reason.strip())
        if chain.last != run.own:
            run.others, run.games, run.fresh, run.digests = chain.last, GamesOnFile(), {}, {}
        under_way = Filing(run, terms, connection, chain, local_day(connection, moment))
        yield under_way
        under_way.write()
    run.own = chain.last


class Filing:
    """A transaction under way."""

    def __init__(
        self, run: Run, terms: Terms, connection: Connection, chain: LedgerWriter, today: date
    ) -> None:
        """Go on counting where the tables end."""
        self.run, self.terms, self.connection, self.chain, self.today = run, terms, connection, chain, today
        self.next_report = next_id(connection, reports)
        self.next_status = next_id(connection, report_statuses)
        self.next_player = next_id(connection, players)
        self._waiting: dict[str, list[tuple[Any, ...]]] = {}
        self._newcomers: list[tuple[Person, int]] = []
        self._filed: dict[int, Filed] = {}

    def write(self) -> None:
        """Send to the database what waits; the ledger first.

        SQLite searches all tables for rows that wait for an act when it comes after them.
        """
        waiting, connection = self._waiting, self.connection
        self.chain.write()
        persons = [
            (one.id, *(_plain(getattr(one, name)) for name in register.COLUMNS), act)
            for one, act in self._newcomers
        ]
        add_rows(connection, players, _PLAYER, persons)
        for person, act in self._newcomers:
            if person.identifiers:
                register.add_identifiers(
                    connection, [(*number, person.id) for number in person.identifiers], act
                )
        add_words(connection, [(person.name, person.id) for person, _ in self._newcomers])
        add_rows(connection, reports, _REPORT, waiting.get("reports", []))
        add_rows(connection, report_statuses, ("id", "report", "status", "act"), waiting.get("statuses", []))
        add_rows(connection, entrants, ("report", "place", "player", "act"), waiting.get("entrants", []))
        self._newcomers.clear()
        waiting.clear()

    # ------------------------------------------------------------------------------------------- sent in

    def know(self, numbers: Iterable[int]) -> None:
        """Look up reports on file, together."""
        self._filed |= rows.filed(self.connection, numbers)

    def file(self, outcome: Outcome, act: int, *, accept: bool) -> dict[str, Any]:
        """File a report that was looked at when an act was the last; gives what became of it."""
        seen = self._again_if_stale(outcome, act)
        if isinstance(seen, ArpadError):
            return {"error": seen}
        if isinstance(seen, int):
            return self._on_file(seen)
        if seen.digest in self.run.digests:
            return self._on_file(self.run.digests[seen.digest])
        games = _marks(seen.marks)
        near = self._near(seen, games)
        filed = rows.filed(self.connection, near) if near else {}
        if seen.replaces is None and (earlier := earlier_version(self.connection, filed.values(), "")):
            again = self._examined(seen, replaces=earlier.id)
            if not isinstance(again, Seen):
                return self.file(again, act, accept=accept)
            seen = again
        near.pop(seen.replaces or 0, None)
        overlap = overlap_findings({other: filed[other] for other in near}, near)
        number, seq = self.next_report, self.chain.last + 1
        said = (*(dump(from_finding(finding)) for finding in overlap), *seen.findings)
        self._add("reports", (
            number, self._key(seen), seen.data, seen.file, str(self.today), str(seen.on_list), seen.name,
            seen.federation, seen.first_day, seen.last_day, seen.marks, seen.facts, f"[{','.join(said)}]",
            seen.event, seen.replaces, seq,
        ))  # fmt: skip
        self._status(number, RECEIVED)
        details = {"report": number, "sha256": seen.digest, "file": seen.file, "list": str(seen.on_list)}
        replaced = {} if seen.replaces is None else {"replaces": seen.replaces}
        self.chain.add("submit", details | replaced)
        self.next_report += 1
        self.run.digests[seen.digest] = number
        self.run.games.add(number, games, seen.first_day, seen.last_day)
        accepted = None
        if accept and not overlap and not seen.against and seen.first_day:
            accepted = self._accept(number, seen, {}, seen.replaces)
        status = ACCEPTED if accepted else RECEIVED
        return {"report": number, "status": status, "list": seen.on_list, "said": said, "accepted": accepted}

    def _on_file(self, number: int) -> dict[str, Any]:
        if number not in self._filed:
            self.write()
            self._filed[number] = on_file(self.connection, number)
        found = self._filed[number]
        said = tuple(dump(entry) for entry in load(found.findings))
        return {"report": number, "status": found.status, "list": found.list, "said": said, "again": True}

    def _again_if_stale(self, outcome: Outcome, act: int) -> Outcome:
        """What was found, or is found now where it may have missed something."""
        if not isinstance(outcome, Seen) or not self._stale(outcome, act):
            return outcome
        return self._examined(outcome)

    def _examined(self, seen: Seen, *, replaces: int | None = None) -> Outcome:
        """Look at a report again, with everything that was done since."""
        self.write()
        terms = replace(self.terms, today=self.today, replaces=replaces)
        return examine_sent(self.connection, [Sent(seen.file, seen.data)], terms).outcomes[0]

    def _key(self, seen: Seen) -> str:
        """Return the key under which the bytes are filed; nearly always their digest."""
        return seen.digest if seen.replaces is None else rows.filing_key(self.connection, seen.digest)

    def _stale(self, seen: Seen, act: int) -> bool:
        fresh = self.run.fresh
        missed = any(fresh.get(name, 0) > act for name in seen.loose) if fresh else False
        return missed or act < self.run.others or self.today != self.terms.today

    def _near(self, seen: Seen, games: set[int]) -> dict[int, bool]:
        """Return the reports on file that hold the same games, each with whether it holds all of them."""
        if not seen.first_day or not games:
            return {}
        if not self.run.games.reaches(seen.first_day, seen.last_day):
            self.write()  # those that wait are to be known as well
            self.run.games.reach(self.connection, seen.first_day, seen.last_day)
        near = self.run.games.near(games, seen.first_day, seen.last_day)
        if near:
            self.write()
        return near

    # ------------------------------------------------------------------------------------------ accepted

    def accept_filed(self, number: int, outcome: Outcome, act: int) -> Accepted | tuple[str, ...]:
        """Accept a report on file, or tell the codes of what stands against it."""
        filed = self._filed[number] if number in self._filed else on_file(self.connection, number)
        if filed.status != RECEIVED:
            return ("report-status",)
        seen = outcome
        if not isinstance(seen, Seen) or self._stale(seen, act):
            self.write()
            (seen,) = examine_filed(self.connection, [number], self.terms).outcomes
        if not isinstance(seen, Seen):
            return ("report-status",)
        near = self._near(seen, _marks(seen.marks))
        near = {other: whole for other, whole in near.items() if other not in (filed.replaces, number)}
        overlap = overlap_findings(rows.filed(self.connection, near), near, only=ACCEPTED) if near else []
        codes = {finding.code for finding in overlap} | set(seen.against)
        if not filed.first_day:
            codes.add("no-first-day")
        if codes:
            return tuple(sorted(codes))
        return self._accept(number, seen, self.terms.matches.get(number, {}), filed.replaces)

    def _accept(
        self, number: int, seen: Seen, matches: Mapping[int, int], replaces: int | None = None
    ) -> Accepted:
        seq = self.chain.last + 1
        first = self.next_player
        fresh = [newcomer(one, place, seen.on_list) for place, one in enumerate(seen.newcomers, start=first)]
        self.next_player += len(fresh)
        numbers = iter(range(first, self.next_player))
        who = tuple(next(numbers) if player is None else player for player in seen.who)
        self._add("entrants", *((number, place, player, seq) for place, player in enumerate(who)))
        self._status(number, ACCEPTED)
        for person in fresh:
            self._newcomers.append((person, seq))
            self.run.fresh[spelled(person.name)] = seq
            for _, identifier in person.identifiers:
                self.run.fresh[loose_number(seen.on_list) + identifier] = seq
        details: dict[str, Any] = {
            "report": number,
            "players": len(who),
            "newcomers": [one.id for one in fresh],
        }
        superseded = self._supersede(replaces) if replaces is not None else None
        if superseded is not None and superseded.status in (RECEIVED, ACCEPTED, RETURNED):
            details["superseded"] = superseded.id
        if matches:
            details["matches"] = {str(place): player for place, player in sorted(matches.items())}
        self.chain.add("accept", details)
        return Accepted(number, who, tuple(one.id for one in fresh), superseded.id if superseded else None)

    def _supersede(self, before: int) -> Filed:
        """A corrected report takes the place of the earlier one."""
        self.write()
        found = on_file(self.connection, before)
        if found.status in (RECEIVED, ACCEPTED, RETURNED):
            self._status(before, SUPERSEDED)
            self._filed.pop(before, None)
        return found

    def _status(self, report: int, status: str) -> None:
        self._add("statuses", (self.next_status, report, status, self.chain.last + 1))
        self.next_status += 1

    def _add(self, table: str, *rows: tuple[Any, ...]) -> None:
        self._waiting.setdefault(table, []).extend(rows)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else from_birth(value)
