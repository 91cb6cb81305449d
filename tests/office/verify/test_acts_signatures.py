"""Who rewrites the ledger with all its seals, but has no key, is named by the checkpoints that were signed before."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date

from arpad.office.proof.checkpoints import (
    add_cosignatures,
    checkpoint,
    cosigned_checkpoint,
    record_checkpoint,
)
from arpad.office.proof.signing_keys import make_signing_key, rotate_signing_key
from arpad.office.verify.acts import verify
from arpad.proofs.signed_notes import COSIGNED, cosign, new_signing_key
from arpad.store.ledger import acts
from tests.builders.offices import Desk, listed


def rewrite(desk: Desk, old: str, new: str) -> None:
    """Change a text in the details of all acts, and seal the whole ledger again."""
    with desk.office.store.reading() as connection:
        rows = list(acts(connection))
    with closing(sqlite3.connect(desk.place)) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        previous = rows[0].previous
        for act in rows:
            changed = replace(act, details=act.details.replace(old, new), previous=previous)
            previous = changed.sealed()
            database.execute(
                "UPDATE ledger SET details = ?, previous = ?, digest = ? WHERE seq = ?",
                (changed.details, changed.previous, previous, act.seq),
            )
        database.commit()


def test_a_rewritten_ledger_and_a_forged_signature_are_named(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    make_signing_key(office, "ratings.example.org")
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    record_checkpoint(office)
    note, witnesses = checkpoint(office), [new_signing_key(name, COSIGNED) for name in ("club", "paper")]
    for witness in witnesses:
        note = cosign(note, witness.name, witness.private, 1_700_000_000)
        assert add_cosignatures(office, note, [witness.public])[-1] == witness.public
    with office.store.reading() as connection:
        assert cosigned_checkpoint(connection) == note
        assert cosigned_checkpoint(connection, 2) is None
    rotate_signing_key(office, "a new year")
    record_checkpoint(office)
    assert verify(office).altered == ()
    with office.store.reading() as connection:
        signed = [act.seq for act in acts(connection) if act.verb in ("checkpoint", "cosignature")]
    assert len(signed) == 4
    rewrite(sqlite_desk, '"rows":2', '"rows":3')
    named = {item.facts["seq"] for item in verify(office).altered if item.code == "checkpoint-act"}
    assert named == set(signed)
    rewrite(sqlite_desk, '"rows":3', '"rows":2')
    assert not [item for item in verify(office).altered if item.code == "checkpoint-act"]
    rewrite(sqlite_desk, "club+", "pub+")
    assert [item.facts["seq"] for item in verify(office).altered if item.code == "checkpoint-act"]
