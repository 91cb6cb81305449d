"""Parameters that a function declares by its signature, and the one place where texts become typed values.

A parameter is ``Annotated[type, Accepts(…)]``. Command line, site, API and library convert by ``convert`` and refuse in
the same words; an error names its parameter (``option``).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime
from enum import Enum
from fractions import Fraction
from inspect import Parameter as Argument
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Union, get_args, get_origin, get_type_hints

from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text
from arpad.model.rules import LISTS, ListName
from arpad.model.typed_values import check_within, parse_day, parse_integer

HIGHEST_NUMBER = 2**31 - 1
REQUIRED: Final = Argument.empty
"""The default of a parameter that must be given; a class, since a deep copy of a class is the class itself."""

_TRUE, _FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off", "")


@dataclass(frozen=True, slots=True)
class Accepts:
    """What a parameter accepts beside its type, and how it is shown."""

    example: str = ""
    longest: int = 200
    """At most so many characters, or so many items of a list."""

    low: int = 1
    high: int = HIGHEST_NUMBER
    """The bounds of a whole number."""

    word: str = ""
    """The key of its words in the section ``parameter``, if it is another one than its name."""

    about: str = ""
    """Its help in English, if it has no words of its own; the help of commands translates it."""

    form: str = ""
    """How a text is written, as ``OPPONENT:SCORE``."""

    read: Callable[[str, str], Any] | None = None
    """Returns the value of a text, for a parameter of this name; without it, the type says how a text is read."""

    fields: tuple[str, ...] = ()
    """The names that pairs of texts may have."""

    lines: bool = False
    """Whether a text may have several lines."""

    picks: str = ""
    """What its field on a page searches for: ``player``, ``report``, ``tournament`` or ``club``."""

    secret: bool = False
    """Whether the ledger never has it."""

    unwritten: bool = False
    """Whether the ledger, which is for ever, does not have it though it is no secret."""

    personal: bool | tuple[str, ...] | None = None
    """Whether a text tells who somebody is, so that an erasure takes it out of the ledger; of pairs, which names do.

    Every text of an act says it, one way or the other.
    """


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sends: its name and its bytes."""

    name: str
    data: bytes

    @classmethod
    def of(cls, path: Path) -> Upload:
        """Return a file of this computer."""
        return cls(path.name, path.read_bytes())


@dataclass(frozen=True, slots=True)
class File:
    """A file as the answer to a query."""

    name: str
    data: bytes
    media_type: ClassVar[str] = "application/octet-stream"


class CsvFile(File):
    """A CSV file."""

    media_type = "text/csv"


class TextFile(File):
    """A text file."""

    media_type = "text/plain"


class PdfFile(File):
    """A PDF."""

    media_type = "application/pdf"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a declared function."""

    name: str
    """As options, fields and JSON name it: ``list`` for the argument ``list_``."""

    type: Any
    """The type of one value: str, int, bool, date, an enumeration, ``Upload``, or dict for pairs of texts."""

    accepts: Accepts
    default: Any = REQUIRED
    many: bool = False
    """Whether it takes a list of values."""

    positional: bool = False
    """Whether a command takes it without the name of an option."""

    argument: str = ""
    """The name in the signature."""

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is REQUIRED

    @property
    def is_file(self) -> bool:
        """Whether a command takes the name of a file for it: for a file, and for an argument of several lines."""
        return self.type is Upload or (self.positional and self.accepts.lines)

    @property
    def word(self) -> str:
        """The key of its words."""
        return self.accepts.word or self.name

    @property
    def help(self) -> str:
        """Return its help, or the key of its words, as ``Words.help`` takes it."""
        return self.accepts.about or f"parameter.{self.word}"

    @property
    def choices(self) -> tuple[str, ...]:
        """The accepted texts, if it is a choice."""
        if get_origin(self.type) is Literal:
            return tuple(map(str, get_args(self.type)))
        if self.type is ListName:
            return LISTS
        is_choice = isinstance(self.type, type) and issubclass(self.type, Enum)
        return tuple(str(item.value) for item in self.type) if is_choice else ()


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the parameters of a function, without the first, which is its office, act or reading."""
    hints = get_type_hints(function, include_extras=True)
    arguments = list(signature(function).parameters.values())[1:]
    return tuple(_parameter(argument, hints[argument.name]) for argument in arguments)


