"""The queue of jobs: enqueued with the act, claimed by one worker, claimed again after a lease, given up in the end."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from arpad.store import jobs
from arpad.store.database import Store, open_store
from arpad.store.fingerprint import upgrade
from arpad.store.jobs import JobState

NOW = datetime.now(UTC) + timedelta(days=1)
LEASE = timedelta(seconds=60)


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    opened = open_store(place, create=True)
    with opened.writing() as connection:
        upgrade(connection)
    yield opened
    opened.engine.dispose()


def later(**time: int) -> datetime:
    return NOW + timedelta(**time)


def test_a_job_exists_exactly_if_its_transaction_does(store: Store) -> None:
    with store.writing() as connection:
        jobs.enqueue(connection, "mail", {"to": "a"}, key="1")
        connection.rollback()
    with store.writing() as connection:
        assert jobs.all_jobs(connection) == []
        jobs.enqueue(connection, "mail", {"to": "a"}, key="1")
        (job,) = jobs.all_jobs(connection)
    assert (job.kind, job.key, job.payload, job.state, job.attempts) == (
        "mail",
        "1",
        {"to": "a"},
        "waiting",
        0,
    )


def test_two_workers_claim_two_jobs_and_a_third_none(store: Store) -> None:
    with store.writing() as connection:
        jobs.enqueue(connection, "mail", {}, key="1", due=later(minutes=-2))
        jobs.enqueue(connection, "mail", {}, key="2", due=later(minutes=-1))
        jobs.enqueue(connection, "mail", {}, key="3", due=later(minutes=1))
        jobs.enqueue(connection, "hook", {}, key="4", due=later(minutes=-3))
    with store.unlogged_writing() as connection:
        first = jobs.claim(connection, {"mail"}, NOW, LEASE)
        if store.engine.dialect.name == "postgresql":  # the row that another transaction claims is skipped
            with store.unlogged_writing() as other:
                second = jobs.claim(other, {"mail"}, NOW, LEASE)
        else:
            second = jobs.claim(connection, {"mail"}, NOW, LEASE)
    with store.unlogged_writing() as connection:
        assert jobs.claim(connection, {"mail"}, NOW, LEASE) is None
        assert not jobs.is_due(connection, {"mail"}, NOW)
        assert jobs.is_due(connection, {"hook"}, NOW)
    assert first is not None
    assert second is not None
    assert [first.key, second.key] == ["1", "2"]


def test_the_job_of_a_killed_worker_is_claimed_again_after_its_lease(store: Store) -> None:
    with store.writing() as connection:
        jobs.enqueue(connection, "mail", {}, key="1")
        killed = jobs.claim(connection, {"mail"}, NOW, LEASE)
        assert killed is not None
        assert jobs.renew(connection, killed, later(seconds=30), LEASE)
        assert jobs.claim(connection, {"mail"}, later(seconds=89), LEASE) is None

        again = jobs.claim(connection, {"mail"}, later(seconds=90), LEASE)
        assert again is not None
        assert again.attempts == 2
        assert not jobs.renew(connection, killed, later(seconds=91), LEASE)
        assert not jobs.finish(connection, killed, later(seconds=91))
        assert not jobs.fail(connection, killed, later(seconds=91), "")
        assert jobs.finish(connection, again, later(seconds=92))
        assert jobs.counts(connection) == {("mail", "done"): 1}


def test_a_job_that_kills_its_workers_is_given_up(store: Store) -> None:
    with store.writing() as connection:
        jobs.enqueue(connection, "mail", {}, key="1")
        moment = NOW
        for _ in range(jobs.MOST_ATTEMPTS):
            assert jobs.claim(connection, {"mail"}, moment, LEASE) is not None
            moment += LEASE
        assert jobs.claim(connection, {"mail"}, moment, LEASE) is None
        (job,) = jobs.all_jobs(connection)
    assert (job.state, json.loads(job.error)["code"]) == (JobState.FAILED, "worker-killed")


def test_a_failed_job_waits_longer_each_time_until_it_is_given_up(store: Store) -> None:
    waits, moment = [], NOW
    with store.writing() as connection:
        jobs.enqueue(connection, "mail", {}, key="1")
        while (job := jobs.claim(connection, {"mail"}, moment, LEASE)) is not None:
            jobs.fail(connection, job, moment, f"error {job.attempts}")
            (job,) = jobs.all_jobs(connection)
            waits.append(round((job.due - moment).total_seconds()))
            moment = job.due
        assert waits[:4] == [30, 60, 120, 240]
        assert len(waits) == jobs.MOST_ATTEMPTS
        assert max(waits) == jobs.LONGEST_DELAY.total_seconds()
        assert (job.state if job else "", jobs.retry(connection, "mail", ["2"])) == ("", 0)
        (job,) = jobs.all_jobs(connection, states=[JobState.FAILED])
        assert job.error == "error 12"
        assert jobs.retry(connection, "mail") == 1
        (job,) = jobs.all_jobs(connection)
        assert (job.state, job.attempts) == (JobState.WAITING, 0)


def test_what_is_asked_while_it_runs_is_done_again(store: Store) -> None:
    with store.writing() as connection:
        jobs.enqueue(connection, "live", {"head": 1}, key="standard")
        jobs.enqueue(connection, "live", {"head": 2}, key="standard")
        job = jobs.claim(connection, {"live"}, NOW, LEASE)
        assert job is not None
        assert job.payload == {"head": 2}
        jobs.enqueue(connection, "live", {"head": 3}, key="standard")
        assert jobs.claim(connection, {"live"}, NOW, LEASE) is None
        jobs.finish(connection, job, NOW)
        job = jobs.claim(connection, {"live"}, NOW, LEASE)
        assert job is not None
        assert job.payload == {"head": 3}
        jobs.finish(connection, job, NOW)
        assert jobs.claim(connection, {"live"}, later(days=1), LEASE) is None
        jobs.enqueue(connection, "live", {"head": 4}, key="standard")
        assert jobs.claim(connection, {"live"}, NOW, LEASE) is not None


def test_a_job_to_be_done_once_is_not_asked_for_again(store: Store) -> None:
    with store.writing() as connection:
        for number in (1, 2):
            jobs.enqueue(connection, "mail", {"number": number}, key="1", once=True)
        job = jobs.claim(connection, {"mail"}, NOW, LEASE)
        assert job is not None
        assert job.payload == {"number": 1}
        jobs.finish(connection, job, NOW)
        jobs.enqueue(connection, "mail", {"number": 3}, key="1", once=True)
        assert not jobs.is_due(connection, {"mail"}, later(days=1))
        assert jobs.forget_done(connection, NOW) == 0
        assert jobs.forget_done(connection, later(seconds=1)) == 1


def test_a_job_without_a_key_is_added_each_time_and_can_be_removed(store: Store) -> None:
    with store.writing() as connection:
        keys = {jobs.enqueue(connection, "mail", {}) for _ in range(3)}
        assert len(keys) == len(jobs.all_jobs(connection, ["mail"])) == 3
        assert jobs.remove(connection, "mail", keys) == 3
