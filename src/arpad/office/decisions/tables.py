"""The verbs of decisions."""

from arpad.store.declared_tables import writes

writes("appeal", "decisions")
writes("decide", "decisions")
writes("revoke", "revocations")
writes("settle", "decisions revocations")
