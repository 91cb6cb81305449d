"""Verify acts of erasure: they erased a player, and changed nothing but the texts of that player.

The originals are gone, so each change is compared with what other acts sealed: the values of a row that last, the
hashes of the lines of a list, the seal of an act.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.sealed_blocks import UNREADABLE
from arpad.lists.table import LINE, lines_bytes
from arpad.model.canonical_json import load
from arpad.model.errors import ArpadError
from arpad.office.lists.block_rows import read_table
from arpad.office.proof.erased_texts import ERASED, erased_name
from arpad.office.proof.erasures import Erasures
from arpad.office.proof.publication_proofs import kept_lines, with_kept_lines
from arpad.office.verify.lists import FactsByAct
from arpad.office.verify.rows import ErasedRow, counted_rows, erased_rows, row_of, unerased_players
from arpad.proofs.lines import HASH, line_hashes, lines_seal
from arpad.publishing.verification import Alteration
from arpad.reports.duplicates import results_digest
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.declared_tables import rows_of
from arpad.store.lasting_values import act_digest
from arpad.store.proved_rows import Records, shown_key
from arpad.store.written_once import listed
from arpad.store.written_rows import DIGEST_BYTES, with_removed

_WRONG = (ArpadError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, *UNREADABLE)
"""The exceptions for rows with the right form and impossible values."""


def altered_by_erasures(
    connection: Connection, erased: Erasures, records: Records, facts_by_act: FactsByAct
) -> Iterator[Alteration]:
    """Yield what acts of erasure changed, and an erasure does not change."""
    yield from (Alteration("erasure-unreadable", {"seq": seq}) for seq in erased.unreadable)
    if not erased.acts:
        return
    for act in erased.acts:
        for player in unerased_players(connection, act.facts["numbers"], act.seq, erased_name):
            yield Alteration("erasure-player", {"seq": act.seq, "player": player})
    yield from _acts(connection, erased, records)
    numbers = {act.seq: frozenset(act.facts["numbers"]) for act in erased.acts}
    for row in erased_rows(records):
        if not _is_right(connection, row, erased, numbers, facts_by_act):
            yield Alteration(
                "erasure-row", {"table": row.table, "row": shown_key(row.line[len(row.table) :])}
            )
    everybody = frozenset().union(*numbers.values())
    for table, player, added_by in counted_rows(connection, records, everybody):
        yield Alteration("row-deleted", {"table": table, "row": f"player {player}", "act": added_by})
    yield from _lists(connection, erased, facts_by_act, everybody)


def _acts(connection: Connection, erased: Erasures, records: Records) -> Iterator[Alteration]:
    """Yield the acts of which more was erased than texts."""
    sealed = records.of_acts(erased.ledger)
    for seq, act in ledger.some_acts(connection, erased.ledger).items():
        texts = {"details": act.details, "reason": act.reason}
        changed = [texts[name] for name in erased.ledger[seq] if name in texts]
        marked = all(ERASED in text or '"players":{' in text for text in changed)
        if not marked or sealed.get(seq) != act_digest(act.details)[:DIGEST_BYTES]:
            yield Alteration("erasure-act", {"seq": seq})


def _is_right(
    connection: Connection,
    row: ErasedRow,
    erased: Erasures,
    numbers: Mapping[int, frozenset[int]],
    facts_by_act: FactsByAct,
) -> bool:
    """Return whether a row from which something was erased is that of an erased player, and the rest is as it was."""
    own = frozenset().union(*(numbers.get(act, frozenset()) for act in row.erased_by))
    values = row_of(connection, row)
    try:
        if values is None:
            everybody = frozenset().union(*numbers.values())
            by = facts_by_act.get(row.act, {}).get("player")
            return row.was_change_of({*everybody, *([None] if by in everybody else [])})
        if line_hashes_of := rows_of(row.table).line_hashes:
            removed = erased.reference_rows.get((values["reference"], values["block"]), [])
            hashes = line_hashes_of(values["data"])
            now = [hashes[at : at + HASH] for at in range(0, len(hashes), HASH)]
            few = all(len(of_erasure) <= len(own) for of_erasure in removed)
            return few and row.lasts(values, sha256(b"".join(with_removed(now, removed))).hexdigest())
        return row.lasts(values) and _is_erased(row.table, values, own)
    except _WRONG:
        return False


def _is_erased(table: str, row: Mapping[str, Any], numbers: frozenset[int]) -> bool:
    """Return whether a row is about one of some players, and does not name them any more."""
    names = {erased_name(number) for number in numbers}
    match table:
        case "players":
            return row["id"] in numbers and row["name"] in names
        case "player_facts":
            return row["player"] in numbers and (row["field"] != "name" or row["value"] in names)
        case "entrant_decisions":
            return row["name"] in names
        case "reports":
            report = read_filed(bytes(row["data"]), row["file"])
            return results_digest(report) == row["results"] and any(
                it.name in names for it in report.entrants
            )
        case "decisions":
            return ERASED in row["value"] or "players" in load(row["value"])
        case "list_blocks":
            table_of_block = pl.read_ipc_stream(bytes(row["data"]), columns=["player", "listed", "name"])
            own = table_of_block.filter(pl.col("player").is_in(list(numbers)))
            return own.height > 0 and {*own.filter("listed")["name"]} <= names
    return False


def _lists(
    connection: Connection, erased: Erasures, facts_by_act: FactsByAct, numbers: frozenset[int]
) -> Iterator[Alteration]:
    """Yield the lists in which other lines are changed than those of erased players."""
    sealed = {
        str(entry.get("publication")): entry["lines"]
        for facts in facts_by_act.values()
        if "publication" in facts or "revisions" in facts
        for entry in (facts, *listed(facts, "revisions"))
        if isinstance(entry, Mapping) and entry.get("lines")
    }
    for publication, digests in erased.lists.items():
        kept = kept_lines(digests)
        if not kept or str(publication) not in sealed:
            continue
        try:
            table = read_table(connection, publication, ("player", "rating", *LINE)).filter("listed")
            own = {table["player"][place] for place in kept} <= numbers
            right = (
                own
                and lines_seal(with_kept_lines(line_hashes(lines_bytes(table)), kept))
                == sealed[str(publication)]
            )
        except _WRONG:
            right = False
        if not right:
            yield Alteration("erasure-row", {"table": "publications", "row": str(publication)})
