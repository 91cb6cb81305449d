"""Draft the next list, and publish it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812  a field has the name of the type
from typing import Annotated, Any

from arpad.explain.documents import FindingDocument, finding_document
from arpad.lists.categories import CategoryChange
from arpad.model.declared import Accepts, document
from arpad.model.rules import Finding, ListName
from arpad.office.corrections.affected_lists import ToRevise, affected_lists
from arpad.office.declared import ListChosen, ListDay, Reading, Reason, query, task
from arpad.office.drafts.acts import Draft, compute_draft, keep_draft
from arpad.office.drafts.load_events import DraftGuest
from arpad.office.drafts.publish import publish
from arpad.office.inbox.closed_years import late_findings
from arpad.office.lists.acts import ListRevision, list_facts
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.office.parts import draft_changes
from arpad.office.users import officer_of_all
from arpad.system.batches import gc_paused

Special = Annotated[bool, Accepts(word="special-list")]
Empty = Annotated[bool, Accepts(word="empty-list")]
ListDigest = Annotated[str, Accepts(longest=64, word="list-digest")]
InputsDigest = Annotated[str, Accepts(longest=64, word="inputs-digest")]


@dataclass(frozen=True, slots=True)
class DraftMovement:
    """A rated player of the draft with games."""

    player: int
    before: int
    after: int
    change: int


@dataclass(frozen=True, slots=True)
class DraftPending:
    """A player who still has no first rating, and why."""

    player: int
    reason: str


@dataclass(frozen=True, slots=True)
class DraftReport:
    """An accepted report that the draft does not rate, and why."""

    report: int
    reason: str


@dataclass(frozen=True, slots=True)
class DraftRestated:
    """A printed figure of a published list of the office's own that the events of today give otherwise."""

    list: str
    """The published list, as ``ireland-2026-01-01-r1``."""

    player: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """A list as it would be published now."""

    list: ListName
    date: Day
    number: int
    edition: str
    digest: str
    inputs_digest: str
    special: bool
    players: int
    events: tuple[int, ...]
    movements: tuple[DraftMovement, ...]
    entered: tuple[int, ...]
    delisted: tuple[int, ...]
    pending: tuple[DraftPending, ...]
    left_out: tuple[DraftReport, ...]
    guests: tuple[DraftGuest, ...]
    restated: tuple[DraftRestated, ...]
    findings: Mapping[str, tuple[FindingDocument, ...]]
    """What the system of a list of the office's own says, by the name of the event."""

    revise: tuple[Mapping[str, Any], ...]
    late: tuple[FindingDocument, ...]
    categories: tuple[CategoryChange, ...]


@dataclass(frozen=True, slots=True)
class DraftShown:
    """A draft with what an officer must know beside it."""

    draft: Draft
    revise: tuple[ToRevise, ...]
    """Its published lists that were made from something else."""

    late: tuple[Finding, ...]
    """About reports of closed years."""

    late_documents: tuple[FindingDocument, ...]
    """The same in the reader's language."""

    findings: Mapping[str, tuple[FindingDocument, ...]]
    """Those of the system."""

    categories: tuple[CategoryChange, ...]

    def document(self) -> DraftAnswer:
        """Return the draft as JSON has it: digests, who moves and enters, and everything that is left out."""
        draft, inputs, result = self.draft, self.draft.inputs, self.draft.result
        return DraftAnswer(
            inputs.on_list, inputs.day, inputs.number, inputs.edition, result.digest, draft.inputs_digest,
            draft.special, result.listed, tuple(filed.id for filed in draft.reports),
            tuple(DraftMovement(player, before, after, after - before) for player, before, after in result.movements),
            tuple(result.entered), tuple(result.delisted),
            tuple(DraftPending(player, reason) for player, reason in result.pending),
            tuple(DraftReport(left.report.id, left.reason) for left in draft.left_out),
            draft.guests,
            tuple(DraftRestated(it.publication.name, it.player, it.before, it.after) for it in draft.restated),
            self.findings, tuple(it.document() for it in self.revise), self.late_documents, self.categories,
        )  # fmt: skip


@query("draft", officer_of_all("register"), path="/drafts/{list}")
def draft_list(reading: Reading, list_: ListChosen, day: ListDay, *, special: Special = False) -> DraftShown:
    """Show the next list as a draft; nothing is published.

    It shows the largest movements, and which reports are left out and why.
    """
    connection = reading.connection
    with gc_paused():
        computed = compute_draft(connection, list_, day, reading.today, special=special)
        if reading.caller.owner:  # the site does not wait for it
            keep_draft(reading.office, computed)
    late = tuple(late_findings(connection, computed.reports))
    return DraftShown(
        computed, tuple(it for it in affected_lists(connection) if it.list == list_), late,
        tuple(finding_document(it, reading.words) for it in late),
        {event: tuple(finding_document(it, reading.words) for it in said) for event, said in computed.findings.items()},
        tuple(draft_changes(connection, computed)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PublishedList(ListRevision):
    """A list that was published, with the titles that it gives by rating (B.01 1.3)."""

    titles: tuple[dict[str, Any], ...]


@task("publish", officer_of_all("lists"), says="office.published", page="/desk/lists")
def publish_list(
    office: Office,
    list_: ListChosen,
    day: ListDay,
    *,
    special: Special = False,
    empty: Empty = False,
    digest: ListDigest = "",
    inputs: InputsDigest = "",
    reason: Reason = "",
) -> PublishedList:
    """Publish a list.

    The date is the next one of the calendar; special publishes on another day, empty a first list without players.
    Both need a reason. With the digests of a draft it is published only if it is still that draft.
    """
    published = publish(
        office, list_, day, reason=reason, special=special, empty=empty, digest=digest, inputs=inputs
    )
    return published_list(office, published)


def published_list(office: Office, publication: Publication) -> PublishedList:
    """Return a list that was just published; a standard list gives titles by rating."""
    titles: tuple[dict[str, Any], ...] = ()
    if publication.list is ListName.STANDARD:
        from arpad.office.parts import proposed_titles

        titles = tuple(document(proposal) for proposal in proposed_titles(office))
    return PublishedList(**list_facts(publication), titles=titles)
