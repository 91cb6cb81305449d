"""How a change came about is worked out when somebody asks; what was kept of it can be made again and goes."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Drop the table; its triggers go with it."""
    op.drop_table("derivations")
