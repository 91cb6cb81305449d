"""The pages of the monitor: drift and calibration for everybody, the whole report for administrators."""

import fcntl
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from sqlalchemy import select

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.rules import ListName
from arpad.office.office import open_office
from arpad.office.register.tables import players
from arpad.studies import kept_pages as watching
from tests.builders.site_fixtures import Served, copied, january, serving
from tests.builders.walks import FOR_LONG_WALKS, Walk
from tests.thinning import one_in


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
    assert words.text("watch.how") in text


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
    walk.close()
