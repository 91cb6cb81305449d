"""The calculators as pages: an event under any system, norms, and the draughts edition of the date asked for."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import arpad
from arpad.explain.event_documents import plain_number
from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from arpad.rating.event_question import parse_json
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.formats.lists import draughts_list_csv as capitals
from arpad.web.calculators import EVENT_EXAMPLE
from tests import commands
from tests.builders.draughts import round_of, small_event
from tests.builders.offices import Clock, Desk
from tests.builders.site_fixtures import Served, compact
from tests.builders.verbs import accept, draft, import_list, submit
from tests.commands import run_json

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
    assert "K 24, come indicato" in [step["text"] for step in document["players"]["1"]["steps"]]


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


ROUNDS = (
    ("1", "GM", "2500", "FRA"), ("1", "GM", "2490", "FRA"), ("1", "GM", "2480", "ESP"), ("=", "IM", "2470", "ESP"),
    ("=", "IM", "2460", "ITA"), ("1", "FM", "2450", "ITA"), ("=", "", "2440", "GER"), ("=", "", "2430", "GER"),
    ("=", "", "2420", "GER"),
)  # fmt: skip
PLAYER = {"title": "GM", "federation": "GER", "host": "GER", "system": "swiss", "edition": "titles-2024"}


def typed(*rounds: tuple[str, ...]) -> dict[str, str]:
    return {**PLAYER, "games": "\n".join(" ".join(filter(None, cells)) for cells in rounds)}


@pytest.mark.parametrize(
    ("language", "yes"), [("en", "GM norm: 6.5 points"), ("it", "Norma"), ("fr", "Norme")]
)
def test_fields_and_a_link_give_the_answer_of_the_command(
    bare: Served, capsys: pytest.CaptureFixture[str], language: str, yes: str
) -> None:
    client = bare.client(language=language)
    games = [":".join((str(number), *cells)) for number, cells in enumerate(ROUNDS, start=1)]
    by_fields = client.get("/calculators/norm", params=typed(*ROUNDS))
    by_link = client.get("/calculators/norm", params={**PLAYER, "game": games})
    command = run_json(
        capsys, "calc norm --title=GM --federation=GER --host=GER", *(f"--game={it}" for it in games)
    )
    assert (command["norm"], command["average"], command["performance"]) == (True, 2460, 2626)
    for answer in (by_fields, by_link):
        assert answer.status_code == 200
        assert yes in answer.text
        assert "2626" in answer.text
        assert 'href="/regulations/titles-2024#art-1.4.8"' in answer.text
        assert "= 2420 GER</textarea>" in answer.text  # what was asked can be changed
        assert answer.text.index('<form class="panel"') < answer.text.index('id="answer"')


def test_what_was_missing_is_said_and_wrong_input_is_a_sentence(bare: Served) -> None:
    client = bare.client(language="en")
    lost = (*ROUNDS[:-1], ("0", "", "2420", "GER"))
    assert "6.5 points would have been enough" in compact(
        client.get("/calculators/norm", params=typed(*lost)).text
    )
    unknown = (("1", "XX", "2500", "FRA"), *ROUNDS[1:])
    for params, sentence in (
        (typed(*unknown), "XX"),
        ({**PLAYER, "federation": "Germany"}, "Germany"),
        ({**typed(*ROUNDS), "rounds": "5"}, "round 9"),
        ({**PLAYER}, "game"),
    ):
        answer = client.get("/calculators/norm", params=params)
        assert (answer.status_code, sentence in answer.text) == (400, True), sentence
    without = tuple((result, title, rating, "") for result, title, rating, _ in ROUNDS)
    assert "federation" in client.get("/calculators/norm", params=typed(*without)).text
    assert 'href="/calculators/norm"' in client.get("/calculators").text


# 2500 beats 2500: PA = 1, D = +1, S = 160 in dama internazionale (table 17), so 2660; then the bonus of ten for the
# first event of the year (table 18a of 2008), or Q = 15 at every event (2021); without a date the edition in force
QUESTIONS = [
    ({}, "rubele-2021", 2675),
    ({"date": "2020-12-31"}, "rubele-2008", 2670),
    ({"date": "2021-01-01"}, "rubele-2021", 2675),
    ({"edition": "rubele-2008"}, "rubele-2008", 2670),
    ({"edition": "rubele-2008", "date": "2021-06-10"}, "rubele-2008", 2670),
]


@pytest.mark.parametrize(("asked", "edition", "final"), QUESTIONS)
@pytest.mark.parametrize("place", ["bare", "served"])
def test_a_calculator_gives_the_same_answer_everywhere(
    place: str,
    asked: dict[str, str],
    edition: str,
    final: int,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site: Served = request.getfixturevalue(place)
    question = {
        "discipline": "internazionale", "capital": "2500", "scored": "2", "expected": "1", "first_of_year": "1",
        **asked,
    }  # fmt: skip
    options = [f"--{name}={value}" for name, value in question.items() if name != "first_of_year"]
    _, out, _ = commands.run(capsys, "rubele", "change", *options, "--first-of-year", "--json")
    typed = json.loads(out)
    told = site.client().get("/api/v1/rubele/change", params=question).json()
    page = compact(site.client().get("/calculators/capital", params=question).text)

    assert (typed["edition"], typed["final"]) == (edition, final)
    assert (told["edition"], told["final"]) == (edition, final)
    assert f'<p class="figure big">{final}<small' in page
    assert f'href="/regulations/{edition}"' in page


def test_the_form_says_which_edition_applies_without_a_date(served: Served) -> None:
    page = served.client().get("/calculators/capital").text
    assert "Without a date and an edition, the edition in force today applies." in page


def test_the_form_of_an_office_proposes_the_day_of_today(served: Served, bare: Served) -> None:
    assert 'name="date" type="date" value="2025-01-15"' in compact(
        served.client().get("/calculators/capital").text
    )
    assert 'name="date" type="date" value=""' in compact(bare.client().get("/calculators/capital").text)


@pytest.mark.parametrize(
    ("day", "edition", "final"),
    [(date(2020, 6, 10), "rubele-2008", 2670), (date(2021, 6, 10), "rubele-2021", 2675)],
)
def test_a_file_is_rated_by_its_date_as_in_the_office(
    day: date, edition: str, final: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = small_event([2500, 2500], round_of(2, [(1, 2, "1")]), day=day)
    numbered = tuple(replace(e, id=str(9000 + e.number), rating=None) for e in report.entrants)
    data = write_report(replace(report, entrants=numbered), "trf16")[0]
    event, before = tmp_path / "gara.trf", tmp_path / "list.csv"
    event.write_bytes(data)
    last = date(day.year - 1, 5, 1)
    standings = [
        DraughtsState(e.name, 2500, Category.NAZIONALE, f"{9000 + e.number}", last_event=last)
        for e in report.entrants
    ]
    before.write_bytes(capitals.write(standings))

    arguments = (str(event), "--discipline", "internazionale", "--capitals", str(before), "--json")
    _, out, _ = commands.run(capsys, "rubele", "event", *arguments)
    (typed,) = json.loads(out)["events"]
    assert (typed["edition"], typed["players"][0]["final"]) == (edition, final)
    _, out, _ = commands.run(capsys, "rubele", "event", *arguments, "--edition", "rubele-2008")
    assert json.loads(out)["events"][0]["players"][0]["final"] == 2670

    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock(date(day.year, 1, 1)))
    internazionale = ListName.INTERNAZIONALE
    import_list(desk.office, before, internazionale, date(day.year - 1, 12, 31))
    desk.on(day)
    sent = submit(desk.office, data, "gara.trf", facts=EventFacts(list=internazionale))
    accept(desk.office, sent.report)
    made = draft(desk.office, internazionale, date(day.year, 6, 30))
    assert (made.inputs.edition, made.result.ratings[1]) == (edition, final)


def test_the_years_end_and_the_groups_take_the_edition_of_their_day(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "list.csv"
    before.write_bytes(
        capitals.write([DraughtsState("Anna", 2500, Category.NAZIONALE, last_event=date(2020, 5, 1))])
    )
    for year, edition in (("2020", "rubele-2008"), ("2021", "rubele-2021")):
        arguments = (str(before), "--year", year, "--discipline", "italiana", "--json")
        _, out, _ = commands.run(capsys, "rubele", "year-end", *arguments)
        assert json.loads(out)["edition"] == edition
