"""The checkpoints on the site: for programs that keep them."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

from arpad.office.signing_keys import make_signing_key
from arpad.proofs.checkpoints import consistent, parse_checkpoint
from arpad.proofs.signed_notes import parse_note, parse_public_key
from tests.web.conftest import Served


def test_a_program_follows_the_ledger(own: Served) -> None:
    assert own.office is not None
    client = own.client()
    assert client.get("/checkpoint").status_code == 404
    assert client.get("/checkpoint/keys").text == ""
    public = make_signing_key(replace(own.office, author="tests"), "ratings.example.org")
    assert parse_public_key(client.get("/checkpoint/keys").text) == public
    note = parse_note(client.get("/checkpoint").text)
    assert note.signed_by(public)
    newest = parse_checkpoint(note)
    earlier = parse_checkpoint(parse_note(client.get("/checkpoint/10").text))
    document = client.get(f"/checkpoint/10/{newest.size}").json()
    assert consistent(earlier, newest, [b64decode(node) for node in document["proof"]])
    for path in (f"/checkpoint/{newest.size + 1}", f"/checkpoint/5/{newest.size + 1}", "/checkpoint/7/5"):
        assert client.get(path).status_code == 404
