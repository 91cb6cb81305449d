"""Reports on file, and what officers decided about them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, exists, func, or_, select

from arpad.model.canonical_json import load
from arpad.model.rules import LIST_UNDECIDED, LISTS, ListName, Severity
from arpad.office.lists.tables import player_reports
from arpad.office.reports.tables import (
    ACCEPTED,
    RECEIVED,
    SUPERSEDED,
    decisions,
    entrants,
    report_statuses,
    reports,
    revocations,
)
from arpad.store.bulk import cached_until_act, fetch_rows, last_act, revoked, rows_with
from arpad.store.ledger import some_acts


class Filed(NamedTuple):
    """A report on file, without its bytes."""

    id: int
    digest: str
    file: str
    received: date
    list: ListName
    """The list on which it is rated: the list at filing, or another by decision."""

    name: str
    city: str
    federation: str
    first_day: date | None
    last_day: date | None
    players: int
    """The number of entrants."""

    rounds: int
    winner: int | None
    """The place of the only first among the entrants."""

    facts: str
    findings: str
    event: int | None
    replaces: int | None
    act: int
    status: str
    filed_on: ListName
    """The list at filing."""

    undecided: bool = False
    """Whether nobody has stated its list and its time control cannot be read."""

    @property
    def errors(self) -> int:
        """The number of errors on the day it arrived."""
        return self.findings.count(ERROR_JSON)

    @property
    def warnings(self) -> int:
        """The number of warnings on the day it arrived."""
        return self.findings.count(WARNING_JSON)


ERROR_JSON, WARNING_JSON = (f'"severity":"{severity}"' for severity in (Severity.ERROR, Severity.WARNING))
UNDECIDED_JSON = f'"code":"{LIST_UNDECIDED}"'

_COLUMNS = [reports.c[name] for name in Filed._fields if name in reports.c]


def filed(connection: Connection, ids: Iterable[int] | None = None) -> dict[int, Filed]:
    """Return reports by number, all or some, with their current status."""
    rows = (
        fetch_rows(connection, _FILED)
        if ids is None
        else rows_with(connection, _FILED, reports.c.id, sorted(set(ids)))
    )
    filed_reports = {row[0]: _filed(row) for row in rows}
    for number, on_list in decided_lists(connection).items():
        report = filed_reports.get(number)
        if report is not None and (report.list != on_list or report.undecided):
            filed_reports[number] = report._replace(list=on_list, undecided=False)
    return filed_reports


def report_titles(connection: Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return the names of some reports by number; of one without a name that of its file."""
    rows = rows_with(connection, _NAMES, reports.c.id, set(ids))
    return {number: name or file for number, name, file in rows}


_NAMES = select(reports.c.id, reports.c.name, reports.c.file)


def latest(
    connection: Connection, status: str, most: int, after: int = 0, *, before: tuple[str, int] | None = None
) -> list[int]:
    """Return the numbers of the reports that have a status now, the latest event first.

    ``before`` is the last day and the number of the report after which they begin.
    """
    query = select(reports.c.id).join(report_statuses, report_statuses.c.report == reports.c.id)
    query = query.where(_is_now(status)).order_by(reports.c.last_day.desc(), reports.c.id.desc())
    if before is not None:
        day, number = before
        same_day = and_(reports.c.last_day == day, reports.c.id < number)
        query = query.where(or_(reports.c.last_day < day, same_day))
    return list(connection.execute(query.limit(most).offset(after)).scalars())


@cache
def with_status(*statuses: str) -> Select[int]:
    """Return the query for the numbers of the reports that have one of some statuses now."""
    return select(report_statuses.c.report).where(_is_now(*statuses))


def waiting(connection: Connection) -> list[int]:
    """Return the numbers of the received reports that wait for a decision, in order."""
    return sorted(connection.execute(with_status(RECEIVED)).scalars())


