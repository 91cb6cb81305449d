"""What a report does not hold but the regulations ask: registration, approvals, the planned length of a match.

They come from options or from a small TOML file; what is left out is unknown, and a check that needs it says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any, NamedTuple, TypeVar

from arpad.errors import BadInput
from arpad.model import CHESS_LISTS, YEARS, Birth, EventKind, ListName

F = TypeVar("F")


class KnownPlayer(NamedTuple):
    """What is known of a player beyond the report; the key in the file is his start number or his id."""

    rating: int | None = None
    k: int | None = None
    games: int | None = None
    peak: int | None = None
    born: Birth = None
    affiliated: bool = False
    """A member of IBCA, ICSC or IPCA (2009 7.14g)."""

    counted_before: bool = False
    """Unrated, but an earlier event counts already: this one is not the first (6.1)."""

    norm: bool = False


NOTHING_KNOWN = KnownPlayer()


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What is known of an event beyond the report; None where nobody has said."""

    registered: date | None = None
    received: date | None = None
    list: ListName | None = None
    kind: EventKind | None = None
    """How it was played, whatever the file declares and the pairings show."""

    official: bool | None = None
    league: bool | None = None
    national_championship: bool | None = None
    women_only: bool | None = None
    team_championship: bool | None = None
    norms: bool | None = None
    licensed_arbiters: bool | None = None
    deviations: bool | None = None
    """Whether it was played with deviations from the Laws."""

    deviations_approved: bool | None = None
    late_registration_accepted: bool | None = None
    longer_approved: bool | None = None
    interim_reports: bool | None = None
    match_games: int | None = None
    """The planned length of a match."""

    suspended_federations: tuple[str, ...] = ()
    time_control: str | None = None
    players: Mapping[str, KnownPlayer] = field(default_factory=dict)

    def player(self, number: int, identifier: str) -> KnownPlayer:
        """What is known of a player, by id or by start number."""
        if not self.players:
            return NOTHING_KNOWN
        return self.players.get(identifier) or self.players.get(str(number)) or NOTHING_KNOWN


def read_facts(text: str) -> EventFacts:
    """Facts from a TOML text; an unknown key or a value of the wrong kind is refused by name."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, a number without end, brackets without end
        raise BadInput("facts-toml", reason=str(error)) from error
    players = data.pop("players", {})
    if not isinstance(players, Mapping):
        raise BadInput("facts-value", key="players", value=str(players), accepted="[players.12]")
    event = _filled(EventFacts, data, "")
    known = {str(key): _filled(KnownPlayer, entry, f"players.{key}.") for key, entry in players.items()}
    return replace(event, players=known)


UNKNOWN = "unknown"
"""Written for a value, it takes back what was stated before."""

FACT_TYPES: Mapping[str, str] = {item.name: str(item.type) for item in fields(EventFacts)}
"""Every fact of an event, with its type as it is written above."""

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def read_stated(given: Mapping[str, str]) -> tuple[EventFacts, tuple[str, ...]]:
    """Return the facts that somebody states one by one, as NAME and text, and the names of those taken back.

    Every field of the facts can be stated, a player's as ``players.12.norm``. A text is read as its field asks: yes or
    no, a day, a number, plain words; anything else as in the TOML file.
    """
    data: dict[str, Any] = {}
    players: dict[str, dict[str, Any]] = {}
    taken_back: list[str] = []
    for name, text in given.items():
        about, _, key = name.removeprefix("players.").rpartition(".")
        hint = _hints(KnownPlayer).get(key, "") if about else FACT_TYPES.get(name, "")
        if text.strip() == UNKNOWN:
            if name not in FACT_TYPES or name == "players":
                raise BadInput("facts-key", key=name, accepted=_names())
            taken_back.append(name)
        elif about and name.startswith("players."):
            players.setdefault(about, {})[key] = _value(hint, text.strip())
        else:
            data[name] = _value(hint, text.strip())
    on_list = data.pop("list", None)
    if on_list is not None and on_list not in tuple(ListName):
        raise BadInput("facts-value", key="list", value=on_list, accepted=", ".join(ListName))
    stated = _filled(EventFacts, data, "")
    known = {key: _filled(KnownPlayer, entry, f"players.{key}.") for key, entry in players.items()}
    return replace(stated, players=known, list=on_list and ListName(on_list)), tuple(taken_back)


def _names() -> str:
    return ", ".join(name for name in FACT_TYPES if name != "players")


def _value(hint: str, text: str) -> Any:
    """Return the value of a text: words stay words, the rest is read as TOML."""
    if hint.startswith("bool"):
        return _YES_NO.get(text.lower(), text)
    if hint.startswith(("str", "ListName", "EventKind")):
        return text
    if hint.startswith("tuple[str") and not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError, KeyError):
        return text


_ACCEPTED: dict[str, tuple[type | tuple[type, ...], str]] = {
    "date | None": (date, "2017-08-31"),
    "bool | None": (bool, "true, false"),
    "bool": (bool, "true, false"),
    "int | None": (int, "12"),
    "str | None": (str, '"90+30"'),
    "tuple[str, ...]": (list, '["ABC"]'),
    "Birth": ((date, int), "2001-05-31, 2001"),
    "ListName | None": (str, '"standard", "rapid", "blitz"'),
    "EventKind | None": (str, ", ".join(f'"{kind}"' for kind in EventKind)),
}
_CHOICES: dict[str, tuple[str, ...]] = {"ListName | None": CHESS_LISTS, "EventKind | None": tuple(EventKind)}


def _hints(made: type) -> dict[str, str]:
    return {name: str(getattr(hint, "__forward_arg__", hint)) for name, hint in made.__annotations__.items()}


def _filled(made: type[F], data: Any, prefix: str) -> F:
    kinds = {name: hint for name, hint in _hints(made).items() if hint in _ACCEPTED}
    if not isinstance(data, Mapping):
        raise BadInput("facts-value", key=prefix.rstrip("."), value=str(data), accepted=", ".join(kinds))
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in kinds:
            raise BadInput("facts-key", key=prefix + key, accepted=", ".join(kinds))
        kind, accepted = _ACCEPTED[kinds[key]]
        choices = _CHOICES.get(kinds[key])
        if not _fits(value, kind) or (choices is not None and value not in choices):
            raise BadInput("facts-value", key=prefix + key, value=str(value), accepted=accepted)
        values[key] = _typed(kinds[key], value)
    return made(**values)


def _typed(hint: str, value: Any) -> Any:
    """Return a value as its field holds it."""
    if hint == "ListName | None":
        return ListName(value)
    if hint == "EventKind | None":
        return EventKind(value)
    return tuple(map(str, value)) if isinstance(value, list) else value


def _fits(value: Any, kind: type | tuple[type, ...]) -> bool:
    """Whether a value is of a kind: true is no number, a moment is no day, and a day lies in a year that can be."""
    if isinstance(value, bool | datetime):
        return type(value) is kind
    return isinstance(value, kind) and (not isinstance(value, date) or value.year in YEARS)
