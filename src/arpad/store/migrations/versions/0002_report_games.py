"""Add the games of accepted reports in columns; drop the copies of the register by FIDE number, which nobody reads."""

from alembic import op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    """CREATE TABLE report_games (
    report INTEGER NOT NULL,
    name TEXT NOT NULL,
    first_day TEXT,
    last_day TEXT,
    time_control TEXT NOT NULL,
    coded_time_control TEXT NOT NULL,
    rounds INTEGER NOT NULL,
    numbers {bytes} NOT NULL,
    opponents {bytes} NOT NULL,
    results {bytes} NOT NULL,
    CONSTRAINT pk_report_games PRIMARY KEY (report),
    CONSTRAINT fk_report_games_report FOREIGN KEY(report) REFERENCES reports (id)
)""",
    "DELETE FROM column_parts WHERE name = 'numbers'",
)


def upgrade() -> None:
    """Change the schema; ``arpad office migrate`` then fills the table from the bytes of the reports."""
    connection = op.get_bind()
    kind = "BLOB" if connection.dialect.name == "sqlite" else "BYTEA"
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement.replace("{bytes}", kind))
