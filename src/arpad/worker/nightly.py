"""The worker at night: verify the office, back it up, write the open data, and forget jobs done long ago."""

import os
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from arpad.model.errors import ArpadError
from arpad.model.retention import kept_for
from arpad.office.backup.acts import KEEP, backup, days_kept, parse_day_of_week, parse_kept
from arpad.office.backup.rehearse import rehearse
from arpad.office.mails import queue_for_user
from arpad.office.office import Office, iso_time, today
from arpad.office.proof.checkpoints import record_checkpoint
from arpad.office.settings.retention import time_kept
from arpad.office.users import IDLE_HOURS
from arpad.office.verify.acts import verify
from arpad.store import jobs
from arpad.store.accounts import active_choices, forget_expired
from arpad.store.jobs import Job
from arpad.system.atomic_files import prepare_folder
from arpad.worker.kinds import BACKUPS, REHEARSE, Hopeless, write_note

ALARMED = ("officer", "administrator")
"""The roles that get a mail if the office or its backup is not as it should be."""


def back_up(office: Office, _job: Job) -> None:
    """Write the backup of the day into the folder for backups, and delete those that are not kept."""
    folder, kept = Path(os.environ[BACKUPS]), parse_kept(os.environ.get(KEEP, ""))
    prepare_folder(folder)
    with office.store.reading() as connection:
        day = today(office, connection)
    backup(office, folder / f"arpad-{day}.zip")
    by_day = {date.fromisoformat(path.stem[len("arpad-") :]): path for path in _backups(folder)}
    for old in by_day.keys() - days_kept(by_day, kept):
        by_day[old].unlink(missing_ok=True)


def _backups(folder: Path) -> list[Path]:
    name = re.compile(r"arpad-\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\.zip")
    return [path for path in folder.iterdir() if name.fullmatch(path.name)]


def verify_office(office: Office, _job: Job) -> None:
    """Verify the office; if something was altered, officers get a mail, and it is the error of the job."""
    result = verify(office)
    if not result.intact:
        _alarm(office, "office-altered", count=len(result.altered))
        raise Hopeless("office-altered", count=len(result.altered), code=result.altered[0].code)


def rehearse_backup(office: Office, job: Job) -> None:
    """Rehearse the newest backup on the chosen day of the week; officers get a mail if it would not serve."""
    chosen = parse_day_of_week(os.environ[REHEARSE])
    with office.store.reading() as connection:
        day = today(office, connection)
    folder = Path(os.environ.get(BACKUPS, ""))
    backups = sorted(_backups(folder)) if os.environ.get(BACKUPS) and folder.is_dir() else []
    if day.weekday() != chosen or not backups:
        return
    try:
        serves = rehearse(backups[-1], office).serves
    except ArpadError:  # cut, damaged, or of another version
        serves = False
    if not serves:
        _alarm(office, "rehearsal-failed", file=backups[-1].name)
        raise Hopeless("rehearsal-failed", file=backups[-1].name)
    write_note(
        office,
        lambda connection: jobs.replace_payload(connection, job.kind, job.key, {"rehearsed": str(day)}),
    )


def _alarm(office: Office, kind: str, **facts: int | str) -> None:
    """Queue a mail to everybody who must know, once a day; an office without a mail server has only the job's error."""
    with office.store.reading() as connection:
        day = today(office, connection)
    with office.store.unlogged_writing() as connection:
        for choice in active_choices(connection, ALARMED):
            key = f"{kind}-{day}-{choice.user}"
            queue_for_user(connection, choice, kind, path="/desk", key=key, **facts)


def sign_ledger(office: Office, _job: Job) -> None:
    """Note a signed checkpoint of the day in the ledger, if anything happened since the last one."""
    record_checkpoint(replace(office, author=office.author or "arpad work"))


def forget_jobs(office: Office, _job: Job) -> None:
    """Delete the jobs that were done some days ago, and what has expired."""
    now = datetime.now(UTC)
    with office.store.unlogged_writing() as connection:
        jobs.forget_done(connection, now - time_kept(connection, "jobs"))
        before = {
            "idle": now - timedelta(hours=IDLE_HOURS),
            "failures": now - kept_for("failures"),
            "places": now - time_kept(connection, "places"),
        }
        texts = {name: iso_time(moment) for name, moment in before.items()}
        forget_expired(connection, iso_time(now), texts, int((now - kept_for("counters")).timestamp()) // 60)
