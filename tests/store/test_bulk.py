"""A query for few values of a column and one for many find the same rows."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import bindparam, select

from arpad.office import verbs
from arpad.store.bulk import FEW, rows_with
from arpad.store.schema import player_reports

FROM_REPORT = select(player_reports.c.report, player_reports.c.player).where(
    player_reports.c.report >= bindparam("least")
)


@pytest.mark.parametrize("asked", [0, 1, FEW, FEW + 1, 200])
def test_rows_with_few_and_with_many_values(demo_folder: Path, asked: int) -> None:
    players = list(range(1, asked + 1))
    with (
        closing(verbs.open_office(str(demo_folder / "office.db"))) as office,
        office.store.reading() as connection,
    ):
        every = [tuple(row) for row in connection.execute(FROM_REPORT, {"least": 3})]
        found = list(rows_with(connection, FROM_REPORT, player_reports.c.player, players, least=3))
    assert sorted(found) == sorted((report, player) for report, player in every if player in players)
    assert found or asked < FEW
