"""What an office may change later: its settings, and the numbers by which other bodies know a player."""

import sqlalchemy as sa
from alembic import op

from arpad.store.triggers import keep

revision = "0004"
down_revision = "0003"


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
        "setting_changes", _number("id"), _text("name"), _text("value"), _number("act"), _act("setting_changes"),
        sa.PrimaryKeyConstraint("id", name="pk_setting_changes"),
    )  # fmt: skip
    op.create_table(
        "identifier_changes", _number("id"), _text("scheme"), _text("value"),
        sa.Column("player", sa.Integer(), nullable=True), _number("act"), _act("identifier_changes"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_identifier_changes_player"),
        sa.PrimaryKeyConstraint("id", name="pk_identifier_changes"),
    )  # fmt: skip
    for table in ("setting_changes", "identifier_changes"):
        keep(op.get_bind(), table)