@cached_until_act
def count(connection: Connection, status: str) -> int:
    """Return how many reports have a status now."""
    query = select(func.count()).select_from(report_statuses).where(_is_now(status))
    return connection.execute(query).scalar_one()


def _is_now(*statuses: str) -> ColumnElement[bool]:
    """Return the condition that a status row is the last of its report and one of some statuses."""
    # SQLAlchemy writes the values of IN anew for each execution
    return and_(or_(*(report_statuses.c.status == status for status in statuses)), _NO_LATER)


_LATER = report_statuses.alias()
_NO_LATER = ~exists().where(_LATER.c.report == report_statuses.c.report, _LATER.c.id > report_statuses.c.id)
_FILED = (
    select(*_COLUMNS, report_statuses.c.status)
    .join(report_statuses, report_statuses.c.report == reports.c.id)
    .where(_NO_LATER)
    .order_by(reports.c.id)
)


def _filed(row: Sequence[Any]) -> Filed:
    """Return a row of ``_FILED``, whose columns are in the order of the fields."""
    number, key, file, received, listed, name, city, federation, first_day, last_day, *others, status = row
    players, rounds, winner, facts, findings, event, replaces, act = others
    on_list = ListName(listed)
    return Filed(
        number, digest_of(key), file, _day(received), on_list, name, city, federation, _day(first_day),
        _day(last_day), players, rounds, winner, facts, findings, event, replaces, act, status, on_list,
        UNDECIDED_JSON in findings,
    )  # fmt: skip


def _day(text: str) -> Any:
    return date.fromisoformat(text) if text else None


def by_digest(connection: Connection, digest: str) -> int | None:
    """Return the report with some bytes; the last one if they were filed more than once."""
    return by_digests(connection, [digest]).get(digest)


_BY_DIGEST = select(reports.c.digest, reports.c.id)


def by_digests(connection: Connection, digests: Sequence[str]) -> dict[str, int]:
    """Return reports by the digest of their bytes; the last one if the bytes were filed more than once."""
    numbers: dict[str, int] = {}
    keys, filing = {digest: digest for digest in digests}, 1
    while keys:
        rows = rows_with(connection, _BY_DIGEST, reports.c.digest, keys)
        batch = {keys[key]: number for key, number in rows}
        numbers |= batch
        filing += 1
        keys = {_filing_key(digest, filing): digest for digest in batch}
    return numbers


def filing_key(connection: Connection, digest: str) -> str:
    """Return the key for filing bytes: their digest, with a number if they are on file already."""
    filing = 1
    while [*rows_with(connection, _BY_DIGEST, reports.c.digest, [_filing_key(digest, filing)])]:
        filing += 1
    return _filing_key(digest, filing)


def _filing_key(digest: str, filing: int) -> str:
    return digest if filing == 1 else f"{digest}-{filing}"


def digest_of(key: str) -> str:
    """Return the SHA-256 of the bytes that are filed under a key."""
    return key.partition("-")[0]


def earlier_versions(connection: Connection, filed: Collection[Filed]) -> dict[int, tuple[int, ...]]:
    """Return the reports that each report replaces, the latest first, and the stages that were joined in it."""
    if not filed:
        return {}
    before: dict[int, list[int]] = {}
    for query in (_REPLACED, _SUPERSEDED):
        for report, replaced in fetch_rows(connection, query):
            before.setdefault(report, []).append(replaced)
    versions: dict[int, tuple[int, ...]] = {}
    for report in filed:
        earlier = [*before.get(report.id, ())]
        for number in earlier:
            earlier += [other for other in before.get(number, ()) if other not in (*earlier, report.id)]
        versions[report.id] = tuple(dict.fromkeys(earlier))
    return versions


