"""The fees of a federation, kept in a TOML file; no amount is built in.

    currency = "EUR"
    issuer = ["Federazione di Bellariva", "via del Porto 1, Bellariva"]
    payment = ["IBAN …"]                       # printed under the total
    categories = { first = 2251, step = 25 }   # category 1 begins at this average, each next one a step higher

    [[fee]]
    name = "Rating fee"
    name_it = "Tassa di valutazione"           # optional, and so for any language
    per = "player"                             # event, player, rated, unrated, guest
    amount = "1.00"                            # text, so that it is exact
    lists = ["standard"]                       # optional, and so are the next ones
    kinds = ["swiss"]
    average_from = 2000
    average_below = 2251
    category_from = 1
    category_to = 5
    players_from = 10
    players_to = 200
    least = "20.00"                            # the fee is at least this

All rows that fit an event are added.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from arpad.model.chess import EventKind
from arpad.model.errors import BadInput
from arpad.model.rules import LISTS, ListName
from arpad.reports.event_facts import parse_toml

PER = ("event", "player", "rated", "unrated", "guest")
"""What a fee is multiplied by."""

_AMOUNT = re.compile(r"(-?)(\d{1,9})(?:\.(\d{2}))?", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}", re.ASCII)
_NAME = re.compile(r"name_([a-z]{2,3})", re.ASCII)
"""The key of the name in a further language."""

_NUMBERS = ("average_from", "average_below", "category_from", "category_to", "players_from", "players_to")
_KEYS = ("name", "per", "amount", "lists", "kinds", *_NUMBERS, "least")
_TABLE_KEYS = ("currency", "issuer", "payment", "categories", "fee")


@dataclass(frozen=True, slots=True)
class Fee:
    """A row of the table; amounts are in hundredths of the currency."""

    names: Mapping[str, str]
    """The name in each language that the table gives."""

    per: str
    amount: int
    lists: frozenset[ListName] = frozenset()
    """Empty: all lists."""

    kinds: frozenset[EventKind] = frozenset()
    average_from: int | None = None
    average_below: int | None = None
    category_from: int | None = None
    category_to: int | None = None
    players_from: int | None = None
    players_to: int | None = None
    least: int = 0

    def name(self, language: str) -> str:
        """Return the name in a language, else in the first one given."""
        return self.names.get(language) or next(iter(self.names.values()))


@dataclass(frozen=True, slots=True)
class FeeTable:
    """The fees of a federation, and what its invoices print."""

    currency: str
    fees: tuple[Fee, ...]
    issuer: tuple[str, ...] = ()
    payment: tuple[str, ...] = ()
    first_category: int | None = None
    category_step: int = 1

    def category(self, average: Fraction | None) -> int | None:
        """Return the category of an average rating; None below the first one, or if the table has none."""
        if average is None or self.first_category is None or average < self.first_category:
            return None
        return int((average - self.first_category) // self.category_step) + 1


def read_fee_table(text: str) -> FeeTable:
    """Return the table of a TOML text; a wrong row is refused with its number and key."""
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("fees-toml", reason=str(error)) from error
    for key in data.keys() - {*_TABLE_KEYS}:
        raise BadInput("fees-key", key=str(key), accepted=", ".join(_TABLE_KEYS))
    currency = data.get("currency")
    if not isinstance(currency, str) or not _CURRENCY.fullmatch(currency):
        raise BadInput("fees-value", key="currency", value=str(currency or ""), accepted="EUR")
    rows = data.get("fee", [])
    if not isinstance(rows, list) or not rows:
        raise BadInput("fees-none")
    first, step = _categories(data.get("categories"))
    fees = tuple(_fee(row, number) for number, row in enumerate(rows, start=1))
    return FeeTable(currency, fees, _lines(data, "issuer"), _lines(data, "payment"), first, step)


def _categories(value: Any) -> tuple[int | None, int]:
    if value is None:
        return None, 1
    wrong = BadInput("fees-value", key="categories", value=str(value), accepted="{ first = 2251, step = 25 }")
    if not isinstance(value, Mapping) or set(value) != {"first", "step"}:
        raise wrong
    first, step = value["first"], value["step"]
    if type(first) is not int or type(step) is not int or step < 1 or not 0 < first < 4000:  # noqa: PLR2004
        raise wrong
    return first, step


def _lines(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    lines = data.get(key, [])
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise BadInput("fees-value", key=key, value=str(lines), accepted='["…", "…"]')
    return tuple(lines)


def _fee(row: Any, number: int) -> Fee:
    if not isinstance(row, Mapping):
        raise BadInput("fees-row", row=number, key="fee", value=str(row), accepted="[[fee]]")

    def wrong(key: str, accepted: str) -> BadInput:
        return BadInput("fees-row", row=number, key=key, value=str(row.get(key, "")), accepted=accepted)

    translated = {str(key): match[1] for key in row if (match := _NAME.fullmatch(str(key)))}
    for key in row.keys() - {*_KEYS, *translated}:
        raise BadInput("fees-row-key", row=number, key=str(key), accepted=", ".join((*_KEYS, "name_it")))
    name = row.get("name")
    if not isinstance(name, str) or not name.strip():
        raise wrong("name", '"…"')
    for key in translated:
        if not isinstance(row[key], str):
            raise wrong(key, '"…"')
    if row.get("per") not in PER:
        raise wrong("per", ", ".join(PER))
    numbers = {key: row[key] for key in _NUMBERS if key in row}
    for key, value in numbers.items():
        if type(value) is not int or value < 0:
            raise wrong(key, "2000")
    return Fee(
        {"en": name} | {language: row[key] for key, language in translated.items() if row[key]},
        row["per"],
        _amount(row, "amount", number),
        frozenset(_chosen(row, "lists", list(LISTS), wrong)),
        frozenset(_chosen(row, "kinds", [*EventKind], wrong)),
        **numbers,
        least=_amount(row, "least", number) if "least" in row else 0,
    )


def _chosen(row: Mapping[str, Any], key: str, accepted: list[Any], wrong: Any) -> list[Any]:
    values = row.get(key, [])
    if not isinstance(values, list) or any(value not in accepted for value in values):
        raise wrong(key, ", ".join(f'"{value}"' for value in accepted))
    return [type(accepted[0])(value) for value in values]


def _amount(row: Mapping[str, Any], key: str, number: int) -> int:
    """Return hundredths: a text with two decimals, or a whole number; floating-point numbers are not exact."""
    value = row.get(key)
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    parsed = _AMOUNT.fullmatch(text)
    if not parsed:
        raise BadInput("fees-row", row=number, key=key, value=str(value or ""), accepted='"12.50"')
    if parsed[1]:
        raise BadInput("fees-negative", row=number, key=key, value=text)
    return int(parsed[2]) * 100 + int(parsed[3] or 0)
