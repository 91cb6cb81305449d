"""A publication can be taken back: its rows stay, and a row here says that it counts no more."""

import sqlalchemy as sa
from alembic import op

from arpad.store.triggers import keep

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the table; its rows are kept like all others."""
    op.create_table(
        "taken_back",
        sa.Column("publication", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("act", sa.Integer(), nullable=False, autoincrement=False),
        sa.ForeignKeyConstraint(["publication"], ["publications.id"], name="fk_taken_back_publication"),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name="fk_taken_back_act", initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("publication", name="pk_taken_back"),
    )
    keep(op.get_bind(), "taken_back")
