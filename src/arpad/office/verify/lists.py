"""Verify lists: blocks and digests as they were sealed, and each list computed again; many lists in processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

import polars as pl
from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.input_files import digest_inputs
from arpad.lists.sealed_blocks import BLOCK, UNREADABLE, SealedBlock, altered_players
from arpad.lists.table import is_canonical, lines_bytes, rows_of, table_of
from arpad.model.canonical_json import load
from arpad.model.errors import ArpadError
from arpad.model.rules import Alteration, derived_row
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists.block_rows import kept_table, read_states, read_table, sealed_blocks
from arpad.office.lists.history_rows import canonical_text, differing_of_list
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.office import Office
from arpad.office.proof.erasures import Erasures
from arpad.office.register.table_rows import unknown_players
from arpad.publishing.verification import first_difference
from arpad.regulations.systems import system_of
from arpad.store import bulk, ledger
from arpad.store.bulk import keep_values
from arpad.store.database import open_store
from arpad.store.written_once import listed
from arpad.system.batches import gc_paused
from arpad.system.workers import open_workers

_UNREADABLE = (
    ArpadError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""The exceptions for rows with the right form and impossible values."""

_MOST = 20
"""Players of a list that are named; more would not help."""

FEW_LISTS = 100
"""Up to this number of lists, no other processes are started."""

LISTS_PER_PART = (4, 20)
"""The fewest and the most lists that a process verifies one after the other."""

Progress: TypeAlias = Callable[[int, int], None]
"""Takes the number of lists that are verified, and of all."""

FactsByAct = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ListChecks:
    """What lists are compared with, and whether each is computed again."""

    facts_by_act: FactsByAct
    erased: Erasures
    recompute: bool
    ledger_head: str
    """The seal of the last act that these facts include."""


@contextmanager
def altered_lists(
    office: Office,
    connection: Connection,
    publications: Sequence[Publication],
    checks: ListChecks,
    progress: Progress | None = None,
) -> Iterator[Iterator[Alteration]]:
    """Return an iterator of what was altered in the lists, in their order.

    Many lists are verified in one process for each core, which begin while the caller verifies something else.
    """
    processes = 1 if len(publications) <= FEW_LISTS else os.cpu_count() or 1
    if processes == 1:
        yield _altered_in_all(connection, publications, checks, progress)
        return
    url = office.store.engine.url.render_as_string(hide_password=False)
    tasks = [(url, part) for part in _parts(publications, processes)]
    with open_workers(processes) as workers, workers.broadcast(checks) as shared:
        yield _gathered(connection, tasks, workers.map(_verify_in_worker, shared, tasks), checks, progress)


def _parts(publications: Sequence[Publication], processes: int) -> Iterator[Sequence[Publication]]:
    """Yield consecutive lists; fewer towards the end, so that all processes end at the same time.

    A part reads the register and the base of its first list by itself, so parts are not short from the beginning.
    """
    start = 0
    while start < len(publications):
        share = (len(publications) - start) // (2 * processes)
        end = start + min(max(share, LISTS_PER_PART[0]), LISTS_PER_PART[1])
        yield publications[start:end]
        start = end


def _lists_kept(publications: Iterable[Publication]) -> int:
    """Return how many lists are kept in memory: the newest of each name, which the next one starts from, and two.

    One is the list that is verified; the other the base of the first one, which is read after it.
    """
    return len({publication.list for publication in publications}) + 2


def _gathered(
    connection: Connection,
    tasks: Sequence[_Task],
    results: Iterator[list[Alteration] | None],
    checks: ListChecks,
    progress: Progress | None,
) -> Iterator[Alteration]:
    """Yield the alterations that the processes return; verify here what they left to the caller."""
    done, lists = 0, sum(len(part) for _, part in tasks)
    for (_, part), altered in zip(tasks, results, strict=True):
        yield from _altered_in_all(connection, part, checks) if altered is None else altered
        done += len(part)
        if progress is not None:
            progress(done, lists)


_Task: TypeAlias = tuple[str, Sequence[Publication]]
"""The address of the database, and lists."""


def _verify_in_worker(checks: ListChecks, task: _Task) -> list[Alteration] | None:
    """Return what was altered in some lists; None if the office has acted since ``checks`` were loaded."""
    url, publications = task
    store = open_store(url)
    try:
        with gc_paused(), store.reading() as connection:
            if bulk.head(connection) != checks.ledger_head:
                return None
            return list(_altered_in_all(connection, publications, checks))
    finally:
        store.engine.dispose()


