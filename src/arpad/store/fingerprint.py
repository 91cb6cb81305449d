"""The fingerprint of a schema: a digest of its tables, columns, keys and indexes, the same on both databases.

A database has the fingerprint of its schema beside the number, in ``alembic_version``; ``migrations/fingerprints.txt``
has those that this version knows. So a database of another program, or of a version that was never released, is
refused when it is opened; ``differing_tables`` compares the tables themselves.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from sqlalchemy import Connection, Integer, LargeBinary, MetaData, Table, UniqueConstraint, text
from sqlalchemy.types import TypeEngine

from arpad.store.declared_tables import whole_schema

VERSION_TABLE = "alembic_version"


def describe(schema: MetaData) -> dict[str, str]:
    """Return a line for each table; the order of columns and the names of constraints do not count."""
    return {name: _table(table) for name, table in schema.tables.items() if name != VERSION_TABLE}


def fingerprint(schema: MetaData) -> str:
    """Return the digest of a schema."""
    tables = sorted(describe(schema).items())
    return sha256("\n".join(f"{name}: {line}" for name, line in tables).encode()).hexdigest()


def stored_schema(connection: Connection) -> MetaData:
    """Return the schema as the database has it."""
    schema = MetaData()
    schema.reflect(connection)
    return schema


def tables_of_no_feature(stored: MetaData) -> tuple[str, ...]:
    """Return the tables of a database that belong to features which this installation does not have."""
    return tuple(sorted(describe(stored).keys() - describe(whole_schema()).keys()))


def differing_tables(stored: MetaData) -> list[str]:
    """Return the tables of a database that are not as this version has them, missing and additional ones too."""
    found, live = describe(stored), describe(whole_schema())
    return sorted(name for name in found.keys() | live.keys() if found.get(name) != live.get(name))


@cache
def known_fingerprints() -> dict[str, str]:
    """Return the schemas that this version knows by number, the oldest first, with the fingerprint of each."""
    text = (files("arpad.store") / "migrations" / "fingerprints.txt").read_text(encoding="ascii")
    return dict(sorted((number, digest) for number, digest in (line.split() for line in text.splitlines())))


def _table(table: Table) -> str:
    columns = [
        f"{column.name} {_type(column.type)}{'' if column.nullable else ' not null'}"
        for column in table.columns
    ]
    references = [
        f"{','.join(key.column_keys)} to {','.join(element.target_fullname for element in key.elements)}"
        f"{' deferred' if key.initially == 'DEFERRED' else ''}"
        for key in table.foreign_key_constraints
    ]
    unique = [
        ",".join(column.name for column in constraint.columns)
        for constraint in table.constraints
        if isinstance(constraint, UniqueConstraint)
    ]
    indexes = [
        f"{index.name} {','.join(column.name for column in index.columns)}{' unique' if index.unique else ''}"
        for index in table.indexes
    ]
    key = ",".join(column.name for column in table.primary_key.columns)
    parts = (columns, [key], references, unique, indexes)
    return "; ".join(", ".join(sorted(part)) for part in parts)


def _type(kind: TypeEngine[object]) -> str:
    if isinstance(kind, LargeBinary):
        return "bytes"
    return "integer" if isinstance(kind, Integer) else "text"


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring a database to the present schema or an earlier one, inside the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":  # it alters no table while a check of its rows is put off
        connection.exec_driver_sql("SET CONSTRAINTS ALL IMMEDIATE")
    config = Config()
    config.set_main_option("script_location", str(files("arpad.store") / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET CONSTRAINTS ALL DEFERRED")
    connection.execute(
        text(f"UPDATE {VERSION_TABLE} SET fingerprint = :digest"),  # noqa: S608  our table
        {"digest": fingerprint(stored_schema(connection))},
    )
