"""The records of draughts as documents for JSON and as tables for CSV, for command line, site and API."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeAlias

from arpad.model.exact import decimal_text
from arpad.model.rules import ListName
from arpad.office.draughts.points import PlayerAccount, PointsRegister
from arpad.office.draughts.records import FmjdRating
from arpad.regulations.draughts.categories import Promotion
from arpad.system.spreadsheet_cells import escape

Value: TypeAlias = str | int | None


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A record as rows; the columns have English names in every language, since programs read them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def csv(self) -> str:
        """Return the table as CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        for row in self.rows:
            writer.writerow(
                ["" if value is None else escape(value) if isinstance(value, str) else value for value in row]
            )
        return out.getvalue()


# --------------------------------------------------------------------------------------------- points


def without_hidden(register: PointsRegister, hidden: Collection[int]) -> PointsRegister:
    """Return the register without the players who asked not to be shown."""
    shown = tuple(account for account in register.accounts if account.player not in hidden)
    return replace(register, accounts=shown)


def points_document(register: PointsRegister) -> dict[str, Any]:
    """Return the register of points for JSON."""
    return {
        "list": str(register.on_list),
        "date": str(register.publication.day) if register.publication else None,
        "limit": register.limit,
        "players": [_account_document(account) for account in register.accounts],
    }


def _account_document(account: PlayerAccount) -> dict[str, Any]:
    return {
        "player": account.player,
        "name": account.name,
        "capital": account.capital,
        "total": account.total,
        "left": account.left,
        "last_event": str(account.last_event) if account.last_event else None,
        "idle_years": account.idle_years,
        "entries": [
            {"year": e.year, "kind": e.kind, "points": e.points, "total": e.total, "list": e.list}
            for e in account.entries
        ],
    }


def points_table(register: PointsRegister) -> RecordTable:
    """Return the register of points as rows, one for each entry."""
    columns = ("player", "name", "year", "kind", "points", "total", "list", "capital", "left")
    return RecordTable(
        columns,
        tuple(
            (a.player, a.name, e.year, e.kind, e.points, e.total, e.list, a.capital, a.left)
            for a in register.accounts
            for e in a.entries
        ),
    )


# ----------------------------------------------------------------------------------------- promotions


def promotions_document(
    on_list: ListName, first: date, last: date, promotions: Iterable[Promotion]
) -> dict[str, Any]:
    """Return the promotions of a period for JSON."""
    table = promotions_table(promotions)
    return {
        "list": str(on_list),
        "from": str(first),
        "to": str(last),
        "promotions": [dict(zip(table.columns, row, strict=True)) for row in table.rows],
    }


def promotions_table(promotions: Iterable[Promotion]) -> RecordTable:
    """Return promotions as rows, by day."""
    columns = ("player", "name", "held", "reached", "capital", "threshold", "event", "day")
    return RecordTable(
        columns,
        tuple(
            (int(p.id), p.name, str(p.held), str(p.reached), p.capital, p.threshold, p.event, str(p.day))
            for p in promotions
        ),
    )


# ------------------------------------------------------------------------------------------------ FMJD


def fmjd_document(ratings: Sequence[FmjdRating]) -> dict[str, Any]:
    """Return FMJD ratings for JSON."""
    table = fmjd_table(ratings)
    return {"players": [dict(zip(table.columns, row, strict=True)) for row in table.rows]}


def fmjd_table(ratings: Iterable[FmjdRating]) -> RecordTable:
    """Return FMJD ratings as rows: the rating, the weight that table 22 gives it, and the capital it makes."""
    columns = ("player", "name", "federation", "rating", "since", "factor", "capital")
    return RecordTable(
        columns,
        tuple(
            (
                entry.player, entry.name, entry.federation, entry.rating, str(entry.since) if entry.since else None,
                decimal_text(entry.factor), entry.capital,
            )
            for entry in ratings
        ),
    )  # fmt: skip
