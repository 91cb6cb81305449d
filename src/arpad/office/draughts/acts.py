"""The commission's records of draughts: points taken and given back, promotions, FMJD ratings."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from arpad.model.declared import Accepts, CsvFile
from arpad.model.draughts import Category
from arpad.model.rules import ListName
from arpad.office.declared import OnDay, Reading, query
from arpad.office.draughts.records import FmjdRating, PlayerAccount, fmjd_ratings, points_register
from arpad.office.draughts.records import promotions as office_promotions
from arpad.office.register.number_rows import hidden
from arpad.office.users import EVERYBODY
from arpad.system.spreadsheet_cells import csv_text

DraughtsList = Annotated[Literal["italiana", "internazionale"], Accepts("italiana", word="draughts-list")]
From = Annotated[date, Accepts("2024-01-01", word="period-from")]
To = Annotated[date, Accepts("2024-12-31", word="period-to")]

POINTS = ("player", "name", "year", "kind", "points", "total", "list", "capital", "left")
PROMOTIONS = ("player", "name", "held", "reached", "capital", "threshold", "event", "day")
RATINGS = ("player", "name", "federation", "rating", "since", "factor", "capital")


@dataclass(frozen=True, slots=True)
class Points:
    """The register of points of a draughts list on the day of the last one."""

    list: ListName
    date: date | None
    limit: int
    """The most that can be taken from a player."""

    players: tuple[PlayerAccount, ...]

    def rows(self) -> Iterable[tuple[str | int | None, ...]]:
        """Yield a row for each entry."""
        for account in self.players:
            for it in account.entries:
                yield (
                    account.player, account.name, it.year, it.kind, it.points, it.total, it.list, account.capital,
                    account.left,
                )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PromotedPlayer:
    """A player who reached a higher category."""

    player: int
    name: str
    held: Category
    reached: Category
    capital: int
    threshold: int
    event: str
    day: date | None


@dataclass(frozen=True, slots=True)
class Promotions:
    """The promotions of a period."""

    list: ListName
    promotions: tuple[PromotedPlayer, ...]


@dataclass(frozen=True, slots=True)
class FmjdRatings:
    """The FMJD ratings in force on a day."""

    players: tuple[FmjdRating, ...]


@query("draughts points", EVERYBODY, path="/draughts/{list}/points")
def points(reading: Reading, list_: DraughtsList) -> Points:
    """Show points taken and given back, and cancelled capitals (18b, 22)."""
    register = points_register(reading.office, ListName(list_))
    away = _away(reading)
    shown = tuple(it for it in register.accounts if it.player not in away)
    day = register.publication.day if register.publication is not None else None
    return Points(register.on_list, day, register.limit, shown)


@query("draughts points-csv", EVERYBODY, path="/draughts/{list}/points.csv")
def points_csv(reading: Reading, list_: DraughtsList) -> CsvFile:
    """Write the register of points as CSV, a row for each entry."""
    text = csv_text(POINTS, points.function(reading, list_).rows())
    return CsvFile(f"points-{list_}.csv", text.encode())


@query(
    "draughts promotions",
    EVERYBODY,
    columns=PROMOTIONS,
    path="/draughts/{list}/promotions",
    says="rubele.none",
)
def promotions(reading: Reading, list_: DraughtsList, *, from_: From, to: To) -> Promotions:
    """Show the promotions of a period's events (tables 11, 12).

    Example: arpad office draughts promotions italiana --from 2024-01-01 --to 2024-12-31 --db office.db
    """
    on_list, away = ListName(list_), _away(reading)
    promoted = [
        PromotedPlayer(int(it.id), it.name, it.held, it.reached, it.capital, it.threshold, it.event, it.day)
        for it in office_promotions(reading.office, on_list, from_, to)
    ]
    return Promotions(on_list, tuple(it for it in promoted if it.player not in away))


@query("draughts fmjd", EVERYBODY, columns=RATINGS, path="/draughts/fmjd", says="rubele.none")
def fmjd(reading: Reading, *, date: OnDay | None = None) -> FmjdRatings:
    """Show the FMJD ratings in force and their capitals (table 22)."""
    away = _away(reading)
    return FmjdRatings(tuple(it for it in fmjd_ratings(reading.office, date) if it.player not in away))


def _away(reading: Reading) -> frozenset[int]:
    """Return the players whom the reader may not see."""
    return frozenset() if reading.caller.is_officer else hidden(reading.connection)
