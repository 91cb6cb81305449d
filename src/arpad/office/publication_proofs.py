"""Proofs about published lists: the act of a publication under its checkpoint, and one line of one list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from arpad.lists.table import LINE, lines_bytes
from arpad.model.canonical_json import dump
from arpad.model.errors import BadInput
from arpad.office.checkpoints import act_receipt, checkpoint_behind, first_checkpoint_over, ledger_tree
from arpad.office.erasures import load_erasures
from arpad.proofs import merkle
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.lines import GROUP, HASH, LineProof, group_leaves, line_hashes, published_list
from arpad.proofs.receipts import Receipt
from arpad.proofs.signed_notes import Note
from arpad.store import ledger
from arpad.store.list_blocks import read_table
from arpad.store.lists import Publication

ERASED_GROUP = "lines-"
"""Begins the names of leaves that an erasure kept; the number of the group follows."""


def publication_receipt(connection: Connection, publication: Publication) -> Receipt | None:
    """Return the act of a publication under the checkpoint right behind it; None if there is none.

    It is the same at any later time: the ledger grows behind it.
    """
    note = checkpoint_behind(connection, publication.act)
    return None if note is None else _receipt_under(connection, publication, note)


def _receipt_under(connection: Connection, publication: Publication, note: Note) -> Receipt | None:
    act = ledger.act(connection, publication.act)
    return act_receipt(act, ledger_tree(connection), note, parse_checkpoint(note).size)


def publication_proof(connection: Connection, publication: Publication) -> bytes:
    """Return the same as a file, for bundles; empty if there is none."""
    receipt = publication_receipt(connection, publication)
    return b"" if receipt is None else (dump(receipt.document()) + "\n").encode()


def line_proof(connection: Connection, publication: Publication, player: int) -> LineProof:
    """Return the proof of a player's line on a list; refuse if the list has none, or a name beside it was erased.

    An imported list, and one from before the first key, has no checkpoint right behind it: the first later one counts.
    """
    note = first_checkpoint_over(connection, publication.act)
    receipt = None if note is None else _receipt_under(connection, publication, note)
    seal = {} if receipt is None else published_list(receipt, publication.id).get("lines", {})
    if receipt is None or not seal:
        raise BadInput("no-line-proof", list=publication.name)
    table = read_table(connection, publication.id, ("player", "rating", *LINE)).filter("listed")
    index = table["player"].index_of(player)
    if index is None:
        raise BadInput("no-line", player=player, list=publication.name)
    text = lines_bytes(table)
    hashes = line_hashes(text)
    leaves = group_leaves(hashes)
    number = index // GROUP
    kept = kept_leaves(load_erasures(connection).lists.get(publication.id, {}))
    if number in kept:
        raise BadInput("line-proof-erased", list=publication.name)
    for group, leaf in kept.items():
        leaves[group] = leaf
    line = text.split(b"\n", index + 1)[index].decode()
    start, end = number * GROUP * HASH, min((number + 1) * GROUP * HASH, len(hashes))
    group_hashes = tuple(hashes[at : at + HASH] for at in range(start, end, HASH))
    path = tuple(merkle.Tree(leaves).inclusion(number))
    return LineProof(receipt, publication.id, line, index, group_hashes, path)


def kept_leaves(digests: Mapping[str, str]) -> dict[int, bytes]:
    """Return the leaves of groups of lines from which a name was erased, as they were published."""
    return {
        int(name.removeprefix(ERASED_GROUP)): bytes.fromhex(leaf)
        for name, leaf in digests.items()
        if name.startswith(ERASED_GROUP)
    }


def leaves_to_keep(
    connection: Connection, publication: Publication, players: frozenset[int]
) -> dict[str, Any]:
    """Return the leaves of the groups with these players, by name, before a name is erased from their lines."""
    table = read_table(connection, publication.id, ("player", "rating", *LINE)).filter("listed")
    positions = [table["player"].index_of(player) for player in players]
    groups = {position // GROUP for position in positions if position is not None}
    if not groups:
        return {}
    leaves = group_leaves(line_hashes(lines_bytes(table)))
    known = kept_leaves(load_erasures(connection).lists.get(publication.id, {}))
    return {f"{ERASED_GROUP}{group}": leaves[group].hex() for group in sorted(groups - known.keys())}
