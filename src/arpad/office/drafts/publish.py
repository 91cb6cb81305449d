"""Publish a list: commit its rows first, then write its files from them, now or at any later time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from arpad.lists.bundle_files import InputFiles
from arpad.lists.canonical import parse_head
from arpad.lists.input_files import input_files
from arpad.lists.inputs import Inputs
from arpad.lists.published_table import ListTable, file_columns, list_table
from arpad.lists.rankings import Rankings, compute_rankings
from arpad.lists.result import ListResult
from arpad.lists.sealed_blocks import BLOCK, SealedBlock, packed_blocks, row_seals, seal_blocks
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.drafts.acts import Draft, compute_draft
from arpad.office.drafts.checkpoint_rows import compute_from_checkpoint, store_checkpoints
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.drafts.rows import delete_drafts
from arpad.office.lists import rows as lists
from arpad.office.lists.history_rows import add_list, changes_between, public_list
from arpad.office.lists.in_force import AsOf, stored_as_of
from arpad.office.lists.ownership import not_owned, ownership, with_owned
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, PUBLISHED
from arpad.office.mails import mail_is_set_up, queue_for_user
from arpad.office.office import ActContext, Office, record_act
from arpad.office.parts import has_categories, with_categories
from arpad.office.proof.checkpoints import checkpoint_after, checkpoint_behind
from arpad.office.register.number_rows import hidden
from arpad.office.reports.sender_rows import queue_report_mails
from arpad.office.settings.acts import offered_languages
from arpad.store.accounts import active_choices
from arpad.store.bulk import wide_cache
from arpad.store.settings import read_setting
from arpad.system.atomic_files import files_together, prepare_folder
from arpad.system.batches import gc_paused, table_threads, thread_if

if TYPE_CHECKING:
    import polars as pl

    from arpad.publishing.files import ListSource


def publish(
    office: Office,
    on_list: ListName,
    day: date,
    out: Path | None = None,
    *,
    kinds: Sequence[str] | None = None,
    reason: str = "",
    special: bool = False,
    empty: bool = False,
    digest: str = "",
    inputs: str = "",
) -> Publication:
    """Publish a list; if it is published already, only write its files again (7.1).

    ``special`` publishes a list on another day than the next of the calendar, ``empty`` a first list without any
    player; both need a reason. ``digest`` and ``inputs`` are the digests of a draft: if the list or its inputs differ
    by now, nothing is published. They are compared in the transaction that publishes.

    Without ``kinds`` it gets the usual files: all, except workbooks for a list that is too long for them.
    """
    computed: ComputedList | None = None
    preparing: Future[None] | None = None
    if out is not None:
        prepare_folder(out)
    following = checkpoint_after(office)
    with gc_paused(), ExitStack() as threads:
        with record_act(office, "publish", reason, reason_needed=special or empty) as act:
            act.afterwards = following
            published = [
                p for p in lists.all_publications(act.connection, on_list) if p.day == day and p.kind != BASE
            ]
            publication = published[-1] if published else None
            if publication is None:
                draft = compute_draft(act.connection, on_list, day, act.today, special=special, adopt=True)
                if draft.refusal is not None and not special:
                    raise draft.refusal
                if (digest and digest != draft.result.digest) or (inputs and inputs != draft.inputs_digest):
                    raise BadInput("draft-changed")
                if draft.is_empty_first and not empty:
                    raise BadInput("first-list-empty", list=str(on_list), day=day)
                thread = threads.enter_context(thread_if(much=len(draft.result.players) > BLOCK))
                publication, computed, preparing = _compute_and_store(
                    act, draft, kinds, thread, files=out is not None
                )
            elif digest not in ("", publication.digest) or inputs not in ("", publication.inputs_digest):
                raise BadInput("draft-changed")
        if out is not None:
            with ThreadPoolExecutor(1) as moving:
                moving.submit(office.store.move_log)
                emit(office, publication, out, kinds, computed=computed, preparing=preparing)
    return publication


def _compute_and_store(
    act: ActContext, draft: Draft, kinds: Sequence[str] | None, thread: Executor, *, files: bool
) -> tuple[Publication, ComputedList, Future[None] | None]:
    """Store a list; what needs no row is computed beside it, last what its files need, if there will be any."""
    computed = ComputedList(draft.inputs, draft.result, draft.files, draft.blocks)
    as_of = AsOf(draft.inputs.number, draft.inputs.previous, draft.inputs.revision)
    on_list, day = draft.inputs.on_list, draft.inputs.day
    other_columns = has_categories(act.connection, on_list, day) or ownership(act.connection, on_list)
    proving = thread.submit(lambda: draft.result.lines)
    before, after = draft.before, draft.result.table
    rankings = thread.submit(lambda: compute_rankings(computed.table))
    preparing = thread.submit(computed.prepare_files, kinds) if files and not other_columns else None
    changes = None if before is None else changes_between(before, after)
    publication = store_publication(
        act, computed, as_of, base=draft.base, corrects=None, reports=draft.rated, rankings=rankings, changes=changes,
    )  # fmt: skip
    act.record(
        list=str(publication.list), day=str(publication.day), number=publication.number,
        revision=publication.revision, publication=publication.id, digest=publication.digest,
        standings=publication.standings_digest, inputs=publication.inputs_digest,
        lines=proving.result(), **({"special": True} if draft.special else {}),
    )  # fmt: skip
    return publication, computed, preparing


@dataclass(frozen=True)
class ComputedList:
    """A list and what it was computed from."""

    inputs: Inputs
    """If a stored draft was adopted unseen, without states, lists, events and people."""

    result: ListResult
    files: InputFiles | None = None
    """The inputs as files, if they were made before."""

    blocks: Sequence[SealedBlock] | None = None
    """The players in blocks without seals, if a draft has stored them."""

    def sealed_blocks(self) -> list[SealedBlock]:
        """Return the players in blocks."""
        result = self.result
        blocks = packed_blocks(result.table) if self.blocks is None else self.blocks
        return seal_blocks(blocks, result.table, row_seals(result.table, result.line_hashes))

    @cached_property
    def packed(self) -> InputFiles:
        """The inputs as files: their digest is stored with the list, the bundle contains them."""
        return input_files(self.inputs) if self.files is None else self.files

    @cached_property
    def table(self) -> ListTable:
        """The list as its files and rankings need it."""
        table = self.result.table.select(file_columns(self.inputs.on_list))
        return list_table(parse_head(self.result.head), table)

    @cached_property
    def source(self) -> ListSource:
        """The list, and what its files are written from."""
        from arpad.publishing.files import ListSource  # not loaded to publish without files

        return ListSource(self.table)

    def prepare_files(self, kinds: Sequence[str] | None) -> None:
        """Compute what the files of some kinds need, or else the usual files."""
        from arpad.publishing.files import usual_kinds

        self.source.prepare(usual_kinds(len(self.table.frame), kinds))


def store_publication(
    act: ActContext,
    computed: ComputedList,
    as_of: AsOf,
    *,
    base: Publication | None,
    corrects: Publication | None,
    reports: Iterable[int],
    kind: str = PUBLISHED,
    rankings: Future[Rankings] | None = None,
    changes: pl.DataFrame | None = None,
) -> Publication:
    """Store a list: the row of each player, the reports it rates, and its own row.

    ``rankings`` are those of the list and ``changes`` what differs from the list before it, if somebody computes them.
    """
    connection = act.connection
    inputs, result = computed.inputs, computed.result
    number = lists.next_publication(connection)
    hidden_now = inputs.hidden & hidden(connection) if as_of.hidden is None else as_of.hidden
    owner = ownership(connection, inputs.on_list, as_of.register_as_of)
    as_of = replace(
        as_of,
        register_as_of=act.seq if as_of.register_as_of is None else as_of.register_as_of,
        decisions_as_of=act.seq,
        merges_as_of=act.seq if as_of.merges_as_of is None else as_of.merges_as_of,
        before_publication=number,
        hidden=tuple(sorted(hidden_now)),
        guests=inputs.guests,
        not_owned=not_owned(connection, owner, inputs.people, inputs.day),
    )
    publication = Publication(
        number, inputs.on_list, inputs.day, inputs.revision, inputs.number, kind, inputs.edition, result.head,
        result.digest, result.standings_digest, computed.packed.digest, stored_as_of(as_of, inputs.on_list),
        act.today, base.id if base else None, corrects.id if corrects else None, act.seq,
    )  # fmt: skip
    with wide_cache(connection):
        delete_drafts(connection, publication.list)  # first, so that the list takes their pages
        add_list(connection, publication, result.table, computed.sealed_blocks(), rankings, changes)
        rated = list(reports)
        lists.add_rated(connection, number, rated)
        store_checkpoints(connection, inputs, result)
    if kind == PUBLISHED:
        queue_list_mails(connection, publication, rated)
    return publication


def emit(
    office: Office,
    publication: Publication,
    out: Path,
    kinds: Sequence[str] | None = None,
    *,
    bundle: bool = True,
    computed: ComputedList | None = None,
    preparing: Future[None] | None = None,
) -> list[Path]:
    """Write the files of a list from its rows, each completely or not at all.

    ``computed`` is the list if it has just been computed; then nothing is read or computed again. ``preparing`` ends
    when it has what its files need, if somebody computes that; only the bundle does not wait for it.
    """
    from arpad.office.proof.checkpoints import publication_proof  # not loaded to publish without files
    from arpad.publishing.bundle import write_bundle_to
    from arpad.publishing.files import list_files, usual_kinds

    with gc_paused(), office.store.reading() as connection:
        publisher, languages = read_setting(connection, "name"), offered_languages(connection)
        note, proof = checkpoint_behind(connection, publication.act), b""
        if bundle:
            proof = publication_proof(connection, publication)
        text = None
        if computed is not None:
            table, text = computed.table, computed.result.text
        else:
            table = public_list(connection, publication)
            if bundle and publication.kind == PUBLISHED:
                inputs = inputs_of(connection, publication)
                computed = ComputedList(inputs, compute_from_checkpoint(connection, inputs))
        table = with_owned(connection, publication, with_categories(connection, publication, table))
    source = computed.source if computed is not None and computed.table is table else None
    prepare_folder(out)
    file_kinds = usual_kinds(len(table.frame), kinds)
    with (
        gc_paused(),
        ThreadPoolExecutor(_WAITING) as waiting,
        files_together(out, waiting) as write,
        table_threads(_WRITING) as writers,
    ):
        packing = []
        if bundle and publication.kind == PUBLISHED and computed is not None:
            pack = partial(
                write_bundle_to, computed.inputs, computed.result, written=computed.packed, proof=proof
            )
            packing = [writers.submit(write, f"{publication.name}.bundle.zip", pack)]
        if preparing is not None:
            preparing.result()
        files = list_files(
            table, file_kinds, languages=languages, publisher=publisher, checkpoint=note, text=text, source=source,
        )  # fmt: skip
        writing = [writers.submit(write, file.name, file.write) for file in files]
        return [written.result() for written in writing + packing]


_WRITING = 2
"""Files that are written at the same time."""

_WAITING = 4
"""Files that wait for the disk at the same time."""


def rewrite_files(office: Office, folder: Path) -> list[Path]:
    """Write the list files of a folder again as they are public now, also those of lists taken back.

    The office's own bundles stay.
    """
    from arpad.publishing.files import KINDS

    written: list[Path] = []
    with office.store.reading() as connection:
        publications_ever = lists.ever_published(connection)
    for publication in publications_ever:
        stale = [
            path
            for path in folder.glob(f"{publication.name}*")
            if path.name[len(publication.name)] in ".-" and not path.name.endswith(".bundle.zip")
        ]
        if not stale:
            continue
        kinds = {_kind_of(path.name.removeprefix(publication.name)) for path in stale}
        written += emit(office, publication, folder, [kind for kind in KINDS if kind in kinds], bundle=False)
        for path in {*stale} - {*written}:
            path.unlink()
    return written


def _kind_of(ending: str) -> str:
    """Return the kind of a list file by the ending after the name of the list."""
    if ending.startswith("-"):
        return "sections"
    return "canonical" if ending == ".canonical.txt" else ending.rpartition(".")[2]


def queue_list_mails(connection: Connection, publication: Publication, reports: Iterable[int]) -> None:
    """Tell users that a list is published, and senders that it rates their reports."""
    if not mail_is_set_up(connection):
        return
    about = {"list": str(publication.list), "day": str(publication.day)}
    if publication.revision == 1:
        queue_report_mails(connection, (("rated", number) for number in reports), **about)
    path = f"/lists/{publication.name}"
    for choice in active_choices(connection):
        queue_for_user(
            connection,
            choice,
            "list-published",
            path=path,
            revision=publication.revision,
            corrected=int(publication.corrects is not None),
            **about,
        )
