"""Rankings of each list, made once and read a page at a time; and players by several words of their names at once."""

import sqlalchemy as sa
from alembic import op

from arpad.store.rankings import add_rankings

revision = "0005"
down_revision = "0004"


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)


def _cut() -> sa.Column[str]:
    """By code point, as all words that are looked up by their beginning."""
    kind = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    return sa.Column("cut", kind, nullable=False)


def _of_a_list(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["publication"], ["publications.id"], name=f"fk_{table}_publication", initially="DEFERRED", deferrable=True
    )  # fmt: skip


def upgrade() -> None:
    """Make the tables, and the rankings of the lists that are out."""
    op.create_table(
        "rankings", _number("publication"), _cut(), _number("total"), _of_a_list("rankings"),
        sa.PrimaryKeyConstraint("publication", "cut", name="pk_rankings"),
    )  # fmt: skip
    op.create_table(
        "ranking_pages", _number("publication"), _cut(), _number("page"), _number("rank"),
        sa.Column("players", sa.Text(), nullable=False), _of_a_list("ranking_pages"),
        sa.PrimaryKeyConstraint("publication", "cut", "page", name="pk_ranking_pages"),
    )  # fmt: skip
    op.create_index("ix_name_keys_player", "name_keys", ["player", "word"])
    op.create_index("ix_merges_dropped", "merges", ["dropped"])
    connection = op.get_bind()
    shown = sa.text("SELECT id FROM publications WHERE kind <> 'base' ORDER BY id")
    for number in connection.execute(shown).scalars().all():
        add_rankings(connection, number)
