"""Draft the next list: what would be published now, and which reports are left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from arpad.lists.bundle_files import STANDINGS, InputFiles, file_digests
from arpad.lists.input_files import REPORT, input_files, ratings_file, read_period, report_file
from arpad.lists.input_tables import RatingTable, StateTable
from arpad.lists.inputs import Inputs, report_number
from arpad.lists.packed_files import FilePacker, PackedPart, unpack_files
from arpad.lists.result import ListResult
from arpad.lists.sealed_blocks import BLOCK, UNREADABLE, SealedBlock, join_blocks, packed_blocks
from arpad.model.errors import BadInput, Unreadable
from arpad.model.rules import Finding, ListName
from arpad.model.version import VERSION
from arpad.office.drafts.checkpoint_rows import compute_from_checkpoint, store_checkpoints
from arpad.office.drafts.load_events import DraftGuest, left_out_guests
from arpad.office.drafts.load_inputs import load_inputs, open_states_beside
from arpad.office.drafts.own_lists import Restated, restated_lines, select_own_reports, system_findings
from arpad.office.drafts.procedures import LeftOut, out_of_turn, procedure_of, select_reports
from arpad.office.drafts.rows import StoredDraft, has_draft, read_draft, renew_draft, store_draft
from arpad.office.lists import rows as lists
from arpad.office.lists.block_rows import read_ratings, read_table
from arpad.office.lists.history_rows import READ
from arpad.office.lists.in_force import AsOf, newest
from arpad.office.lists.ownership import ownership
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.office import Office, today
from arpad.office.proof.erasures import load_erasures
from arpad.office.register.number_rows import hidden_schemes
from arpad.office.register.table_rows import add_register_parts, is_copied, open_register_beside
from arpad.office.reports import rows as filed_reports
from arpad.office.reports.rows import Filed
from arpad.regulations.systems import system_of
from arpad.reports.number_schemes import ON_LISTS
from arpad.store.bulk import head, map_file
from arpad.system.batches import gc_paused, thread_if

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Draft:
    """The list as it would be published now, with its inputs."""

    inputs: Inputs
    """If the stored draft was adopted unseen, without states, lists, events and people."""

    files: InputFiles
    """The inputs as the files of a bundle: all, if a stored draft could be adopted."""

    result: ListResult
    base: Publication | None
    rated: tuple[int, ...]
    """The numbers of the reports that it rates."""

    reports: tuple[Filed, ...] = ()
    """The same reports, unless the stored draft was adopted unseen."""

    left_out: tuple[LeftOut, ...] = ()
    refusal: BadInput | None = None
    """Why it may only be published as a special list; None if its day is the next one of the calendar."""

    blocks: tuple[SealedBlock, ...] | None = None
    """The players in blocks without seals, if the stored draft was adopted."""

    ledger: str = ""
    """The seal of the last act that it has seen."""

    packed: tuple[PackedPart, ...] = ()
    """The files of the inputs as they are stored, unless the draft is computed to be published."""

    guests: tuple[DraftGuest, ...] = ()
    """The players of its events whom the office does not own: they are not rated and not on the list."""

    restated: tuple[Restated, ...] = ()
    """Of a list of the office's own: what it would print differently on its published lists."""

    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)
    """The findings of the rating system of an own list, by the name of the event."""

    before: pl.DataFrame | None = None
    """The list before with the columns that histories are made from, if the stored draft was adopted unseen."""

    @property
    def inputs_digest(self) -> str:
        """SHA-256 over everything the list is made from."""
        return self.files.digest

    @property
    def special(self) -> bool:
        """Whether it may only be published as a special list."""
        return self.refusal is not None

    @property
    def is_empty_first(self) -> bool:
        """Whether it is a first list without any player, which has to be asked for."""
        return not self.inputs.previous and not self.result.listed


def draft(office: Office, on_list: ListName, day: date, *, special: bool = False) -> Draft:
    """Compute a list without publishing it and store it: if its inputs are still the same, publishing adopts it."""
    with gc_paused():
        computed = preview_draft(office, on_list, day, special=special)
        keep_draft(office, computed)
    return computed


