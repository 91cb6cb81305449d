"""Keep the live lists: the jobs that every act asks for while the office keeps them."""

from __future__ import annotations

from arpad.office.lists.in_force import publications
from arpad.office.live.acts import update_live
from arpad.office.live.rows import ACCEPTED, RECEIVED
from arpad.office.office import Office
from arpad.store.jobs import Job


def keep_live_lists(office: Office, _job: Job) -> None:
    """Bring the live list of every published list up to the last act; once more changes nothing."""
    _update(office, ACCEPTED)


def keep_received(office: Office, _job: Job) -> None:
    """Do the same with the received reports; matching them takes longer, so it is a job of its own."""
    _update(office, RECEIVED)


def _update(office: Office, layer: str) -> None:
    for on_list in sorted({publication.list for publication in publications(office)}):
        update_live(office, on_list, (layer,))
