"""Verify lists: blocks and digests as they were sealed, and each list computed again; many lists in processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

import polars as pl
from sqlalchemy import Connection

from arpad.lists.sealed_blocks import BLOCK, UNREADABLE, SealedBlock, altered_players
from arpad.lists.table import is_canonical, lines_bytes, rows_of, standings_bytes, table_of
from arpad.model.disciplines import discipline_of
from arpad.model.errors import ArpadError
from arpad.office.erasures import Erasures
from arpad.office.office import Office
from arpad.publishing.verification import Alteration, first_difference
from arpad.store import between_acts
from arpad.store.database import open_store
from arpad.store.list_blocks import read_table, sealed_blocks
from arpad.store.list_text import canonical_text
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.register_table import unknown_players
from arpad.system.batches import batches, gc_paused
from arpad.system.workers import open_workers

_UNREADABLE = (
    ArpadError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""The exceptions for rows with the right form and impossible values."""

_MOST = 20
"""Players of a list that are named; more would not help."""

FEW_LISTS = 100
"""Up to this number of lists, no other processes are started."""

LISTS_PER_TASK = 6
"""Lists that a process verifies one after the other."""

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


def altered_lists(
    office: Office,
    connection: Connection,
    publications: Sequence[Publication],
    checks: ListChecks,
    progress: Progress | None = None,
) -> Iterator[Alteration]:
    """Yield what was altered in the lists, in their order; many lists are verified in one process for each core."""
    processes = 1 if len(publications) <= FEW_LISTS else os.cpu_count() or 1
    done = 0
    if processes == 1:
        for publication in publications:
            yield from _altered_in(connection, [publication], checks)
            done = _report_progress(progress, done + 1, publications)
        return
    url = office.store.engine.url.render_as_string(hide_password=False)
    tasks = [(url, batch) for batch in batches(publications, LISTS_PER_TASK)]
    with open_workers(processes) as workers, workers.broadcast(checks) as shared:
        for (_, batch), altered in zip(tasks, workers.map(_verify_in_worker, shared, tasks), strict=True):
            yield from _altered_in(connection, batch, checks) if altered is None else altered
            done = _report_progress(progress, done + len(batch), publications)


def _report_progress(progress: Progress | None, done: int, publications: Sequence[Publication]) -> int:
    if progress is not None:
        progress(done, len(publications))
    return done


def _verify_in_worker(checks: ListChecks, task: tuple[str, list[Publication]]) -> list[Alteration] | None:
    """Return what was altered in some lists; None if the office has acted since ``checks`` were loaded."""
    url, publications = task
    store = open_store(url)
    try:
        with gc_paused(), store.reading() as connection:
            if between_acts.head(connection) != checks.ledger_head:
                return None
            return list(_altered_in(connection, publications, checks))
    finally:
        store.engine.dispose()


def _altered_in(
    connection: Connection, publications: Iterable[Publication], checks: ListChecks
) -> Iterator[Alteration]:
    for publication in publications:
        alterations = list(_list(connection, publication, checks.facts_by_act, checks.erased))
        codes = {alteration.code for alteration in alterations}
        stands = publication.taken_back is None
        if checks.recompute and stands and publication.kind == PUBLISHED:
            if not alterations:
                alterations = list(_recomputed(connection, publication, checks.erased))
            elif codes <= {"list-digest", "standings-digest"}:  # altered and sealed again
                alterations += _rows_that_differ(connection, publication)
        if checks.recompute and not alterations:
            from arpad.store.derived_rows import differing_of_list

            table = read_table(connection, publication.id)
            rows = differing_of_list(connection, publication, table)
            alterations = [Alteration("row-derived", {"table": name, "row": row}) for name, row in rows]
        yield from alterations


def _list(
    connection: Connection,
    publication: Publication,
    facts_by_act: FactsByAct,
    erased: Erasures,
) -> Iterator[Alteration]:
    """Compare the blocks of a list with their seals, all rows with the digests, and the digests with the ledger."""
    about = {"list": publication.name}
    tables, complete = [table_of((), discipline_of(publication.list))], True
    for block in sealed_blocks(connection, publication.id):
        table, altered = _open_block(block, publication)
        yield from altered
        tables += [] if table is None else [table]
        complete = complete and table is not None
    if not complete:  # the digests cannot be right
        return
    table = pl.concat(tables)
    now = partial(erased.of_list, publication.id)
    text = publication.head.encode() + lines_bytes(table)
    if publication.head and sha256(text).hexdigest() != now("digest", publication.digest):
        yield Alteration("list-digest", about)
    if sha256(standings_bytes(table)).hexdigest() != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)
    facts = facts_by_act.get(publication.act, {})
    entries = [facts, *facts.get("revisions", [])]
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
        table = block.checked_table()
        players = table.filter(~is_canonical(discipline_of(publication.list)))["player"].to_list()
    except UNREADABLE:
        return None, [whole]
    return table, [Alteration("list-row", {**about, "player": player}) for player in players]


def _recomputed(connection: Connection, publication: Publication, erased: Erasures) -> Iterator[Alteration]:
    """Compute a list again from what was known then, and compare."""
    from arpad.lists.compute import compute_list  # --quick computes nothing
    from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
    from arpad.office.load_inputs import inputs_of

    about = {"list": publication.name}
    now = partial(erased.of_list, publication.id)
    try:
        inputs = inputs_of(connection, publication)
        if inputs_digest(file_digests(write_inputs(inputs))) != now("inputs", publication.inputs_digest):
            yield Alteration("list-inputs", about)
            return
        computed = compute_list(inputs)
    except _UNREADABLE:
        yield Alteration("list-inputs", about)
        return
    if computed.digest != now("digest", publication.digest):
        difference = first_difference(computed.text, canonical_text(connection, publication))
        yield Alteration(difference.code, {**about, **difference.facts})
    elif computed.standings_digest != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)


def _rows_that_differ(connection: Connection, publication: Publication) -> Iterator[Alteration]:
    """Compute a list again from what was known then, and name the players whose stored rows differ."""
    from arpad.lists.compute import compute_list
    from arpad.office.load_inputs import inputs_of

    try:
        computed = compute_list(inputs_of(connection, publication)).rows
    except _UNREADABLE:
        return
    stored = rows_of(read_table(connection, publication.id))
    players = {row.player for row in {*computed} ^ {*stored}}
    for player in sorted(players)[:_MOST]:
        yield Alteration("list-row", {"list": publication.name, "player": player})
