"""How the office is: its worker, mails, backups with their rehearsal, and the disk."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete

from arpad.explain.words import load_words
from arpad.office.today.state import state_of_office
from arpad.store.jobs import claim, enqueue, fail, finish
from arpad.store.schema import jobs
from arpad.worker.kinds import BACKUPS, REHEARSE
from tests.builders.offices import Desk
from tests.builders.site_fixtures import Served
from tests.office.mail.mail_office import set_up_mail


@pytest.fixture
def idle_desk(sqlite_desk: Desk) -> Desk:
    """An office without jobs: the copy that tests begin with may have one that has been due for long."""
    with sqlite_desk.office.store.unlogged_writing() as connection:
        connection.execute(delete(jobs))
    return sqlite_desk


def states(desk: Desk) -> dict[str, tuple[str, bool]]:
    return {it.part: (it.state, it.is_well) for it in state_of_office(desk.office, load_words("en"))}


def test_a_new_office_has_no_worker_mail_and_backup(idle_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BACKUPS, raising=False)
    found = states(idle_desk)
    assert found.pop("disk")[0] in {"room", "full"}
    assert found == {"worker": ("never", False), "mail": ("off", False), "backup": ("off", False)}


def test_a_worker_that_does_nothing_is_seen_by_what_is_due(idle_desk: Desk) -> None:
    now = datetime.now(UTC)
    with idle_desk.office.store.unlogged_writing() as connection:
        enqueue(connection, "live", {}, due=now - timedelta(minutes=1))
    assert states(idle_desk)["worker"] == ("never", False)
    with idle_desk.office.store.unlogged_writing() as connection:
        enqueue(connection, "live", {}, due=now - timedelta(minutes=6))
    assert states(idle_desk)["worker"] == ("late", False)
    with idle_desk.office.store.unlogged_writing() as connection:
        for _ in range(2):
            job = claim(connection, ["live"], now, timedelta(minutes=1))
            assert job is not None
            finish(connection, job, now)
    assert states(idle_desk)["worker"] == ("works", True)


def test_mails_wait_are_sent_or_given_up(sqlite_desk: Desk) -> None:
    set_up_mail(sqlite_desk.office, 25)
    assert states(sqlite_desk)["mail"] == ("sent", True)
    now = datetime.now(UTC)
    with sqlite_desk.office.store.unlogged_writing() as connection:
        enqueue(connection, "mail", {"mail": "test", "to": "a@example.org"})
    assert states(sqlite_desk)["mail"] == ("waits", True)
    with sqlite_desk.office.store.unlogged_writing() as connection:
        job = claim(connection, ["mail"], now + timedelta(days=1), timedelta(minutes=1))
        assert job is not None
        fail(connection, job, now, "{}", give_up=True)
    assert states(sqlite_desk)["mail"] == ("failed", False)


def test_backups_are_there_new_and_rehearsed(
    sqlite_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BACKUPS, str(tmp_path))
    monkeypatch.delenv(REHEARSE, raising=False)
    assert states(sqlite_desk)["backup"] == ("none", False)
    day = sqlite_desk.office.now().date()
    (tmp_path / f"arpad-{day - timedelta(days=9)}.zip").touch()
    assert states(sqlite_desk)["backup"] == ("old", False)
    (tmp_path / f"arpad-{day}.zip").touch()
    found = states(sqlite_desk)
    assert (found["backup"], found["rehearsal"]) == (("done", True), ("off", False))
    monkeypatch.setenv(REHEARSE, "sunday")
    assert states(sqlite_desk)["rehearsal"] == ("none", True)
    with sqlite_desk.office.store.unlogged_writing() as connection:
        enqueue(connection, "rehearse", {"rehearsed": "2018-05-06"}, key="nightly")
    assert states(sqlite_desk)["rehearsal"] == ("done", True)


def test_the_page_of_the_office_says_it(served: Served) -> None:
    page = served.client("administrator").get("/admin").text
    assert "Mail is not set up: nobody gets one." in page
    assert "GB are free on the disk." in page
