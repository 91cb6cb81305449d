"""Drop the copies of the register by FIDE number, which nobody reads any more."""

from alembic import op

revision = "0002"
down_revision = "0001"

STATEMENTS = ("DELETE FROM column_parts WHERE name = 'numbers'",)


def upgrade() -> None:
    """Change the schema."""
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
