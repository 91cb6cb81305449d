"""One setting of an office in a file, without SQLAlchemy: loading it takes longer than printing the help."""

import sqlite3
from contextlib import closing
from urllib.parse import quote

_NEWEST = """
SELECT value FROM (
    SELECT 0 AS id, value FROM settings WHERE name = :name
    UNION ALL SELECT id, value FROM setting_changes WHERE name = :name
) ORDER BY id DESC LIMIT 1
"""


def file_setting(database: str, name: str) -> str | None:
    """Return a setting as ``read_setting`` does; None if the database is no file that can be read so."""
    try:
        with closing(sqlite3.connect(f"file:{quote(database)}?mode=ro", uri=True)) as connection:
            row = connection.execute(_NEWEST, {"name": name}).fetchone()
    except sqlite3.Error:
        return None
    return str(row[0]) if row else ""
