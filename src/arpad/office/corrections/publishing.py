"""Draft the next list, publish it, and take back a list that was published or imported by mistake.

A list can be taken back as long as nothing refers to it. The publication, its rows and its digest stay on record. From
then on it counts for nothing: its reports wait for the next list, its files are no longer served, and its revision
number is not used again. What an imported list told the register is removed from it: facts, numbers, and the players
who were new and whom nothing else names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date as Day  # noqa: N812  a field has the name of the type
from typing import Annotated, Any

from sqlalchemy import Connection

from arpad.explain.documents import FindingDocument, finding_document
from arpad.explain.words import Words
from arpad.lists.categories import CategoryChange
from arpad.lists.input_files import digest_inputs
from arpad.model.declared import Accepts, document
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import Finding, ListName
from arpad.office.corrections.affected_lists import ToRevise, affected_lists
from arpad.office.declared import ListChosen, ListDay, Reading, Reason, act, query, task
from arpad.office.drafts.acts import Draft, compute_draft, keep_draft
from arpad.office.drafts.load_events import DraftGuest
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.drafts.publish import publish
from arpad.office.imports.rows import newcomers_of, remove_import
from arpad.office.inbox.closed_years import late_findings
from arpad.office.lists import rows as lists
from arpad.office.lists.acts import ListRevision, list_facts, list_revision
from arpad.office.lists.block_rows import read_players
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.office import ActContext, Office
from arpad.office.parts import draft_changes
from arpad.office.proof.erasures import Erasures, load_erasures
from arpad.office.reports import rows
from arpad.office.reports.rows import decisions_in_force
from arpad.office.users import officer_of_all
from arpad.regulations.systems import system_of
from arpad.system.batches import gc_paused

Special = Annotated[bool, Accepts(word="special-list")]
Empty = Annotated[bool, Accepts(word="empty-list")]
ListDigest = Annotated[str, Accepts(longest=64, word="list-digest", personal=False)]
InputsDigest = Annotated[str, Accepts(longest=64, word="inputs-digest", personal=False)]


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
    """The findings of the rating system of an own list, by the name of the event."""

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

    categories: tuple[CategoryChange, ...]
    words: Words

    @property
    def changed(self) -> int:
        """How many players who were on the list before have another rating."""
        return sum(before is not None for _, before, _ in self.draft.result.movements)

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
            {event: self._worded(said) for event, said in draft.findings.items()},
            tuple(it.document() for it in self.revise), self._worded(self.late), self.categories,
        )  # fmt: skip

    def _worded(self, findings: Iterable[Finding]) -> tuple[FindingDocument, ...]:
        return tuple(finding_document(it, self.words) for it in findings)


def shown_draft(connection: Connection, draft: Draft, words: Words) -> DraftShown:
    """Return a draft with what an officer must know beside it."""
    return DraftShown(
        draft, tuple(it for it in affected_lists(connection) if it.list == draft.inputs.on_list),
        tuple(late_findings(connection, draft.reports)), tuple(draft_changes(connection, draft)), words,
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
    return shown_draft(connection, computed, reading.words)


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


@dataclass(frozen=True, slots=True)
class ListsTakenBack:
    """The lists that one act had entered and that count no more."""

    taken_back: tuple[ListRevision, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The lists that were taken back, with their names."""

    publications: tuple[Publication, ...]
    names: str

    def document(self) -> ListsTakenBack:
        """Return it as JSON has it."""
        return ListsTakenBack(tuple(map(list_revision, self.publications)))


@act("take-back", officer_of_all("lists"), says="office.taken-back", page="/desk/lists")
def take_back(
    act: ActContext,
    list_: ListChosen,
    day: ListDay,
    *,
    reason: Reason,  # noqa: ARG001  the ledger takes it
) -> TakenBack:
    """Take back the newest publication of a list.

    Nothing may refer to it yet; its record stays in the ledger.

    Example: arpad office take-back standard 2018-05-01 --reason "wrong month" --db office.db
    """
    connection = act.connection
    standing = lists.all_publications(connection, list_)
    named = max((p for p in standing if p.day == day), key=lambda p: p.id, default=None)
    if named is None:
        raise BadInput("no-publication", option="day", list=str(list_), day=day)
    removed: dict[str, int] = {}
    together = tuple(p for p in standing if p.act == named.act)
    _refuse_references(connection, standing, together)
    for publication in together:
        lists.add_taken_back(connection, publication.id, act.seq)
        if publication.kind == IMPORTED:
            others = {p.id for p in lists.all_publications(connection)} - {p.id for p in together}
            newcomers = newcomers_of(connection, publication.act)["player"].to_list()
            listed = {
                player
                for number in others
                if number > publication.id and newcomers
                for player in read_players(connection, number, newcomers)["player"]
            }
            removed = asdict(remove_import(connection, publication.act, listed))
    using = next(_dependent_lists(connection, together), None)
    if using is not None:
        raise BadInput("taken-back-used", name=named.name, by=using.name)
    act.record(
        publications=[{"publication": p.id, "name": p.name, "digest": p.digest} for p in together],
        **({"removed": removed} if removed else {}),
    )
    return TakenBack(together, ", ".join(publication.name for publication in together))


def _refuse_references(
    connection: Connection, standing: Sequence[Publication], together: Sequence[Publication]
) -> None:
    """Refuse publications to which a later one, a decision about the list, or a report checked with it refers."""
    first, last = together[0], max(together, key=lambda p: p.id)
    for later in standing:
        if later.id > last.id:
            raise BadInput("taken-back-followed", name=first.name, by=later.name)
    for publication in together:
        for decision in decisions_in_force(connection):
            about = (decision.list, decision.day) == (str(publication.list), str(publication.day))
            if about and decision.act > publication.act:
                raise BadInput("taken-back-decided", name=publication.name, decision=decision.id)
        if publication.kind == BASE:
            continue
        # reports whose event began under the list, and that were received or accepted since its publication
        for report in rows.received_or_accepted_since(connection, publication.act, publication.day).values():
            if publication.list in system_of(report.list).lists_used(report.list):
                raise BadInput("taken-back-checked", name=publication.name, report=report.id)


def _dependent_lists(connection: Connection, publications: Sequence[Publication]) -> Iterator[Publication]:
    """Yield the publications that were computed from one that is taken back.

    A list that would be computed from other inputs now than when it was published was computed from it. A corrected
    base stores no inputs, so every later one of the same discipline counts.
    """
    first, erased = min(p.id for p in publications), load_erasures(connection)
    for publication in lists.all_publications(connection):
        if publication.id < first:
            continue
        if publication.kind == PUBLISHED and not _has_same_inputs(connection, publication, erased):
            yield publication
        if publication.kind == BASE and publication.list.system == publications[0].list.system:
            yield publication


def _has_same_inputs(connection: Connection, publication: Publication, erased: Erasures) -> bool:
    """Return whether the inputs of a list are the same as when it was published, except erased texts."""
    try:
        inputs = inputs_of(connection, publication)
        digest = erased.of_list(publication.id, "inputs", publication.inputs_digest)
        return digest_inputs(inputs) == digest
    except (ArpadError, KeyError):
        return False
