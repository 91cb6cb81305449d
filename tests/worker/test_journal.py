"""The journal of what other sites have taken: a job whose entry says so is not sent again."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arpad.model.errors import BadInput, Unreadable
from arpad.office.mails import queue_mail
from arpad.office.office import Office
from arpad.office.verbs import withdraw
from arpad.office.webhooks import worker as webhooks
from arpad.office.webhooks.acts import add_webhook, retry_webhook, webhook_log
from arpad.store import jobs, ledger
from arpad.store.jobs import Job, JobState
from arpad.worker import journal, mails
from arpad.worker.journal import (
    clear_journal,
    drop,
    is_asked,
    journal_folder,
    note_asked,
    note_refused,
    note_taken,
    open_entry,
    read_taken,
)
from arpad.worker.kinds import KINDS
from arpad.worker.loop import work_once
from tests.builders.chess import event
from tests.builders.mail_server import Mailbox, mail_server
from tests.builders.offices import WIN, Clock, Desk, listed
from tests.builders.receivers import receiving
from tests.worker.mail_office import mails_of, make_due, set_up_mail

SENT = {name: KINDS[name] for name in ("changes", "webhook")}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("office")
    opened = Desk.made(str(folder / "office.db"), folder, Clock())
    opened.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    yield opened
    opened.office.close()


@pytest.fixture
def office(desk: Desk) -> Office:
    with desk.office.store.writing() as connection:
        jobs.remove(connection, "mail", [job.key for job in jobs.all_jobs(connection, ["mail"])])
    return desk.office


@pytest.fixture
def box(office: Office) -> Iterator[Mailbox]:
    with mail_server() as mailbox:
        set_up_mail(office, mailbox.port)
        yield mailbox


def queued(office: Office) -> Job:
    with office.store.writing() as connection:
        queue_mail(connection, "test", "anna@example.org", language="en", path="/")
    (job,) = mails_of(office)
    return job


def entries(office: Office) -> list[Path]:
    folder = journal_folder(office)
    return sorted(folder.iterdir()) if folder.is_dir() else []


def lose_database(*_: object) -> None:
    raise Unreadable("database-not-opened", place="x", reason="away")


def test_a_mail_that_was_taken_before_the_database_was_lost_is_not_sent_again(
    office: Office, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued(office)
    with monkeypatch.context() as patch:
        patch.setattr(mails, "write_note", lose_database)
        work_once(office)
    assert (len(box.taken), len(entries(office))) == (1, 1)
    assert mails_of(office)[0].state == JobState.WAITING
    make_due(office)
    work_once(office)
    (job,) = mails_of(office)
    assert (len(box.taken), job.state, entries(office)) == (1, JobState.DONE, [])
    assert job.payload.keys() == {"mail", "to", "language", "offered", "sent"}


def test_a_request_that_was_accepted_before_the_database_was_lost_is_not_sent_again(
    desk: Desk, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving(status=202) as receiver:
        number, _ = add_webhook(office, receiver.url, ["report-accepted"], private_host="127.0.0.1")
        desk.report(event("Second", WIN, date(2018, 2, 10)))
        with monkeypatch.context() as patch:
            patch.setattr(webhooks, "write_note", lose_database)
            work_once(office, kinds=SENT)
        assert len(entries(office)) == 1
        assert retry_webhook(office, number) == 1
        work_once(office, kinds=SENT)
        assert len(receiver.requests) == 1
    (item,) = webhook_log(office, number)
    assert (item.attempts, item.status, bool(item.done), entries(office)) == (1, 202, True, [])


def test_a_repeated_request_has_the_words_of_the_first(desk: Desk, office: Office) -> None:
    with receiving(status=500) as receiver:
        number, _ = add_webhook(office, receiver.url, ["report-accepted"], private_host="127.0.0.1")
        report = desk.report(event("Third", WIN, date(2018, 2, 17)))
        work_once(office, kinds=SENT)
        withdraw(office, report, reason="it was never played")  # its name is no longer public
        receiver.status = 200
        retry_webhook(office, number)
        work_once(office, kinds=SENT)
    first, second = [request for request in receiver.requests if b'"Third"' in request.body]
    assert first.body == second.body
    with office.store.reading() as connection:
        done = [job for job in jobs.all_jobs(connection, ["webhook"]) if job.state == JobState.DONE]
    assert all(job.payload.keys() == {"webhook", "change"} for job in done)


def test_a_worker_whose_job_is_another_workers_sends_nothing(
    desk: Desk, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def claim_by_another(secret: str, document: Any, timestamp: int) -> tuple[bytes, dict[str, str]]:
        with office.store.unlogged_writing() as connection:
            jobs.claim(connection, ["webhook"], datetime.now(UTC) + timedelta(hours=13), timedelta(minutes=1))
        return b"", {}

    with receiving() as receiver:
        add_webhook(office, receiver.url, ["report-accepted"], private_host="127.0.0.1")
        desk.report(event("Fourth", WIN, date(2018, 2, 24)))
        monkeypatch.setattr(webhooks, "signed_request", claim_by_another)
        work_once(office, kinds=SENT)
        assert receiver.requests == []


def test_two_workers_of_a_machine_never_have_an_entry_at_once(office: Office, box: Mailbox) -> None:
    job = queued(office)
    with open_entry(office, job):
        work_once(office)
        assert box.taken == []
        assert "job-lost" in mails_of(office)[0].error
    make_due(office)
    work_once(office)
    assert len(box.taken) == 1


def test_an_entry_that_was_deleted_is_not_deleted_again(office: Office, box: Mailbox) -> None:
    job = queued(office)
    with open_entry(office, job) as first:
        note_taken(first, 250)
        drop(first)
        with open_entry(office, job) as second:
            assert read_taken(second) is None
            drop(first)
            assert second.path.exists()


def test_an_entry_remembers_that_a_server_was_asked_until_it_refuses(office: Office, box: Mailbox) -> None:
    job = queued(office)
    with open_entry(office, job) as entry:
        note_asked(entry)
    with open_entry(office, job) as again:
        assert (again.path.exists(), is_asked(again), read_taken(again)) == (True, True, None)
        assert b"@" not in again.path.read_bytes()  # an address that is deleted on request is not here
        note_refused(again)
    assert entries(office) == []


@pytest.mark.parametrize(
    "content", [b"", b"taken", b"taken 2026-11-16T12:00", b"taken \xff 250 mail", b"open"]
)
def test_a_torn_entry_says_nothing(office: Office, box: Mailbox, content: bytes) -> None:
    with open_entry(office, queued(office)) as entry:
        pass
    entry.path.write_bytes(content)
    work_once(office)
    assert (len(box.taken), entries(office)) == (1, [])


def test_without_a_place_for_the_journal_nothing_is_handed_over(
    office: Office, box: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    queued(office)
    with monkeypatch.context() as patch:
        patch.setenv("ARPAD_JOURNAL", str(tmp_path / "file"))
        work_once(office)
    assert (box.taken, "cannot-write" in mails_of(office)[0].error) == ([], True)


def test_a_disk_that_fails_after_the_answer_does_not_undo_it(
    office: Office, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []

    def full(handle: int) -> None:
        written.append(handle)
        if len(written) > 1:  # the first note is made before the server is asked
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    queued(office)
    monkeypatch.setattr(journal, "os", SimpleNamespace(**vars(os) | {"fsync": full}))
    work_once(office)
    (job,) = mails_of(office)
    assert (len(box.taken), job.state, len(written)) == (1, JobState.DONE, 2)


def test_a_disk_that_fails_before_the_server_is_asked_lets_nothing_be_sent(
    office: Office, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    queued(office)
    with monkeypatch.context() as patch:
        patch.setattr(journal, "os", SimpleNamespace(**vars(os) | {"fsync": full}))
        work_once(office)
    assert (box.taken, "cannot-write" in mails_of(office)[0].error, entries(office)) == ([], True, [])


def test_the_night_clears_what_killed_workers_left(office: Office) -> None:
    set_up_mail(office, 25)
    job = queued(office)
    with open_entry(office, job) as entry:
        note_taken(entry, 250)
        clear_journal(office)  # a worker is at it
        assert entry.path.exists()
    clear_journal(office)
    assert entry.path.exists()  # the database does not have it yet
    with office.store.writing() as connection:
        jobs.remove(connection, "mail", [job.key])
    entry.path.with_name("torn").touch()
    clear_journal(office)
    assert entries(office) == []


def test_the_folder_of_the_journal(office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = journal_folder(office).name
    assert journal_folder(office) == Path(f"{office.store.engine.url.database}.sent") / name
    monkeypatch.setenv("ARPAD_JOURNAL", str(tmp_path))
    assert journal_folder(office) == tmp_path / name
    with open_entry(
        office, Job("mail", "a", {}, JobState.RUNNING, datetime.now(UTC), 1, 1, "", "", datetime.now(UTC))
    ):
        rights = [path.stat().st_mode & 0o077 for path in (tmp_path / name, *entries(office))]
    assert rights == [0, 0]


def test_the_folder_beside_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reading:
        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...

    url = SimpleNamespace(get_backend_name=lambda: "postgresql")
    store: Any = SimpleNamespace(reading=Reading, engine=SimpleNamespace(url=url))
    monkeypatch.setattr(ledger, "act", lambda *_: SimpleNamespace(digest="0123456789abcdefff"))
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert journal_folder(Office(store)) == Path("/state/arpad-sent/0123456789abcdef")
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/arpad:/other")
    assert journal_folder(Office(store)) == Path("/var/lib/arpad/arpad-sent/0123456789abcdef")


def test_a_job_that_met_a_full_disk_is_free_for_the_next_attempt(
    office: Office, box: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = queued(office)

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as during:
        during.setattr(os, "pwrite", full)
        with pytest.raises(BadInput, match="No space left"), open_entry(office, job):
            pass

    assert entries(office) == []
    with open_entry(office, job) as entry:
        assert read_taken(entry) is None
