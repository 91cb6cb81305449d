"""The verbs of corrections."""

from arpad.store.declared_tables import writes

writes("revise", "publications list_blocks rated_reports")
writes("take-back", "taken_back -players -player_facts -identifiers -identifier_changes")
