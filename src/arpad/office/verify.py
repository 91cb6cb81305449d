"""Verifying the database: the ledger's chain, the bytes of reports, every list's rows, and each list computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, func, select

from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, write_inputs
from arpad.lists.published import DRAUGHTS
from arpad.lists.standings import EMPTY_STATE, StandingRow
from arpad.model.errors import ArpadError
from arpad.model.json_values import load, to_capital, to_standing
from arpad.model.rules import ListName
from arpad.office.erasures import Erasures, erasures
from arpad.office.office import Office
from arpad.office.publish import inputs_of
from arpad.publishing.bundle import Alteration, Verification, first_difference
from arpad.store import damaged_rows as form
from arpad.store import ledger, lists
from arpad.store import triggers as protect
from arpad.store.list_text import canonical_text
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.reports import digest_of
from arpad.store.schema import KEPT, editions, publications, reports
from arpad.store.schema import ledger as ledger_table
from arpad.system.batches import batches, gc_paused

_BATCH = 10_000
"""Rows of a list that are held at a time."""

_UNREADABLE = (
    ArpadError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What is raised over rows that have their form and say something impossible."""

_REMEMBERED = 100_000
"""Different states whose rating is remembered."""


def verify(office: Office, *, recompute: bool = True) -> Verification:
    """Whether ledger, reports and lists are as they were written; names the first place that is not.

    ``recompute`` also makes every list again from its reports.
    """
    with gc_paused(), office.store.reading() as connection:
        damaged = [_damaged(cell) for cell in form.damaged_cells(connection)]
        if damaged:  # nothing that rests on these rows can be told
            return Verification("office", tuple(damaged), _counted(connection))
        erased = erasures(connection)
        wrong, _ = ledger.first_altered(connection, erased.ledger)
        altered = [Alteration("ledger-row", {"seq": wrong})] if wrong else []
        broken = list(_broken(connection, ledger_whole=not wrong))
        if broken:
            return Verification("office", (*altered, *broken), _counted(connection))
        told = {act.seq: act.facts for act in ledger.acts(connection)} if not wrong else {}
        altered += [
            Alteration("triggers-missing", {"table": table})
            for table in KEPT
            if table not in protect.kept_tables(connection)
        ]
        altered += _reports(connection, told, erased)
        altered += _editions(connection, told)
        found = lists.ever_published(connection)
        for publication in found:
            here = list(_list(connection, publication, told, erased))
            stands = publication.taken_back is None
            if not here and recompute and stands and publication.kind == PUBLISHED:
                here = list(_recomputed(connection, publication, erased))
            altered += here
        altered += _taken_back(found, told) if told else ()
        altered += _chain(found)
        counted = _counted(connection)
    gone = tuple(Alteration("player", _erasure(act)) for act in erased.acts)
    return Verification("office", tuple(altered), counted, erased=gone)


def _erasure(act: ledger.Act) -> dict[str, Any]:
    """Return who was erased, when and by whom."""
    return {"player": act.facts["player"], "day": date.fromisoformat(act.at[:10]), "by": act.facts["by"]}


def _damaged(cell: form.Damaged) -> Alteration:
    return Alteration("row-damaged", {"table": cell.table, "row": cell.row, "column": cell.column})


def _broken(connection: Connection, *, ledger_whole: bool) -> Iterator[Alteration]:
    """Give the places where rows refer to what is not there, or to each other in a circle."""
    for row in form.missing_rows(connection, ledger=ledger_whole):
        yield Alteration("row-missing", {"table": row.table, "row": row.row, "by": row.by})
    yield from map(_damaged, form.backward_rows(connection))
    for player in form.merged_in_a_circle(connection):
        yield Alteration("merge-circle", {"player": player})


def _counted(connection: Connection) -> dict[str, int]:
    """Return how many acts, reports and lists there are."""
    tables = {"acts": ledger_table, "reports": reports, "lists": publications}
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in tables.items()
    }


def _reports(
    connection: Connection, told: Mapping[int, Mapping[str, Any]], erased: Erasures
) -> Iterator[Alteration]:
    query = select(reports.c.id, reports.c.digest, reports.c.data, reports.c.act).order_by(reports.c.id)
    for number, key, data, act in connection.execute(query, execution_options={"yield_per": 100}):
        digest = digest_of(key)
        written = told.get(act, {}).get("sha256", digest)
        whole = data.encode() if isinstance(data, str) else bytes(data)
        if sha256(whole).hexdigest() != erased.reports.get(number, digest) or written != digest:
            yield Alteration("report-bytes", {"report": number})


