"""Take back a list that was published or imported by mistake, as long as nothing refers to it.

The publication, its rows and its digest stay on record. From then on it counts for nothing: its reports wait for the
next list, its files are no longer served, and its revision number is not used again. What an imported list told the
register is removed from it: facts, numbers, and the players who were new and whom nothing else names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection

from arpad.lists.input_files import digest_inputs
from arpad.model.errors import ArpadError, BadInput
from arpad.office.declared import ListChosen, ListDay, Reason, act
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.imports.rows import newcomers_of, remove_import
from arpad.office.lists import rows as lists
from arpad.office.lists.acts import ListRevision, list_revision
from arpad.office.lists.block_rows import read_players
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.office import ActContext
from arpad.office.proof.erasures import Erasures, load_erasures
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import decisions_in_force
from arpad.office.users import officer_of_all
from arpad.regulations.systems import system_of


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
