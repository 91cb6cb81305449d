"""Verify the database: the ledger's chain, the bytes of reports, every list's rows, and each list computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
from arpad.lists.standings import EMPTY_STATE, StandingRow
from arpad.model.disciplines import discipline_of
from arpad.model.errors import ArpadError
from arpad.model.json_values import load
from arpad.model.rules import ListName
from arpad.office.erasures import Erasures, load_erasures
from arpad.office.office import Office
from arpad.office.publish import inputs_of
from arpad.publishing.bundle import Alteration, Verification, first_difference
from arpad.store import damaged_rows, ledger, lists, tables
from arpad.store.list_text import canonical_text
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.reports import digest_of
from arpad.store.schema import KEPT
from arpad.store.triggers import append_only_tables
from arpad.system.batches import batches, gc_paused

_BATCH = 10_000
"""Rows of a list that are in memory at a time."""

_UNREADABLE = (
    ArpadError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What is raised for rows with the right form and impossible values."""

_REMEMBERED = 100_000
"""Different states whose rating is remembered."""


FactsByAct = Mapping[int, Mapping[str, Any]]


def verify(office: Office, *, recompute: bool = True) -> Verification:
    """Return whether ledger, reports and lists are as they were written, and what was altered.

    ``recompute`` also computes every list again from its reports.
    """
    with gc_paused(), office.store.reading() as connection:
        damaged = [_damaged(cell) for cell in damaged_rows.damaged_cells(connection)]
        if damaged:  # nothing that depends on these rows can be verified
            return Verification("office", tuple(damaged), _counts(connection))
        erased = load_erasures(connection)
        wrong, _ = ledger.first_altered(connection, erased.ledger)
        altered = [Alteration("ledger-row", {"seq": wrong})] if wrong else []
        broken = list(_broken(connection, ledger_whole=not wrong))
        if broken:
            return Verification("office", (*altered, *broken), _counts(connection))
        facts_by_act = {act.seq: act.facts for act in ledger.acts(connection)} if not wrong else {}
        protected = append_only_tables(connection)
        altered += [
            Alteration("triggers-missing", {"table": table}) for table in KEPT if table not in protected
        ]
        altered += _reports(connection, facts_by_act, erased)
        altered += _editions(connection, facts_by_act)
        publications = lists.ever_published(connection)
        for publication in publications:
            alterations = list(_list(connection, publication, facts_by_act, erased))
            stands = publication.taken_back is None
            if not alterations and recompute and stands and publication.kind == PUBLISHED:
                alterations = list(_recomputed(connection, publication, erased))
            altered += alterations
        altered += _taken_back(publications, facts_by_act) if facts_by_act else ()
        altered += _chain(publications)
        counts = _counts(connection)
    erasures = tuple(Alteration("player", _erasure(act)) for act in erased.acts)
    return Verification("office", tuple(altered), counts, erased=erasures)


def _erasure(act: ledger.Act) -> dict[str, Any]:
    """Return which player was erased, with the day and the author."""
    return {"player": act.facts["player"], "day": date.fromisoformat(act.at[:10]), "by": act.facts["by"]}


def _damaged(cell: damaged_rows.Damaged) -> Alteration:
    return Alteration("row-damaged", {"table": cell.table, "row": cell.row, "column": cell.column})


def _broken(connection: Connection, *, ledger_whole: bool) -> Iterator[Alteration]:
    """Yield the rows that refer to missing rows, or to each other in a circle."""
    for row in damaged_rows.missing_rows(connection, ledger=ledger_whole):
        yield Alteration("row-missing", {"table": row.table, "row": row.row, "by": row.by})
    yield from map(_damaged, damaged_rows.backward_rows(connection))
    for player in damaged_rows.merged_in_a_circle(connection):
        yield Alteration("merge-circle", {"player": player})


def _counts(connection: Connection) -> dict[str, int]:
    """Return the number of acts, reports and lists."""
    counted = {"acts": "ledger", "reports": "reports", "lists": "publications"}
    return {name: tables.count(connection, table) for name, table in counted.items()}


