"""Verify the database: the ledger's chain, the bytes of reports, every list's rows, and each list computed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from hashlib import sha256
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
from arpad.lists.table import is_canonical, lines_bytes, rows_of, standings_bytes, table_of
from arpad.model.disciplines import discipline_of
from arpad.model.errors import ArpadError
from arpad.model.json_values import load
from arpad.office.erasures import Erasures, load_erasures
from arpad.office.office import Office
from arpad.office.publish import inputs_of
from arpad.publishing.bundle import Alteration, Verification, first_difference
from arpad.store import damaged_rows, ledger, lists, tables
from arpad.store.list_blocks import BLOCK, UNREADABLE, SealedBlock, altered_players, read_table, sealed_blocks
from arpad.store.list_text import canonical_text
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.register import unknown_players
from arpad.store.reports import digest_of
from arpad.store.schema import KEPT
from arpad.store.triggers import append_only_tables
from arpad.system.batches import gc_paused

_UNREADABLE = (
    ArpadError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""The exceptions for rows with the right form and impossible values."""

_MOST = 20
"""Players of a list that are named; more would not help."""


FactsByAct = Mapping[int, Mapping[str, Any]]


def verify(office: Office, *, recompute: bool = True) -> Verification:
    """Return whether ledger, reports and lists are as they were written, and what was altered.

    ``recompute`` also computes every list again from its reports.
    """
    with gc_paused(), office.store.reading() as connection:
        damaged = [_damaged(cell) for cell in damaged_rows.damaged_cells(connection)]
        if damaged:  # nothing that depends on these rows can be verified
            return Verification("office", tuple(damaged), _counts(connection))
        erased = load_erasures(connection)
        wrong, _ = ledger.first_altered(connection, erased.ledger)
        altered = [Alteration("ledger-row", {"seq": wrong})] if wrong else []
        broken = list(_broken(connection, ledger_whole=not wrong))
        if broken:
            return Verification("office", (*altered, *broken), _counts(connection))
        facts_by_act = {act.seq: act.facts for act in ledger.acts(connection)} if not wrong else {}
        protected = append_only_tables(connection)
        altered += [
            Alteration("triggers-missing", {"table": table}) for table in KEPT if table not in protected
        ]
        altered += _reports(connection, facts_by_act, erased)
        altered += _editions(connection, facts_by_act)
        publications = lists.ever_published(connection)
        for publication in publications:
            alterations = list(_list(connection, publication, facts_by_act, erased))
            codes = {alteration.code for alteration in alterations}
            stands = publication.taken_back is None
            if recompute and stands and publication.kind == PUBLISHED:
                if not alterations:
                    alterations = list(_recomputed(connection, publication, erased))
                elif codes <= {"list-digest", "standings-digest"}:  # altered and sealed again
                    alterations += _rows_that_differ(connection, publication)
            altered += alterations
        altered += _taken_back(publications, facts_by_act) if facts_by_act else ()
        altered += _chain(publications)
        counts = _counts(connection)
    erasures = tuple(Alteration("player", _erasure(act)) for act in erased.acts)
    return Verification("office", tuple(altered), counts, erased=erasures)


def _erasure(act: ledger.Act) -> dict[str, Any]:
    """Return which player was erased, with the day and the author."""
    return {"player": act.facts["player"], "day": date.fromisoformat(act.at[:10]), "by": act.facts["by"]}


def _damaged(cell: damaged_rows.Damaged) -> Alteration:
    return Alteration("row-damaged", {"table": cell.table, "row": cell.row, "column": cell.column})


def _broken(connection: Connection, *, ledger_whole: bool) -> Iterator[Alteration]:
    """Yield the rows that refer to missing rows, or to each other in a circle."""
    for row in damaged_rows.missing_rows(connection, ledger=ledger_whole):
        yield Alteration("row-missing", {"table": row.table, "row": row.row, "by": row.by})
    yield from map(_damaged, damaged_rows.backward_rows(connection))
    for player in damaged_rows.merged_in_a_circle(connection):
        yield Alteration("merge-circle", {"player": player})


def _counts(connection: Connection) -> dict[str, int]:
    """Return the number of acts, reports and lists."""
    counted = {"acts": "ledger", "reports": "reports", "lists": "publications"}
    return {name: tables.count(connection, table) for name, table in counted.items()}


def _reports(connection: Connection, facts_by_act: FactsByAct, erased: Erasures) -> Iterator[Alteration]:
    for row in tables.rows(connection, "reports", ("id", "digest", "data", "act")):
        digest = digest_of(row["digest"])
        recorded = facts_by_act.get(row["act"], {}).get("sha256", digest)
        data = row["data"].encode() if isinstance(row["data"], str) else bytes(row["data"])
        if sha256(data).hexdigest() != erased.reports.get(row["id"], digest) or recorded != digest:
            yield Alteration("report-bytes", {"report": row["id"]})


def _editions(connection: Connection, facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Compare each own edition with what the ledger says was adopted."""
    for row in tables.rows(connection, "editions"):
        digest = sha256(row["text"].encode()).hexdigest()
        stored = {"edition": row["edition"], "since": row["since"], "sha256": digest}
        facts = facts_by_act.get(row["act"], {**stored, "lists": [row["list"]]})
        if row["list"] not in facts.get("lists", ()) or stored != {name: facts.get(name) for name in stored}:
            yield Alteration("edition-text", {"edition": row["edition"]})


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
    for player in unknown_players(connection, table["player"]):
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


def _taken_back(publications: tuple[Publication, ...], facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Yield the publications that the ledger says were taken back and their rows do not, or the other way round."""
    by_ledger = {
        entry.get("publication"): act
        for act, facts in facts_by_act.items()
        for entry in facts.get("publications", ())
    }
    for publication in publications:
        if by_ledger.get(publication.id) != publication.taken_back:
            yield Alteration("taken-back", {"list": publication.name})


def _recomputed(connection: Connection, publication: Publication, erased: Erasures) -> Iterator[Alteration]:
    """Compute a list again from what was known then, and compare."""
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
    try:
        computed = compute_list(inputs_of(connection, publication)).rows
    except _UNREADABLE:
        return
    stored = rows_of(read_table(connection, publication.id))
    players = {row.player for row in {*computed} ^ {*stored}}
    for player in sorted(players)[:_MOST]:
        yield Alteration("list-row", {"list": publication.name, "player": player})


def _chain(publications: tuple[Publication, ...]) -> Iterator[Alteration]:
    """Yield the lists whose previous digest is that of no list."""
    digests = {publication.digest for publication in publications}
    for publication in publications:
        previous = load(publication.making).get("previous", "")
        if previous and previous not in digests:
            yield Alteration("list-chain", {"list": publication.name})
