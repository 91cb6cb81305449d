"""How long data is kept: one declaration for the privacy page and for the code that deletes."""

from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from sqlalchemy import insert, select

from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput
from arpad.model.retention import KEPT, amount_of
from arpad.office.accounts.passwords import INVITED_DAYS, LOCKED_MINUTES
from arpad.office.accounts.sessions import SESSION_HOURS, TOKEN_DAYS
from arpad.office.notices.acts import CONFIRM_DAYS
from arpad.office.office import iso_time
from arpad.office.running.versions import FORGOTTEN_DAYS
from arpad.office.settings.acts import all_settings, change_settings
from arpad.office.settings.retention import retention_rows, time_kept
from arpad.store import jobs
from arpad.store.schema import counters, failures, known_places, password_links, sessions
from arpad.store.schema import jobs as job_rows
from arpad.worker.nightly import forget_jobs
from tests.builders.offices import Desk

NOW = datetime.now(UTC)


def days_ago(days: float) -> str:
    return iso_time(NOW - timedelta(days=days))


def test_the_declared_times_are_those_that_count() -> None:
    declared = {item.name: item.amount for item in KEPT if item.amount}
    counted = {
        "sessions": SESSION_HOURS, "failures": LOCKED_MINUTES, "password_links": INVITED_DAYS, "tokens": TOKEN_DAYS,
        "unconfirmed_follows": CONFIRM_DAYS, "running_tournaments": FORGOTTEN_DAYS,
    }  # fmt: skip
    assert {name: declared[name] for name in counted} == counted
    assert (declared["sessions"], declared["jobs"], declared["webhook_log"]) == (12, 30, 60)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_data_is_in_words(sqlite_desk: Desk, language: str) -> None:
    with sqlite_desk.office.store.reading() as connection:
        rows = retention_rows(connection, load_words(language))
    assert len(rows) == len(KEPT) == len({data for data, _ in rows})
    assert all(data and how_long for data, how_long in rows)


def test_an_office_sets_the_days(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    assert all_settings(office)["keep_jobs"] == "30"
    change_settings(office, set_={"keep_jobs": "7"})
    with office.store.reading() as connection:
        assert time_kept(connection, "jobs") == timedelta(days=7)
        assert (
            "7 days"
            in dict(retention_rows(connection, load_words("en")))[
                "Jobs that are done, and mails that were sent"
            ]
        )
    for wrong in ("0", "4000", "soon"):
        with pytest.raises(BadInput):
            change_settings(office, set_={"keep_places": wrong})


def test_what_has_expired_is_deleted_at_night(desk: Desk) -> None:
    office = desk.office
    change_settings(office, set_={"keep_jobs": "2", "keep_places": "10"})
    with office.store.unlogged_writing() as connection:
        for digest, begun, ends in (
            ("old", days_ago(1), days_ago(0.5)),
            ("new", days_ago(0), days_ago(-0.5)),
        ):
            row = {"digest": digest, "user": 1, "begun": begun, "ends": ends, "seen": begun, "browser": ""}
            connection.execute(insert(sessions), row)
            connection.execute(insert(password_links), {"digest": digest, "user": 1, "ends": ends})
        connection.execute(
            insert(failures), [{"key": "old", "at": days_ago(1)}, {"key": "new", "at": days_ago(0)}]
        )
        for place, seen in (("old", days_ago(11)), ("new", days_ago(9))):
            connection.execute(insert(known_places), {"user": 1, "place": place, "seen": seen})
        minute = int(NOW.timestamp()) // 60
        for key, slot in (("old", minute - 1500), ("new", minute)):
            connection.execute(insert(counters), {"key": key, "slot": slot, "count": 1})
        for key, changed in (("old", 3), ("new", 1)):
            connection.execute(
                insert(job_rows),
                {
                    "kind": "mail", "key": key, "payload": "{}", "state": "done", "due": days_ago(changed), "asked": 0,
                    "attempts": 1, "lease": "", "holder": "", "error": "",
                    "changed": jobs.time_text(NOW - timedelta(days=changed)),
                },
            )  # fmt: skip
    forget_jobs(office, cast("jobs.Job", None))  # it does not look at its job
    with office.store.reading() as connection:
        for column in (
            sessions.c.digest, password_links.c.digest, failures.c.key, known_places.c.place, counters.c.key,
        ):  # fmt: skip
            assert list(connection.execute(select(column)).scalars()) == ["new"], column
        mails = select(job_rows.c.key).where(job_rows.c.kind == "mail")
        assert list(connection.execute(mails).scalars()) == ["new"]


def test_a_name_that_is_not_declared_fails() -> None:
    with pytest.raises(KeyError):
        amount_of("something")
