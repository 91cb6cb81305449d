"""One answer: command, site, API and office take the draughts edition of the event's date."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.model.draughts import Category, DraughtsState
from arpad.model.rules import ListName
from arpad.office import verbs
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.formats.lists import draughts_list_csv as capitals
from tests import commands
from tests.builders.draughts import round_of, small_event
from tests.builders.offices import Clock, Desk
from tests.web.conftest import Served, compact

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
    day: date,
    edition: str,
    final: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
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
    verbs.import_list(desk.office, before, internazionale, date(day.year - 1, 12, 31))
    desk.on(day)
    sent = verbs.submit(desk.office, data, "gara.trf", facts=EventFacts(list=internazionale))
    verbs.accept(desk.office, sent.report)
    made = verbs.draft(desk.office, internazionale, date(day.year, 6, 30))
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
