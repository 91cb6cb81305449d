"""A witness of a site: a ledger that grew, one that was shortened or replaced, and a key that follows another."""

import json
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from arpad.model.errors import BadInput
from arpad.proofs import witnesses
from arpad.proofs.checkpoints import checkpoint_of
from arpad.proofs.merkle import Tree, leaf_hash
from arpad.proofs.signed_notes import public_key, sign_note, succession
from arpad.proofs.witnesses import Watched, check_watched, parse_evidence, watch

ORIGIN = "ratings.example.org"
SITE = f"https://{ORIGIN}"
KEY, NEXT_KEY = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))


def tree(acts: int, salt: int = 0) -> Tree:
    return Tree(leaf_hash(bytes([number, salt])) for number in range(acts))


@dataclass
class Site:
    """The answers of an office's site."""

    acts: int = 7
    salt: int = 0
    key: Ed25519PrivateKey = KEY
    statements: list[str] = field(default_factory=list)
    proves: bool = True

    def fetch(self, url: str) -> bytes | None:
        path = url.removeprefix(f"{SITE}/checkpoint").strip("/")
        if path == "keys":
            return (public_key(ORIGIN, self.key).text() + "\n").encode()
        if path == "statements":
            return json.dumps({"statements": self.statements}).encode()
        ledger = tree(self.acts, self.salt)
        sizes = [int(part) for part in path.split("/") if part]
        if len(sizes) == 2 and self.proves:
            proof = tree(sizes[1], self.salt).consistency(sizes[0])
            return json.dumps({"proof": [b64encode(node).decode() for node in proof]}).encode()
        if len(sizes) == 2:
            return b'{"proof": ["?"]}'
        size = sizes[0] if sizes else self.acts
        return sign_note(checkpoint_of(ORIGIN, ledger, size).text(), ORIGIN, self.key).written().encode()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    site = Site()
    monkeypatch.setattr(witnesses, "fetch", site.fetch)
    return site


@pytest.fixture
def watched(site: Site, tmp_path: Path) -> Watched:
    assert site.acts == 7
    return watch(tmp_path, SITE, [])


def test_a_ledger_that_grew_is_kept(site: Site, watched: Watched) -> None:
    assert check_watched(watched).code == "same"
    site.acts = 12
    assert check_watched(watched).code == "grown"
    assert [path.name for path in sorted(watched.folder.glob("*.checkpoint"))] == [
        "000000000007.checkpoint",
        "000000000012.checkpoint",
    ]


@pytest.mark.parametrize(
    ("acts", "salt", "proves", "code"),
    [
        (5, 0, True, "shorter"),
        (7, 1, True, "two-histories"),
        (12, 1, True, "two-histories"),
        (12, 0, False, "not-joined"),
    ],
)
def test_a_ledger_that_did_not_only_grow_is_named(
    site: Site, watched: Watched, acts: int, salt: int, *, proves: bool, code: str
) -> None:
    site.acts, site.salt, site.proves = acts, salt, proves
    result = check_watched(watched)
    assert (result.code, result.is_right) == (code, False)
    assert len(watched.notes()) == 1
    assert (result.evidence is not None) == (code != "not-joined")
    if result.evidence is not None and code == "two-histories":
        evidence = parse_evidence(json.loads(result.evidence.read_text("utf-8")))
        assert (evidence.signed, evidence.contradicts) == (True, True)


def test_a_key_that_the_old_one_announced_is_accepted(site: Site, watched: Watched) -> None:
    site.key = NEXT_KEY
    assert check_watched(watched).code == "unsigned"
    old, new = public_key(ORIGIN, KEY), public_key(ORIGIN, NEXT_KEY)
    site.statements = [sign_note(succession(old, new), ORIGIN, KEY).written()]
    assert check_watched(watched).code == "same"
    (remembered,) = witnesses.all_watched(watched.folder.parent)
    assert remembered.keys == (old, new)


@pytest.mark.usefixtures("site")
def test_an_office_is_watched_once_and_by_a_key_of_its_own(tmp_path: Path) -> None:
    for keys, code in (
        ([public_key("another.example.org", KEY)], "witness-no-key"),
        ([public_key(ORIGIN, NEXT_KEY)], "witness-not-signed"),
    ):
        with pytest.raises(BadInput, match=code):
            watch(tmp_path, SITE, keys)
    watch(tmp_path, SITE, [public_key(ORIGIN, KEY)])
    with pytest.raises(BadInput, match="witness-known"):
        watch(tmp_path, SITE, [])


@pytest.mark.parametrize("data", [b"\xff", b"{", b"[" * 5, b'{"checkpoint": 7}'])
def test_what_is_no_checkpoint_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="bad-note"):
        witnesses.read_shown(data)
