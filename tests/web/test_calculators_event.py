"""One event under any system, as a page and for programs."""

from __future__ import annotations

import json
from typing import Any

import arpad
from arpad.explain.event_documents import plain_number
from arpad.rating.event_question import parse_json
from arpad.web.calculators import EVENT_EXAMPLE
from tests.builders.site_fixtures import Served

EVENT: dict[str, Any] = json.loads(EVENT_EXAMPLE)


def test_a_program_gets_the_answer_of_the_library(bare: Served) -> None:
    answer = bare.client().post("/api/v1/calc/event", params={"system": "icu", "lang": "it"}, json=EVENT)

    assert answer.status_code == 200, answer.text
    rated = arpad.rate_event(EVENT, system="icu")
    document = answer.json()
    assert (document["system"], document["edition"]) == ("icu", "icu-2013")
    assert {name: player["after"] for name, player in document["players"].items()} == {
        name: plain_number(player.after) for name, player in rated.players.items()
    }
    assert document["players"]["1"]["steps"][0]["text"] == "K 24, come indicato"


def test_a_wrong_event_is_refused_with_its_place(bare: Served) -> None:
    client = bare.client()
    for system, body, sentence in (
        ("ingo", EVENT, "ingo"),
        ("icu", {**EVENT, "games": [["1", "1", 1]]}, "games.1"),
        ("icu", {**EVENT, "players": {"1": {"rating": 1500}}}, "players.1.games"),
    ):
        answer = client.post("/api/v1/calc/event", params={"system": system, "lang": "en"}, json=body)
        assert (answer.status_code, sentence in answer.json()["detail"]) == (400, True), answer.text
    answer = client.post("/api/v1/calc/event", params={"system": "icu"}, content=b"\xff{")
    assert answer.status_code == 400


def test_an_event_of_many_players_is_rated_in_a_limited_process(bare: Served) -> None:
    players = {str(number): {"rating": 1500 + number, "rd": 80} for number in range(40)}
    question = {"players": players, "periods": [[]] * 20}
    answer = bare.client().post("/api/v1/calc/event", params={"system": "glicko2"}, json=question)

    assert answer.status_code == 200, answer.text
    assert len(answer.json()["players"]["7"]["passes"]) == 20

    too_many = {"players": players, "periods": [[]] * 1000}
    answer = bare.client().post(
        "/api/v1/calc/event", params={"system": "glicko2", "lang": "en"}, json=too_many
    )
    assert answer.status_code == 413, "more players and games than a visitor's bound"


def test_a_visitor_reads_the_answer_below_the_form(bare: Served) -> None:
    client = bare.client()
    page = client.get("/calculators/event", params={"lang": "en"})
    assert "&#34;edition&#34;: &#34;icu-2013&#34;" in page.text

    answer = client.get("/calculators/event", params={"system": "icu", "event": EVENT_EXAMPLE})
    assert answer.status_code == 200
    changed = arpad.rate_event(parse_json(EVENT_EXAMPLE), system="icu").players["2"].after["rating"]
    assert str(changed) in answer.text
    assert 'href="/calculators/event"' in client.get("/calculators").text

    refused = client.get("/calculators/event", params={"system": "icu", "event": "{"})
    assert (refused.status_code, "JSON" in refused.text) == (400, True)
