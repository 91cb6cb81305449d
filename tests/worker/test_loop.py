"""The loop of a worker: jobs are done, tried again, given up; nights are planned; a hanging lane delays no other."""

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from threading import Event, Thread
from zoneinfo import ZoneInfo

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.office.office import Office
from arpad.store import jobs
from arpad.store.jobs import Job, JobState
from arpad.worker import kinds as kinds_module
from arpad.worker.kinds import Hopeless, Kind, next_night
from arpad.worker.loop import NIGHTLY_ATTEMPTS, do_job, schedule_nights, work, work_once
from tests.builders.offices import Clock, Desk

LEASE = timedelta(seconds=30)
DONE: list[str] = []
HANG = Event()


def note_key(_office: Office, job: Job) -> None:
    DONE.append(job.key)


def raise_fault(_office: Office, job: Job) -> None:
    raise ZeroDivisionError(job.key)


def raise_hopeless(_office: Office, _job: Job) -> None:
    raise Hopeless("office-altered", count=1, code="x")


def hang(_office: Office, _job: Job) -> None:
    HANG.wait(60)


def kind(function: str, lane: str = "a", nightly: time | None = None) -> Kind:
    return Kind(f"{__name__}.{function}", lane, nightly)


KINDS = {
    "note": kind("note_key"),
    "fault": kind("raise_fault"),
    "hopeless": kind("raise_hopeless"),
    "hang": kind("hang", "b"),
    "night": kind("raise_fault", "c", time(2)),
}


@pytest.fixture(scope="module")
def shared_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    folder = tmp_path_factory.mktemp("office")
    office = Desk.made(str(folder / "office.db"), folder, Clock()).office
    yield office
    office.close()


@pytest.fixture
def office(shared_office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setattr(kinds_module, "import_module", lambda name: sys.modules[name.removeprefix("arpad.")])
    with shared_office.store.writing() as connection:
        for job in jobs.all_jobs(connection):
            jobs.remove(connection, job.kind, [job.key])
    DONE.clear()
    return shared_office


def enqueue(office: Office, kind: str, key: str) -> None:
    with office.store.writing() as connection:
        jobs.enqueue(connection, kind, {}, key=key)


def queue(office: Office, *names: str) -> list[Job]:
    with office.store.reading() as connection:
        return jobs.all_jobs(connection, names)


def test_every_due_job_is_done_and_a_fault_stops_no_other(office: Office) -> None:
    for name, key in (("note", "1"), ("fault", "2"), ("hopeless", "3"), ("note", "4")):
        enqueue(office, name, key)

    assert work_once(office, kinds=KINDS) == 4

    assert DONE == ["1", "4"]
    states = {job.key: (job.state, job.error) for job in queue(office)}
    assert states["1"] == states["4"] == (JobState.DONE, "")
    assert states["2"][0] == JobState.WAITING
    assert json.loads(states["2"][1])["facts"] == {"what": "ZeroDivisionError: 2"}
    assert states["3"][0] == JobState.FAILED


def test_a_lane_that_hangs_delays_no_other_and_a_stop_waits_for_the_current_job(office: Office) -> None:
    stop = Event()
    HANG.clear()
    enqueue(office, "hang", "1")
    enqueue(office, "note", "2")
    worker = Thread(target=work, args=(office, stop), kwargs={"kinds": KINDS})
    worker.start()
    while not DONE or queue(office, "hang")[0].state != JobState.RUNNING:
        stop.wait(0.02)
    stop.set()
    worker.join(0.5)
    assert worker.is_alive()
    HANG.set()
    worker.join(60)
    assert not worker.is_alive()
    assert {job.state for job in queue(office, "hang", "note")} == {JobState.DONE}


def test_the_lease_of_a_long_job_is_renewed(office: Office) -> None:
    HANG.clear()
    lease = timedelta(seconds=0.3)
    enqueue(office, "hang", "1")
    with office.store.unlogged_writing() as connection:
        job = jobs.claim(connection, ["hang"], datetime.now(UTC), lease)
    assert job is not None
    doing = Thread(target=do_job, args=(office, job, KINDS["hang"], lease))
    doing.start()
    Event().wait(0.7)
    with office.store.unlogged_writing() as connection:
        assert jobs.renew(connection, job, datetime.now(UTC), lease)
    HANG.set()
    doing.join()
    assert [each.state for each in queue(office, "hang")] == [JobState.DONE]


def test_a_nightly_job_fails_some_times_and_comes_again_the_next_night(office: Office) -> None:
    schedule_nights(office, KINDS)
    schedule_nights(office, KINDS)
    (job,) = queue(office)
    assert timedelta() < job.due - datetime.now(UTC) <= timedelta(days=1)
    assert (job.due.hour, job.due.minute) == (2, 0)
    for attempt in range(1, NIGHTLY_ATTEMPTS + 1):
        with office.store.unlogged_writing() as connection:
            claimed = jobs.claim(connection, ["night"], job.due + timedelta(days=attempt), LEASE)
        assert claimed is not None
        do_job(office, claimed, KINDS["night"], LEASE)
        (job,) = queue(office)
        assert job.state == JobState.WAITING
    assert (job.due.hour, job.due.minute, job.attempts) == (2, 0, 0)
    assert "ZeroDivisionError" in job.error


def test_a_kind_that_needs_a_setting_is_left_to_other_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(kinds_module.BACKUPS, raising=False)
    assert "backup" not in kinds_module.lanes(kinds_module.KINDS)["night"]
    monkeypatch.setenv(kinds_module.BACKUPS, "folder")
    assert "backup" in kinds_module.lanes(kinds_module.KINDS)["night"]


@pytest.mark.parametrize("name", kinds_module.KINDS)
def test_every_kind_has_a_function_and_a_name_in_every_language(name: str) -> None:
    assert callable(kinds_module.load_work(kinds_module.KINDS[name]))
    assert all(load_words(language).text(f"job-kind.{name}") for language in LANGUAGES)


@pytest.mark.parametrize(
    ("now", "night"),
    [
        ("2026-03-28T00:30:00Z", "2026-03-28T02:00:00+01:00"),
        ("2026-03-28T01:00:00Z", "2026-03-29T02:00:00+01:00"),
        ("2026-03-29T12:00:00Z", "2026-03-30T02:00:00+02:00"),
    ],
)
def test_the_next_night_is_that_of_the_federation(now: str, night: str) -> None:
    moment = next_night(time(2), ZoneInfo("Europe/Rome"), datetime.fromisoformat(now))
    assert moment.astimezone(UTC) == datetime.fromisoformat(night).astimezone(UTC)