def _reports(connection: Connection, facts_by_act: FactsByAct, erased: Erasures) -> Iterator[Alteration]:
    for row in tables.rows(connection, "reports", ("id", "digest", "data", "act")):
        digest = digest_of(row["digest"])
        recorded = facts_by_act.get(row["act"], {}).get("sha256", digest)
        data = row["data"].encode() if isinstance(row["data"], str) else bytes(row["data"])
        if sha256(data).hexdigest() != erased.reports.get(row["id"], digest) or recorded != digest:
            yield Alteration("report-bytes", {"report": row["id"]})


def _editions(connection: Connection, facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Compare each own edition with what the ledger says was adopted."""
    for row in tables.rows(connection, "editions"):
        digest = sha256(row["text"].encode()).hexdigest()
        stored = {"edition": row["edition"], "since": row["since"], "sha256": digest}
        facts = facts_by_act.get(row["act"], {**stored, "lists": [row["list"]]})
        if row["list"] not in facts.get("lists", ()) or stored != {name: facts.get(name) for name in stored}:
            yield Alteration("edition-text", {"edition": row["edition"]})


def _list(
    connection: Connection,
    publication: Publication,
    facts_by_act: FactsByAct,
    erased: Erasures,
) -> Iterator[Alteration]:
    """Compare each row of a list with its seal, all rows with the digests, and the digests with the ledger."""
    about = {"list": publication.name}
    text, states = sha256(publication.head.encode()), sha256()
    read_rating = lru_cache(maxsize=_REMEMBERED)(partial(_rating, publication.list))
    for batch in batches(lists.standing_rows(connection, publication.id), _BATCH):
        for row, seal in batch:
            if seal != row.seal() or not _fits(row, read_rating):
                yield Alteration("list-row", {**about, "player": row.player})
        text.update("".join([f"{row.line}\n" for row, _ in batch if row.line is not None]).encode())
        rated = [f"{row.player}\t{row.state}\n" for row, _ in batch if row.state != EMPTY_STATE]
        states.update("".join(rated).encode())
    now = partial(erased.of_list, publication.id)
    if publication.head and text.hexdigest() != now("digest", publication.digest):
        yield Alteration("list-digest", about)
    if states.hexdigest() != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)
    facts = facts_by_act.get(publication.act, {})
    entries = [facts, *facts.get("revisions", [])]
    for entry in (entry for entry in entries if entry.get("publication") == publication.id):
        if entry.get("digest", publication.digest) != publication.digest:
            yield Alteration("list-ledger", about)


def _fits(row: StandingRow, read_rating: Callable[[str], int | None]) -> bool:
    """Return whether a player's state can be read and has the rating of its row."""
    try:
        return row.rating == read_rating(row.state)
    except _UNREADABLE:
        return False


def _taken_back(publications: tuple[Publication, ...], facts_by_act: FactsByAct) -> Iterator[Alteration]:
    """Yield the publications that the ledger says were taken back and their rows do not, or the other way round."""
    by_ledger = {
        entry.get("publication"): act
        for act, facts in facts_by_act.items()
        for entry in facts.get("publications", ())
    }
    for publication in publications:
        if by_ledger.get(publication.id) != publication.taken_back:
            yield Alteration("taken-back", {"list": publication.name})


def _rating(on_list: ListName, state: str) -> int | None:
    """Return the rating of a state; most states of a long list occur many times."""
    if state == EMPTY_STATE:
        return None
    return discipline_of(on_list).rating_of(state)


def _recomputed(connection: Connection, publication: Publication, erased: Erasures) -> Iterator[Alteration]:
    """Compute a list again from what was known then, and compare."""
    about = {"list": publication.name}
    now = partial(erased.of_list, publication.id)
    try:
        inputs = inputs_of(connection, publication)
        if inputs_digest(file_digests(write_inputs(inputs))) != now("inputs", publication.inputs_digest):
            yield Alteration("list-inputs", about)
            return
        computed = compute_list(inputs)
    except _UNREADABLE:
        yield Alteration("list-inputs", about)
        return
    if computed.digest != now("digest", publication.digest):
        difference = first_difference(computed.text, canonical_text(connection, publication))
        yield Alteration(difference.code, {**about, **difference.facts})
    elif computed.standings_digest != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)


def _chain(publications: tuple[Publication, ...]) -> Iterator[Alteration]:
    """Yield the lists whose previous digest is that of no list."""
    digests = {publication.digest for publication in publications}
    for publication in publications:
        previous = load(publication.making).get("previous", "")
        if previous and previous not in digests:
            yield Alteration("list-chain", {"list": publication.name})
