"""Values with which the acts and queries of proofs work in the office of the demo."""

from typing import Any

from arpad.demo.build import DEMO_KEY, DEMO_KEY_SEED
from arpad.model.declared import Upload
from arpad.proofs.checkpoints import checkpoint_of
from arpad.proofs.merkle import Tree
from arpad.proofs.signed_notes import COSIGNED, cosign, new_signing_key, sign_note, signing_key_of_seed

_OFFICE = signing_key_of_seed(DEMO_KEY, DEMO_KEY_SEED)
_WITNESS = new_signing_key("club.example.org", COSIGNED)
_FIRST = sign_note(checkpoint_of(DEMO_KEY, Tree(()), 0, "").text(), DEMO_KEY, _OFFICE.private)
"""The checkpoint of the demo's ledger before its first act."""

GIVEN: dict[str, dict[str, Any]] = {
    "proof cosigned": {
        "file": Upload(
            "signed.checkpoint", cosign(_FIRST, _WITNESS.name, _WITNESS.private, 1).written().encode()
        ),
        "key": [_WITNESS.public.text()],
    }
}
VARIES = {"proof checkpoint": ("checkpoint",), "proof rotate-key": ("keys",), "ledger": ("acts",)}
