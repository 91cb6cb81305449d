"""A second factor for signing in; sessions that end when nobody uses them, and that their owner can tell apart."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default="")


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, server_default="0")


def upgrade() -> None:
    """Add to the tables of ``arpad.accounts``; who is signed in signs in again."""
    op.add_column("users", _text("factor"))
    op.add_column("users", _number("factor_used"))
    op.add_column("sessions", _text("seen"))
    op.add_column("sessions", _text("browser"))
    op.create_table(
        "recovery_codes", sa.Column("user", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user", "digest", name="pk_recovery_codes"),
    )  # fmt: skip
