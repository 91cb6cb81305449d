"""Nightly work: the backup, and a verification that finds something."""

from pathlib import Path

import pytest
from sqlalchemy import text

from arpad.model.errors import BadInput
from arpad.office.backup.acts import KEEP, WEEK, parse_day_of_week
from arpad.office.proof.signing_keys import make_signing_key
from arpad.office.users import Role
from arpad.store import jobs
from arpad.store.jobs import Job
from arpad.worker import nightly
from arpad.worker.kinds import BACKUPS, REHEARSE, Hopeless
from tests.builders.offices import Desk
from tests.builders.verbs import ledger, restore
from tests.commands import run
from tests.office.mail.mail_office import add_person, mails_of, with_mail


def job_of(desk: Desk, kind: str) -> Job:
    with desk.office.store.writing() as connection:
        jobs.enqueue(connection, kind, {}, key="nightly")
        return jobs.all_jobs(connection)[0]


def test_a_backup_is_written_rotated_and_restored_with_its_jobs(
    sqlite_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("arpad-2001-01-01.zip", "arpad-2001-01-02.zip", "other.zip", "arpad-2001-13-45.zip"):
        (folder / name).touch()
    monkeypatch.setenv(BACKUPS, str(folder))
    monkeypatch.setenv(KEEP, "2,0,0")

    nightly.back_up(sqlite_desk.office, job_of(sqlite_desk, "backup"))

    today = f"arpad-{sqlite_desk.office.now().date()}.zip"
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["arpad-2001-01-02.zip", "arpad-2001-13-45.zip", "other.zip", today]
    )
    rows = restore(folder / today, str(tmp_path / "restored.db"))
    assert rows["jobs"] == 2  # this one, and the one that tells of changes


def test_an_administrator_sees_the_first_backup_now(
    sqlite_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The jobs of the night are done in their order: the backup is there before it is rehearsed."""
    monkeypatch.setenv(REHEARSE, "sunday")
    sqlite_desk.office.close()
    backups = tmp_path / "backups"
    work = ("work", "--db", sqlite_desk.place, "--backups", str(backups))
    assert run(capsys, *work, "--once")[0] == 0
    assert list(backups.iterdir()) == []

    assert run(capsys, *work, "--nightly-now")[0] == 0

    assert len(list(backups.glob("arpad-*.zip"))) == 1
    with sqlite_desk.office.store.reading() as connection:
        done = {job.kind: job for job in jobs.all_jobs(connection)}
    assert {done[kind].error for kind in ("verify", "backup", "rehearse")} == {""}
    assert done["backup"].due > done["backup"].changed  # and again the next night


def test_a_verification_that_finds_an_alteration_fails_with_it(sqlite_desk: Desk) -> None:
    job = job_of(sqlite_desk, "verify")
    nightly.verify_office(sqlite_desk.office, job)
    with sqlite_desk.office.store.writing() as connection:
        connection.execute(text("DROP TRIGGER keep_players_UPDATE"))

    with_mail(sqlite_desk, "ugo")
    add_person(sqlite_desk.office, "olga", Role.OFFICER)
    for _ in range(2):
        with pytest.raises(Hopeless, match="triggers-missing"):
            nightly.verify_office(sqlite_desk.office, job)

    (mail,) = [
        mail.payload for mail in mails_of(sqlite_desk.office) if mail.payload["mail"] == "office-altered"
    ]
    assert (mail["to"], mail["facts"]) == ("olga@example.org", {"count": 1})


def test_the_newest_backup_is_rehearsed_on_its_day(
    sqlite_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged one is the error of the job and a mail to officers; on other days nothing happens."""
    with_mail(sqlite_desk, "ugo")
    add_person(sqlite_desk.office, "olga", Role.ADMINISTRATOR)
    job, today = job_of(sqlite_desk, "rehearse"), sqlite_desk.office.now().date()
    monkeypatch.setenv(BACKUPS, str(tmp_path / "backups"))
    nightly.back_up(sqlite_desk.office, job)
    monkeypatch.setenv(REHEARSE, WEEK[today.weekday()].title())
    nightly.rehearse_backup(sqlite_desk.office, job)

    (tmp_path / "backups" / f"arpad-{today}.zip").write_bytes(b"cut")
    with pytest.raises(Hopeless, match="rehearsal-failed"):
        nightly.rehearse_backup(sqlite_desk.office, job)
    kinds = [mail.payload["mail"] for mail in mails_of(sqlite_desk.office)]
    assert kinds.count("rehearsal-failed") == 1
    monkeypatch.setenv(REHEARSE, WEEK[today.weekday() - 1])
    nightly.rehearse_backup(sqlite_desk.office, job)
    with pytest.raises(BadInput, match="rehearsal-day"):
        parse_day_of_week("1")


def test_a_night_signs_the_ledger_if_anything_happened(sqlite_desk: Desk) -> None:
    office, job = sqlite_desk.office, job_of(sqlite_desk, "checkpoint")
    nightly.sign_ledger(office, job)  # an office without a key signs nothing
    make_signing_key(office, "ratings.example.org")
    nightly.sign_ledger(office, job)
    nightly.sign_ledger(office, job)
    assert [act.verb for act in ledger(office, 1)] == ["init", "signing-key", "checkpoint"]
    Path(f"{sqlite_desk.place}.signing-key").unlink()
    with pytest.raises(BadInput, match="signing-key-lost"):
        nightly.sign_ledger(office, job)
