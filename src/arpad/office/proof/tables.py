"""The verbs of proofs, which write no table."""

from arpad.store.declared_tables import writes

writes("checkpoint", "")
writes("cosignature", "")
writes("signing-key", "")
