"""Proofs about published lists: the act of a publication under its checkpoint, and one line of one list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from arpad.lists.table import LINE, lines_bytes
from arpad.model.canonical_json import dump
from arpad.model.errors import BadInput
from arpad.office.lists.block_rows import read_table
from arpad.office.lists.rows import Publication
from arpad.office.proof.checkpoints import act_receipt, checkpoint_behind, first_checkpoint_over, ledger_tree
from arpad.office.proof.erasures import load_erasures
from arpad.proofs import merkle
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.lines import GROUP, HASH, LineProof, group_leaves, line_hashes, published_list
from arpad.proofs.receipts import Receipt
from arpad.proofs.signed_notes import Note
from arpad.store import ledger

ERASED_LINES = "lines"
"""The name of the hashes that an erasure kept: of the lines of its player, by their places in a list."""


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
    kept = kept_lines(load_erasures(connection).lists.get(publication.id, {}))
    if index in kept:
        raise BadInput("line-proof-erased", list=publication.name)
    hashes, number = with_kept_lines(line_hashes(text), kept), index // GROUP
    leaves = group_leaves(hashes)
    line = text.split(b"\n", index + 1)[index].decode()
    start, end = number * GROUP * HASH, min((number + 1) * GROUP * HASH, len(hashes))
    group_hashes = tuple(hashes[at : at + HASH] for at in range(start, end, HASH))
    path = tuple(merkle.Tree(leaves).inclusion(number))
    return LineProof(receipt, publication.id, line, index, group_hashes, path)


def kept_lines(digests: Mapping[str, Any]) -> dict[int, bytes]:
    """Return the hashes of lines from which a name was erased, as they were published: place → hash."""
    return {int(place): bytes.fromhex(hash_) for place, hash_ in digests.get(ERASED_LINES, {}).items()}


def with_kept_lines(hashes: bytes, kept: Mapping[int, bytes]) -> bytes:
    """Return the hashes of the lines of a list as they were published."""
    published = bytearray(hashes)
    for place, hash_ in kept.items():
        published[place * HASH : (place + 1) * HASH] = hash_
    return bytes(published)


def lines_to_keep(
    connection: Connection, publication: Publication, players: frozenset[int]
) -> dict[str, dict[str, str]]:
    """Return the hashes of the lines of these players, by their places, before a name is erased from them."""
    table = read_table(connection, publication.id, ("player", "rating", *LINE)).filter("listed")
    places = [place for player in sorted(players) if (place := table["player"].index_of(player)) is not None]
    if not places:
        return {}
    hashes = line_hashes(lines_bytes(table))
    return {ERASED_LINES: {str(at): hashes[at * HASH : (at + 1) * HASH].hex() for at in places}}
