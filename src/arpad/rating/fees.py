"""The fees of one event: the rows of a federation's table that fit it, and their sum."""

from dataclasses import dataclass
from fractions import Fraction

from arpad.model.chess import EventKind
from arpad.model.federations import is_foreign
from arpad.model.rules import ListName
from arpad.regulations.fee_table import Fee, FeeTable
from arpad.regulations.fide.event_kind import meetings
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report


@dataclass(frozen=True, slots=True)
class EventFigures:
    """What fees depend on."""

    on_list: ListName
    kind: EventKind
    players: int
    rated: int
    guests: int
    """Players of another federation than the event's."""

    average: Fraction | None
    """Of the rated players; None if there are none."""

    @property
    def unrated(self) -> int:
        """Return the players without a rating."""
        return self.players - self.rated


@dataclass(frozen=True, slots=True)
class FeeLine:
    """A row of the invoice; amounts are in hundredths of the currency."""

    fee: Fee
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class EventFees:
    """The fees of an event."""

    figures: EventFigures
    category: int | None
    lines: tuple[FeeLine, ...]

    @property
    def total(self) -> int:
        """Return the sum in hundredths."""
        return sum(line.total for line in self.lines)


def figures_of(report: Report, facts: EventFacts, on_list: ListName) -> EventFigures:
    """Return the figures of a report; the kind is that of the tournament, also if other articles apply to it."""
    ratings = [entrant.rating for entrant in report.entrants if entrant.rating]
    home = report.header.federation
    guests = sum(1 for entrant in report.entrants if home and is_foreign(entrant.federation, home))
    average = Fraction(sum(ratings), len(ratings)) if ratings else None
    kind = meetings(report, facts.kind).kind
    return EventFigures(on_list, kind, len(report.entrants), len(ratings), guests, average)


def fees_of(figures: EventFigures, table: FeeTable) -> EventFees:
    """Return the rows of the table that fit an event, each with its count and its sum."""
    category = table.category(figures.average)
    counts = {
        "event": 1,
        "player": figures.players,
        "rated": figures.rated,
        "unrated": figures.unrated,
        "guest": figures.guests,
    }
    lines = tuple(
        FeeLine(fee, counts[fee.per], max(fee.amount * counts[fee.per], fee.least))
        for fee in table.fees
        if counts[fee.per] and _fits(fee, figures, category)
    )
    return EventFees(figures, category, lines)


def _fits(fee: Fee, figures: EventFigures, category: int | None) -> bool:
    if fee.lists and figures.on_list not in fee.lists:
        return False
    if fee.kinds and figures.kind not in fee.kinds:
        return False
    return (
        _within(figures.average, fee.average_from, None)
        and (
            fee.average_below is None or (figures.average is not None and figures.average < fee.average_below)
        )
        and _within(category, fee.category_from, fee.category_to)
        and _within(figures.players, fee.players_from, fee.players_to)
    )


def _within(value: Fraction | int | None, low: int | None, high: int | None) -> bool:
    if low is None and high is None:
        return True
    return value is not None and (low is None or value >= low) and (high is None or value <= high)
