"""How long this office keeps each kind of data: as declared, or as its settings say."""

from datetime import timedelta

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.retention import KEPT, default_days
from arpad.store.settings import read_setting


def time_kept(connection: Connection, name: str) -> timedelta:
    """Return how long this office keeps a kind of data whose days can be set."""
    setting = f"keep_{name}"
    return timedelta(days=int(read_setting(connection, setting) or default_days(setting)))


def retention_rows(connection: Connection | None, words: Words, backups: str = "") -> list[tuple[str, str]]:
    """Return every kind of data in words, with how long it is kept; without an office, as declared.

    ``backups`` says how long backups are kept, if the server knows.
    """
    rows = []
    for item in KEPT:
        if item.unit:
            amount = item.amount
            if item.can_be_set and connection is not None:
                amount = time_kept(connection, item.name).days
            how_long = words.text(f"retention.{item.unit}", count=amount)
            if words.has(f"retention.{item.name}-until"):
                how_long = words.text(f"retention.{item.name}-until", length=how_long)
        else:
            how_long = words.text(f"retention.{item.name}-until")
            how_long = backups if backups and item.name == "backups" else how_long
        rows.append((words.text(f"retention.{item.name}"), how_long))
    return rows