def _editions(connection: Connection, told: Mapping[int, Mapping[str, Any]]) -> Iterator[Alteration]:
    """Each own edition against what the ledger says was adopted."""
    for row in connection.execute(select(editions).order_by(editions.c.id)):
        wanted = {"edition": row.edition, "since": row.since, "sha256": sha256(row.text.encode()).hexdigest()}
        facts = told.get(row.act, {**wanted, "lists": [row.list]})
        if row.list not in facts.get("lists", ()) or wanted != {name: facts.get(name) for name in wanted}:
            yield Alteration("edition-text", {"edition": row.edition})


def _list(
    connection: Connection,
    publication: Publication,
    told: Mapping[int, Mapping[str, Any]],
    erased: Erasures,
) -> Iterator[Alteration]:
    """One list: each row against its seal, all of them against the digests, the digests against the ledger."""
    about = {"list": publication.name}
    text, states = sha256(publication.head.encode()), sha256()
    read_rating = lru_cache(maxsize=_REMEMBERED)(partial(_rating, publication.list))
    for batch in batches(lists.standing_rows(connection, publication.id), _BATCH):
        for row, seal in batch:
            if seal != row.seal() or not _tells(row, read_rating):
                yield Alteration("list-row", {**about, "player": row.player})
        text.update("".join([f"{row.line}\n" for row, _ in batch if row.line is not None]).encode())
        told_of = [f"{row.player}\t{row.state}\n" for row, _ in batch if row.state != EMPTY_STATE]
        states.update("".join(told_of).encode())
    now = partial(erased.of_list, publication.id)
    if publication.head and text.hexdigest() != now("digest", publication.digest):
        yield Alteration("list-digest", about)
    if states.hexdigest() != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)
    facts = told.get(publication.act, {})
    written = [facts, *facts.get("revisions", [])]
    of_list = [entry for entry in written if entry.get("publication") == publication.id]
    for entry in of_list:
        if entry.get("digest", publication.digest) != publication.digest:
            yield Alteration("list-ledger", about)


def _tells(row: StandingRow, read_rating: Callable[[str], int | None]) -> bool:
    """Return whether a player's state can be read, and tells the rating beside it."""
    try:
        return row.rating == read_rating(row.state)
    except _UNREADABLE:
        return False


def _taken_back(
    found: tuple[Publication, ...], told: Mapping[int, Mapping[str, Any]]
) -> Iterator[Alteration]:
    """Give the publications of which the ledger and their rows do not say alike whether they were taken back."""
    by_ledger = {
        entry.get("publication"): act
        for act, facts in told.items()
        for entry in facts.get("publications", ())
    }
    for publication in found:
        if by_ledger.get(publication.id) != publication.taken_back:
            yield Alteration("taken-back", {"list": publication.name})


def _rating(on_list: ListName, state: str) -> int | None:
    """The rating that a state tells; most states of a long list stand in it many times."""
    if state == EMPTY_STATE:
        return None
    return to_capital(state).capital if on_list in DRAUGHTS else to_standing(0, state).rating


def _recomputed(connection: Connection, publication: Publication, erased: Erasures) -> Iterator[Alteration]:
    """A list made again from what was known then."""
    about = {"list": publication.name}
    now = partial(erased.of_list, publication.id)
    try:
        inputs = inputs_of(connection, publication)
        if inputs_digest(file_digests(write_inputs(inputs))) != now("inputs", publication.inputs_digest):
            yield Alteration("list-inputs", about)
            return
        closed = compute_list(inputs)
    except _UNREADABLE:
        yield Alteration("list-inputs", about)
        return
    if closed.digest != now("digest", publication.digest):
        found = first_difference(closed.text, canonical_text(connection, publication))
        yield Alteration(found.code, {**about, **found.facts})
    elif closed.standings_digest != now("standings", publication.standings_digest):
        yield Alteration("standings-digest", about)


def _chain(found: tuple[Publication, ...]) -> Iterator[Alteration]:
    """Each list names the digest of one that stands before it."""
    digests = {publication.digest for publication in found}
    for publication in found:
        previous = load(publication.making).get("previous", "")
        if previous and previous not in digests:
            yield Alteration("list-chain", {"list": publication.name})
