"""The checkpoints on the site: for programs that keep them."""

from base64 import b64decode
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from arpad.model.rules import ListName
from arpad.office.proof.checkpoints import add_cosignatures
from arpad.office.proof.signing_keys import key_file
from arpad.proofs.checkpoints import consistent, parse_checkpoint
from arpad.proofs.lines import line_included, parse_line_proof
from arpad.proofs.receipts import check_receipt, parse_receipt
from arpad.proofs.signed_notes import COSIGNED, cosign, new_signing_key, parse_note, parse_public_key
from arpad.proofs.witnesses import check_watched, watch
from arpad.publishing.evidence import answers_of_site, read_thing
from tests.builders.site_fixtures import OPEN, Served
from tests.builders.users import issue_token
from tests.builders.verbs import publish


def test_a_program_follows_the_ledger(own: Served) -> None:
    client, file = own.client(), key_file(own.office)
    assert file is not None
    aside = file.rename(file.with_name("aside"))
    assert client.get("/checkpoint").status_code == 404
    aside.rename(file)
    public = parse_public_key(client.get("/checkpoint/keys").text)
    note = parse_note(client.get("/checkpoint").text)
    assert note.signed_by(public)
    newest = parse_checkpoint(note)
    earlier = parse_checkpoint(parse_note(client.get("/checkpoint/10").text))
    document = client.get(f"/checkpoint/10/{newest.size}").json()
    assert consistent(earlier, newest, [b64decode(node) for node in document["proof"]])
    assert client.get("/checkpoint/cosigned").status_code == 404
    witness = new_signing_key("club.example.org", COSIGNED)
    signed = cosign(note, witness.name, witness.private, 1_700_000_000)
    add_cosignatures(replace(own.office, author="tests"), signed, [witness.public])
    assert client.get("/checkpoint/cosigned").text == signed.written()
    assert client.get(f"/checkpoint/{newest.size}").text == signed.written()
    assert parse_public_key(client.get("/checkpoint/witnesses").text) == witness.public
    for path in (f"/checkpoint/{newest.size + 2}", f"/checkpoint/5/{newest.size + 2}", "/checkpoint/7/5"):
        assert client.get(path).status_code == 404


def _kept_against_the_site(site: str, data: bytes, folder: Path, name: str) -> None:
    """Watch the site, and compare a file, a digest and the kept checkpoint with it."""
    watched = watch(folder / "witness", site, [])
    assert check_watched(watched).code == "same"
    kept = folder / f"{name}.csv"
    kept.write_bytes(data)
    for thing, wrong in (
        (str(kept), False),
        ("0" * 64, True),
        (str(watched.keep(watched.notes()[0])), False),
    ):
        answers = list(answers_of_site(site, read_thing(thing)))
        assert [answer.right for answer in answers if answer.right is not None] == [not wrong], answers
    kept.write_bytes(data + b"x")
    assert next(answer.key for answer in answers_of_site(site, read_thing(str(kept)))) == "kept.file-no"


def test_a_sender_and_a_player_get_their_proofs(own: Served, tmp_path: Path) -> None:
    office = replace(own.office, author="tests", now=lambda: datetime(2025, 2, 1, 9, tzinfo=UTC))
    visitor, arbiter = own.client(), own.client("arbiter")
    key = parse_public_key(visitor.get("/checkpoint/keys").text)
    assert line_included(parse_line_proof(visitor.get("/players/38/proof/standard-2025-01-01-r1").json()))
    token = issue_token(office, "arbiter", "club", ["submit"])
    bearer = {"authorization": f"Bearer {token}"}
    sent = visitor.post("/api/v1/reports?name=open.trf", content=OPEN, headers=bearer).json()
    assert check_receipt(parse_receipt(sent["receipt"]), key, OPEN).holds
    number = sent["report"]
    again = visitor.get(f"/api/v1/reports/{number}/receipt", headers=bearer).json()
    assert check_receipt(parse_receipt(again), key, OPEN).holds
    assert f'href="/desk/reports/{number}/receipt"' in arbiter.get(f"/desk/reports/{number}").text
    assert check_receipt(parse_receipt(arbiter.get(f"/desk/reports/{number}/receipt").json()), key).holds
    publication = publish(office, ListName.STANDARD, date(2025, 2, 1))
    name = publication.name
    page = visitor.get("/lists/standard-2025-02-01-r1?lang=en").text
    assert "Ledger of federazione-di-bellariva" in page
    assert parse_note(visitor.get(f"/lists/{name}/files/{name}.checkpoint").text).signed_by(key)
    assert "Ledger of federazione-di-bellariva" in visitor.get("/feeds/en/lists").text
    proof = parse_line_proof(visitor.get(f"/players/38/proof/{name}").json())
    assert line_included(proof)
    assert check_receipt(proof.receipt, key).holds
    assert visitor.get(f"/players/99999/proof/{name}").status_code == 404
    _kept_against_the_site(
        own.address, visitor.get(f"/lists/{name}/files/{name}.csv").content, tmp_path, name
    )
    shown = visitor.get("/verify/receipts?lang=it")
    assert key.text() in shown.text
    assert "script-src 'sha256-" in shown.headers["content-security-policy"]
