"""The records of draughts on the site and in the API: the same as the command gives."""

import json
import re
from dataclasses import replace
from datetime import date

import pytest

from arpad.model.rules import ListName
from arpad.office.draughts.records import points_register, promotions
from arpad.office.privacy.acts import hide_player
from tests import commands
from tests.builders.site_fixtures import Served, proof

PERIOD = {"from": "2023-01-01", "to": "2024-12-31"}


def told(capsys: pytest.CaptureFixture[str], served: Served, *arguments: str) -> dict[str, object]:
    place = str(served.office.store.engine.url.database)
    status, out, _ = commands.run(capsys, "office", "draughts", *arguments, "--db", place, "--json")
    assert status == 0
    found: dict[str, object] = json.loads(out)
    return found


@pytest.mark.parametrize("on_list", ["italiana", "internazionale"])
def test_the_register_of_points_is_the_same_everywhere(
    served: Served, on_list: str, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = told(capsys, served, "points", on_list)
    asked = served.client().get(f"/api/v1/draughts/{on_list}/points").json()
    assert asked == {name: value for name, value in typed.items() if name != "schema"}
    csv = served.client().get(f"/api/v1/draughts/{on_list}/points.csv").text
    assert csv.startswith("player,name,year,kind,points,total,list,capital,left\n")


def test_promotions_of_a_period_are_the_same_everywhere(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = told(capsys, served, "promotions", "italiana", "--from", PERIOD["from"], "--to", PERIOD["to"])
    asked = served.client().get("/api/v1/draughts/italiana/promotions", params=PERIOD).json()
    assert asked["promotions"] == typed["promotions"]
    assert len(asked["promotions"]) > 3
    page = served.client("officer").get("/desk/draughts", params={"list": "italiana", **PERIOD}).text
    for promotion in asked["promotions"]:
        assert promotion["name"] in page
    refused = served.client().get(
        "/api/v1/draughts/italiana/promotions", params={"from": "2024-02-01", "to": "2024-01-01"}
    )
    assert (refused.status_code, refused.json()["code"]) == (400, "period-backwards")
    assert served.client("officer").get("/desk/draughts?from=2024-02-01&to=2024-01-01").status_code == 400
    assert served.client().get("/api/v1/draughts/standard/points").status_code == 400
    csv = (
        served.client("officer")
        .get("/desk/files/draughts/promotions", params={"list": "italiana", **PERIOD})
        .text
    )
    assert len(csv.splitlines()) == len(asked["promotions"]) + 1


@pytest.mark.parametrize(("language", "words"), [("it", "Punti defalcati"), ("en", "Points deducted")])
def test_a_players_page_shows_category_points_and_promotions(
    served: Served, language: str, words: str
) -> None:
    account = points_register(served.office, ListName.ITALIANA).accounts[0]
    promoted = promotions(served.office, ListName.ITALIANA, date(2023, 1, 1), date(2024, 12, 31))[0]
    page = served.client(language=language).get(f"/players/{account.player}?list=italiana").text
    assert words in page
    assert f"{account.entries[0].year}: {account.entries[0].points} " in page
    assert promoted.event in served.client().get(f"/players/{promoted.id}?list=italiana").text


def test_an_fmjd_rating_is_entered_at_the_desk_and_shown(
    own: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    officer = own.client("officer")
    answer = officer.post(
        "/desk/acts/decide",
        data={
            "csrf": proof(officer, "/desk/decisions"), "kind": "fmjd", "player": "1", "date": "2024-06-01",
            "value.fmjd": "2201", "reason": "FMJD list",
        },
    )  # fmt: skip
    assert answer.status_code == 303, answer.text
    # table 22: 2201 x 2.4 = 5282.4
    (found,) = own.client().get("/api/v1/draughts/fmjd").json()["players"]
    assert (found["player"], found["rating"], found["factor"], found["capital"]) == (1, 2201, "2.4", 5282)
    assert told(capsys, own, "fmjd")["players"] == [found]
    assert "2201" in officer.get("/desk/draughts").text
    assert (
        own.client()
        .get("/api/v1/draughts/fmjd?format=csv")
        .text.splitlines()[1]
        .endswith("2201,2024-06-01,2.4,5282")
    )


def test_a_hidden_player_is_not_in_the_public_records(own: Served) -> None:
    account = points_register(own.office, ListName.ITALIANA).accounts[0]
    hide_player(replace(own.office, author="tests"), account.player, reason="asked for it")
    assert account.name not in own.client().get("/api/v1/draughts/italiana/points").text
    assert account.name not in own.client().get("/api/v1/draughts/italiana/points.csv").text
    assert account.name in own.client("officer").get("/desk/files/draughts/points-csv?list=italiana").text


def test_the_differences_of_games_have_two_decimals_each(served: Served) -> None:
    page = served.client().get("/players/89?list=italiana").text
    differences = re.findall(r'<span class="(?:up|down)">([+−]\d\.\d+)</span>', page)
    assert len(differences) > 15
    assert {len(it) for it in differences} == {5}
