"""The monitor's pages in the office's own database, on SQLite and PostgreSQL; the smallest offices too."""

from datetime import date

import pytest
from sqlalchemy import update

from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.store.schema import monitor_pages
from arpad.studies import kept_pages as watching
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import verify

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
WIN = "1 2000 | 2w1\n2 2000 | 1b0"


def test_pages_are_kept_for_the_newest_list(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.publish(FEB)
    former = watching.examine_and_store(desk.office, STANDARD)  # not a single game was played
    desk.report(event("February", WIN, date(2018, 2, 10)))
    desk.publish(MAR)
    with desk.office.store.reading() as connection:
        newest = watching.newest(connection, STANDARD)
        assert newest is not None
        assert newest.day == MAR
        assert watching.page_of(connection, newest, watching.PUBLIC, "it") is None
        assert watching.page_of(connection, former, watching.PUBLIC, "it") is not None

    assert watching.examine_and_store(desk.office, STANDARD) == newest
    with desk.office.store.reading() as connection:
        for kind in (watching.PUBLIC, watching.WHOLE):
            for language in LANGUAGES:
                assert watching.page_of(connection, newest, kind, language) is not None
        assert watching.page_of(connection, former, watching.PUBLIC, "it") is None


def test_a_list_that_was_never_published_is_not_examined(desk: Desk) -> None:
    with pytest.raises(BadInput, match="no-lists-yet"):
        watching.examine_and_store(desk.office, STANDARD)


def test_a_page_is_of_one_version(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.publish(FEB)
    publication = watching.examine_and_store(desk.office, STANDARD)
    monkeypatch.setattr(watching, "VERSION", "another")
    with desk.office.store.reading() as connection:
        assert watching.page_of(connection, publication, watching.PUBLIC, "it") is None


def test_an_altered_page_is_named_with_the_act_that_made_it(desk: Desk) -> None:
    """The site shows a stored page as it is, so a page that somebody has altered must be found."""
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.publish(FEB)
    watching.examine_and_store(desk.office, STANDARD)
    assert verify(desk.office).altered == ()
    with desk.office.store.engine.begin() as connection:
        altered = update(monitor_pages).where(
            monitor_pages.c.kind == watching.PUBLIC, monitor_pages.c.language == "it"
        )
        connection.execute(altered.values(body="<p>drift: none</p>"))
    (found,) = verify(desk.office).altered
    assert (found.code, found.facts["table"]) == ("row-changed", "monitor_pages")
    assert "public" in str(found.facts["row"])
