"""The demonstration office under the monitor: its ledger balances in every period of every chess list."""

import shutil
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.office import open_office
from arpad.studies import kept_pages as watching
from arpad.studies.office_history import examined, history_of
from arpad.studies.points import accounts
from tests.commands import refusal, run, run_json
from tests.thinning import one_in


@pytest.mark.parametrize("on_list", one_in(3, [ListName.STANDARD, ListName.RAPID, ListName.BLITZ]))
def test_every_period_of_the_demo_balances(demo_office: str, on_list: ListName) -> None:
    with closing(open_office(demo_office)) as office:
        history, run = history_of(office, on_list)
    ledger = accounts(run)
    assert len(ledger) == 24
    assert [one.unexplained for one in ledger] == [0] * 24
    assert any(one.causes["lift"] for one in ledger)  # March 2024
    assert history.opened == date(2023, 1, 1)
    assert len(history.people) > 80
    assert all(tournament.boards for tournament in history.tournaments)


def test_the_demo_can_be_examined(demo_office: str) -> None:
    with closing(open_office(demo_office)) as office:
        found = examined(office, ListName.STANDARD)
    assert found.played > 300
    assert len(found.lists) == 25


def test_the_command_takes_an_office(demo_office: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "monitor", "points", "--db", demo_office)
    assert {period["unexplained"] for period in document["periods"]} == {0}


@pytest.mark.parametrize("on_list", [ListName.ITALIANA, ListName.INTERNAZIONALE])
def test_every_draughts_list_of_the_demo_balances(
    demo_office: str, on_list: ListName, capsys: pytest.CaptureFixture[str]
) -> None:
    document = run_json(capsys, "monitor", "points", "--db", demo_office, "--list", str(on_list))
    periods = document["periods"]
    assert [period["day"] for period in periods] == ["2023-06-30", "2023-12-31", "2024-06-30", "2024-12-31"]
    assert [period["unexplained"] for period in periods] == [0] * 4
    assert [period["before"] for period in periods[1:]] == [period["after"] for period in periods[:-1]]
    assert all(float(period["causes"]["quota"]) > 0 for period in periods)  # Q after every event, since 2021
    assert float(periods[1]["causes"]["malus"]) < 0  # the year's end


def test_the_page_of_a_draughts_list(
    demo_office: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    run(capsys, "monitor report --db", demo_office, "--list", "italiana", "--out", str(out), "--lang", "it")
    text = out.read_text(encoding="utf-8")
    words = load_words("it")
    assert words.text("monitor.points") in text
    assert words.text("monitor.limits-draughts") in text
    assert words.text("monitor.calibration") not in text


def test_draughts_are_refused_in_words(demo_office: str) -> None:
    with closing(open_office(demo_office)) as office, pytest.raises(BadInput) as refused:
        history_of(office, ListName.ITALIANA)
    assert refused.value.code == "no-draughts-history"


@pytest.mark.deep
def test_the_lists_of_an_office_side_by_side(demo_office: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "monitor", "lists", "--db", demo_office)
    assert document["schema"] == "arpad.monitor-lists/1"
    assert [one["list"] for one in document["lists"]] == ["standard", "rapid", "blitz"]
    assert all(
        one["favourite"]["achieved"]["low"] < one["favourite"]["achieved"]["high"]
        for one in document["lists"]
    )
    assert document["conclusions"]


@pytest.mark.deep
def test_the_pages_of_a_site_are_kept_from_the_command_line(
    demo_office: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = str(tmp_path / "office.db")
    shutil.copy(demo_office, own)
    assert run(capsys, "monitor", "keep", "--db", own, "--list", "internazionale")[0] == 0
    assert "nope" in refusal(capsys, "monitor", "keep", "--db", own, "--list", "nope")
    with closing(open_office(own)) as office, office.store.reading() as connection:
        draughts = watching.newest(connection, ListName.INTERNAZIONALE)
        assert draughts is not None
        assert watching.page_of(connection, draughts, watching.WHOLE, "en") is not None
