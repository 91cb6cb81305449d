"""Add the checkpoints of the office's own lists, and what the federation sets for such a list."""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    """CREATE TABLE chain_checkpoints (
    list TEXT NOT NULL,
    digest TEXT NOT NULL,
    events INTEGER NOT NULL,
    place TEXT NOT NULL,
    data {bytes} NOT NULL,
    seal TEXT NOT NULL,
    CONSTRAINT pk_chain_checkpoints PRIMARY KEY (list, digest)
)""",
    "ALTER TABLE own_lists ADD COLUMN facts TEXT",
)


def upgrade() -> None:
    """Change the schema."""
    connection = op.get_bind()
    kind = "BLOB" if connection.dialect.name == "sqlite" else "BYTEA"
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement.replace("{bytes}", kind))
