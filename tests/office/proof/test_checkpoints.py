"""Checkpoints and receipts of an office: what a shortened, replaced or forged ledger looks like from outside."""

import json
import shutil
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.office.proof.checkpoints import checkpoint, consistency, ledger_tree, receipt
from arpad.office.proof.signing_keys import (
    key_name,
    make_signing_key,
    public_keys,
    rotate_signing_key,
    signing_key,
)
from arpad.office.verify.acts import verify
from arpad.proofs.checkpoints import consistent, contradict, parse_checkpoint
from arpad.proofs.receipts import check_receipt, parse_receipt
from arpad.proofs.signed_notes import PublicKey, parse_note, parse_public_key
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed, trf
from tests.builders.verbs import ledger, open_office, register_player
from tests.commands import refusal, run, run_json

NAME = "ratings.example.org"


@pytest.fixture
def key(sqlite_desk: Desk) -> PublicKey:
    """The key of an office with a list of two players and one report."""
    public = make_signing_key(sqlite_desk.office, NAME)
    sqlite_desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    sqlite_desk.report(event("Match", WIN, date(2018, 1, 10)))
    return public


def test_a_ledger_that_grows_is_consistent_with_every_checkpoint(sqlite_desk: Desk, key: PublicKey) -> None:
    before = parse_checkpoint(checkpoint(sqlite_desk.office))
    sqlite_desk.publish(date(2018, 2, 1))
    note = checkpoint(sqlite_desk.office)
    after = parse_checkpoint(note)
    assert note.signed_by(key)
    assert before.size < after.size
    size, proof = consistency(sqlite_desk.office, before.size)
    assert size == after.size
    assert consistent(before, after, proof)
    assert parse_checkpoint(checkpoint(sqlite_desk.office, before.size)) == replace(before, more=())
    assert verify(sqlite_desk.office).intact


def test_a_shortened_and_regrown_ledger_is_found(sqlite_desk: Desk, key: PublicKey, tmp_path: Path) -> None:
    """An older copy of the database goes on with other acts: no proof joins it to the checkpoint kept elsewhere."""
    assert key
    older = tmp_path / "older.db"
    with closing(sqlite3.connect(sqlite_desk.place)) as source, closing(sqlite3.connect(older)) as copy:
        source.backup(copy)
    shutil.copy(f"{sqlite_desk.place}.signing-key", f"{older}.signing-key")
    sqlite_desk.publish(date(2018, 2, 1))
    kept = parse_checkpoint(checkpoint(sqlite_desk.office))
    with closing(open_office(str(older), now=sqlite_desk.clock, author="another")) as other:
        shorter = parse_checkpoint(checkpoint(other))
        assert shorter.size < kept.size
        with pytest.raises(BadInput, match="no-such-checkpoint"):
            consistency(other, kept.size)
        while shorter.size < kept.size:
            register_player(other, "Somebody, Else")
            shorter = parse_checkpoint(checkpoint(other))
        size, proof = consistency(other, kept.size)
        assert not consistent(kept, parse_checkpoint(checkpoint(other, size)), proof)
        assert contradict(kept, parse_checkpoint(checkpoint(other, kept.size)))


def test_a_receipt_proves_the_report_and_nothing_else(sqlite_desk: Desk, key: PublicKey) -> None:
    sent = trf(event("Match", WIN, date(2018, 1, 10)))
    document = json.loads(json.dumps(receipt(sqlite_desk.office, 1).document()))
    kept = parse_receipt(document)
    assert check_receipt(kept, key, sent).holds
    assert check_receipt(kept, key, sent + b"\n").file is False
    open_questions = check_receipt(kept)
    assert (open_questions.holds, open_questions.signed, open_questions.file) == (True, None, None)
    for name, value in (
        ("author", "somebody else"),
        ("seq", document["act"]["seq"] - 1),
        ("at", "2018-01-01"),
    ):
        changed = {**document, "act": {**document["act"], name: value}}
        assert not check_receipt(parse_receipt(changed)).included
    for details in ("[" * 100_000, "[]", "no JSON", '{"file":"x","sha256":7}'):
        other_act = {**document, "act": {**document["act"], "details": details}}
        assert check_receipt(parse_receipt(other_act), key, sent).file is False
    other = PublicKey(NAME, key.kind, bytes(32))
    assert check_receipt(kept, other).signed is False


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "x"},
        {"act": {}},
        {"size": "7"},
        {"size": True},
        {"path": ["!"]},
        {"path": [1]},
        {"checkpoint": 1},
    ],
)
def test_a_damaged_receipt_is_refused(sqlite_desk: Desk, key: PublicKey, change: dict[str, object]) -> None:
    assert key
    with pytest.raises(BadInput, match="bad-receipt"):
        parse_receipt({**receipt(sqlite_desk.office, 1).document(), **change})


