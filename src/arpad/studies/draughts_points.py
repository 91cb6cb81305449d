"""The ledger of points of a draughts list: each list's change of the sum of capitals, by the rule that made it.

A draughts list is computed from the year's beginning through all events since, so a list of December rates the
events of June once more, and a late one among them. What happened between two lists of a year is therefore the account
of the second since the year's beginning, less that of the first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from arpad.lists.compute_draughts import DraughtsYear
from arpad.model.draughts import DraughtsState
from arpad.rating.draughts_event import PlayerResult, RatedEvent
from arpad.regulations.rubele.year_end import YearEnd
from arpad.studies.history import HistoryList
from arpad.studies.points import CauseTotals, PeriodPoints, fact_of, value_of

DRAUGHTS_CAUSES = (
    "acts-of-the-office",
    "unequal-s",
    "table",
    "s-thresholds",
    "rounding",
    "minimum",
    "bonus",
    "quota",
    "newcomers",
    "conversions",
    "returned",
    "malus",
    "cancelled",
)
"""In the order in which a year makes them.

- acts-of-the-office: a corrected start, two players made one
- unequal-s: what one player wins is not what the other loses, since their S differ (table 17)
- table: the two expectations of a game do not add up to two (table 19)
- s-thresholds: the part of a change that goes on with another S (table 17)
- rounding: of each capital after an event
- minimum: capitals raised to the minimum
- bonus, quota: of the first event of the year, of every event (table 18)
- newcomers: players with the starting capital; conversions: players from the other list, an FMJD rating or by
  decision (tables 20 to 22); returned: foreign players whose capital had been cancelled
- malus, cancelled: what the year's end takes (tables 18 and 22)
"""

_ENTRIES = {"debut-new": "newcomers", "debut-converted": "conversions", "debut-fmjd": "conversions"}
ACTIVE_DAYS = 366


@dataclass(frozen=True, slots=True)
class CapitalList:
    """One list, with the year up to it."""

    day: date
    edition: str
    opened: date
    """The list that the chain starts from."""

    listed: frozenset[int]
    """The players on that list; the others of the year's start begin with a capital of their own."""

    year: DraughtsYear

    @property
    def base(self) -> dict[int, int]:
        """The capitals of the list that the chain starts from."""
        return {player: it for player, it in capitals_of(self.year.start).items() if player in self.listed}

    @property
    def after(self) -> dict[int, int]:
        """The capitals of the list itself."""
        return capitals_of(self.year.after)


def capitals_of(standings: Mapping[int, DraughtsState]) -> dict[int, int]:
    """Return the capitals of a list."""
    return {
        player: standing.capital for player, standing in standings.items() if standing.capital is not None
    }


def listed_capitals(capital_list: CapitalList) -> HistoryList:
    """Return a list for the question of drift; players of the last year are active."""
    active = frozenset(
        player
        for player, standing in capital_list.year.after.items()
        if standing.last_event is not None and (capital_list.day - standing.last_event).days <= ACTIVE_DAYS
    )
    return HistoryList(capital_list.day, capital_list.after, active)


def capital_accounts(run: Sequence[CapitalList]) -> list[PeriodPoints]:
    """Return every list's account."""
    accounts: list[PeriodPoints] = []
    former: CapitalList | None = None
    booked = CauseTotals(DRAUGHTS_CAUSES)
    for capital_list in run:
        before = began = former.after if former is not None else capital_list.base
        if former is not None and former.opened == capital_list.opened:
            began = former.base
        else:
            booked = CauseTotals(DRAUGHTS_CAUSES)
        whole = _since_the_beginning(capital_list)
        now, booked = whole.since(booked), whole
        outside = sum(capital_list.base.values()) - sum(began.values())
        now.add("acts-of-the-office", outside)
        accounts.append(
            now.account(capital_list.day, capital_list.edition, before, capital_list.after, outside)
        )
        former = capital_list
    return accounts


def _since_the_beginning(capital_list: CapitalList) -> CauseTotals:
    totals = CauseTotals(DRAUGHTS_CAUSES)
    starts, end = capitals_of(capital_list.year.start), capital_list.year.end
    for player in starts.keys() - capital_list.listed:
        totals.add("conversions", starts[player])
    stands = {str(player): capital for player, capital in starts.items()}
    for rated in capital_list.year.season.events:
        for result in rated.players:
            _enters(result, stands, totals)
        _games(rated, totals)
        for result in rated.players:
            _beside_games(result, totals)
    if end is not None:
        _year(end, totals)
    return totals


def _enters(result: PlayerResult, stands: dict[str, int], totals: CauseTotals) -> None:
    """Book the capital of a player who begins with this event."""
    participant = result.participant
    number = participant.standing.id
    if number not in stands and (result.change is not None or participant.standing.capital is not None):
        again = participant.standing.last_event is not None
        kinds = [_ENTRIES[step.quantity] for step in participant.debut if step.quantity in _ENTRIES]
        totals.add("returned" if again else next(iter(kinds), "conversions"), participant.capital)
    if result.change is not None or participant.standing.capital is not None:
        stands[number] = result.final


def _games(rated: RatedEvent, totals: CauseTotals) -> None:
    """S·d + S′·d′ = (S − S′)·(d − d′)/2 + (S + S′)·(d + d′)/2, as in chess; both sides of a game count, or neither."""
    side = {
        (cell.round, result.number): (result.change.s, 100 * cell.points - (cell.expected or 0))
        for result in rated.players
        if result.change is not None
        for cell in result.cells
        if cell.counted
    }
    unequal, table = [], []
    for result in rated.players:
        for cell in result.cells:
            if cell.counted and result.number < cell.opponent:
                s, d = side[cell.round, result.number]
                other_s, other_d = side[cell.round, cell.opponent]
                unequal.append((s - other_s) * (d - other_d))
                table.append((s + other_s) * (d + other_d))
    totals.add_all("unequal-s", unequal, rated.event.weight / 200)
    totals.add_all("table", table, rated.event.weight / 200)


def _beside_games(result: PlayerResult, totals: CauseTotals) -> None:
    change = result.change
    if change is None:
        return
    totals.add("s-thresholds", change.unrounded - change.capital - change.variation)
    for step in change.steps:
        if step.quantity == "capital-rounded":
            totals.add("rounding", value_of(step) - fact_of(step, "unrounded"))
        elif step.quantity == "capital-minimum":
            totals.add("minimum", value_of(step) - fact_of(step, "capital"))
        elif step.quantity in ("bonus", "Q"):
            totals.add("bonus" if step.quantity == "bonus" else "quota", fact_of(step, "amount"))


def _year(end: YearEnd, totals: CauseTotals) -> None:
    for deduction in end.deductions:
        totals.add("malus", -deduction.taken)
    for deduction in end.cancelled:
        totals.add("cancelled", -(deduction.before.capital or 0))


def capital_lists(run: Iterable[CapitalList]) -> list[HistoryList]:
    """Return every list, that of the start included."""
    lists = list(run)
    if not lists:
        return []
    begin = lists[0].base
    return [HistoryList(lists[0].opened, begin, frozenset(begin)), *map(listed_capitals, lists)]


def played_games(run: Iterable[CapitalList]) -> int:
    """Return how many games the lists count; a later list of a year has those of an earlier one too."""
    played = {
        (rated.event.id, cell.round, min(result.number, cell.opponent))
        for capital_list in run
        for rated in capital_list.year.season.events
        for result in rated.players
        for cell in result.cells
        if cell.counted
    }
    return len(played)
