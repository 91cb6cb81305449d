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


def told(capsys: pytest.CaptureFixture[str], served: Served, *arguments: str) -> dict[str, object]:
    place = str(served.office.store.engine.url.database)
    status, out, _ = commands.run(capsys, "office", "draughts", *arguments, "--db", place, "--json")
    assert status == 0
    found: dict[str, object] = json.loads(out)
    return found


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


def test_the_desk_has_the_promotions_of_a_period(served: Served) -> None:
    officer = served.client("officer")
    made = promotions(served.office, ListName.ITALIANA, date(2023, 1, 1), date(2024, 12, 31))
    assert len(made) > 3
    asked = "?list=italiana&from=2023-01-01&to=2024-12-31"
    page = officer.get(f"/desk/draughts{asked}").text
    assert [promotion.name for promotion in made if promotion.name not in page] == []
    assert len(officer.get(f"/desk/files/draughts/promotions{asked}").text.splitlines()) == len(made) + 1
    assert officer.get("/desk/draughts?from=2024-02-01&to=2024-01-01").status_code == 400