_BY = report_statuses.alias()
_SUPERSEDED = (
    select(_BY.c.report, report_statuses.c.report)
    .where(report_statuses.c.status == SUPERSEDED, _BY.c.act == report_statuses.c.act)
    .where(_BY.c.report != report_statuses.c.report, or_(_BY.c.status == RECEIVED, _BY.c.status == ACCEPTED))
    .order_by(report_statuses.c.report)
)
"""Each report and one that the act of its arrival or acceptance superseded."""

_REPLACED = select(reports.c.id, reports.c.replaces).where(reports.c.replaces.is_not(None))


def data(connection: Connection, report: int) -> bytes:
    """Return the bytes of a report, as it was submitted."""
    return data_of(connection, [report])[report]


def marks(connection: Connection, report: int) -> bytes:
    """Return the marks of a report's games."""
    return bytes(connection.execute(select(reports.c.games).where(reports.c.id == report)).scalar_one())


def overlapping_reports(connection: Connection, first: str, last: str) -> list[tuple[int, bytes, str, str]]:
    """Return the reports whose events overlap some days: number, marks of the games, first and last day."""
    query = select(reports.c.id, reports.c.games, reports.c.first_day, reports.c.last_day)
    return fetch_rows(connection, query.where(reports.c.last_day >= first, reports.c.first_day <= last))


def history(connection: Connection, report: int) -> list[tuple[str, int]]:
    """Return the statuses of a report in order, each with its act."""
    return fetch_rows(connection, _HISTORY, {"of": report})


_HISTORY = (
    select(report_statuses.c.status, report_statuses.c.act)
    .where(report_statuses.c.report == bindparam("of"))
    .order_by(report_statuses.c.id)
)


def first_accepted(connection: Connection, report_ids: Iterable[int]) -> dict[int, int]:
    """Return the act that accepted each of these reports for the first time."""
    return dict(rows_with(connection, _FIRST_ACCEPTED, report_statuses.c.report, report_ids))


_FIRST_ACCEPTED = (
    select(report_statuses.c.report, func.min(report_statuses.c.act))
    .where(report_statuses.c.status == ACCEPTED)
    .group_by(report_statuses.c.report)
)


def players_of(connection: Connection, report: int) -> tuple[int, ...]:
    """Return the players of a report, in the order of its entrants."""
    return tuple(entrants_of(connection, [report]).get(report, ()))


def reports_of(connection: Connection, player: int) -> list[int]:
    """Return the reports in which a player took part, as far as they were accepted."""
    return sorted(reports_with(connection, [player]))


def reports_with(connection: Connection, players: Iterable[int]) -> set[int]:
    """Return the reports in which some players took part, as far as they were accepted."""
    rows = rows_with(connection, _REPORTS_WITH, player_reports.c.player, set(players))
    return {report for (report,) in rows}


_REPORTS_WITH = select(player_reports.c.report)


def data_of(connection: Connection, report_ids: Iterable[int]) -> dict[int, bytes]:
    """Return the bytes of many reports as received."""
    return dict(rows_with(connection, _DATA, reports.c.id, sorted(report_ids)))


_DATA = select(reports.c.id, reports.c.data)
_ENTRANTS = select(entrants.c.report, entrants.c.players)


