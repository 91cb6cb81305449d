"""A federation's own editions, adopted for a list from a day on; one that was adopted by mistake can be taken back."""

import sqlalchemy as sa
from alembic import op

from arpad.store.triggers import keep

revision = "0008"
down_revision = "0007"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)


def _act(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_act"
    return sa.ForeignKeyConstraint(["act"], ["ledger.seq"], name=name, initially="DEFERRED", deferrable=True)


def upgrade() -> None:
    """Add the tables; their rows are kept like all others."""
    op.create_table(
        "editions", _number("id"), _text("edition"), _text("list"), _text("since"), _text("text"), _number("act"),
        _act("editions"), sa.PrimaryKeyConstraint("id", name="pk_editions"),
    )  # fmt: skip
    op.create_table(
        "edition_revocations", _number("adoption"), _number("act"), _act("edition_revocations"),
        sa.ForeignKeyConstraint(["adoption"], ["editions.id"], name="fk_edition_revocations_adoption"),
        sa.PrimaryKeyConstraint("adoption", name="pk_edition_revocations"),
    )  # fmt: skip
    for table in ("editions", "edition_revocations"):
        keep(op.get_bind(), table)
