"""What a report does not hold but the regulations ask: registration, approvals, the planned length of a match.

They come from options or from a small TOML file; what is left out is unknown, and a check that needs it says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, NamedTuple, TypeVar

from arpad.errors import BadInput
from arpad.model import CHESS_LISTS, YEARS, Birth, ListName

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
    died: date | None = None
    """The day of death (2024 10.2)."""


NOTHING_KNOWN = KnownPlayer()


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What is known of an event beyond the report; None where nobody has said."""

    registered: date | None = None
    received: date | None = None
    list: ListName | None = None
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


_ACCEPTED: dict[str, tuple[type | tuple[type, ...], str]] = {
    "date | None": (date, "2017-08-31"),
    "bool | None": (bool, "true, false"),
    "bool": (bool, "true, false"),
    "int | None": (int, "12"),
    "str | None": (str, '"90+30"'),
    "tuple[str, ...]": (list, '["ABC"]'),
    "Birth": ((date, int), "2001-05-31, 2001"),
    "ListName | None": (str, '"standard", "rapid", "blitz"'),
}


def _filled(made: type[F], data: Any, prefix: str) -> F:
    written = {name: getattr(hint, "__forward_arg__", hint) for name, hint in made.__annotations__.items()}
    kinds = {name: hint for name, hint in written.items() if hint in _ACCEPTED}
    if not isinstance(data, Mapping):
        raise BadInput("facts-value", key=prefix.rstrip("."), value=str(data), accepted=", ".join(kinds))
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in kinds:
            raise BadInput("facts-key", key=prefix + key, accepted=", ".join(kinds))
        kind, accepted = _ACCEPTED[kinds[key]]
        if not _fits(value, kind) or (key == "list" and value not in CHESS_LISTS):
            raise BadInput("facts-value", key=prefix + key, value=str(value), accepted=accepted)
        values[key] = ListName(value) if key == "list" else tuple(map(str, value)) if kind is list else value
    return made(**values)


def _fits(value: Any, kind: type | tuple[type, ...]) -> bool:
    """Whether a value is of a kind: true is no number, a moment is no day, and a day lies in a year that can be."""
    if isinstance(value, bool | datetime):
        return type(value) is kind
    return isinstance(value, kind) and (not isinstance(value, date) or value.year in YEARS)
