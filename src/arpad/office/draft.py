"""Draft the next list: what would be published now, and which reports are left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult
from arpad.lists.sealed_blocks import SealedBlock, join_blocks, seal_table
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import ListName
from arpad.model.version import VERSION
from arpad.office.eligible_reports import LeftOut, select_reports
from arpad.office.inputs_as_of import InputsAsOf
from arpad.office.list_procedures import out_of_turn, procedure_of
from arpad.office.lists_in_force import newest
from arpad.office.load_inputs import load_inputs
from arpad.office.office import Office, today
from arpad.store import lists
from arpad.store.drafts import StoredDraft, read_draft, store_draft
from arpad.store.lists import BASE, Publication
from arpad.store.reports import Filed
from arpad.system.batches import gc_paused


@dataclass(frozen=True)
class Draft:
    """The list as it would be published now, with its inputs."""

    inputs: Inputs
    files: Mapping[str, bytes]
    """The inputs as the files of a bundle."""

    inputs_digest: str
    """SHA-256 over everything the list is made from."""

    result: ListResult
    base: Publication | None
    reports: tuple[Filed, ...]
    left_out: tuple[LeftOut, ...]
    refusal: BadInput | None = None
    """Why it may only be published as a special list; None if its day is the next one of the calendar."""

    blocks: tuple[SealedBlock, ...] | None = None
    """The players in blocks, if the stored draft was adopted."""

    @property
    def special(self) -> bool:
        """Whether it may only be published as a special list."""
        return self.refusal is not None


def draft(office: Office, on_list: ListName, day: date, *, special: bool = False) -> Draft:
    """Compute a list without publishing it: the same value that ``publish`` would store.

    If the day is not the next one of the calendar, the draft says so; publishing it then needs ``special``. The draft
    is stored: if its inputs are still the same, publishing adopts it.
    """
    with gc_paused():
        with office.store.reading() as connection:
            computed = compute_draft(connection, on_list, day, today(office, connection), special=special)
        _store(office, computed)
    return computed


def compute_draft(
    connection: Connection,
    on_list: ListName,
    day: date,
    now: date,
    *,
    special: bool = False,
    adopt: bool = False,
) -> Draft:
    """Compute the draft of a list on a day of the calendar, or with ``special`` on any day.

    With ``adopt`` the stored draft is taken if it was computed from the same inputs; it does not say what changed.
    """
    publications = lists.all_publications(connection, on_list)
    last = newest(publications)
    if last is not None and last.day >= day:
        raise BadInput("list-out", list=str(on_list), day=day, last=last.day)
    refusal = out_of_turn(connection, on_list, day, last, now)
    if refusal is not None and refusal.code == "off-calendar" and not special:
        raise refusal
    sources = draft_sources(connection, on_list, day, publications)
    base, reports = sources.base, sources.reports
    inputs = load_inputs(connection, on_list, day, reports, base, sources.as_of)
    files = write_inputs(inputs)
    digest = inputs_digest(file_digests(files))
    stored = _stored_result(connection, on_list, day, digest) if adopt else None
    result, blocks = stored if stored is not None else (compute_list(inputs), None)
    return Draft(inputs, files, digest, result, base, reports, sources.left_out, refusal, blocks)


@dataclass(frozen=True, slots=True)
class DraftSources:
    """The list from which a draft starts, and the reports that it rates and leaves out."""

    base: Publication | None
    reports: tuple[Filed, ...]
    left_out: tuple[LeftOut, ...]
    as_of: InputsAsOf


def draft_sources(
    connection: Connection,
    on_list: ListName,
    day: date,
    publications: Sequence[Publication],
    among: Collection[int] | None = None,
) -> DraftSources:
    """Return what the list of a day is made from, given all publications of the list, among all reports or some."""
    procedure = procedure_of(on_list)
    start = procedure.start(publications, day)
    in_time = procedure.in_time(connection, on_list, day)
    reports, left_out = select_reports(
        connection, publications, start.already_rated_by, on_list, in_time, among
    )
    last = newest(publications)
    revision = lists.next_revision(connection, on_list, day)
    as_of = InputsAsOf((last.number if last else 0) + 1, _last_digest(publications), revision)
    return DraftSources(start.base, tuple(reports), tuple(left_out), as_of)


# ---------------------------------------------------------------------------------------------------- stored drafts


def _store(office: Office, draft: Draft) -> None:
    """Store a draft; if somebody else is writing, it is computed again when it is needed."""
    result = draft.result
    stored = StoredDraft(
        draft.inputs.on_list, draft.inputs.day, draft.inputs_digest, VERSION, result.head, result.digest,
        tuple(seal_table(result.table)),
    )  # fmt: skip
    with suppress(Unreadable), office.store.unlogged_writing() as connection:
        store_draft(connection, stored)


def _stored_result(
    connection: Connection, on_list: ListName, day: date, inputs: str
) -> tuple[ListResult, tuple[SealedBlock, ...]] | None:
    """Return the result of the stored draft and its blocks, if it was computed from the same inputs."""
    stored = read_draft(connection, on_list, day)
    if stored is None or (stored.inputs_digest, stored.version) != (inputs, VERSION):
        return None
    result = ListResult(stored.head, discipline_of(on_list), join_blocks(stored.blocks))
    return (result, stored.blocks) if result.digest == stored.digest else None


def _last_digest(publications: Sequence[Publication]) -> str:
    """Return the digest of the last list that is shown."""
    last = newest([publication for publication in publications if publication.kind != BASE])
    return last.digest if last else ""