def entrants_of(connection: Connection, report_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the players of many reports, in the order of the report."""
    rows = dict(rows_with(connection, _ENTRANTS, entrants.c.report, sorted(report_ids)))
    return dict(zip(rows, load(f"[{','.join(rows.values())}]"), strict=True))


def received_or_accepted_since(connection: Connection, act: int, first_day: date) -> dict[int, Filed]:
    """Return the reports of events from a day on that were received or accepted after an act."""
    later = or_(reports.c.act > act, report_statuses.c.act > act)
    query = select(reports.c.id).join(report_statuses, report_statuses.c.report == reports.c.id)
    query = query.where(later, reports.c.first_day >= str(first_day))
    reports_since = filed(connection, sorted(set(connection.execute(query).scalars())))
    return {number: it for number, it in reports_since.items() if it.status in (RECEIVED, ACCEPTED)}


FACT = "fact"
"""The kind of decision that states facts about a report."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An officer's decision."""

    id: int
    kind: str
    report: int | None
    player: int | None
    federation: str | None
    list: str | None
    day: str | None
    value: str
    """Canonical JSON."""

    act: int

    @property
    def leaves_off(self) -> bool:
        """Whether a report is not rated by it on the list of FIDE or Elo-Rubele; on the office's own it may be."""
        return self.kind in UNRATED and self.list in (None, *LISTS)


def decisions_in_force(connection: Connection, as_of_act: int | None = None) -> tuple[Decision, ...]:
    """Return the decisions that are not revoked, now or after an act, in order."""
    ended = revoked(connection, revocations, as_of_act)
    return tuple(
        decision
        for decision in all_decisions(connection)
        if decision.id not in ended and (as_of_act is None or decision.act <= as_of_act)
    )


def with_kept_players(decided: Iterable[Decision], targets: Mapping[int, int]) -> tuple[Decision, ...]:
    """Replace merged players by the players kept; ``targets`` maps dropped to kept."""
    return tuple(replace(d, player=targets.get(d.player, d.player)) if d.player else d for d in decided)


@cached_until_act
def all_decisions(connection: Connection) -> tuple[Decision, ...]:
    """Return all decisions, also the revoked ones."""
    return tuple(Decision(*row) for row in fetch_rows(connection, _ALL_DECISIONS))


_ALL_DECISIONS = select(*(decisions.c[field.name] for field in fields(Decision))).order_by(decisions.c.id)


@cached_until_act
def last_decision_act(connection: Connection) -> int:
    """Return the last act that made or revoked a decision; 0 if there is none."""
    return last_act(connection, decisions, revocations)


COUNTS = "rated"
"""The kind of decision that an event counts on a list of the office's own."""

UNRATED = ("not-rated", "declared-unrated")
"""The kinds of decision that a tournament is not rated."""


@cached_until_act
def unrated_reports(connection: Connection) -> dict[int, str]:
    """Return the reports that are not rated by decision, each with the day of the decision as text."""
    in_force = [d for d in decisions_in_force(connection) if d.leaves_off and d.report is not None]
    acts = some_acts(connection, [d.act for d in in_force])
    return {d.report: acts[d.act].at[:10] for d in in_force if d.report is not None}


@cached_until_act
def decided_lists(connection: Connection) -> dict[int, ListName]:
    """Return the list of each report whose list was decided after it was filed."""
    in_force = [Decision(*row) for row in fetch_rows(connection, _DECIDED_LISTS)]
    numbers = {decision.report for decision in in_force if decision.report is not None}
    lists = {number: decided_list(number, in_force) for number in numbers}
    return {number: ListName(name) for number, name in lists.items() if name}


_DECIDED_LISTS = _ALL_DECISIONS.where(
    decisions.c.kind == FACT,
    decisions.c.list.is_not(None),
    ~exists().where(revocations.c.decision == decisions.c.id),
)


def decided_list(report: int, decided: Iterable[Decision]) -> str | None:
    """Return the list that decisions assign to a report: one named, else that of a stated time control."""
    named: str | None = None
    by_control: str | None = None
    for decision in decided:
        if decision.kind != FACT or decision.report != report or decision.list is None:
            continue
        stated = load(decision.value)
        if stated.get("list"):
            named = decision.list
        else:
            by_control = decision.list
            named = None if "list" in stated else named
    return named or by_control


def last_moves(connection: Connection, moved: Collection[int]) -> dict[int, int]:
    """Return for each of some reports the last act that decided on which list it is rated."""
    query = select(decisions.c.report, func.max(decisions.c.act)).group_by(decisions.c.report)
    moving = decisions.c.report.in_(moved), decisions.c.kind == FACT, decisions.c.list.is_not(None)
    return dict(fetch_rows(connection, query.where(*moving)))
