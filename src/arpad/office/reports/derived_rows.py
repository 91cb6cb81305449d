"""Compare the index of players and reports with the entrants, from which it follows."""

from __future__ import annotations

import polars as pl
from sqlalchemy import Connection, select

from arpad.model.canonical_json import load
from arpad.office.lists.tables import player_reports
from arpad.office.reports.tables import entrants
from arpad.store.bulk import fetch_rows
from arpad.store.derived_rows import only_in_one


def differing_player_reports(connection: Connection) -> list[str]:
    """Return the rows of the index of players and reports that are not those of the entrants."""
    schema = {"player": pl.Int64, "report": pl.Int64}
    try:
        pairs = [
            (player, report)
            for report, numbers in fetch_rows(connection, select(entrants.c.report, entrants.c.players))
            for player in load(numbers)
        ]
        expected = pl.DataFrame(pairs, schema=schema, orient="row").unique()
    except (ValueError, TypeError, pl.exceptions.PolarsError):  # a row of entrants is altered, and named
        return []
    rows = fetch_rows(connection, select(player_reports.c.player, player_reports.c.report))
    return only_in_one(pl.DataFrame(rows, schema=schema, orient="row"), expected)