def preview_draft(office: Office, on_list: ListName, day: date, *, special: bool = False) -> Draft:
    """Compute a list without publishing it: the same value that ``publish`` would store.

    If the day is not the next one of the calendar, the draft says so; publishing it then needs ``special``.
    """
    with gc_paused(), office.store.reading() as connection:
        return compute_draft(connection, on_list, day, today(office, connection), special=special)


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

    With ``adopt`` the stored draft is taken if it was computed from the same inputs; it does not say what changed. If
    there was no act since, the inputs are the same, because only acts change what they are loaded from.
    """
    publications = lists.all_publications(connection, on_list)
    last = newest(publications)
    if last is not None and last.day >= day:
        raise BadInput("list-out", option="day", list=str(on_list), day=day, last=last.day)
    refusal = out_of_turn(connection, on_list, day, last, now)
    if refusal is not None and refusal.code == "off-calendar" and not special:
        raise refusal
    stored = read_draft(connection, on_list, day) if adopt else None
    if stored is not None and stored.version != VERSION:
        stored = None
    ledger = head(connection)
    if stored is not None and stored.ledger == ledger:
        start = procedure_of(on_list).start(publications, day)
        adopted = _adopted(connection, stored, publications, start.base, refusal)
        if adopted is not None:
            return adopted
    # files are written and compressed while the list is computed
    with thread_if(much=is_copied(connection)) as thread:
        _open_beside(connection, on_list, last, thread)
        sources = draft_sources(connection, on_list, day, publications)
        base, reports = sources.base, sources.reports
        inputs = load_inputs(connection, on_list, day, reports, base, sources.as_of)
        standings = "" if adopt else _known_standings(connection, inputs, base)
        packer = FilePacker()
        written = None if adopt else _packing(packer, _ratings_on_file(inputs) if standings else set())
        writing = thread.submit(input_files, inputs, standings, written)
        packing = None if adopt else thread.submit(packer.parts)
        same = stored is not None and stored.inputs_digest == writing.result().digest
        result = _stored_result(stored) if stored is not None and same else None
        blocks = stored.blocks if stored is not None and result is not None else None
        result = result or compute_from_checkpoint(connection, inputs)
    return Draft(
        inputs, writing.result(), result, base, tuple(filed.id for filed in reports), reports, sources.left_out,
        refusal, blocks, ledger, packing.result() if packing is not None else (), left_out_guests(inputs),
        () if adopt else restated_lines(connection, inputs, result, publications),
        {} if adopt else system_findings(connection, inputs, result, publications),
    )  # fmt: skip


def _open_beside(
    connection: Connection, on_list: ListName, last: Publication | None, thread: Executor
) -> None:
    """Begin to open what takes long if there are many players: the register, and the states of the list before."""
    if not system_of(on_list).rates_again:
        map_file(connection)
        open_register_beside(connection, hidden_schemes(connection, ON_LISTS), thread)
        if last is not None:
            open_states_beside(connection, last, thread)


@dataclass(frozen=True, slots=True)
class DraftSources:
    """The list from which a draft starts, and the reports that it rates and leaves out."""

    base: Publication | None
    reports: tuple[Filed, ...]
    left_out: tuple[LeftOut, ...]
    as_of: AsOf


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
    if on_list.is_own:
        reports, left_out = select_own_reports(connection, on_list, day, start.base)
    else:
        in_time = procedure.in_time(connection, on_list, day)
        reports, left_out = select_reports(
            connection, publications, start.already_rated_by, on_list, in_time, among
        )
    last, shown = newest(publications), newest([it for it in publications if it.kind != BASE])
    revision = lists.next_revision(connection, on_list, day)
    as_of = AsOf((last.number if last else 0) + 1, shown.digest if shown else "", revision)
    return DraftSources(start.base, tuple(reports), tuple(left_out), as_of)


# ---------------------------------------------------------------------------------------------------- stored drafts


def keep_draft(office: Office, draft: Draft) -> None:
    """Store a draft; if somebody else is writing, it is computed again when it is needed."""
    result, on_list, day = draft.result, draft.inputs.on_list, draft.inputs.day
    texts = {"inputs_digest": draft.inputs_digest, "version": VERSION, "head": result.head}
    # the text is written, and inputs are stored, while blocks are compressed
    with gc_paused(), thread_if(much=len(result.players) > BLOCK) as thread:
        digest = thread.submit(lambda: result.digest).result
        with office.store.reading() as connection:
            same = has_draft(connection, on_list, day, texts, digest, draft.packed)
        with suppress(Unreadable), office.store.unlogged_writing() as connection:
            if same:
                renew_draft(connection, on_list, day, draft.ledger)
            else:
                texts |= {"ledger": draft.ledger}
                blocks = packed_blocks(result.table)
                store_draft(connection, on_list, day, texts, draft.packed, blocks, digest)
            store_checkpoints(connection, draft.inputs, result)
            add_register_parts(connection)


def _packing(packer: FilePacker, on_file: AbstractSet[str]) -> Callable[[str, bytes], None]:
    """Return a function that packs each file of a draft's inputs, except the reports and others that are on file.

    So the large tables are packed before the many small files of events are written. Writing those needs the
    interpreter, and by then the games are summed up, which needs it too.
    """

    def add(name: str, data: bytes) -> None:
        if not name.endswith(REPORT) and name not in on_file:
            packer.add(name, data)

    return add


def _known_standings(connection: Connection, inputs: Inputs, base: Publication | None) -> str:
    """Return the digest of the states, if they are those of the list before; publishing reads them from there."""
    if base is None or inputs.merged or system_of(inputs.on_list).rates_again:
        return ""
    return load_erasures(connection).of_list(base.id, "standings", base.standings_digest)


def _ratings_on_file(inputs: Inputs) -> set[str]:
    """Return the files with all ratings of a list; publishing reads them from the list."""
    return {
        ratings_file(digest) for digest, ratings in inputs.lists.items() if isinstance(ratings, RatingTable)
    }


def _adopted(
    connection: Connection,
    stored: StoredDraft,
    publications: Sequence[Publication],
    base: Publication | None,
    refusal: BadInput | None,
) -> Draft | None:
    """Return a stored draft with the files of its inputs; None if they were altered, or if more is needed of them."""
    if ownership(connection, stored.list) is not None:  # publishing asks which of the people are not owned
        return None
    with thread_if(much=len(stored.blocks) > 1) as thread:
        joining = thread.submit(_stored_result, stored)
        try:
            contents = unpack_files(stored.inputs)
            inputs, events = read_period(contents)
            numbers = {event: report_number(event) for event in events}
            data = filed_reports.data_of(connection, set(numbers.values()))
            contents |= {report_file(event): data[number] for event, number in numbers.items()}
            before = None
            if base is not None and STANDINGS not in contents:
                before = read_table(connection, base.id, READ)
                states = StateTable.of_list(before)
                contents[STANDINGS] = states.lines()
                for publication in publications:
                    if publication.digest in inputs.in_force.values():
                        known = states if publication.id == base.id else None
                        ratings = read_ratings(connection, publication.id, known)
                        contents[ratings_file(publication.digest)] = ratings.lines()
        except (LookupError, *UNREADABLE):
            return None
        files = InputFiles(contents, file_digests(contents))
        result = joining.result()
    if result is None or files.digest != stored.inputs_digest:
        return None
    rated = tuple(dict.fromkeys(numbers.values()))
    return Draft(
        inputs, files, result, base, rated, refusal=refusal, blocks=stored.blocks, ledger=stored.ledger,
        before=before,
    )  # fmt: skip


def _stored_result(stored: StoredDraft) -> ListResult | None:
    """Return the result of a stored draft, if it has the digest of the draft."""
    result = ListResult(stored.head, system_of(stored.list), join_blocks(stored.blocks))
    return result if result.digest == stored.digest else None
