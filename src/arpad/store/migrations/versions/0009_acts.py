"""An act is written after what it did; SQLite looks for the rows that waited for it, and needs not read all of them."""

from alembic import op

revision = "0009"
down_revision = "0008"

LONG = ("players", "player_facts", "identifiers", "reports", "report_statuses", "entrants")


def upgrade() -> None:
    """Index the acts of the tables that grow long."""
    for table in LONG:
        op.create_index(f"ix_{table}_act", table, ["act"])
