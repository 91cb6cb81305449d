"""Who may work in the office, and how often somebody may ask: the only tables whose rows come and go."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)


def upgrade() -> None:
    """Make the tables of ``arpad.accounts``."""
    op.create_table(
        "users", _number("id"), _text("login"), _text("name"), _text("password"), _number("active"),
        sa.PrimaryKeyConstraint("id", name="pk_users"), sa.UniqueConstraint("login", name="uq_users_login"),
    )  # fmt: skip
    op.create_table(
        "grants", _number("user"), _text("role"), _text("federation"),
        sa.PrimaryKeyConstraint("user", "role", "federation", name="pk_grants"),
    )  # fmt: skip
    op.create_table(
        "sessions", _text("digest"), _number("user"), _text("begun"), _text("ends"),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )  # fmt: skip
    op.create_table("failures", _text("key"), _text("at"))
    op.create_index("ix_failures_key", "failures", ["key"])
    op.create_table(
        "tokens", _number("id"), _number("user"), _text("name"), _text("digest"), _text("scopes"),
        _text("made"), _text("ends"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"), sa.UniqueConstraint("digest", name="uq_tokens_digest"),
    )  # fmt: skip
    op.create_table(
        "counters", _text("key"), _number("slot"), _number("count"),
        sa.PrimaryKeyConstraint("key", "slot", name="pk_counters"),
    )  # fmt: skip
    op.create_table(
        "hidden_players", _number("player"), sa.PrimaryKeyConstraint("player", name="pk_hidden_players")
    )
