"""The verbs of the inbox."""

from arpad.store.declared_tables import writes

writes("accept", "report_statuses entrants entrant_decisions unknown_numbers players identifiers")
writes("join-stages", "reports report_statuses entrant_decisions")
writes("match", "entrant_decisions players identifiers")
writes("revoke-alias", "alias_revocations")
writes("submit", "reports report_statuses entrant_decisions")
