"""Values with which the queries of live lists work in the office of the demo."""

from collections.abc import Iterable

import polars as pl
from sqlalchemy import Connection

from arpad.lists.live_table import COLUMNS, carried_forward
from arpad.lists.table import SCHEMA
from arpad.model.rules import ListName
from arpad.office.lists.block_rows import read_table
from arpad.office.live import rows as live_rows
from arpad.office.live.acts import update_live
from arpad.office.live.rows import ACCEPTED
from arpad.office.office import Office
from arpad.office.settings.acts import change_settings

VARIES = {"live show": ("computed",), "live update": ("computed",)}


def prepare(office: Office) -> None:
    """Let everybody see the live lists, of which one is computed."""
    change_settings(office, set_={"live_lists": "public"})
    update_live(office, ListName.STANDARD)


def overlaid(official: pl.DataFrame, lines: pl.DataFrame, gone: Iterable[int]) -> pl.DataFrame:
    """Return the lines of the computed list again: those of the official list, and those that differ."""
    replaced = [*lines["player"].to_list(), *gone]
    kept = carried_forward(official).filter(~pl.col("player").is_in(replaced))
    return pl.concat([kept, lines.select(COLUMNS)]).sort("player")


def live_lines(connection: Connection, on_list: ListName, layer: str = ACCEPTED) -> pl.DataFrame | None:
    """Return all lines of the live list, as the draft has them; None if it was never computed."""
    state = live_rows.read_state(connection, on_list, layer)
    if state is None:
        return None
    official = (
        pl.DataFrame(schema=SCHEMA) if state.official is None else read_table(connection, state.official)
    )
    return overlaid(official, *live_rows.read_lines(connection, on_list, layer))
