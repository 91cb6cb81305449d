"""Kept things, against an office whose ledger was cut, an older copy of it, and one with two histories."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from arpad.office.proof.checkpoints import checkpoint, line_proof, receipt
from arpad.office.proof.signing_keys import make_signing_key
from arpad.proofs.receipts import document_bytes
from arpad.proofs.signed_notes import cosigned_at, parse_note, parse_public_key
from tests.builders.chess import event
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.builders.verbs import accept, open_office, publish, register_player
from tests.commands import refusal, run, run_json

LIST = "standard-2018-02-01-r1"


@dataclass
class Offices:
    """An office with a list, and databases that somebody made of it."""

    true: Path
    older: Path
    """The copy from before the list."""

    other: Path
    """The older copy, which went on to publish another list of the same day."""

    cut: Path
    """The ledger without its last acts."""

    kept: Path
    """Things that people have kept."""

    key: str = ""


@pytest.fixture(scope="module")
def offices(tmp_path_factory: pytest.TempPathFactory) -> Offices:
    folder = tmp_path_factory.mktemp("offices")
    made = Offices(
        folder / "true.db", folder / "older.db", folder / "other.db", folder / "cut.db", folder / "kept"
    )
    made.kept.mkdir()
    desk = Desk.made(str(made.true), folder, Clock())
    made.key = make_signing_key(desk.office, "ratings.example.org").text()
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    first = desk.send(event("Match", WIN, date(2018, 1, 10)))
    _copy(made.true, made.older)
    _copy(made.true, made.other)
    accept(desk.office, first.report)
    desk.on(date(2018, 2, 1))
    files = ("canonical", "csv", "pdf")
    publication = publish(desk.office, STANDARD, date(2018, 2, 1), made.kept, kinds=files)
    _write(made.kept / "receipt.json", document_bytes(receipt(desk.office, 1).document()))
    _write(made.kept / "now.checkpoint", checkpoint(desk.office).written().encode())
    with desk.office.store.reading() as connection:
        _write(made.kept / "line.json", document_bytes(line_proof(connection, publication, 1).document()))
    desk.office.close()
    _copy(made.true, made.cut)
    with closing(sqlite3.connect(made.cut)) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("DELETE FROM ledger WHERE seq > 4")
        database.commit()
    with closing(open_office(str(made.other), now=desk.clock, author="another")) as other:
        for number in range(3):
            register_player(other, f"Somebody, Else {number}")
        publish(other, STANDARD, date(2018, 2, 1), folder / "other", kinds=("canonical",))
    return made


def _copy(source: Path, target: Path) -> None:
    target.touch(mode=0o600)
    with closing(sqlite3.connect(source)) as office, closing(sqlite3.connect(target)) as copy:
        office.backup(copy)
    shutil.copy(f"{source}.signing-key", f"{target}.signing-key")


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def answers(capsys: pytest.CaptureFixture[str], thing: object, *more: str) -> tuple[int, set[str]]:
    """The exit status and the codes of what was proved or wrong."""
    status, out, _ = run(capsys, "verify", str(thing), *more, "--json")
    return status, {it["code"] for it in json.loads(out)["answers"] if it["right"] is not None}


def test_everything_kept_agrees_with_the_office(offices: Offices, capsys: pytest.CaptureFixture[str]) -> None:
    kept, at = offices.kept, ("--office", str(offices.true))
    proved = {"proof.included-yes", "proof.signed-yes", "kept.act-yes", "kept.ledger-yes"}
    assert answers(capsys, kept / "receipt.json", *at) == (0, proved)
    assert answers(capsys, kept / "line.json", *at) == (0, {*proved, "proof.line-yes", "kept.list-yes"})
    assert answers(capsys, kept / "now.checkpoint", *at) == (0, {"proof.signed-yes", "kept.ledger-yes"})
    of_bundle = {"kept.bundle-yes", "kept.list-yes", "kept.ledger-yes"}
    assert answers(capsys, kept / f"{LIST}.bundle.zip", *at) == (0, of_bundle)
    assert answers(capsys, kept / f"{LIST}.csv", *at) == (0, {"kept.file-yes"})
    assert answers(capsys, kept / f"{LIST}.it.pdf", *at) == (0, {"kept.file-yes", "kept.ledger-yes"})
    text = kept / f"{LIST}.canonical.txt"
    for ending, file, codes in (
        ("txt", text, {"kept.file-yes"}),
        ("csv", kept / f"{LIST}.csv", {"kept.file-yes"}),
        ("pdf", kept / f"{LIST}.it.pdf", {"kept.file-yes", "kept.ledger-yes"}),
    ):
        renamed = kept / f"my list.{ending}"
        shutil.copy(file, renamed)
        assert answers(capsys, renamed, *at) == (0, codes)
    digest = run_json(capsys, "verify", str(text))["answers"][0]["facts"]["digest"]
    status, out, _ = run(capsys, "verify", digest, *at, "--lang", "en")
    assert (status, LIST in out, "last seal" in out) == (0, True, True)
    assert answers(capsys, "0" * 64, *at) == (1, {"kept.digest-unknown"})
    for name, data in (
        ("nothing", b""),
        ("other.csv", b"a\n"),
        ("other.pdf", b"%PDF"),
        ("other.xlsx", b"PK"),
    ):
        _write(kept / name, data)
        assert answers(capsys, kept / name, *at) == (1, {"kept.file-unknown"}), name
    imported = kept / "standard-2018-01-01-r1.csv"
    shutil.copy(kept / f"{LIST}.csv", imported)
    assert answers(capsys, imported, *at) == (1, {"kept.file-no"})


@pytest.mark.parametrize(
    ("thing", "older", "other", "cut"),
    [
        ("receipt.json", "kept.ledger-shorter", "kept.ledger-no", "kept.ledger-shorter"),
        ("now.checkpoint", "kept.ledger-shorter", "kept.ledger-no", "kept.ledger-shorter"),
        ("line.json", "kept.list-unknown", "kept.list-no", "kept.act-no"),
        (f"{LIST}.bundle.zip", "kept.list-unknown", "kept.list-no", "kept.ledger-shorter"),
        (f"{LIST}.canonical.txt", "kept.file-unknown", "kept.file-no", None),
        (f"{LIST}.it.pdf", "kept.file-unknown", "kept.file-no", "kept.ledger-shorter"),
    ],
)
def test_what_is_kept_shows_another_history(
    offices: Offices, capsys: pytest.CaptureFixture[str], thing: str, older: str, other: str, cut: str | None
) -> None:
    for database, code in ((offices.older, older), (offices.other, other), (offices.cut, cut)):
        if code is not None:
            status, codes = answers(capsys, offices.kept / thing, "--office", str(database))
            assert (status, code in codes) == (1, True), (database, codes)


def test_a_witness_keeps_and_cosigns_checkpoints(
    offices: Offices, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, place = tmp_path / "shown.json", ("--dir", str(tmp_path / "witness"))
    _write(shown, (offices.kept / "now.checkpoint").read_bytes())
    assert run(capsys, "witness", "add", str(shown), *place)[0] == 2  # no key is known
    added = run_json(capsys, "witness", "add", str(shown), "--key", offices.key, *place)
    assert (added["origin"], added["keys"]) == ("ratings.example.org", [offices.key])
    assert run(capsys, "witness", "add", str(shown), "--key", offices.key, *place)[0] == 2
    assert run_json(capsys, "witness", "check", *place)["offices"][0]["result"] == "same"

    grown = tmp_path / "grown.db"
    _copy(offices.true, grown)
    with closing(open_office(str(grown), author="officer")) as office:
        register_player(office, "Nuova, Anna")
    size = str(added["size"])
    _show(capsys, shown, grown, "--since", size)
    assert run_json(capsys, "witness", "check", *place)["offices"][0]["result"] == "grown"
    note = run(capsys, "witness", "cosign", "ratings.example.org", "--name", "club.example.org", *place)[1]
    again = run_json(capsys, "witness", "cosign", "ratings.example.org", *place)
    assert cosigned_at(parse_note(again["checkpoint"]), parse_public_key(again["key"])) is not None
    assert parse_note(note).signed_by(parse_public_key(offices.key))
    _keep_cosignatures(capsys, note, again["key"], grown, tmp_path / "signed.checkpoint")
    signed = ("office", "proof", "cosigned", str(tmp_path / "signed.checkpoint"), "--key", again["key"])
    assert "does not begin" in refusal(capsys, *signed, "--db", str(offices.true), *OFFICER)


OFFICER = ("--author", "officer", "--lang", "en")


def _keep_cosignatures(
    capsys: pytest.CaptureFixture[str], note: str, key: str, office: Path, signed: Path
) -> None:
    """Keep the signature of a witness at the office, and verify the checkpoint that it serves."""
    database = ("--db", str(office))
    signed.write_text(note, encoding="utf-8")
    add = ("office", "proof", "cosigned", str(signed), *database, *OFFICER)
    assert "no witness" in refusal(capsys, "office proof checkpoint --cosigned", *database, "--lang", "en")
    assert "no known witness" in refusal(capsys, *add)
    assert run_json(capsys, *add, "--key", key)["witnesses"] == [key]
    assert run_json(capsys, *add)["witnesses"] == [key]  # its key is known now
    assert run(capsys, "office", "proof", "checkpoint", "--cosigned", *database)[1] == note
    proved = {"proof.signed-yes", "kept.cosigned-yes"}
    assert answers(capsys, signed, "--office", str(office)) == (0, {*proved, "kept.ledger-yes"})
    assert answers(capsys, signed, "--key", key) == (0, {"kept.cosigned-yes"})
    assert answers(capsys, signed) == (0, set())
    wrong = note.replace("\n— club.example.org ", "\n— club.example.org A", 1)[:-2] + "\n"
    signed.write_text(wrong, encoding="utf-8")
    assert answers(capsys, signed, "--key", key)[1] <= {"kept.cosigned-no"}
    signed.write_text(note, encoding="utf-8")


def test_a_witness_finds_two_histories_and_a_shortened_ledger(
    offices: Offices, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, place = tmp_path / "shown.json", ("--dir", str(tmp_path / "witness"))
    _write(shown, (offices.kept / "now.checkpoint").read_bytes())
    size = str(run_json(capsys, "witness", "add", str(shown), "--key", offices.key, *place)["size"])
    _show(capsys, shown, offices.older)
    status, out, _ = run(capsys, "witness", "check", *place, "--lang", "en")
    assert (status, "SHORTER" in out) == (1, True)
    _show(capsys, shown, offices.other, "--size", size)
    status, out, _ = run(capsys, "witness", "check", *place, "--json")
    result = json.loads(out)["offices"][0]
    assert (status, result["result"]) == (1, "two-histories")
    assert answers(capsys, result["evidence"]) == (0, {"kept.evidence-histories"})
    evidence = json.loads(Path(result["evidence"]).read_bytes())
    _write(shown, document_bytes({**evidence, "second": evidence["first"]}))
    assert answers(capsys, shown) == (1, {"kept.evidence-none"})
    other = tmp_path / "of-a-friend.checkpoint"
    _write(other, evidence["second"].encode())
    assert run(capsys, "witness", "check", "--with", str(other), *place)[0] == 1
    assert "ratings.example.org" in run(capsys, "witness", "list", *place, "--lang", "it")[1]


def _show(capsys: pytest.CaptureFixture[str], path: Path, office: Path, *more: str) -> None:
    """Write the checkpoint that an office shows now."""
    _, out, _ = run(capsys, "office", "proof", "checkpoint", "--db", str(office), *more)
    path.write_text(out, encoding="utf-8")
