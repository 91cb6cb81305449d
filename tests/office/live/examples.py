"""Values with which the queries of live lists work in the office of the demo."""

import polars as pl
from sqlalchemy import Connection, select

from arpad.lists.table import SCHEMA
from arpad.model.rules import ListName
from arpad.office.lists.block_rows import read_table
from arpad.office.live import rows as live_rows
from arpad.office.live.acts import update_live
from arpad.office.live.rows import ACCEPTED
from arpad.office.live.tables import live_rows as live_rows_table
from arpad.office.office import Office
from arpad.office.settings.acts import change_settings
from tests.builders.live_lines import lines_of_texts, overlaid

VARIES = {"live show": ("computed",), "live update": ("computed",)}


def prepare(office: Office) -> None:
    """Let everybody see the live lists, of which one is computed."""
    change_settings(office, set_={"live_lists": "public"})
    update_live(office, ListName.STANDARD)


def live_lines(connection: Connection, on_list: ListName, layer: str = ACCEPTED) -> pl.DataFrame | None:
    """Return all lines of the live list, as the draft has them; None if it was never computed."""
    state = live_rows.read_state(connection, on_list, layer)
    if state is None:
        return None
    official = (
        pl.DataFrame(schema=SCHEMA) if state.official is None else read_table(connection, state.official)
    )
    query = select(live_rows_table.c.player, live_rows_table.c.line).filter_by(list=str(on_list), layer=layer)
    pairs = connection.execute(query.order_by(live_rows_table.c.player)).all()
    lines = lines_of_texts(text for _, text in pairs if text)
    return overlaid(official, lines, [player for player, text in pairs if not text])
