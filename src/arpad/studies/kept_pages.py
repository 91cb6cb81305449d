"""The monitor's pages of the lists: made once for each list, in every language, and stored until the next.

A large office takes minutes to examine, and no visitor should wait for that. People rely on the pages, and to make
them again takes as long: an examination is an act, which proves them.
"""

from datetime import UTC

from sqlalchemy import Connection

from arpad.explain.words import LANGUAGES, MINUS, load_words
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.model.version import VERSION
from arpad.office.lists import rows as lists
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import Office, record_act
from arpad.store import monitor_pages as rows
from arpad.store.monitor_pages import StoredPage

WHOLE, PUBLIC = "whole", "public"


def newest(connection: Connection, on_list: ListName) -> Publication | None:
    """Return the last published list, in its newest revision."""
    published = [p for p in lists.all_publications(connection, on_list) if p.kind == PUBLISHED]
    return max(published, key=lambda p: (p.day, p.revision), default=None)


def page_of(connection: Connection, publication: Publication, kind: str, language: str) -> StoredPage | None:
    """Return the page that this version made for a list, if it did."""
    return rows.page_of(connection, publication.id, kind, language, VERSION)


def examine_and_store(office: Office, on_list: ListName) -> Publication:
    """Examine a list with its whole history and store its pages, the administrators' and the public one."""
    from arpad.studies.office_history import examined
    from arpad.studies.report_page import body

    with office.store.reading() as connection:
        publication = newest(connection, on_list)
    if publication is None:
        raise BadInput("no-lists-yet", list=str(on_list))
    report = examined(office, on_list)
    moment = office.now().astimezone(UTC)
    with record_act(office, "examine-list") as act:
        for language in LANGUAGES:
            for kind in (WHOLE, PUBLIC):
                page = StoredPage(body(report, load_words(language, MINUS), public=kind == PUBLIC), moment)
                rows.put_page(act.connection, publication.id, kind, language, VERSION, page)
        earlier = [
            other.id
            for other in lists.ever_published(act.connection)
            if other.list == publication.list and other.id != publication.id
        ]
        rows.delete_pages(act.connection, earlier)
        act.record(list=str(on_list), day=str(publication.day), revision=publication.revision)
    return publication
