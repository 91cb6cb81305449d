"""What must hold after every step of a simulation, however many processes were killed."""

import sqlite3
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.live_table import listed_lines
from arpad.model.canonical_json import load
from arpad.model.cursors import Cursor
from arpad.model.rules import ListName
from arpad.office.drafts.acts import compute_draft
from arpad.office.drafts.procedures import next_list_day
from arpad.office.drafts.publish import emit
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.live import rows as live_rows
from arpad.office.live.acts import whole_inputs
from arpad.office.live.layers import live_sources
from arpad.office.live.rows import ACCEPTED, RECEIVED, ChangesSince, LiveState
from arpad.office.office import open_office, today
from arpad.office.webhooks.acts import changes_after, owner_of
from arpad.office.webhooks.rows import is_delivered, read_position
from arpad.store import jobs, ledger
from arpad.store.jobs import Job, JobState
from tests.builders.offices import FEW, STANDARD
from tests.builders.random_acts import RAPID
from tests.builders.verbs import verify
from tests.office.live.examples import live_lines
from tests.simulation.actors import Promises
from tests.simulation.network import Network
from tests.simulation.seams import Seams
from tests.simulation.world import ARBITERS, OFFICER, Place, SimulatedClock

WEBHOOK = 1
ADDRESSES = {login: f"{login}@example.org" for login in (OFFICER, *ARBITERS)}
MAILED = {"submit": "report-received", "accept": "report-accepted", "return": "report-returned"}
"""The acts about a report of which its sender gets a mail."""

UNSETTLED = (JobState.WAITING, JobState.RUNNING)
NIGHTLY = ("forget-jobs", "forget-webhooks", "checkpoint")


class Broken(Exception):
    """An invariant that does not hold."""


def hold(condition: object, *words: object) -> None:
    """Raise unless a condition holds."""
    if not condition:
        raise Broken(" ".join(map(str, words)))


