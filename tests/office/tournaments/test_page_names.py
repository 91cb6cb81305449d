"""The page of a tournament names everybody as the register does, whatever the report spelled."""

import re
from dataclasses import replace

from arpad.model.rules import ListName
from arpad.office.office import today
from tests.builders.site_fixtures import Served
from tests.builders.verbs import change_player


def test_a_misspelt_name_of_a_report_is_not_shown(own: Served) -> None:
    """A player is renamed after the event: the report has the name of before."""
    client, office = own.client(), replace(own.office, author="officer")
    tournaments = client.get("/api/v1/tournaments").json()["tournaments"]
    number = next(it["id"] for it in tournaments if it["rated_with"] and it["list"] == ListName.STANDARD)
    players = client.get(f"/api/v1/tournaments/{number}").json()["players"]
    renamed = next(it for it in players if it["change"] and it["id"])
    before = client.get(f"/tournaments/{number}").headers["etag"]
    with office.store.reading() as connection:
        day = today(office, connection)
    change_player(
        office, renamed["id"], since=day, reason="a slip of the pen", set_={"name": "Zorzutti, Aldo"}
    )

    shown = client.get(f"/api/v1/tournaments/{number}").json()["players"]
    assert {it["name"] for it in shown if it["id"] == renamed["id"]} == {"Zorzutti, Aldo"}
    answer = client.get(f"/tournaments/{number}", headers={"if-none-match": before})
    page = answer.text
    assert "Zorzutti, Aldo" in page
    assert not re.search(rf">{re.escape(renamed['name'])}<", page)
