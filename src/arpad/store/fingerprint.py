"""The fingerprint of a schema: a digest of its tables, columns, keys and indexes, the same on both databases.

A database has the fingerprint of its schema beside the number, in ``alembic_version``; ``migrations/fingerprints.txt``
has those that this version knows. So a database of another program, or of a version that was never released, is
refused when it is opened; ``differing_tables`` compares the tables themselves.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from sqlalchemy import Connection, Integer, LargeBinary, MetaData, Table, UniqueConstraint
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
