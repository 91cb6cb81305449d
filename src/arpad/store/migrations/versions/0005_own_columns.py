"""Lists have a column for what a rating system adds to them.

Blocks of lists are never rewritten: those of before are opened with that column. Only the number of the schema changes,
so that an earlier version refuses a database with the new blocks.
"""

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Change nothing."""
