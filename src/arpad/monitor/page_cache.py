"""The monitor's pages of the lists: made once for each list, in every language, and stored until the next.

A large office takes minutes to examine, and no visitor should wait for that. People rely on the pages, and to make
them again takes as long: an examination is an act, which proves them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES, Words, load_words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName
from arpad.model.version import VERSION
from arpad.office.lists import rows as lists
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import Office, record_act
from arpad.store import monitor_pages as rows
from arpad.store.monitor_pages import RunNote, StoredPage

WHOLE, PUBLIC = "whole", "public"
RUNNING, FAILED = "running", "failed"
Pages = dict[tuple[str, str], str]
"""By kind and language."""

TRIAL = "try "
"""A page about a rule that was tried; the rule follows."""

PATIENCE = timedelta(minutes=30)
"""An examination older than this is considered dead."""


def newest(connection: Connection, on_list: ListName) -> Publication | None:
    """Return the last published list, in its newest revision."""
    published = [p for p in lists.all_publications(connection, on_list) if p.kind == PUBLISHED]
    return max(published, key=lambda p: (p.day, p.revision), default=None)


def page_of(connection: Connection, publication: Publication, kind: str, language: str) -> StoredPage | None:
    """Return the page that this version made for a list, if it did."""
    return rows.page_of(connection, publication.id, kind, language, VERSION)


def is_running(office: Office, connection: Connection, publication: Publication) -> bool:
    """Return whether an examination of the list is running."""
    run = rows.run_of(connection, publication.id, RUNNING, "", VERSION)
    return run is not None and office.now() - run.at < PATIENCE


def mark_running(office: Office, publication: Publication) -> bool:
    """Mark the examination of a list as running; return False if it is running already."""
    with office.store.writing() as connection:
        if is_running(office, connection, publication):
            return False
        _mark(connection, publication, RUNNING, {"": ""}, office.now())
    return True


def mark_failed(office: Office, publication: Publication, status: int) -> None:
    """Mark an examination as failed whose process ended with a status and left no reason."""
    with office.store.writing() as connection:
        if rows.run_of(connection, publication.id, RUNNING, "", VERSION) is not None:
            reasons = {name: load_words(name).text("watch.ended", status=status) for name in LANGUAGES}
            _mark(connection, publication, FAILED, reasons, office.now())


def failure(connection: Connection, publication: Publication, language: str) -> RunNote | None:
    """Return why the last examination failed, if it did."""
    return rows.run_of(connection, publication.id, FAILED, language, VERSION)


def examine_and_store(office: Office, on_list: ListName) -> Publication:
    """Examine a list with its whole history and store its pages, the administrators' and the public one."""
    from arpad.monitor.office_history import examined
    from arpad.monitor.report_page import body

    def make() -> Pages:
        report = examined(office, on_list)
        return {
            (kind, language): body(report, load_words(language), public=kind == PUBLIC)
            for kind in (WHOLE, PUBLIC)
            for language in LANGUAGES
        }

    publication = _newest_there(office, on_list)
    pages = _made(office, publication, make)
    with record_act(office, "examine-list") as act:
        _store(act.connection, publication, pages, office.now())
        _forget_others(act.connection, publication)
        act.record(list=str(on_list), day=str(publication.day), revision=publication.revision)
    return publication


def try_and_store(office: Office, on_list: ListName, change: str) -> Publication:
    """Try a rule, written ``field=value``, on the whole history of a list, and store the page."""
    from arpad.monitor.office_history import history_of
    from arpad.monitor.whatif import tried_editions, whatif
    from arpad.monitor.whatif_page import body
    from arpad.office.editions.acts import editions_in_turn

    def make() -> Pages:
        was = editions_in_turn(office, on_list)
        would = tried_editions(was, None, [change], on_list)
        history, _ = history_of(office, on_list)
        comparison = whatif(history, was, would)
        return {
            (TRIAL + change, language): body(comparison, history.people, load_words(language))
            for language in LANGUAGES
        }

    publication = _newest_there(office, on_list)
    pages = _made(office, publication, make)
    with record_act(office, "try-rule") as act:
        _store(act.connection, publication, pages, office.now())
        act.record(list=str(on_list), day=str(publication.day), revision=publication.revision, rule=change)
    return publication


def _newest_there(office: Office, on_list: ListName) -> Publication:
    with office.store.reading() as connection:
        publication = newest(connection, on_list)
    if publication is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    return publication


def _made(office: Office, publication: Publication, make: Callable[[], Pages]) -> Pages:
    """Return the pages, or note why they could not be made."""
    try:
        return make()
    except Exception as error:
        reasons = {name: _why(error, load_words(name)) for name in LANGUAGES}
        with office.store.writing() as connection:
            _mark(connection, publication, FAILED, reasons, office.now())
        raise


def _store(connection: Connection, publication: Publication, pages: Pages, moment: datetime) -> None:
    """Store the pages of an examination, which is then no longer running."""
    rows.end_runs(connection, publication.id)
    for (kind, language), text in pages.items():
        page = StoredPage(text, moment.astimezone(UTC))
        rows.put_page(connection, publication.id, kind, language, VERSION, page)


def _why(error: Exception, words: Words) -> str:
    if isinstance(error, ArpadError):
        return words.error(error)
    return words.text("watch.fault", fault=type(error).__name__)


def tried_rules(connection: Connection, publication: Publication) -> list[str]:
    """Return the rules that were tried on a list, each written ``field=value``."""
    kinds = rows.kinds_of(connection, publication.id, TRIAL, VERSION)
    return sorted(kind.removeprefix(TRIAL) for kind in kinds)


def _mark(
    connection: Connection, publication: Publication, state: str, reasons: Mapping[str, str], moment: datetime
) -> None:
    """Note the state of a list's examination in place of the one before, with a reason in each language."""
    rows.end_runs(connection, publication.id)
    for language, reason in reasons.items():
        note = RunNote(reason, moment.astimezone(UTC))
        rows.mark_run(connection, publication.id, state, language, VERSION, note)


def _forget_others(connection: Connection, publication: Publication) -> None:
    """Delete the pages of earlier lists."""
    earlier = [
        other.id
        for other in lists.ever_published(connection)
        if other.list == publication.list and other.id != publication.id
    ]
    rows.delete_pages(connection, earlier)