class Invariants:
    """Compares the office with everything that it has shown before.

    Rows are read past SQLAlchemy, which would cost more than the office itself. Verifying costs most: it is done after
    every ``verified_acts`` acts and at the end. What an act wrote wrongly stays so, and a later verifying names it too.
    """

    def __init__(
        self, place: Place, clock: SimulatedClock, seams: Seams, network: Network, promises: Promises,
        verified_acts: int = 1,
    ) -> None:  # fmt: skip
        self.place = place
        self.network = network
        self.promises = promises
        self.office = open_office(place.database, now=clock, author="invariants")
        self.compared_live = 0
        self.verified = 0
        self._seams = seams
        self._watch = sqlite3.connect(place.database)
        self._version = -1
        self._seen: dict[str, object] = {}
        self._verified_acts = verified_acts
        self._acts_at_verifying = self._lists_at_verifying = 0
        self._publications: dict[int, Publication] = {}
        self._mails: dict[str, tuple[str, str]] = {}
        self._open_mails: set[str] = set()
        self._files: dict[str, bytes] = {}
        self._file_times: dict[str, tuple[int, int]] = {}
        self._compared: dict[tuple[ListName, str], LiveState] = {}
        with self.office.store.reading() as connection:
            self._digests = ledger.digests(connection)
            self._first_act = len(self._digests) + 1
            self._first_cursor = Cursor(*(read_position(connection, owner_of(WEBHOOK)) or ()))
            self._owed_lists = {it.id for it in lists.ever_published(connection)}
            self._mails_before = {job.key for job in jobs.all_jobs(connection, ["mail"])}
        self._owed: Counter[tuple[str, str]] = Counter()
        self._owed_until = 0
        self._senders: dict[int | None, str] = {}
        network.is_sent, network.is_delivered = self._is_sent, self._is_delivered

    def close(self) -> None:
        self._watch.close()
        self.office.close()

    def _is_sent(self, key: str) -> bool:
        return any('"sent":' in payload for mail, _, payload in self._mail_jobs() if mail == key)

    def _is_delivered(self, cursor: str) -> bool:
        with self.office.store.reading() as connection:
            return is_delivered(connection, WEBHOOK, cursor)

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        return self._watch.execute(query).fetchall()

    def _mail_jobs(self) -> list[tuple[Any, ...]]:
        return self._rows("SELECT key, state, payload FROM jobs WHERE kind = 'mail'")

    def _differs(self, name: str, value: object) -> bool:
        """Return whether a value is another one than when it was asked for last."""
        differs = self._seen.get(name) != value
        self._seen[name] = value
        return differs

    # --------------------------------------------------------------------------------------------- after every step

    def check(self) -> None:
        """Raise if something acknowledged is lost, altered or doubled."""
        for broken in (*self.network.broken, *self.promises.broken):
            raise Broken(broken)
        self._check_files()
        ((version,),) = self._rows("PRAGMA data_version")
        if version == self._version:
            return  # nobody has committed anything
        self._version = version
        self._check_ledger()
        self._check_publications()
        self._check_reports()
        self._check_mails()
        self._check_live()
        if len(self._digests) - self._acts_at_verifying >= self._verified_acts:
            self._verify(recompute=len(self._publications) > self._lists_at_verifying)

    def _verify(self, *, recompute: bool = True) -> None:
        verified = verify(self.office, recompute=recompute)
        hold(verified.intact, "verify:", verified.altered)
        self.verified += 1
        self._acts_at_verifying, self._lists_at_verifying = len(self._digests), len(self._publications)

    def _check_ledger(self) -> None:
        """Compare the ledger with the commits."""
        self._digests = [digest for (digest,) in self._rows("SELECT digest FROM ledger ORDER BY seq")]
        first = self._first_act - 1
        committed = self._seams.committed
        hold(
            self._digests[first:] == committed and len(self._digests) == first + len(committed),
            "the ledger has", len(self._digests), "acts; committed are", first + len(committed),
        )  # fmt: skip

    def _check_publications(self) -> None:
        """Compare the lists with what they were."""
        stored = self._rows("SELECT * FROM publications"), self._rows("SELECT * FROM taken_back")
        if self._differs("publications", stored):
            with self.office.store.reading() as connection:
                now = {it.id: it for it in lists.ever_published(connection)}
            for number, earlier in self._publications.items():
                hold(number in now, "the list", earlier.name, "is lost")
                same = replace(now[number], taken_back=earlier.taken_back)
                hold(same == earlier, "the list", earlier.name, "has changed")
            self._publications = now
        for promised in self.promises.lists:
            hold(promised.id in self._publications, "the published list", promised.name, "is lost")
            digest = self._publications[promised.id].digest
            hold(digest == promised.digest, "the list", promised.name, "has changed")

    def _check_reports(self) -> None:
        known = dict(self._rows("SELECT id, digest FROM reports"))
        for digest, number in self.promises.reports.items():
            hold(digest in known.get(number, ""), "the acknowledged report", number, "is lost")
        hold(len(set(known.values())) == len(known), "a file is two reports")

    def _check_files(self) -> None:
        """Every file of a list is complete from its first moment on, and never changes."""
        for path in self.place.lists.iterdir():
            status = path.stat()
            if path.name.startswith(".") or self._file_times.get(path.name) == (
                status.st_ino,
                status.st_mtime_ns,
            ):
                continue
            self._file_times[path.name] = (status.st_ino, status.st_mtime_ns)
            data = path.read_bytes()
            hold(self._files.setdefault(path.name, data) == data, path.name, "has changed")

    # ------------------------------------------------------------------------------------------------------- mails

    def _check_mails(self) -> None:
        """Compare the queue with the acts: each owes its mails from the moment at which it is stored."""
        rows = self._mail_jobs()
        grown = self._differs("acts of mails", len(self._digests))
        if not self._differs("mails", rows) and not grown:
            return
        queued = {key: (state, load(text)) for key, state, text in rows if key not in self._mails_before}
        for key in self._open_mails - queued.keys():
            hold(False, "the mail", key, self._mails[key], "has left the queue before it was sent")
        self._mails |= {key: (payload["mail"], payload["to"]) for key, (_, payload) in queued.items()}
        self._open_mails = {key for key, (state, _) in queued.items() if state != JobState.DONE}
        for key, (state, payload) in queued.items():
            hold(state != JobState.DONE or "sent" in payload, "the mail", key, "is done and not sent")
        if grown:
            with self.office.store.reading() as connection:
                self._add_owed_mails(connection)
        present = Counter(self._mails.values())
        hold(
            present == self._owed,
            "mails lost:", self._owed - present, "mails too many:", present - self._owed,
        )  # fmt: skip

    def _add_owed_mails(self, connection: Connection) -> None:
        """Add the mails that the acts since the last call owe."""
        for act in ledger.acts(connection, self._owed_until + 1):
            self._owed_until = act.seq
            report = act.facts.get("report")
            if act.verb == "submit":
                self._senders[report] = act.author
            sender = self._senders.get(report, "")
            if act.seq >= self._first_act and act.verb in MAILED and sender in ADDRESSES:
                self._owed[MAILED[act.verb], ADDRESSES[sender]] += 1
        for publication in self._publications.values():
            if publication.id in self._owed_lists or publication.kind != PUBLISHED:
                continue
            self._owed_lists.add(publication.id)
            self._owed.update(("list-published", address) for address in ADDRESSES.values())
            rated = lists.rated_in(connection, publication.id) if publication.revision == 1 else ()
            senders = [self._senders[it] for it in rated if self._senders[it] in ADDRESSES]
            self._owed.update(("report-rated", ADDRESSES[sender]) for sender in senders)

    # -------------------------------------------------------------------------------------------------------- live

    def _check_live(self, *, at_end: bool = False) -> None:
        """Compare each live list that has come to the last act with the draft; at the end all have."""
        current = self._rows(f"SELECT * FROM live_lists WHERE act = {len(self._digests)}")  # noqa: S608
        if at_end or (self._differs("live", (current, self.office.now().date())) and current):
            with self.office.store.reading() as connection:
                self._compare_live(connection, at_end=at_end)

    def _compare_live(self, connection: Connection, *, at_end: bool) -> None:
        last, day = ledger.next_seq(connection) - 1, today(self.office, connection)
        for on_list in (STANDARD, RAPID):
            official = newest(lists.all_publications(connection, on_list))
            next_day = next_list_day(connection, on_list, official, day)
            for layer in (ACCEPTED, RECEIVED):
                state = live_rows.read_state(connection, on_list, layer)
                if state is None or state.act != last or state.day != next_day:
                    hold(not at_end, "the live list", on_list, layer, "is behind:", state)
                    continue
                if self._compared.get((on_list, layer)) == state:
                    continue
                self._compared[on_list, layer] = state
                live = live_lines(connection, on_list, layer)
                expected = _draft_lines(connection, on_list, layer, next_day, day)
                hold(
                    live is not None and live.equals(expected), on_list, layer, "live:", live, "not", expected
                )
                self.compared_live += 1

    # --------------------------------------------------------------------------------------------------- at the end

    def unsettled(self) -> list[Job]:
        """Return the jobs that somebody waits for."""
        with self.office.store.reading() as connection:
            waiting = jobs.all_jobs(connection, states=[*UNSETTLED, JobState.FAILED], most=100_000)
        return [job for job in waiting if job.kind not in NIGHTLY]

    def check_end(self) -> None:
        """Raise if something is not done although nothing fails any more."""
        self._version = -1
        self._compared.clear()
        self.check()
        self._verify()
        self._check_live(at_end=True)
        with self.office.store.reading() as connection:
            page = changes_after(connection, self._first_cursor, most=100_000, everything=True)
        taken = {mail.key for mail in self.network.mails}
        hold(taken >= self._mails.keys(), "mails never sent:", self._mails.keys() - taken)
        hold(taken <= self._mails.keys() | self._mails_before, "mails that nobody owes")
        cursors = {change.id for change in page.changes}
        delivered = {request.key for request in self.network.requests}
        hold(delivered == cursors, "not delivered:", cursors - delivered, "invented:", delivered - cursors)
        self._check_written_again()

    def _check_written_again(self) -> None:
        """Write the files of each list again: they are the same, and those of acknowledged lists are complete."""
        promised = {publication.name for publication in self.promises.lists}
        for publication in self._publications.values():
            written = {name for name in self._files if name.startswith(f"{publication.name}.")}
            if not written:
                hold(publication.name not in promised, "no files of", publication.name)
                continue
            with TemporaryDirectory() as folder:
                files = {
                    path.name: path.read_bytes() for path in emit(self.office, publication, Path(folder), FEW)
                }
            for name in written:
                hold(files.get(name) == self._files[name], name, "is written otherwise now")
            missing = files.keys() - written if publication.name in promised else ()
            hold(not missing, "files missing:", missing)


def _draft_lines(connection: Connection, on_list: ListName, layer: str, day: date, now: date) -> pl.DataFrame:
    """Compute a layer of everybody: the accepted one is the draft."""
    if layer == ACCEPTED:
        return listed_lines(compute_draft(connection, on_list, day, now).result.table)
    everybody = ChangesSince(everybody=True)
    sources, _ = live_sources(
        connection, on_list, now, received=True, before={}, basis=None, changes=everybody
    )
    return listed_lines(compute_list(whole_inputs(connection, sources)).table)