def _altered_in_all(
    connection: Connection,
    publications: Sequence[Publication],
    checks: ListChecks,
    progress: Progress | None = None,
) -> Iterator[Alteration]:
    with keep_values(connection, _lists_kept(publications)):
        for done, publication in enumerate(publications, start=1):
            yield from _altered_in(connection, publication, checks)
            if progress is not None:
                progress(done, len(publications))


def _altered_in(connection: Connection, publication: Publication, checks: ListChecks) -> Iterator[Alteration]:
    alterations = list(_list(connection, publication, checks.facts_by_act, checks.erased))
    codes = {alteration.code for alteration in alterations}
    stands = publication.taken_back is None
    if checks.recompute and stands and publication.kind == PUBLISHED:
        if not alterations:
            alterations = list(_recomputed(connection, publication, checks.erased))
        elif codes <= {"list-digest", "standings-digest"}:  # altered and sealed again
            alterations += _rows_that_differ(connection, publication)
    if checks.recompute and not alterations:
        table = read_table(connection, publication.id)
        rows = differing_of_list(connection, publication, table)
        alterations = [derived_row(*row) for row in rows]
    yield from alterations


def _list(
    connection: Connection,
    publication: Publication,
    facts_by_act: FactsByAct,
    erased: Erasures,
) -> Iterator[Alteration]:
    """Compare the blocks of a list with their seals, all rows with the digests, and the digests with the ledger."""
    about = {"list": publication.name}
    system = system_of(publication.list)
    tables, complete = [table_of((), system)], True
    for block in sealed_blocks(connection, publication.id):
        opened, altered = _open_block(block, publication)
        yield from altered
        tables += [] if opened is None else [opened]
        complete = complete and opened is not None
    table = pl.concat(tables)
    for player in table.filter(~is_canonical(system))["player"].to_list():
        yield Alteration("list-row", {**about, "player": player})
    if not complete:  # the digests cannot be right
        return
    kept_table(connection, publication.id, lambda: table)
    now = partial(erased.of_list, publication.id)
    text = lines_bytes(table, publication.head)
    if publication.head and sha256(text).hexdigest() != now("digest", publication.digest):
        yield Alteration("list-digest", about)
    if read_states(connection, publication.id).digest != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)
    facts = facts_by_act.get(publication.act, {})
    entries = [facts, *(entry for entry in listed(facts, "revisions") if isinstance(entry, dict))]
    for entry in (entry for entry in entries if entry.get("publication") == publication.id):
        if entry.get("digest", publication.digest) != publication.digest:
            yield Alteration("list-ledger", about)
    # taking an imported list back also removes the players who were new with it
    for player in unknown_players(connection, table["player"]) if publication.taken_back is None else ():
        yield Alteration("row-missing", {"table": "players", "row": str(player), "by": "list_blocks"})


def _open_block(block: SealedBlock, publication: Publication) -> tuple[pl.DataFrame | None, list[Alteration]]:
    """Return the table of a block, if it can be read, and the players whose rows are not as they were sealed."""
    about = {"list": publication.name}
    whole = Alteration(
        "list-block", {**about, "first": block.block * BLOCK, "last": (block.block + 1) * BLOCK - 1}
    )
    if not block.is_intact():
        players = altered_players(block)
        return None, [Alteration("list-row", {**about, "player": player}) for player in players] or [whole]
    try:
        return block.checked_table(), []
    except UNREADABLE:
        return None, [whole]


def _recomputed(connection: Connection, publication: Publication, erased: Erasures) -> Iterator[Alteration]:
    """Compute a list again from what was known then, and compare."""
    about = {"list": publication.name}
    now = partial(erased.of_list, publication.id)
    try:
        inputs = inputs_of(connection, publication)
        right = digest_inputs(inputs) == now("inputs", publication.inputs_digest)
        computed = compute_list(inputs) if right else None
    except _UNREADABLE:
        computed = None
    if computed is None:
        yield Alteration("list-inputs", about)
        return
    if computed.head == publication.head and computed.table.equals(read_table(connection, publication.id)):
        return  # the digests of the stored rows are right, so those of the same rows are
    if computed.digest != now("digest", publication.digest):
        difference = first_difference(computed.text, canonical_text(connection, publication))
        yield Alteration(difference.code, {**about, **difference.facts})
    elif computed.standings_digest != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)


