"""The fields of a state in JSON: their names, their bounds, and how their values are read.

A refusal names the place of the value, as ``players.7.rating``.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from json import dumps
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text
from arpad.model.people import YEARS
from arpad.model.typed_values import check_within, parse_day, parse_integer

_PLACES = 60
_WRITTEN = re.compile(r"-?[0-9]{1,90}(?:\.[0-9]{1,60}|/[0-9]{1,90})?")
"""A number as people and answers write it; an exponent could be endless and is refused."""

_LONGEST = 40
"""At most so many characters of a refused value are shown."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a JSON object: its name and the function that reads its value at a place."""

    name: str
    read: Callable[[Any, str], Any]


def read_fields(fields: tuple[Field, ...], data: Any, place: str) -> dict[str, Any]:
    """Return the typed values of a JSON object; refuse an unknown field. ``null`` is a value not given.

    The place is empty for the whole text.
    """
    if not isinstance(data, Mapping):
        raise BadInput("not-an-object", option=place or "JSON", value=shown(data))
    known = {field.name: field for field in fields}
    if unknown := [name for name in data if name not in known]:
        accepted = ", ".join(known) or "–"
        raise BadInput(
            "unknown-field", option=place or "JSON", value=str(unknown[0])[:_LONGEST], accepted=accepted
        )
    return {
        name: known[name].read(value, f"{place}.{name}".lstrip("."))
        for name, value in data.items()
        if value is not None
    }


def whole(name: str, low: int, high: int) -> Field:
    """Return the field of a whole number within bounds."""
    return Field(name, partial(read_whole, low=low, high=high))


def real_number(name: str, low: int | Fraction, high: int | Fraction, *, above: bool = False) -> Field:
    """Return the field of a number within bounds, ``above`` if the lower bound itself is refused."""
    return Field(name, partial(read_real, low=Fraction(low), high=Fraction(high), above=above))


def day(name: str) -> Field:
    """Return the field of a date."""
    return Field(name, read_day)


def birth(name: str) -> Field:
    """Return the field of a date of birth, or only its year."""
    return Field(name, read_birth)


def flag(name: str) -> Field:
    """Return the field of true or false."""
    return Field(name, read_flag)


def choice(name: str, *accepted: str) -> Field:
    """Return the field of one of some words."""
    return Field(name, partial(_read_choice, accepted=accepted))


def _read_choice(value: Any, place: str, accepted: tuple[str, ...]) -> str:
    if value not in accepted:
        raise BadInput("value-unknown", option=place, value=shown(value), accepted=", ".join(accepted))
    return str(value)


def row(name: str, code: str, *items: Field, least: int = 0) -> Field:
    """Return the field of a list of values, each read as another field; all but ``least`` may be missing."""
    return Field(name, partial(read_row, code=code, items=items, least=least or len(items)))


def read_row(value: Any, place: str, *, code: str, items: tuple[Field, ...], least: int) -> tuple[Any, ...]:
    """Return a list of values, each read as another field; refuse another list with this code."""
    if not isinstance(value, list | tuple) or not least <= len(value) <= len(items):
        raise BadInput(code, option=place, value=shown(value))
    return tuple(item.read(part, place) for item, part in zip(items, value, strict=False))


def list_of(name: str, read: Callable[[Any, str], Any]) -> Field:
    """Return the field of a list; the function reads an item at its place."""
    return Field(name, partial(_read_list, read=read))


def _read_list(value: Any, place: str, read: Callable[[Any, str], Any]) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise BadInput("not-a-list", option=place, value=shown(value))
    return tuple(read(item, f"{place}.{number}") for number, item in enumerate(value, start=1))


def read_whole(value: Any, place: str, low: int, high: int) -> int:
    """Return a whole number within bounds, from a number or a text."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        value = parse_integer(value, place)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("not-a-number", option=place, value=shown(value))
    check_within(value, place, low, high)
    return value


def read_real(value: Any, place: str, low: Fraction, high: Fraction, *, above: bool = False) -> Fraction:
    """Return a number within bounds, from a number or a text."""
    number = read_any_number(value)
    if number is None:
        raise BadInput("not-a-real-number", option=place, value=shown(value))
    if number < low or number > high or (above and number == low):
        code = "out-of-open-range" if above else "out-of-range"
        raise BadInput(code, option=place, value=number, low=low, high=high)
    return number


def read_any_number(value: Any) -> Fraction | None:
    """Return the exact number of a JSON number or a text, as 0.5, 0,5, ½ or 1/2, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float):  # the decimal number that was meant: 0.1 is a tenth
        value = repr(value)
    if isinstance(value, Decimal):
        value = str(value)
    if not isinstance(value, str):
        return None
    plain = value.strip().replace(",", ".").replace("½", "1/2")
    try:
        return Fraction(plain) if _WRITTEN.fullmatch(plain) else None
    except ZeroDivisionError:
        return None


def read_day(value: Any, place: str) -> date:
    """Return a date, from a date or a text."""
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        raise BadInput("not-a-date", option=place, value=shown(value))
    return parse_day(value, place)


def read_birth(value: Any, place: str) -> date | int:
    """Return a date of birth, or only its year."""
    if isinstance(value, int | Decimal) or (isinstance(value, str) and value.isdecimal()):
        return read_whole(value, place, YEARS[0], YEARS[-1])
    return read_day(value, place)


def read_flag(value: Any, place: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise BadInput("value-unknown", option=place, value=shown(value), accepted="true, false")
    return value


def shown(value: Any) -> str:
    """Return a refused value as a message shows it, as JSON if it is no text that can be seen."""
    if not isinstance(value, str) or not value.strip():
        value = dumps(value, ensure_ascii=False, default=str)
    return str(value)[:_LONGEST]


def written(value: Any) -> Any:
    """Return a value as JSON has it, exactly: the readers of the fields make the same value of it."""
    if isinstance(value, Mapping):
        return {name: written(item) for name, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [written(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1:
        return value.numerator
    text = decimal_text(value, places=_PLACES).rstrip("0")
    return text if Fraction(text) == value else str(value)
