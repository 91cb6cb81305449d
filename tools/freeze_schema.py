"""``tools/freeze_schema.py``: write the first migration and the fingerprint of the newest schema from the source.

While 0001 is the only migration and no release has it, it is written anew from the declared tables. Afterwards it is
never changed: docs/guides/recipes/migration.md says how to change the schema, and this tool writes its fingerprint.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

import arpad.office.office  # noqa: F401  it knows the tables of the features
from arpad.store.declared_tables import META, kept_tables, whole_schema
from arpad.store.fingerprint import fingerprint
from arpad.store.triggers import make_append_only

MIGRATIONS = Path("src/arpad/store/migrations")
FIRST = MIGRATIONS / "versions" / "0001_initial.py"
FINGERPRINTS = MIGRATIONS / "fingerprints.txt"

MODULE = '''"""Create all tables of 0.1.0, and the triggers that keep their rows.

Written by tools/freeze_schema.py. It is never changed once 0.1.0 is released: a later schema is a migration of its own.
"""

from alembic import op

revision = "0001"
down_revision = None

TABLES = """
{tables}
"""
"""As PostgreSQL takes them, except for WITHOUT ROWID, which is SQLite's."""

SQLITE_TRIGGERS = """
{sqlite_triggers}
"""

POSTGRESQL_FUNCTION = """
{function}
"""

POSTGRESQL_TRIGGERS = """
{postgresql_triggers}
"""

KEPT = """
{kept}
"""


def upgrade() -> None:
    """Create the schema."""
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    if on_sqlite:
        tables = TABLES.replace(' COLLATE "C"', "").replace("BYTEA", "BLOB")
    else:
        tables = TABLES.replace(" WITHOUT ROWID", "")
        connection.exec_driver_sql(POSTGRESQL_FUNCTION)
    for statement in tables.strip().split("\\n\\n"):
        connection.exec_driver_sql(statement)
    triggers = SQLITE_TRIGGERS if on_sqlite else POSTGRESQL_TRIGGERS
    for table in KEPT.split():
        for statement in triggers.strip().split("\\n\\n"):
            connection.exec_driver_sql(statement.format(table=table))
    connection.exec_driver_sql("ALTER TABLE alembic_version ADD COLUMN fingerprint TEXT")
'''


def main() -> int:
    """Write the files; return the exit status."""
    numbers = sorted(path.name[:4] for path in FIRST.parent.glob("[0-9]*.py"))
    if numbers == ["0001"]:
        if released():
            print("0001 is released: change the schema by a new migration.", file=sys.stderr)
            return 2
        FIRST.write_text(first_migration(), encoding="utf-8")
    lines = FINGERPRINTS.read_text(encoding="ascii").splitlines() if FINGERPRINTS.exists() else []
    earlier = [line for line in lines if line.split()[0] in numbers[:-1]]
    newest = f"{numbers[-1]} {fingerprint(whole_schema())}"
    FINGERPRINTS.write_text("\n".join([*earlier, newest]) + "\n", encoding="ascii")
    print(newest)
    return 0


def released() -> bool:
    """Return whether the repository has the tag of a release."""
    tags = subprocess.run(["git", "tag", "--list", "v*"], capture_output=True, text=True, check=False)  # noqa: S607
    return bool(tags.stdout.strip())


def first_migration() -> str:
    """Return the text of the first migration."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    dialect.identifier_preparer.reserved_words = {
        *dialect.identifier_preparer.reserved_words,
        *sqlite.dialect().identifier_preparer.reserved_words,
    }
    statements = [
        statement for table in whole_schema().sorted_tables for statement in of_table(table.name, dialect)
    ]
    function, *on_postgresql = trigger_statements("postgresql")
    return MODULE.format(
        tables="\n\n".join(statements),
        sqlite_triggers="\n\n".join(trigger_statements("sqlite")),
        function=function,
        postgresql_triggers="\n\n".join(on_postgresql),
        kept="\n".join(kept_tables()),
    )


def trigger_statements(dialect: str) -> list[str]:
    """Return the statements that make a table append-only, with ``{table}`` for its name."""
    statements: list[str] = []
    connection = SimpleNamespace(dialect=SimpleNamespace(name=dialect), exec_driver_sql=statements.append)
    make_append_only(cast("Connection", connection), "{table}")
    return statements


def of_table(name: str, dialect: Dialect) -> list[str]:
    """Return the statements that create a table and its indexes."""
    table = META.tables[name]
    text = str(CreateTable(table).compile(dialect=dialect)).strip().replace(" \n", "\n").replace("\t", "    ")
    text = text.replace(" REFERENCES ", "\n        REFERENCES ")
    if not table.dialect_options["sqlite"]["with_rowid"]:
        text += " WITHOUT ROWID"
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    return [text, *(str(CreateIndex(index).compile(dialect=dialect)) for index in indexes)]


if __name__ == "__main__":
    sys.exit(main())
