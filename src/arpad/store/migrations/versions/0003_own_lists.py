"""Add the office's own lists, which rating systems compute."""

from alembic import op

revision = "0003"
down_revision = "0002"

STATEMENTS = (
    """CREATE TABLE own_lists (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    system TEXT NOT NULL,
    game TEXT NOT NULL,
    times TEXT NOT NULL,
    owner TEXT NOT NULL,
    since TEXT NOT NULL,
    act INTEGER NOT NULL,
    CONSTRAINT pk_own_lists PRIMARY KEY (id),
    CONSTRAINT uq_own_lists_name UNIQUE (name),
    CONSTRAINT fk_own_lists_act FOREIGN KEY(act) REFERENCES ledger (seq) DEFERRABLE INITIALLY DEFERRED
)""",
    "CREATE INDEX ix_own_lists_act ON own_lists (act)",
)

TRIGGERS = {
    "sqlite": (
        (
            "CREATE TRIGGER keep_own_lists_UPDATE BEFORE UPDATE ON own_lists\n"
            "BEGIN SELECT RAISE(ABORT, 'arpad-kept own_lists'); END"
        ),
        (
            "CREATE TRIGGER keep_own_lists_DELETE BEFORE DELETE ON own_lists\n"
            "BEGIN SELECT RAISE(ABORT, 'arpad-kept own_lists'); END"
        ),
    ),
    "postgresql": (
        (
            "CREATE TRIGGER keep_own_lists BEFORE UPDATE OR DELETE ON own_lists"
            " FOR EACH ROW EXECUTE FUNCTION arpad_kept()"
        ),
        "CREATE TRIGGER keep_own_lists_truncate BEFORE TRUNCATE ON own_lists EXECUTE FUNCTION arpad_kept()",
    ),
}


def upgrade() -> None:
    """Change the schema."""
    connection = op.get_bind()
    for statement in (*STATEMENTS, *TRIGGERS[connection.dialect.name]):
        connection.exec_driver_sql(statement)
