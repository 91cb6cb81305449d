"""The players of the register as a table."""

from __future__ import annotations

import polars as pl

from arpad.lists.people import People, SharedFacts


def people_table(people: People) -> pl.DataFrame:
    """Return the players by number, with their facts as the register stores them."""
    rows = people.rows
    columns = {
        "player": pl.Series(list(rows), dtype=pl.Int64),
        "name": pl.Series([name for name, _, _ in rows.values()], dtype=pl.String),
    }
    facts = [shared for _, shared, _ in rows.values()]
    columns |= {
        name: pl.Series([values[place] for values in facts], dtype=pl.String)
        for place, name in enumerate(SharedFacts._fields)
    }
    return pl.DataFrame(columns).sort("player")
