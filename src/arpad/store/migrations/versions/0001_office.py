"""The office's first schema: register, reports, decisions, lists, ledger."""

import sqlalchemy as sa
from alembic import op

from arpad.store.triggers import keep

revision = "0001"
down_revision = None

KEPT = (
    "ledger",
    "events",
    "players",
    "publications",
    "settings",
    "derivations",
    "identifiers",
    "merges",
    "player_facts",
    "reports",
    "standings",
    "decisions",
    "entrants",
    "rated_reports",
    "report_statuses",
    "unmerges",
    "revocations",
)


def upgrade() -> None:
    """Make the tables, then the triggers that keep their rows."""
    op.create_table(
        "ledger",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("verb", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ledger")),
        sa.UniqueConstraint("digest", name=op.f("uq_ledger_digest")),
    )
    op.create_table(
        "name_keys",
        sa.Column("word", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("word", "player", name=op.f("pk_name_keys")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("federation", sa.Text(), nullable=False),
        sa.Column("first_day", sa.Text(), nullable=False),
        sa.Column("last_day", sa.Text(), nullable=False),
        sa.Column("registered", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_events_act"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("federation", sa.Text(), nullable=False),
        sa.Column("sex", sa.Text(), nullable=False),
        sa.Column("born", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("women_title", sa.Text(), nullable=False),
        sa.Column("other_titles", sa.Text(), nullable=False),
        sa.Column("affiliation", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_players_act"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_table(
        "publications",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("list", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("edition", sa.Text(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("standings_digest", sa.Text(), nullable=False),
        sa.Column("inputs_digest", sa.Text(), nullable=False),
        sa.Column("making", sa.Text(), nullable=False),
        sa.Column("published", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=True),
        sa.Column("corrects", sa.Integer(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_publications_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["base"], ["publications.id"], name=op.f("fk_publications_base")),
        sa.ForeignKeyConstraint(["corrects"], ["publications.id"], name=op.f("fk_publications_corrects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
        sa.UniqueConstraint("list", "day", "revision", name=op.f("uq_publications_list")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_settings_act"), initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "derivations",
        sa.Column("publication", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("story", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_derivations_player")),
        sa.ForeignKeyConstraint(
            ["publication"],
            ["publications.id"],
            name=op.f("fk_derivations_publication"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("publication", "player", name=op.f("pk_derivations")),
    )
    op.create_table(
        "identifiers",
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_identifiers_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_identifiers_player")),
        sa.PrimaryKeyConstraint("scheme", "value", name=op.f("pk_identifiers")),
    )
    op.create_index(op.f("ix_identifiers_player"), "identifiers", ["player"], unique=False)
    op.create_table(
        "merges",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kept", sa.Integer(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_merges_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["dropped"], ["players.id"], name=op.f("fk_merges_dropped")),
        sa.ForeignKeyConstraint(["kept"], ["players.id"], name=op.f("fk_merges_kept")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_merges")),
    )
    op.create_table(
        "player_facts",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("since", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_player_facts_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_player_facts_player")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_facts")),
    )
    op.create_index(op.f("ix_player_facts_player"), "player_facts", ["player"], unique=False)
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("received", sa.Text(), nullable=False),
        sa.Column("list", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("federation", sa.Text(), nullable=False),
        sa.Column("first_day", sa.Text(), nullable=False),
        sa.Column("last_day", sa.Text(), nullable=False),
        sa.Column("games", sa.LargeBinary(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("findings", sa.Text(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=True),
        sa.Column("replaces", sa.Integer(), nullable=True),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_reports_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name=op.f("fk_reports_event")),
        sa.ForeignKeyConstraint(["replaces"], ["reports.id"], name=op.f("fk_reports_replaces")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        sa.UniqueConstraint("digest", name=op.f("uq_reports_digest")),
    )
    op.create_index(op.f("ix_reports_last_day"), "reports", ["last_day"], unique=False)
    op.create_table(
        "standings",
        sa.Column("publication", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=True),
        sa.Column("seal", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_standings_player")),
        sa.ForeignKeyConstraint(
            ["publication"],
            ["publications.id"],
            name=op.f("fk_standings_publication"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("publication", "player", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_standings_player"), "standings", ["player"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("report", sa.Integer(), nullable=True),
        sa.Column("player", sa.Integer(), nullable=True),
        sa.Column("federation", sa.Text(), nullable=True),
        sa.Column("list", sa.Text(), nullable=True),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_decisions_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_decisions_player")),
        sa.ForeignKeyConstraint(["report"], ["reports.id"], name=op.f("fk_decisions_report")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
    )
    op.create_table(
        "entrants",
        sa.Column("report", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_entrants_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name=op.f("fk_entrants_player")),
        sa.ForeignKeyConstraint(["report"], ["reports.id"], name=op.f("fk_entrants_report")),
        sa.PrimaryKeyConstraint("report", "place", name=op.f("pk_entrants")),
    )
    op.create_index(op.f("ix_entrants_player"), "entrants", ["player"], unique=False)
    op.create_table(
        "rated_reports",
        sa.Column("publication", sa.Integer(), nullable=False),
        sa.Column("report", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication"],
            ["publications.id"],
            name=op.f("fk_rated_reports_publication"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(["report"], ["reports.id"], name=op.f("fk_rated_reports_report")),
        sa.PrimaryKeyConstraint("publication", "report", name=op.f("pk_rated_reports")),
    )
    op.create_index(op.f("ix_rated_reports_report"), "rated_reports", ["report"], unique=False)
    op.create_table(
        "report_statuses",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("report", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"],
            ["ledger.seq"],
            name=op.f("fk_report_statuses_act"),
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.ForeignKeyConstraint(["report"], ["reports.id"], name=op.f("fk_report_statuses_report")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_statuses")),
    )
    op.create_index(op.f("ix_report_statuses_report"), "report_statuses", ["report"], unique=False)
    op.create_table(
        "unmerges",
        sa.Column("merge", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_unmerges_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["merge"], ["merges.id"], name=op.f("fk_unmerges_merge")),
        sa.PrimaryKeyConstraint("merge", name=op.f("pk_unmerges")),
    )
    op.create_table(
        "revocations",
        sa.Column("decision", sa.Integer(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["act"], ["ledger.seq"], name=op.f("fk_revocations_act"), initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(["decision"], ["decisions.id"], name=op.f("fk_revocations_decision")),
        sa.PrimaryKeyConstraint("decision", name=op.f("pk_revocations")),
    )
    # ### end Alembic commands ###
    for table in KEPT:
        keep(op.get_bind(), table)
