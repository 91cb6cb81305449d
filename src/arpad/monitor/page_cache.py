"""The monitor's pages of the lists: made once for each list, in every language, and stored until the next.

A large office takes minutes to examine, and no visitor should wait for that. The pages can be made again at any time,
so they have no row in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES, Words, load_words
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName
from arpad.model.version import VERSION
from arpad.office.office import Office
from arpad.store import lists
from arpad.store import monitor_pages as rows
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.monitor_pages import StoredPage

WHOLE, PUBLIC, BEGUN, FAILED = "whole", "public", "begun", "failed"
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
    begun = page_of(connection, publication, BEGUN, "")
    return begun is not None and office.now() - begun.created < PATIENCE


def mark_running(office: Office, publication: Publication) -> bool:
    """Mark the examination of a list as running; return False if it is running already."""
    with office.store.writing() as connection:
        if is_running(office, connection, publication):
            return False
        _end(connection, publication)
        _put(connection, publication, BEGUN, "", "", office.now())
    return True


def mark_failed(office: Office, publication: Publication, status: int) -> None:
    """Mark an examination as failed whose process ended with a status and left no reason."""
    with office.store.writing() as connection:
        if page_of(connection, publication, BEGUN, "") is not None:
            _end(connection, publication)
            for language in LANGUAGES:
                why = load_words(language).text("watch.ended", status=status)
                _put(connection, publication, FAILED, language, why, office.now())


def failure_page(connection: Connection, publication: Publication, language: str) -> StoredPage | None:
    """Return why the last examination failed, if it did."""
    return page_of(connection, publication, FAILED, language)


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
    _keep(office, publication, make)
    with office.store.writing() as connection:
        _forget_others(connection, publication)
    return publication


def try_and_store(office: Office, on_list: ListName, change: str) -> Publication:
    """Try a rule, written ``field=value``, on the whole history of a list, and store the page."""
    from arpad.monitor.office_history import history_of
    from arpad.monitor.whatif import tried_editions, whatif
    from arpad.monitor.whatif_page import body
    from arpad.office.editions import editions_in_turn

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
    _keep(office, publication, make)
    return publication


def _newest_there(office: Office, on_list: ListName) -> Publication:
    with office.store.reading() as connection:
        publication = newest(connection, on_list)
    if publication is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    return publication


def _keep(office: Office, publication: Publication, make: Callable[[], Pages]) -> None:
    """Make and store pages, or store why that failed; remove the mark "running" in any case."""
    left: Pages = {}
    try:
        left = make()
    except Exception as error:
        left = {(FAILED, language): _why(error, load_words(language)) for language in LANGUAGES}
        raise
    finally:
        with office.store.writing() as connection:
            _end(connection, publication)
            for (kind, language), text in left.items():
                _put(connection, publication, kind, language, text, office.now())


def _why(error: Exception, words: Words) -> str:
    if isinstance(error, ArpadError):
        return words.error(error)
    return words.text("watch.fault", fault=type(error).__name__)


def tried_rules(connection: Connection, publication: Publication) -> list[str]:
    """Return the rules that were tried on a list, each written ``field=value``."""
    kinds = rows.kinds_of(connection, publication.id, TRIAL, VERSION)
    return sorted(kind.removeprefix(TRIAL) for kind in kinds)


def _end(connection: Connection, publication: Publication) -> None:
    """Remove the marks "running" and "failed" of a list."""
    rows.delete_kinds(connection, publication.id, (BEGUN, FAILED))


def _put(
    connection: Connection, publication: Publication, kind: str, language: str, body: str, moment: datetime
) -> None:
    page = StoredPage(body, moment.astimezone(UTC))
    rows.put_page(connection, publication.id, kind, language, VERSION, page)


def _forget_others(connection: Connection, publication: Publication) -> None:
    """Delete the pages of earlier lists."""
    earlier = [
        other.id
        for other in lists.ever_published(connection)
        if other.list == publication.list and other.id != publication.id
    ]
    rows.delete_pages(connection, earlier)
