"""A federation's own edition (11.3), kept in a TOML file that names its base and what it replaces.

    id = "club-2018"
    base = "fide-2017"
    effective = 2018-01-01
    source = "Decision of the board, 3 December 2017"

    [every]                                   # on all lists of the base
    floor = { value = 1200, article = "own 2" }
    championship = "none"                     # this federation has no such rule

    [rapid]
    cap_rule = { value = "cap_one_game_per_event", article = "own 5" }

Every value is read by the type of the field it replaces; a procedure is one that some edition has there, by name.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from arpad.model.errors import BadInput
from arpad.model.exact import read_number
from arpad.model.people import YEARS
from arpad.model.rules import Edition, Rule
from arpad.reports.event_facts import parse_toml

R = TypeVar("R")

ABOLISHED = "none"


def own_edition(
    text: str, editions: Sequence[Edition[R]], procedures: Iterable[Callable[..., Any]]
) -> Edition[R]:
    """Return the edition that a TOML text describes, on the base it names (11.3)."""
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:  # not TOML, a number without end, brackets without end
        raise BadInput("own-edition-toml", reason=str(error)) from error
    base = _base(data, editions)
    effective = data.get("effective", base.effective)
    if type(effective) is not date or effective.year not in YEARS:
        raise BadInput("own-edition-value", field="effective", value=str(effective), accepted="2018-01-31")
    lists = dict(base.lists)
    by_field = _by_field([edition for edition in editions if edition.lists.keys() & lists], procedures)
    for section, changes in data.items():
        if section in {"id", "base", "effective", "source"}:
            continue
        targets = [name for name in lists if section in ("every", name)]
        if not targets or not isinstance(changes, Mapping):
            accepted = ", ".join(["id", "base", "effective", "source", "every", *lists])
            raise BadInput("own-edition-key", key=section, accepted=accepted)
        for name in targets:
            lists[name] = _amended(lists[name], changes, by_field)
    return replace(
        base,
        id=str(data.get("id", f"{base.id}-own")),
        base=base.id,
        effective=effective,
        source=str(data.get("source", "")),
        adopted="",
        by_name_only=True,
        begins={},
        lists=lists,
    )


def _base(data: Mapping[str, Any], editions: Sequence[Edition[R]]) -> Edition[R]:
    accepted = {edition.id: edition for edition in editions}
    base = accepted.get(str(data.get("base")))
    if base is None:
        names = ", ".join(accepted)
        raise BadInput("own-edition-value", field="base", value=str(data.get("base")), accepted=names)
    return base


Procedures: TypeAlias = Mapping[str, Callable[..., Any]]


def _by_field(
    editions: Iterable[Edition[Any]], procedures: Iterable[Callable[..., Any]]
) -> dict[str, Procedures]:
    """Return the procedures that each field may have, by name: those of some edition."""
    used: dict[str, set[Callable[..., Any]]] = {}
    for edition in editions:
        for rules in edition.lists.values():
            for item in fields(rules):
                rule = getattr(rules, item.name)
                if isinstance(rule, Rule) and callable(rule.value):
                    used.setdefault(item.name, set()).add(rule.value)
    offered = tuple(procedures)
    return {
        field: {procedure.__name__: procedure for procedure in offered if procedure in in_use}
        for field, in_use in used.items()
    }


def _amended(rules: R, changes: Mapping[str, Any], by_field: Mapping[str, Procedures]) -> R:
    hints = get_type_hints(type(rules))
    new: dict[str, Rule[Any] | None] = {}
    for field, text in changes.items():
        hint = hints.get(field)
        if hint is None or Rule not in (get_origin(part) for part in (hint, *get_args(hint))):
            accepted = ", ".join(name for name in hints if name != "articles")
            raise BadInput("own-edition-key", key=field, accepted=accepted)
        optional = type(None) in get_args(hint)
        if text == ABOLISHED and optional:
            new[field] = None
            continue
        if not isinstance(text, Mapping) or set(text) != {"value", "article"}:
            accepted = '{ value = …, article = "…" }' + (f', "{ABOLISHED}"' if optional else "")
            raise BadInput("own-edition-value", field=field, value=str(text), accepted=accepted)
        value = _value(field, _rule_type(hint), text["value"], by_field.get(field, {}))
        _refuse_unusable(field, value, text["value"])
        abolished = optional and value is False  # a rule set to false is abolished
        new[field] = None if abolished else Rule(value, str(text["article"]))
    return replace(rules, **new)  # type: ignore[type-var]  # R is a dataclass of rules


def _rule_type(hint: Any) -> Any:
    """Return the T of Rule[T], or of Rule[T] | None."""
    rule = next(part for part in (hint, *get_args(hint)) if get_origin(part) is Rule)
    return get_args(rule)[0]


def _value(field: str, kind: Any, raw: Any, procedures: Procedures) -> Any:
    """Return a TOML value as the type of its field."""
    if type(None) in get_args(kind):
        kind = next(part for part in get_args(kind) if part is not type(None))
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(field, kind, raw, procedures)
    if get_origin(kind) is tuple:
        return _several(field, get_args(kind), raw, procedures)
    if kind is Fraction and isinstance(raw, int | str) and not isinstance(raw, bool):
        number = read_number(str(raw))
        if number is None:
            raise BadInput("own-edition-value", field=field, value=str(raw), accepted="15, 25/2")
        return number
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if raw not in tuple(kind):
            raise BadInput("own-edition-value", field=field, value=str(raw), accepted=", ".join(kind))
        return kind(raw)
    procedure = not isinstance(kind, type)
    if procedure and isinstance(raw, str) and raw in procedures:
        return procedures[raw]
    if type(raw) is kind:
        _refuse_beyond(field, raw)
        return raw
    accepted = ", ".join(procedures) if procedure else _WRITTEN.get(kind, kind.__name__)
    raise BadInput("own-edition-value", field=field, value=str(raw), accepted=accepted)


_WRITTEN = {int: "0, 1, 2, …", bool: "true, false", Fraction: "15, 25/2"}
"""How a value of a type is written."""

_MOST = {"days": 36_525, "months": 1_200, "window": 1_200, "lists": 1_200}
"""A hundred years: no calendar has room for what is counted back from a list over and over."""

_MOST_OF_ALL = 9_999


def _refuse_beyond(field: str, raw: Any) -> None:
    """Refuse days, months and lists that no calendar could follow, and numbers that no rating, K or count can be."""
    if not isinstance(raw, int) or isinstance(raw, bool):
        return
    most = _MOST.get(re.split(r"[._]", field)[-1], _MOST_OF_ALL)
    if not 0 <= raw <= most:
        raise BadInput("own-edition-value", field=field, value=str(raw), accepted=f"0–{most}")


def _refuse_unusable(field: str, value: Any, raw: Any) -> None:
    """Refuse months that no year has, and bands that leave out a player."""
    if field == "list_months" and not set(value) <= set(range(1, 13)):
        raise BadInput("own-edition-value", field=field, value=str(raw), accepted="[1, …, 12]")
    if field == "categories":
        _refuse_categories(value, raw)
    if field == "categories_lost" and not value.lists:
        raise BadInput(
            "own-edition-value", field=field, value=str(raw), accepted="{ below = 100, lists = 1 }"
        )
    if field == "time_bands":
        lows = [low for low, _ in value]
        if lows[-1] != 0 or lows != sorted(set(lows), reverse=True):
            accepted = "[[2200, 120], …, [0, 60]]"
            raise BadInput("own-edition-value", field=field, value=str(raw), accepted=accepted)


_LONGEST_NAME = 10


def _refuse_categories(categories: Sequence[Any], raw: Any) -> None:
    """Refuse categories without a name, twice the same name, and thresholds that do not rise."""
    names, ratings = [it.name for it in categories], [it.rating for it in categories]
    named = all(
        0 < len(name) <= _LONGEST_NAME and name.isprintable() and name == name.strip() for name in names
    )
    if not named or len(set(names)) < len(names) or ratings != sorted(set(ratings)):
        accepted = '[{ name = "3N", rating = 1500, article = "…" }, { name = "2N", rating = 1600 }]'
        raise BadInput("own-edition-value", field="categories", value=str(raw)[:80], accepted=accepted)


def _several(field: str, kinds: tuple[Any, ...], raw: Any, procedures: Procedures) -> tuple[Any, ...]:
    """Return a TOML array as a tuple: each value of its kind, or any number of one kind."""
    if isinstance(raw, list) and raw:
        item_kinds = kinds[:1] * len(raw) if Ellipsis in kinds else kinds
        if len(item_kinds) == len(raw):
            return tuple(
                _value(field, kind, item, procedures) for kind, item in zip(item_kinds, raw, strict=True)
            )
    raise BadInput("own-edition-value", field=field, value=str(raw), accepted="[…, …]")


def _record(field: str, kind: type, raw: Any, procedures: Procedures) -> Any:
    """Return a small record (a notice, a field of players) from a TOML table."""
    hints = get_type_hints(kind)
    accepted = ", ".join(item.name for item in fields(kind))
    if not isinstance(raw, Mapping) or not set(raw) <= set(hints):
        raise BadInput("own-edition-value", field=field, value=str(raw), accepted=accepted)
    values = {name: _value(f"{field}.{name}", hints[name], item, procedures) for name, item in raw.items()}
    try:
        return kind(**values)
    except TypeError:
        raise BadInput("own-edition-value", field=field, value=str(raw), accepted=accepted) from None
