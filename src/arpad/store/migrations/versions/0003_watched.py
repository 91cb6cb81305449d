"""Pages of the monitor, made once for each list: they can be made anew at any time, so their rows come and go."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def upgrade() -> None:
    """Make the table of ``arpad.monitor.page_cache``."""
    op.create_table(
        "watched", sa.Column("publication", sa.Integer(), nullable=False, autoincrement=False),
        _text("kind"), _text("language"), _text("version"), _text("made"), _text("body"),
        sa.PrimaryKeyConstraint("publication", "kind", "language", name="pk_watched"),
    )  # fmt: skip
