"""The verbs of imports."""

from arpad.store.declared_tables import writes

writes(
    "import-list",
    "publications list_blocks rated_reports players player_facts identifiers identifier_changes",
    names_none="sha256",
)
