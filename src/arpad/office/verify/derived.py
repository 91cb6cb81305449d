"""Verify what follows from other rows, and acts of erasure.

The index of names, stored drafts and live lists are computed again. An erasure must have erased a player, and changed
nothing but the texts of that player. The originals are gone, so each change is compared with what other acts sealed:
the values of a row that last, the hashes of the lines of a list, the seal of an act.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from hashlib import sha256
from typing import Any

import polars as pl
from sqlalchemy import Connection

from arpad.lists.chain_checkpoints import KeptCheckpoint, rated_checkpoints
from arpad.lists.inputs import Inputs
from arpad.lists.sealed_blocks import UNREADABLE, join_blocks, split_blocks
from arpad.lists.system_list import SystemInputs, chained_units
from arpad.lists.table import LINE, lines_bytes
from arpad.model.canonical_json import load
from arpad.model.errors import ArpadError
from arpad.model.rules import Alteration, ListName, derived_row
from arpad.model.version import VERSION
from arpad.office.drafts.acts import compute_draft, draft_sources
from arpad.office.drafts.checkpoint_rows import lists_with_checkpoints, read_checkpoints
from arpad.office.drafts.load_inputs import inputs_of, load_inputs
from arpad.office.drafts.rows import StoredDraft, stored_drafts
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.lists.tables import PUBLISHED
from arpad.office.parts import altered_derived_tables
from arpad.office.proof.checkpoints import kept_lines, with_kept_lines
from arpad.office.proof.erased_texts import ERASED, erased_name
from arpad.office.proof.erasures import Erasures
from arpad.office.register.table_rows import differing_register_parts, differing_words
from arpad.office.reports.entrant_rows import differing_games, differing_player_reports
from arpad.office.verify.lists import FactsByAct
from arpad.office.verify.rows import ErasedRow, counted_rows, erased_rows, row_of, unerased_players
from arpad.proofs.lines import HASH, line_hashes, lines_seal
from arpad.reports.duplicates import results_digest
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store.bulk import head
from arpad.store.damaged_rows import orphaned_rows
from arpad.store.declared_tables import act_digest, rows_of
from arpad.store.proved_rows import Records, shown_key
from arpad.store.settings import kept_list
from arpad.store.written_once import listed
from arpad.store.written_rows import DIGEST_BYTES, with_removed

_WRONG = (ArpadError, ArithmeticError, AttributeError, LookupError, *UNREADABLE)
"""The exceptions for rows with the right form and impossible values."""


def altered_derived(
    connection: Connection, day: date, erased: Erasures, stale: list[Alteration]
) -> Iterator[Alteration]:
    """Yield the rows that do not follow from the rest of the office on a day.

    A draft or a live list of an earlier state is added to ``stale``: it is computed again before anybody sees it.
    """
    erasures = {player: act.seq for act in erased.acts for player in act.facts["numbers"]}
    yield from _named("name_keys", differing_words(connection, erasures))
    yield from _named("player_reports", differing_player_reports(connection))
    yield from _named("report_games", differing_games(connection))
    yield from _named("column_parts", differing_register_parts(connection))
    yield from orphaned_rows(connection)
    drafts = stored_drafts(connection)
    yield from _named("chain_checkpoints", _differing_checkpoints(connection, drafts))
    for draft in drafts:
        yield from _draft(connection, draft, day, stale)
    yield from altered_derived_tables(connection, day, stale)


def _named(table: str, rows: Iterable[str]) -> Iterator[Alteration]:
    return (derived_row(table, row) for row in rows)


def _differing_checkpoints(connection: Connection, drafts: Sequence[StoredDraft]) -> Iterator[str]:
    """Yield the checkpoints that are not as they were stored, or not those of the events before them.

    A checkpoint whose events are not those of a list or of a draft belongs to an earlier state, and is not used.
    """
    for name in lists_with_checkpoints(connection):
        on_list = kept_list(connection, name)
        if on_list is None or not on_list.is_own:
            yield name
            continue
        stored = read_checkpoints(connection, on_list)
        altered, waiting = ([it for it in stored if it.is_intact() == intact] for intact in (False, True))
        for load_draft in _loaders(connection, on_list, drafts):
            if not waiting:
                break
            try:
                again = _rated_again(load_draft().system, stored)
            except _WRONG:  # the list itself is named
                continue
            altered += [it for it in waiting if it.seal != again.get(it.digest, it.seal)]
            waiting = [it for it in waiting if it.digest not in again]
        yield from (f"{name}, {it.digest}" for it in altered)


def _rated_again(inputs: SystemInputs | None, stored: Sequence[KeptCheckpoint]) -> dict[str, str]:
    """Return the seals of the stored checkpoints that are those of a list, by digest, all rated from the start."""
    digests = {*inputs.begun.digests} if inputs else set()
    events = {it.events for it in stored if it.digest in digests}
    if inputs is None or not events:
        return {}
    again = rated_checkpoints(inputs.begun, chained_units(inputs), inputs.known, events)
    return {it.digest: it.seal for it in again}


def _loaders(
    connection: Connection, on_list: ListName, drafts: Sequence[StoredDraft]
) -> Iterator[Callable[[], Inputs]]:
    """Yield a function for each draft and publication of a list that loads its inputs, the newest first."""
    publications = all_publications(connection, on_list)
    for day in sorted({it.day for it in drafts if str(it.list) == str(on_list)}, reverse=True):
        yield partial(_inputs_of_draft, connection, on_list, day, publications)
    for publication in sorted(publications, key=lambda it: it.id, reverse=True):
        if publication.kind == PUBLISHED:
            yield partial(inputs_of, connection, publication)


def _inputs_of_draft(
    connection: Connection, on_list: ListName, day: date, publications: Sequence[Publication]
) -> Inputs:
    sources = draft_sources(connection, on_list, day, publications)
    return load_inputs(connection, on_list, day, sources.reports, sources.base, sources.as_of)


def _draft(
    connection: Connection, draft: StoredDraft, day: date, stale: list[Alteration]
) -> Iterator[Alteration]:
    """Compute a stored draft again, if its inputs are still those of now; in any case compare it with its digests."""
    row = f"{draft.list}, {draft.day}"
    on_list = kept_list(connection, str(draft.list))
    if on_list is None or not _has_its_digest(draft):
        yield derived_row("drafts", row)
        return
    try:
        computed = compute_draft(connection, on_list, draft.day, day, special=True)
    except _WRONG:
        stale.append(Alteration("draft-stale", {"list": str(draft.list), "day": str(draft.day)}))
        return
    if not ledger.has_seal(connection, draft.ledger):
        yield derived_row("drafts", row)
    if (computed.inputs_digest, VERSION) != (draft.inputs_digest, draft.version):
        if draft.ledger == head(connection):  # nothing happened since, so publishing would adopt it
            yield derived_row("drafts", row)
        stale.append(Alteration("draft-stale", {"list": str(draft.list), "day": str(draft.day)}))
        return
    if (draft.head, draft.digest) != (computed.result.head, computed.result.digest):
        yield derived_row("drafts", row)
    now = dict(split_blocks(computed.result.table))
    stored = {it.block: it.table() for it in draft.blocks}
    blocks = [
        it for it in now.keys() | stored.keys() if it not in now or not now[it].equals(stored.get(it, _EMPTY))
    ]
    inputs = {it.part for it in {*computed.packed} ^ {*draft.inputs}}
    for table, differing in (("draft_blocks", blocks), ("draft_inputs", inputs)):
        yield from _named(table, (f"{row}, {number}" for number in sorted(differing)))


_EMPTY = pl.DataFrame()


def _has_its_digest(draft: StoredDraft) -> bool:
    """Return whether the players of a draft give the digest that it was stored with, and its inputs theirs."""
    try:
        text = lines_bytes(join_blocks(draft.blocks), draft.head)
    except _WRONG:
        return False
    return sha256(text).hexdigest() == draft.digest and all(part.is_intact() for part in draft.inputs)


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
