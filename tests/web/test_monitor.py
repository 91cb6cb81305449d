"""The pages of the monitor: drift and calibration for everybody, the whole report for administrators."""

from __future__ import annotations

import fcntl
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from playwright.sync_api import Browser
from sqlalchemy import select

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.monitor import office_history
from arpad.monitor import page_cache as watching
from arpad.office.office import open_office
from arpad.office.register.tables import players
from tests.builders.site_fixtures import Served, copied, january, proof, serving
from tests.thinning import one_in
from tests.web.test_web_walks import FOR_LONG_WALKS, Walk


@pytest.fixture(scope="module")
def examined(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo with its standard and one draughts list examined, by the first test process that needs it."""
    made = demo_folder.with_name("examined.db")
    with demo_folder.with_name("examined.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            office = replace(copied(demo_folder, tmp_path_factory.mktemp("examining")), author="anna")
            for name in (ListName.STANDARD, ListName.ITALIANA):
                watching.examine_and_store(office, name)
            watching.try_and_store(office, ListName.STANDARD, "floor=1600")
            with office.store.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            path = office.store.engine.url.database
            office.close()
            shutil.copy(str(path), made)
    own = tmp_path_factory.mktemp("examined") / "office.db"
    shutil.copy(made, own)
    with serving(open_office(str(own), now=january, author="")) as running:
        yield running


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_list_that_was_not_examined(served: Served, language: str) -> None:
    words = load_words(language)
    text = served.client(language=language).get("/watching").text
    assert words.text("watch.ask") in text
    assert "<svg" not in text
    text = served.client("administrator", language).get("/admin/watching").text
    assert words.text("watch.examine") in text


@pytest.mark.deep
@pytest.mark.parametrize("language", one_in(3, LANGUAGES))
def test_everybody_sees_drift_and_calibration_and_no_name(examined: Served, language: str) -> None:
    words = load_words(language)
    text = examined.client(language=language).get("/watching?list=standard").text
    assert words.text("monitor.drift") in text
    assert words.text("monitor.calibration") in text
    verdicts = [text.find(words.text(f"monitor.verdict-{kind}")) for kind in ("good", "look", "unknown")]
    assert 0 < max(verdicts) < text.index("<details><summary>") < text.index("<svg")  # figures behind a click
    for closed in ("points", "islands", "communities", "integrity"):
        assert f">{words.text(f'monitor.{closed}')}<" not in text
    assert examined.office is not None
    with examined.office.store.reading() as connection:
        names = list(connection.execute(select(players.c.name)).scalars())
    assert len(names) > 80
    assert not [name for name in names if name in text]


def test_administrators_see_the_whole_report(examined: Served) -> None:
    words = load_words("en")
    text = examined.client("administrator").get("/admin/watching?list=standard").text
    for part in (
        "points",
        "drift",
        "calibration",
        "islands",
        "communities",
        "integrity",
        "settling",
        "limits",
    ):
        assert f">{words.text(f'monitor.{part}')}<" in text
    assert " style=" not in text
    assert "<style" not in text


def test_a_draughts_list_has_points_and_drift(examined: Served) -> None:
    words = load_words("en")
    text = examined.client("administrator").get("/admin/watching?list=italiana").text
    assert f">{words.text('monitor.points')}<" in text
    assert f">{words.text('monitor.calibration')}<" not in text


def test_an_unknown_list_is_refused(examined: Served) -> None:
    assert examined.client().get("/watching?list=nonsense").status_code == 404
    client = examined.client("administrator")
    form = {"csrf": proof(client, "/admin/watching"), "list": "nonsense"}
    assert client.post("/admin/watching", data=form).status_code == 400


@pytest.mark.deep
def test_the_button_examines_in_a_process_of_its_own(own: Served) -> None:
    client = own.client("administrator")
    form = {"csrf": proof(client, "/admin/watching?list=internazionale"), "list": "internazionale"}
    answer = client.post("/admin/watching", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/watching?list=internazionale")
    words = load_words("en")
    for _ in range(6000):  # ten minutes: only runaway work fails
        text = client.get("/admin/watching?list=internazionale").text
        if "<svg" in text:
            break
        assert words.text("watch.under-way") in text
        time.sleep(0.1)
    assert words.text("watch.examine-again") in text
    assert "<svg" in own.client().get("/watching?list=internazionale").text


def test_an_examination_starts_once_and_its_page_is_of_one_version(
    demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = replace(copied(demo_folder, tmp_path), author="anna")
    with office.store.reading() as connection:
        newest = watching.newest(connection, ListName.INTERNAZIONALE)
    assert newest is not None
    assert watching.mark_running(office, newest)
    assert not watching.mark_running(office, newest)
    publication = watching.examine_and_store(office, ListName.INTERNAZIONALE)
    assert publication == newest
    with office.store.reading() as connection:
        assert watching.page_of(connection, publication, watching.PUBLIC, "it") is not None
        assert not watching.is_running(office, connection, publication)
        monkeypatch.setattr(watching, "VERSION", "another")
        assert watching.page_of(connection, publication, watching.PUBLIC, "it") is None
    assert watching.mark_running(office, publication)
    office.close()


@pytest.mark.deep
def test_an_administrator_reads_why_an_examination_failed(
    own: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own.office is not None
    office = replace(own.office, author="anna")
    client = own.client("administrator")
    for error, why in (
        (
            BadInput("no-lists-yet", list="rapid"),
            load_words("en").error(BadInput("no-lists-yet", list="rapid")),
        ),
        (MemoryError("no room"), "MemoryError"),
    ):
        monkeypatch.setattr(office_history, "examined", mock.Mock(side_effect=error))
        with pytest.raises(type(error)):
            watching.examine_and_store(office, ListName.RAPID)
        assert why in client.get("/admin/watching?list=rapid").text
        assert why in client.get("/admin/watching/what-if?list=rapid").text
        assert why not in own.client().get("/watching?list=rapid").text

    with office.store.reading() as connection:
        publication = watching.newest(connection, ListName.RAPID)
    assert publication is not None
    assert watching.mark_running(office, publication)
    assert "MemoryError" not in client.get("/admin/watching?list=rapid").text
    watching.mark_failed(office, publication, -9)
    assert "status -9" in client.get("/admin/watching?list=rapid").text
    monkeypatch.undo()
    watching.examine_and_store(office, ListName.RAPID)
    assert "failed: " not in client.get("/admin/watching?list=rapid").text


def test_a_rule_is_tried_on_a_list(examined: Served) -> None:
    client = examined.client("administrator")
    here = "/admin/watching/what-if"
    page = client.get(f"{here}?list=standard&try=floor%3D1600").text
    words = load_words("en")
    named = words.text("rule.floor")
    assert f"<h2>{named[:1].upper()}{named[1:]}: 1600</h2>" in page
    assert "floor=1600" not in page
    assert "<svg" in page
    assert words.text("monitor.movers") in page
    assert words.text("watch.try-none") in client.get(f"{here}?list=rapid").text
    assert client.get(f"{here}?list=italiana").status_code == 404
    good = {"csrf": proof(client, here), "list": "standard", "rule": "floor", "value": "1600"}
    for wrong in (
        {"list": "italiana"},
        {"rule": "flor"},
        {"value": "-1"},
        {"value": "high"},
        {"value": "none"},
    ):
        assert client.post(here, data=good | wrong).status_code == 400, wrong


def assert_no_label_is_cut(walk: Walk) -> None:
    """Assert that every label of a plot is inside it and large enough to be read."""
    outside = walk.page.evaluate(
        """() => [...document.querySelectorAll('svg.plot')].flatMap(plot => {
            const room = plot.getBoundingClientRect();
            return [...plot.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < room.left - 1 || box.right > room.right + 1 || box.height < 9;
            }).map(text => text.textContent);
        })"""
    )
    assert outside == []


@pytest.mark.deep
@pytest.mark.parametrize("size", FOR_LONG_WALKS)
def test_the_pages_are_read_on_a_phone_and_at_a_desk(
    browser: Browser, examined: Served, size: tuple[str, int]
) -> None:
    walk = Walk(browser, examined, *size)
    walk.go("/watching?list=standard", "watching")
    walk.page.locator("details summary").first.click()
    walk.check_page("watching-figures")
    walk.go("/watching?list=rapid", "watching-not-yet")
    walk.sign_in("administrator")
    walk.go("/admin/watching?list=standard", "watching-whole")
    assert_no_label_is_cut(walk)
    walk.go("/admin/watching?list=italiana", "watching-draughts")
    assert_no_label_is_cut(walk)
    walk.go("/admin/watching/what-if?list=standard&try=floor%3D1600", "watching-try")
    walk.close()
