"""Verify that the acts and the lists say the same, and that acts which were entered later say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import load
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.verify.lists import FactsByAct
from arpad.publishing.verification import Alteration
from arpad.store import ledger
from arpad.store.written_once import listed


def altered_acts(
    connection: Connection, publications: tuple[Publication, ...], facts_by_act: FactsByAct, since: int
) -> Iterator[Alteration]:
    """Yield where the acts say something else than the lists, and acts that hide that they were entered later."""
    yield from _taken_back(publications, facts_by_act)
    yield from _published(
        publications, (act for verb in _PUBLISHING for act in ledger.acts_of(connection, verb))
    )
    yield from _times(connection, facts_by_act, since)
    yield from _chain(publications)


def _taken_back(publications: tuple[Publication, ...], facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Yield the publications that the ledger says were taken back and their rows do not, or the other way round."""
    by_ledger = {
        entry["publication"]: act
        for act, facts in facts_by_act.items()
        for entry in listed(facts, "publications")
        if isinstance(entry, dict) and isinstance(entry.get("publication"), int)
    }
    for publication in publications:
        if by_ledger.get(publication.id) != publication.taken_back:
            yield Alteration("taken-back", {"list": publication.name})


_PUBLISHING: Mapping[str, frozenset[str]] = {
    "publish": frozenset({PUBLISHED}), "revise": frozenset({PUBLISHED, BASE}), "import-list": frozenset({IMPORTED}),
}  # fmt: skip
"""The verbs of acts that add lists, and the kinds of the lists."""

_SAID = ("list", "day", "revision", "digest")
"""The values that the act and the row of a list must have in common."""


def _published(publications: tuple[Publication, ...], acts: Iterable[ledger.Act]) -> Iterator[Alteration]:
    """Yield the acts that say they added a list which is not there as they say, and the lists of no act."""
    by_id = {publication.id: publication for publication in publications}
    said: set[int] = set()
    for act in acts:
        for entry in _entries(act.facts):
            number = entry.get("publication")
            publication = by_id.get(number) if isinstance(number, int) else None
            if publication is None or not _is_as_said(publication, act, entry) or publication.id in said:
                yield Alteration("act-publication", {"seq": act.seq})
                continue
            said.add(publication.id)
    for number in sorted(by_id.keys() - said):
        yield Alteration("list-act", {"list": by_id[number].name, "act": by_id[number].act})


def _entries(facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what an act says about each list that it added."""
    revisions = facts.get("revisions")
    for entry in revisions if isinstance(revisions, list) else [{}]:
        yield {**facts, **entry} if isinstance(entry, dict) else {}


def _is_as_said(publication: Publication, act: ledger.Act, entry: Mapping[str, Any]) -> bool:
    row = {name: str(getattr(publication, name)) for name in _SAID}
    digests = {"standings": publication.standings_digest, "inputs": publication.inputs_digest}
    return (
        publication.act == act.seq
        and publication.kind in _PUBLISHING[act.verb]
        and row == {name: str(entry.get(name)) for name in _SAID}
        and all(entry.get(name, digest) == digest for name, digest in digests.items())
    )


def entered_later(connection: Connection) -> tuple[Alteration, ...]:
    """Return the acts that were entered later than their time says."""
    before = ledger.times_before(connection)
    return tuple(
        Alteration("entered-later", {"seq": seq, "at": at, "after": after})
        for seq, (at, after) in before.items()
    )


def _times(connection: Connection, facts_by_act: FactsByAct, since: int) -> Iterator[Alteration]:
    """Yield the acts that do not say that they were entered later, or say it wrongly."""
    before = {seq: latest for seq, (_, latest) in ledger.times_before(connection).items()}
    mark = ledger.ENTERED_AFTER
    marked = {seq: facts[mark] for seq, facts in facts_by_act.items() if mark in facts}
    for seq in sorted({*before, *marked}):
        if seq > since and before.get(seq) != marked.get(seq):
            yield Alteration("act-time", {"seq": seq})


def _chain(publications: tuple[Publication, ...]) -> Iterator[Alteration]:
    """Yield the lists whose previous digest is that of no list."""
    digests = {publication.digest for publication in publications}
    for publication in publications:
        previous = load(publication.making).get("previous", "")
        if previous and previous not in digests:
            yield Alteration("list-chain", {"list": publication.name})