def test_a_key_is_made_once_and_for_its_owner_alone(sqlite_desk: Desk) -> None:
    with pytest.raises(BadInput, match="signing-key-missing"):
        checkpoint(sqlite_desk.office)
    make_signing_key(sqlite_desk.office, NAME)
    assert stat.S_IMODE(Path(f"{sqlite_desk.place}.signing-key").stat().st_mode) == 0o600
    with pytest.raises(BadInput, match="signing-key-there"):
        make_signing_key(sqlite_desk.office, NAME)
    with pytest.raises(BadInput, match="reason-missing"):
        rotate_signing_key(sqlite_desk.office, "")


def test_keys_are_replaced_and_lost(sqlite_desk: Desk) -> None:
    office, file = sqlite_desk.office, Path(f"{sqlite_desk.place}.signing-key")
    first = make_signing_key(office, NAME)
    kept = file.read_bytes()
    with pytest.raises(BadInput):
        rotate_signing_key(office, "\ud800")
    assert (file.read_bytes(), len(list(file.parent.glob("*.next")))) == (kept, 0)
    second = rotate_signing_key(office, "a colleague left")
    file.rename(f"{file}.next")  # killed before the old key was replaced: the ledger has the new one
    file.write_bytes(kept)
    assert checkpoint(office).signed_by(second)
    Path(f"{file}.next").rename(file)
    change = ledger(office, 1)[-1].facts
    assert parse_note(change["statement"]).signed_by(first)
    assert second.text() in change["statement"]
    file.unlink()
    with pytest.raises(BadInput, match="signing-key-lost"):
        make_signing_key(office, NAME)
    third = make_signing_key(office, NAME, lost=True, reason="the disk broke")
    with office.store.reading() as connection:
        assert public_keys(connection) == [first, second, third]
        assert len(ledger_tree(connection)) == 4
    known = signing_key(office)
    assert known is not None
    assert known.public == third


def test_a_damaged_key_file_is_named(sqlite_desk: Desk) -> None:
    Path(f"{sqlite_desk.place}.signing-key").write_text("nothing", encoding="utf-8")
    with pytest.raises(BadInput, match="signing-key-unreadable"):
        signing_key(sqlite_desk.office)


def test_a_new_office_has_a_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "new.db"
    document = run_json(capsys, "office", "init", "--db", str(place), "--name", "Federazione di Città")
    assert document["key"]["file"] == f"{place}.signing-key"
    assert parse_public_key(document["key"]["public"]).name == "federazione-di-citta"
    assert run(capsys, "office", "proof", "checkpoint", "--db", str(place))[1].startswith(
        "federazione-di-citta\n2\n"
    )


@pytest.mark.parametrize(
    ("texts", "name"),
    [(("", "ITA"), "ita"), (("ratings.example.org",), "ratings.example.org"), (("棋", ""), "office")],
)
def test_the_name_of_the_first_key(texts: tuple[str, ...], name: str) -> None:
    assert key_name(*texts) == name


def test_the_commands(
    sqlite_desk: Desk, key: PublicKey, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--db", sqlite_desk.place)
    _, note, _ = run(capsys, "office", "proof", "checkpoint", *place)
    assert parse_note(note).signed_by(key)
    assert (
        run_json(capsys, "office", "proof", "checkpoint", "--since", "2", *place)["consistency"]["from"] == 2
    )
    assert run(capsys, "office", "proof", "keys", *place)[1].strip() == key.text()
    kept, sent = tmp_path / "receipt.json", tmp_path / "match.trf"
    sent.write_bytes(trf(event("Match", WIN, date(2018, 1, 10))))
    assert run(capsys, "office", "proof", "receipt", "1", "--out", str(kept), *place)[0] == 0
    status, out, _ = run(
        capsys, "verify", str(kept), "--key", key.text(), "--report", str(sent), "--lang", "en"
    )
    assert status == 0
    assert "is signed by ratings.example.org" in out
    assert "byte for byte" in out
    folder = tmp_path / "receipts"
    status, _, said = run(capsys, "office", "submit", str(sent), "--receipts", str(folder), *place)
    assert (status, "1 receipt" in said) == (0, True)
    assert check_receipt(parse_receipt(json.loads((folder / "1.receipt.json").read_bytes())), key).holds
    sent.write_bytes(b"")
    unmade = tmp_path / "none"
    assert "match.trf" in refusal(capsys, "office", "submit", str(sent), "--receipts", str(unmade), *place)
    assert not unmade.exists()
    sent.write_bytes(b"another")
    status, out, _ = run(capsys, "verify", str(kept), "--report", str(sent), "--lang", "it")
    assert (status, "NON è quello inviato" in out) == (1, True)
    kept.write_text("{}", encoding="utf-8")
    assert "receipt.json" in refusal(capsys, "verify", str(kept), "--lang", "en")