def _parameter(argument: Argument, hint: Any) -> Parameter:
    accepts = Accepts()
    many = False
    while True:
        origin, inside = get_origin(hint), get_args(hint)
        if origin is Annotated:
            accepts = (
                accepts if accepts != Accepts() else next(it for it in inside if isinstance(it, Accepts))
            )
            hint = inside[0]
        elif origin in (Union, types.UnionType) and accepts.read is None:
            (hint,) = (item for item in inside if item is not types.NoneType)
        elif origin in (list, tuple, Sequence, Collection):
            hint, many = inside[0], True
        else:
            break
    positional = argument.kind is Argument.POSITIONAL_OR_KEYWORD
    kind = dict if origin in (dict, Mapping) else hint
    return Parameter(
        argument.name.rstrip("_"), kind, accepts, argument.default, many, positional, argument.name
    )


def arguments(parameters: Iterable[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return typed values under the names of the signature."""
    return {parameter.argument: given[parameter.name] for parameter in parameters}


# ---------------------------------------------------------------------------------------------- from texts to values


def convert(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the typed values of all parameters; refuse unknown, missing and wrong ones by name.

    A value is a text as people type it, or typed already, as JSON and Python pass it; None is a value not given.
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    refuse_unknown(by_name, values)
    return {name: _value(parameter, values.get(name)) for name, parameter in by_name.items()}


def refuse_unknown(known: Collection[str], values: Iterable[str]) -> None:
    """Refuse a value under a name that no parameter has."""
    if unknown := [name for name in values if name not in known]:
        raise BadInput("unknown-parameter", option=unknown[0][:40], accepted=", ".join(known) or "–")


def _value(parameter: Parameter, value: Any) -> Any:
    is_empty = (parameter.many or parameter.type is dict) and not value
    if parameter.required and (value is None or is_empty):
        raise BadInput("value-missing", option=parameter.name)
    if value is None or value == "":
        return parameter.default if value is None or is_empty else _one_value(parameter, value)
    if not parameter.many:
        return _one_value(parameter, value)
    values = [value] if isinstance(value, str | int) else list(value)
    if parameter.type is int:  # a field or an address may have several numbers with commas
        values = [part for item in values for part in (item.split(",") if isinstance(item, str) else [item])]
    if len(values) > parameter.accepts.longest:
        raise BadInput("too-many-values", option=parameter.name, most=parameter.accepts.longest)
    return tuple(_one_value(parameter, item) for item in values)


def _one_value(parameter: Parameter, value: Any) -> Any:
    name, accepts = parameter.name, parameter.accepts
    if parameter.type is dict:
        return _pairs(parameter, value)
    if isinstance(value, ListName) and parameter.type is ListName:
        return value
    if isinstance(value, str) and not isinstance(value, Enum):
        return _read(parameter, _clean(value, parameter))
    if parameter.choices or isinstance(value, Enum):
        return _choice(parameter, str(value))
    if accepts.read is not None:
        return value if isinstance(value, date) else accepts.read(str(value), name)
    if parameter.type is int and isinstance(value, int) and not isinstance(value, bool):
        check_within(value, name, accepts.low, accepts.high)
        return value
    if not isinstance(value, parameter.type):
        raise BadInput("wrong-type", option=name, type=_type_name(parameter))
    return value


def _read(parameter: Parameter, text: str) -> Any:
    """Return the value of a text."""
    name, accepts = parameter.name, parameter.accepts
    is_item = parameter.many and parameter.type is not str  # an item of a list has no default
    if not text and (parameter.required or is_item) and parameter.type is not bool:
        raise BadInput("value-missing", option=name)
    if accepts.read is not None:
        return accepts.read(text, name)
    if parameter.type is str:
        return text
    if not text and parameter.type is not bool:
        return parameter.default
    if parameter.choices:
        return _choice(parameter, text)
    if parameter.type is bool:
        if text.lower() not in (*_TRUE, *_FALSE):
            raise BadInput("value-unknown", option=name, value=text[:40], accepted="true, false")
        return text.lower() in _TRUE
    if parameter.type is date:
        return parse_day(text, name)
    if parameter.type is int:
        number = parse_integer(text, name)
        check_within(number, name, accepts.low, accepts.high)
        return number
    raise BadInput("wrong-type", option=name, type=_type_name(parameter))


def _clean(value: str, parameter: Parameter) -> str:
    """Return a text without blanks around it; refuse one that is too long or has characters that nobody can see.

    Blanks around a secret or a text of several lines stay.
    """
    name, accepts = parameter.name, parameter.accepts
    text = value if accepts.secret else value.replace("\r\n", "\n") if accepts.lines else value.strip()
    if len(text) > accepts.longest:
        raise BadInput("text-too-long", option=name, most=accepts.longest)
    visible = "".join(text.split()) if accepts.lines else text
    if not visible.isprintable():
        raise BadInput("text-not-printable", option=name)
    return text


def _choice(parameter: Parameter, text: str) -> Any:
    if text not in parameter.choices:
        raise BadInput(
            "value-unknown", option=parameter.name, value=text[:40], accepted=", ".join(parameter.choices)
        )
    return text if get_origin(parameter.type) is Literal else parameter.type(text)


def _pairs(parameter: Parameter, value: Any) -> dict[str, str]:
    """Return names and texts, from a mapping or from texts such as NAME=VALUE."""
    if isinstance(value, Mapping):
        pairs = [(str(name), text) for name, text in value.items()]
    else:
        written = [str(item).partition("=") for item in ([value] if isinstance(value, str) else value)]
        if wrong := [name for name, sign, _ in written if not sign or not name]:
            raise BadInput("bad-form", option=parameter.name, value=wrong[0][:40], accepted="NAME=VALUE")
        pairs = [(name, text) for name, _, text in written]
        if len({name for name, _ in pairs}) < len(pairs):
            raise BadInput("value-repeated", option=parameter.name)
    accepted = parameter.accepts.fields
    if wrong := [name for name, _ in pairs if accepted and name not in accepted]:
        raise BadInput(
            "value-unknown", option=parameter.name, value=wrong[0][:40], accepted=", ".join(accepted)
        )
    one = replace(parameter, type=str, default="")
    return {name[:80]: _one_value(one, "" if text is None else text) for name, text in pairs}


def _type_name(parameter: Parameter) -> str:
    """Return the type as JSON names it."""
    if parameter.type in (int, bool):
        return {int: "integer", bool: "boolean"}[parameter.type]
    return "file" if parameter.type is Upload else "string"


# ---------------------------------------------------------------------------------------------- from values to JSON


Worded = Mapping[type, Callable[[Any], Any]]
"""For types of results that are answered in the reader's language: what returns their document."""


def document(value: Any, worded: Worded = {}) -> Any:  # noqa: B006  nobody changes it
    """Return a result as JSON has it: days, fractions and enumerations as texts, records as objects.

    A value with a method ``document`` says itself what the JSON has.
    """
    for kind, in_words in worded.items():
        if isinstance(value, kind):
            return in_words(value)
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | bool | int):
        return str(value) if isinstance(value, ListName) else value
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Fraction):
        return decimal_text(value)
    if hasattr(value, "document"):
        return document(value.document(), worded)
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): document(item, worded) for key, item in value.items()}
    return [document(item, worded) for item in value]
