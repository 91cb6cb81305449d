"""Verify what follows from other rows: the index of names, stored drafts and live lists are computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from hashlib import sha256

from sqlalchemy import Connection

from arpad.lists.chain_checkpoints import KeptCheckpoint, rated_checkpoints
from arpad.lists.inputs import Inputs
from arpad.lists.sealed_blocks import UNREADABLE, join_blocks, packed_blocks
from arpad.lists.system_list import SystemInputs, chained_units
from arpad.lists.table import lines_bytes
from arpad.model.errors import ArpadError
from arpad.model.rules import ListName
from arpad.model.version import VERSION
from arpad.office.drafts.acts import compute_draft, draft_sources
from arpad.office.drafts.checkpoint_rows import lists_with_checkpoints, read_checkpoints
from arpad.office.drafts.load_inputs import inputs_of, load_inputs
from arpad.office.drafts.rows import StoredDraft, stored_drafts
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.lists.tables import PUBLISHED
from arpad.office.parts import altered_derived_tables
from arpad.office.proof.erasures import Erasures
from arpad.office.register.table_rows import differing_register_parts, differing_words
from arpad.office.reports.entrant_rows import differing_player_reports
from arpad.office.reports.game_rows import differing_games
from arpad.publishing.verification import Alteration
from arpad.store import ledger
from arpad.store.act_cache import head
from arpad.store.damaged_rows import orphaned_rows
from arpad.store.list_names import kept_list

_WRONG = (ArpadError, ArithmeticError, AttributeError, LookupError, TypeError, *UNREADABLE)
"""The exceptions for rows with the right form and impossible values."""


def derived(table: str, row: str) -> Alteration:
    """Return that a row does not follow from what it was made from."""
    return Alteration("row-derived", {"table": table, "row": row})


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
    for table, row in orphaned_rows(connection):
        yield derived(table, row)
    drafts = stored_drafts(connection)
    yield from _named("chain_checkpoints", _differing_checkpoints(connection, drafts))
    for draft in drafts:
        yield from _draft(connection, draft, day, stale)
    yield from altered_derived_tables(connection, day, stale)


def _named(table: str, rows: Iterable[str]) -> Iterator[Alteration]:
    return (derived(table, row) for row in rows)


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
        for load in _loaders(connection, on_list, drafts):
            if not waiting:
                break
            try:
                again = _rated_again(load().system, stored)
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
        yield derived("drafts", row)
        return
    try:
        computed = compute_draft(connection, on_list, draft.day, day, special=True)
    except _WRONG:
        stale.append(Alteration("draft-stale", {"list": str(draft.list), "day": str(draft.day)}))
        return
    if not ledger.has_seal(connection, draft.ledger):
        yield derived("drafts", row)
    if (computed.inputs_digest, VERSION) != (draft.inputs_digest, draft.version):
        if draft.ledger == head(connection):  # nothing happened since, so publishing would adopt it
            yield derived("drafts", row)
        stale.append(Alteration("draft-stale", {"list": str(draft.list), "day": str(draft.day)}))
        return
    if (draft.head, draft.digest) != (computed.result.head, computed.result.digest):
        yield derived("drafts", row)
    blocks = {it.block for it in {*packed_blocks(computed.result.table)} ^ {*draft.blocks}}
    inputs = {it.part for it in {*computed.packed} ^ {*draft.inputs}}
    for table, differing in (("draft_blocks", blocks), ("draft_inputs", inputs)):
        yield from _named(table, (f"{row}, {number}" for number in sorted(differing)))


def _has_its_digest(draft: StoredDraft) -> bool:
    """Return whether the players of a draft give the digest that it was stored with, and its inputs theirs."""
    try:
        text = lines_bytes(join_blocks(draft.blocks), draft.head)
    except _WRONG:
        return False
    return sha256(text).hexdigest() == draft.digest and all(part.is_intact() for part in draft.inputs)
