"""Keep the live lists: the job that every act asks for while the office keeps them."""

from __future__ import annotations

from arpad.office.lists_in_force import publications
from arpad.office.live import update_live
from arpad.office.office import Office
from arpad.store.jobs import Job


def keep_live_lists(office: Office, _job: Job) -> None:
    """Bring the live list of every published list up to the last act; once more changes nothing."""
    for on_list in sorted({publication.list for publication in publications(office)}):
        update_live(office, on_list)