def _rows_that_differ(connection: Connection, publication: Publication) -> Iterator[Alteration]:
    """Compute a list again from what was known then, and name the players whose stored rows differ."""
    try:
        computed = compute_list(inputs_of(connection, publication)).rows
    except _UNREADABLE:
        return
    stored = rows_of(read_table(connection, publication.id))
    players = {row.player for row in {*computed} ^ {*stored}}
    for player in sorted(players)[:_MOST]:
        yield Alteration("list-row", {"list": publication.name, "player": player})


def altered_acts(
    connection: Connection, publications: tuple[Publication, ...], facts_by_act: FactsByAct, since: int
) -> Iterator[Alteration]:
    """Yield where the acts say something else than the lists, and acts that hide that they were entered later."""
    yield from _taken_back(publications, facts_by_act)
    yield from _published(
        publications, (act for verb in _PUBLISHING for act in ledger.acts_of(connection, verb))
    )
    yield from _times(connection, facts_by_act, since)
    yield from _chain(publications)


def _taken_back(publications: tuple[Publication, ...], facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Yield the publications that the ledger says were taken back and their rows do not, or the other way round."""
    by_ledger = {
        entry["publication"]: act
        for act, facts in facts_by_act.items()
        for entry in listed(facts, "publications")
        if isinstance(entry, dict) and isinstance(entry.get("publication"), int)
    }
    for publication in publications:
        if by_ledger.get(publication.id) != publication.taken_back:
            yield Alteration("taken-back", {"list": publication.name})


_PUBLISHING: Mapping[str, frozenset[str]] = {
    "publish": frozenset({PUBLISHED}), "revise": frozenset({PUBLISHED, BASE}), "import-list": frozenset({IMPORTED}),
}  # fmt: skip
"""The verbs of acts that add lists, and the kinds of the lists."""

_SAID = ("list", "day", "revision", "digest")
"""The values that the act and the row of a list must have in common."""


def _published(publications: tuple[Publication, ...], acts: Iterable[ledger.Act]) -> Iterator[Alteration]:
    """Yield the acts that say they added a list which is not there as they say, and the lists of no act."""
    by_id = {publication.id: publication for publication in publications}
    said: set[int] = set()
    for act in acts:
        for entry in _entries(act.facts):
            number = entry.get("publication")
            publication = by_id.get(number) if isinstance(number, int) else None
            if publication is None or not _is_as_said(publication, act, entry) or publication.id in said:
                yield Alteration("act-publication", {"seq": act.seq})
                continue
            said.add(publication.id)
    for number in sorted(by_id.keys() - said):
        yield Alteration("list-act", {"list": by_id[number].name, "act": by_id[number].act})


def _entries(facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what an act says about each list that it added."""
    revisions = facts.get("revisions")
    for entry in revisions if isinstance(revisions, list) else [{}]:
        yield {**facts, **entry} if isinstance(entry, dict) else {}


def _is_as_said(publication: Publication, act: ledger.Act, entry: Mapping[str, Any]) -> bool:
    row = {name: str(getattr(publication, name)) for name in _SAID}
    digests = {"standings": publication.standings_digest, "inputs": publication.inputs_digest}
    return (
        publication.act == act.seq
        and publication.kind in _PUBLISHING[act.verb]
        and row == {name: str(entry.get(name)) for name in _SAID}
        and all(entry.get(name, digest) == digest for name, digest in digests.items())
    )


def entered_later(connection: Connection) -> tuple[Alteration, ...]:
    """Return the acts that were entered later than their time says."""
    before = ledger.times_before(connection)
    return tuple(
        Alteration("entered-later", {"seq": seq, "at": at, "after": after})
        for seq, (at, after) in before.items()
    )


def _times(connection: Connection, facts_by_act: FactsByAct, since: int) -> Iterator[Alteration]:
    """Yield the acts that do not say that they were entered later, or say it wrongly."""
    before = {seq: latest for seq, (_, latest) in ledger.times_before(connection).items()}
    mark = ledger.ENTERED_AFTER
    marked = {seq: facts[mark] for seq, facts in facts_by_act.items() if mark in facts}
    for seq in sorted({*before, *marked}):
        if seq > since and before.get(seq) != marked.get(seq):
            yield Alteration("act-time", {"seq": seq})


def _chain(publications: tuple[Publication, ...]) -> Iterator[Alteration]:
    """Yield the lists whose previous digest is that of no list."""
    digests = {publication.digest for publication in publications}
    for publication in publications:
        previous = load(publication.making).get("previous", "")
        if previous and previous not in digests:
            yield Alteration("list-chain", {"list": publication.name})
