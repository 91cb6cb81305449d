"""Create all tables, and the triggers that keep their rows.

Nothing is released yet, so the first schema is that of the code. The first release must write its tables out here; then
every change of the schema is a migration of its own.
"""

from alembic import op

from arpad.store.schema import META
from arpad.store.table_kinds import KEPT
from arpad.store.triggers import make_append_only

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the schema."""
    connection = op.get_bind()
    META.create_all(connection)
    for table in KEPT:
        make_append_only(connection, table)
