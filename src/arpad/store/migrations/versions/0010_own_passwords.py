"""A password that somebody else chose is known to be one, and ends."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add to the users of ``arpad.accounts``; whoever has a password by now keeps it as his own."""
    op.add_column("users", sa.Column("password_ends", sa.Text(), nullable=False, server_default=""))
