"""Proofs about published lists: the checkpoint behind a publication, its files and bundle, and single lines."""

import json
import zipfile
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.office.lists import rows as lists
from arpad.office.lists.tables import IMPORTED
from arpad.office.proof.checkpoints import (
    checkpoint_behind,
    ledger_tree,
    line_proof,
    publication_receipt,
    record_checkpoint,
)
from arpad.office.proof.signing_keys import make_signing_key, rotate_signing_key
from arpad.office.verify.acts import verify
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.lines import LineProof, line_included, parse_line_proof, published_list
from arpad.proofs.receipts import ACT, check_receipt, parse_receipt
from arpad.proofs.signed_notes import parse_note
from arpad.publishing.bundle import PROOF, verify_bundle
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import emit, erase_player

NAME = "ratings.example.org"
FEW = ("canonical", "checkpoint")


@pytest.fixture
def signing(sqlite_desk: Desk) -> Desk:
    """An office with a key, a first list and a report of it."""
    make_signing_key(sqlite_desk.office, NAME)
    sqlite_desk.list(date(2018, 1, 1), *(listed(number, 1500 + number) for number in range(1, 131)))
    sqlite_desk.report(event("Match", WIN, date(2018, 1, 10)))
    return sqlite_desk


def test_a_publication_ends_with_a_checkpoint_that_never_changes(signing: Desk, tmp_path: Path) -> None:
    office = signing.office
    publication = signing.publish(date(2018, 2, 1))
    with office.store.reading() as connection:
        note = checkpoint_behind(connection, publication.act)
        assert note is not None
        assert parse_checkpoint(note).size == publication.act
        assert parse_checkpoint(note).root == ledger_tree(connection).root(publication.act)
    first, again = tmp_path / "first", tmp_path / "again"
    emit(office, publication, first, (*FEW, "pdf"))
    assert record_checkpoint(office) is None  # nothing happened since
    rotate_signing_key(office, "a colleague left")
    assert record_checkpoint(office) is not None
    emit(office, publication, again, (*FEW, "pdf"))
    assert {path.name: path.read_bytes() for path in first.iterdir()} == {
        path.name: path.read_bytes() for path in again.iterdir()
    }
    name = publication.name
    assert parse_note((first / f"{name}.checkpoint").read_text(encoding="utf-8")) == note
    with zipfile.ZipFile(first / f"{name}.bundle.zip") as archive:
        receipt = parse_receipt(json.loads(archive.read(PROOF)))
    assert check_receipt(receipt).included
    assert published_list(receipt, publication.id)["digest"] == publication.digest
    assert verify_bundle(first / f"{name}.bundle.zip").intact
    assert verify(office).intact


def test_a_bundle_with_the_act_of_another_list_is_named(signing: Desk, tmp_path: Path) -> None:
    first, second = signing.publish(date(2018, 2, 1)), signing.publish(date(2018, 3, 1))
    for publication in (first, second):
        emit(signing.office, publication, tmp_path, ("canonical",))
    source, target = (tmp_path / f"{p.name}.bundle.zip" for p in (first, second))
    with zipfile.ZipFile(source) as archive:
        foreign = archive.read(PROOF)
    with zipfile.ZipFile(target) as archive:
        members = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    manifest = json.loads(members["manifest.json"])
    manifest["files"][PROOF] = sha256(foreign).hexdigest()
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(forged, "w") as archive:
        for name, data in {**members, PROOF: foreign, "manifest.json": json.dumps(manifest).encode()}.items():
            archive.writestr(name, data)
    assert [item.code for item in verify_bundle(forged).altered] == ["bundle-proof"]


def test_each_line_of_a_list_is_proved(signing: Desk) -> None:
    publication = signing.publish(date(2018, 2, 1))
    with signing.office.store.reading() as connection:
        proofs = [line_proof(connection, publication, player) for player in (1, 64, 65, 128, 129, 130)]
        with pytest.raises(BadInput, match="no-line"):
            line_proof(connection, publication, 999)
    for proof in proofs:
        kept = parse_line_proof(json.loads(json.dumps(proof.document())))
        assert kept == proof
        assert line_included(kept)
        assert check_receipt(kept.receipt).included
    proof = proofs[2]
    assert not any(map(line_included, _forged(proof)))


def _forged(proof: LineProof) -> list[LineProof]:
    return [
        replace(proof, line=proof.line.replace("1565", "1865")),
        replace(proof, index=proof.index + 1),
        replace(proof, index=10**6),
        replace(proof, publication=99),
        replace(proof, group=proof.group[:-1]),
        replace(proof, path=proof.path[1:]),
        replace(proof, path=(bytes(32), *proof.path[1:])),
    ]


@pytest.mark.parametrize(
    "change",
    [{"schema": "x"}, {"line": 1}, {"index": -1}, {"index": True}, {"group": ["!"]}, {"group": "x"},
     {"line_path": [1]}, {"publication": 0}, {"act": 1}],
)  # fmt: skip
def test_a_damaged_proof_is_refused(change: dict[str, object]) -> None:
    act = dict.fromkeys(ACT, "") | {"seq": 1}
    note = "x\n1\n" + "A" * 43 + "=\n\n— x AAAAAAA=\n"
    document = {
        "schema": "arpad.line-proof/1", "act": act, "size": 1, "path": [], "checkpoint": note,
        "publication": 1, "line": "1", "index": 0, "group": [], "line_path": [],
    }  # fmt: skip
    assert not line_included(parse_line_proof(document))
    with pytest.raises(BadInput, match="bad-receipt"):
        parse_line_proof({**document, **change})


def test_proofs_of_other_lines_survive_an_erasure(signing: Desk) -> None:
    publication = signing.publish(date(2018, 2, 1))
    erase_player(signing.office, 100, confirm=100, reason="asked")
    with signing.office.store.reading() as connection:
        assert line_included(line_proof(connection, publication, 1))
        assert line_included(line_proof(connection, publication, 99)), "the line beside"
        assert line_included(line_proof(connection, publication, 130))
        with pytest.raises(BadInput, match="line-proof-erased"):
            line_proof(connection, publication, 100)


def test_lines_of_imported_lists_and_of_lists_before_the_first_key_are_proved_under_a_later_checkpoint(
    sqlite_desk: Desk,
) -> None:
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    publication = sqlite_desk.publish(date(2018, 2, 1))
    with sqlite_desk.office.store.reading() as connection:
        imported = lists.ever_published(connection)[0]
        assert imported.kind == IMPORTED
        with pytest.raises(BadInput, match="no-line-proof"):
            line_proof(connection, publication, 1)
    make_signing_key(sqlite_desk.office, NAME)
    note = record_checkpoint(sqlite_desk.office)
    with sqlite_desk.office.store.reading() as connection:
        assert publication_receipt(connection, publication) is None
        for proved in (imported, publication):
            proof = line_proof(connection, proved, 1)
            assert proof.receipt.checkpoint == note
            assert line_included(proof)


def test_a_list_is_not_published_while_the_key_is_missing(signing: Desk) -> None:
    Path(f"{signing.place}.signing-key").unlink()
    with pytest.raises(BadInput, match="signing-key-lost"):
        signing.publish(date(2018, 2, 1))
    make_signing_key(signing.office, NAME, lost=True, reason="the disk broke")
    publication = signing.publish(date(2018, 2, 1))
    with signing.office.store.reading() as connection:
        assert publication_receipt(connection, publication) is not None
