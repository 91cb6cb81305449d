"""Facts about an event that the report lacks and the regulations need: registration, approvals, length of a match.

They come from options or from a small TOML file. One of them is the playing schedule with which a tournament is
registered (0.2): days, rounds and the times at which they start. A missing fact is unknown, and the check that needs
it reports so.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from arpad.model.chess import EventKind
from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import YEARS, Birth
from arpad.model.rules import CHESS_LISTS, LISTS, Body, ListName

F = TypeVar("F")
WHOLE = 100
"""A weight in percent: the event counts in full."""


def _refused(code: str, name: str, **facts: object) -> BadInput:
    """Return the refusal of a fact, which is also the field of a form."""
    return BadInput(code, option=name, key=name, **facts)


class KnownPlayer(NamedTuple):
    """Facts about a player beyond the report (7.14g); the key in the file is the start number or the id."""

    rating: int | None = None
    k: int | None = None
    games: int | None = None
    peak: int | None = None
    born: Birth = None
    affiliated: bool = False
    """A member of IBCA, ICSC or IPCA (2009 7.14g)."""

    counted_before: bool = False
    """Unrated with an earlier event that counts: this event is not the first (6.1)."""

    norm: bool = False
    from_standard: bool = False
    """The rating is the standard one: the player has none on this list (RB 7.2.1)."""

    died: date | None = None
    """The day of death (2024 10.2)."""

    member: bool | None = None
    """A member of a club on the first day, by the register; None: unknown."""

    guest: bool = False
    """A player of another federation than the one that keeps the register."""


NOTHING_KNOWN = KnownPlayer()

TAKEN_OUT_FOR = ("fair-play", "force-majeure", "unequal-times")
"""Reasons not to rate a game that was played: the first two by 5.1 of 2024, the third by RB 1.2 (also Armageddon)."""


class TakenOut(NamedTuple):
    """A game that was played and must not be rated."""

    round: int
    number: int
    """The start number of one of the two players."""

    reason: str

    @classmethod
    def read(cls, text: str) -> TakenOut:
        """Read ``round:number:reason``, as ``3:7:fair-play``."""
        where, _, reason = text.rpartition(":")
        played, _, number = where.partition(":")
        if not (played.isdecimal() and number.isdecimal() and reason in TAKEN_OUT_FOR):
            accepted = ", ".join(f"3:7:{name}" for name in TAKEN_OUT_FOR)
            raise _refused("facts-value", "taken_out", value=text[:40], accepted=accepted)
        return cls(int(played), int(number), reason)

    def __str__(self) -> str:
        """Return the game as it is written in the facts."""
        return f"{self.round}:{self.number}:{self.reason}"


@dataclass(frozen=True, slots=True)
class EventFacts:
    """Facts about an event beyond the report; None: unknown."""

    registered: date | None = None
    schedule: tuple[str, ...] = ()
    """The registered playing schedule, each day as ``2026-03-01 15:00 19:30`` or ``2026-03-01 2``."""

    received: date | None = None
    list: ListName | None = None
    kind: EventKind | None = None
    """The kind of event as stated; it overrides the file's declaration and the pairings."""

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
    hybrid: bool | None = None
    """Whether it was played on computers at supervised places (2.1 of 2024)."""

    hybrid_approved: bool | None = None
    games_sent: bool | None = None
    """Whether the report includes the games as PGN (9.4 of 2024)."""

    fast_approved: bool | None = None
    """Whether a time as short as 45+30 was approved for it (the notices of 2025 and 2026)."""

    registration_refused: bool | None = None
    registration_cancelled: bool | None = None
    late_registration_accepted: bool | None = None
    late_registration_by: Body | None = None
    """The body that accepted the late registration."""

    longer_approved: bool | None = None
    interim_reports: bool | None = None
    match_games: int | None = None
    """The planned length of a match."""

    match_waived: bool | None = None
    """Whether the organisers asked before the match that all its games be rated (6.2 of 2024)."""

    taken_out: tuple[str, ...] = ()
    """Games that were played and must not be rated, each as ``round:number:reason``."""

    weight: int | None = None
    """Draughts: how much the event counts, in percent."""

    suspended_federations: tuple[str, ...] = ()
    time_control: str | None = None
    number_scheme: str | None = None
    """The scheme of the players' numbers in the id column, as ``icu``."""

    players: Mapping[str, KnownPlayer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise if a game in ``taken_out`` or a day of the schedule is malformed."""
        for text in self.taken_out:
            TakenOut.read(text)
        if self.schedule:
            read_schedule(self.schedule)

    @property
    def games_taken_out(self) -> tuple[TakenOut, ...]:
        """Return the games that must not be rated."""
        return tuple(map(TakenOut.read, self.taken_out))

    def of_rounds(self, first: int, last: int) -> EventFacts:
        """Return the facts of a part of the event, whose rounds keep their own numbers."""
        inside = tuple(str(game) for game in self.games_taken_out if first <= game.round <= last)
        return replace(self, taken_out=inside, schedule=())

    def player(self, number: int, identifier: str) -> KnownPlayer:
        """Return the facts about a player, by id or by start number."""
        if not self.players:
            return NOTHING_KNOWN
        return self.players.get(identifier) or self.players.get(str(number)) or NOTHING_KNOWN


_MOST_DOTS = 100
"""Limit of the parts of a dotted key: parsing time grows with their square."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML text from outside; refuse keys with very many parts."""
    for line in text.splitlines() if text.count(".") > _MOST_DOTS else ():
        if any(part.count(".") > _MOST_DOTS for part in line.split("=")):
            raise ValueError(f"a key of more than {_MOST_DOTS} parts")
    return tomllib.loads(text)


def read_facts(text: str) -> EventFacts:
    """Return the facts of a TOML text; raise if a key is unknown or a value has the wrong type."""
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:  # not TOML, a number without end, brackets without end
        raise BadInput("facts-toml", reason=str(error)) from error
    return facts_of(data)


def facts_of(values: Mapping[str, Any]) -> EventFacts:
    """Return the facts of a mapping; raise if a key is unknown or a value has the wrong type."""
    data = dict(values)
    players = data.pop("players", {})
    if not isinstance(players, Mapping):
        raise _refused("facts-value", "players", value=str(players), accepted="[players.12]")
    event = _filled(EventFacts, data, "")
    known_players = {
        str(key): _filled(KnownPlayer, entry, f"players.{key}.") for key, entry in players.items()
    }
    return replace(event, players=known_players)


UNKNOWN = "unknown"
"""A value that withdraws an earlier statement."""

FACT_TYPES: Mapping[str, str] = {item.name: str(item.type) for item in fields(EventFacts)}
"""Every fact of an event with its annotation as text."""

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


def read_stated(texts: Mapping[str, str]) -> tuple[EventFacts, tuple[str, ...]]:
    """Return facts stated one by one as name and text, and the names of the withdrawn ones.

    Every field can be stated, a player's as ``players.12.norm``. The text is read by the type of the field: yes or no,
    a day, a number, words; anything else as in the TOML file.
    """
    data: dict[str, Any] = {}
    players: dict[str, dict[str, Any]] = {}
    taken_back: list[str] = []
    for name, text in texts.items():
        about, _, key = name.removeprefix("players.").rpartition(".")
        hint = _hints(KnownPlayer).get(key, "") if about else FACT_TYPES.get(name, "")
        if text.strip() == UNKNOWN:
            if name not in FACT_TYPES or name == "players":
                accepted = ", ".join(fact for fact in FACT_TYPES if fact != "players")
                raise _refused("facts-key", name, accepted=accepted)
            taken_back.append(name)
        elif about and name.startswith("players."):
            players.setdefault(about, {})[key] = _parsed_value(hint, text.strip())
        else:
            data[name] = _parsed_value(hint, text.strip())
    on_list = data.pop("list", None)
    if on_list is not None and on_list not in LISTS:
        raise _refused("facts-value", "list", value=on_list, accepted=", ".join(LISTS))
    stated = facts_of({**data, "players": players})
    return replace(stated, list=on_list and ListName(on_list)), tuple(taken_back)


def _parsed_value(hint: str, text: str) -> Any:
    """Return the value of a text: words unchanged, the rest parsed as TOML."""
    if hint.startswith("bool"):
        return _YES_NO.get(text.lower(), text)
    if hint.startswith(("str", "ListName", "EventKind", "Body")):
        return text
    if hint.startswith("tuple[str") and not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return parse_toml(f"value = {text}")["value"]
    except (ValueError, RecursionError, KeyError):
        return text


class _Kind(NamedTuple):
    """The values that facts of a type may have, and what is made of them."""

    types: type | tuple[type, ...]
    accepted: str
    choices: tuple[str, ...] = ()
    make: Callable[[Any], Any] = lambda value: value


_KINDS: Mapping[str, _Kind] = {
    "date | None": _Kind(date, "2017-08-31"),
    "bool | None": _Kind(bool, "true, false"),
    "bool": _Kind(bool, "true, false"),
    "int | None": _Kind(int, "12"),
    "str | None": _Kind(str, '"90+30"'),
    "tuple[str, ...]": _Kind(list, '["ABC"]', make=lambda value: tuple(map(str, value))),
    "Birth": _Kind((date, int), "2001-05-31, 2001"),
    "ListName | None": _Kind(str, '"standard", "rapid", "blitz"', CHESS_LISTS, ListName),
    "EventKind | None": _Kind(str, ", ".join(f'"{kind}"' for kind in EventKind), tuple(EventKind), EventKind),
    "Body | None": _Kind(str, ", ".join(f'"{body}"' for body in Body), tuple(Body), Body),
}
"""By the annotation of a fact."""


def _filled(cls: type[F], data: Any, prefix: str) -> F:
    kinds = {name: _KINDS[hint] for name, hint in _hints(cls).items() if hint in _KINDS}
    if not isinstance(data, Mapping):
        raise _refused("facts-value", prefix.rstrip("."), value=str(data), accepted=", ".join(kinds))
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in kinds:
            raise _refused("facts-key", prefix + key, accepted=", ".join(kinds))
        kind, accepted, fits = kinds[key], kinds[key].accepted, _fits(value, kinds[key].types)
        if fits and key == "weight":
            fits, accepted = 1 <= value <= WHOLE, f"1–{WHOLE}"
        if not fits or (kind.choices and value not in kind.choices):
            raise _refused("facts-value", prefix + key, value=str(value), accepted=accepted)
        values[key] = kind.make(value)
    return cls(**values)


def _hints(cls: type) -> dict[str, str]:
    return {name: str(getattr(hint, "__forward_arg__", hint)) for name, hint in cls.__annotations__.items()}


def _fits(value: Any, types: type | tuple[type, ...]) -> bool:
    """Return whether a value has a type; a bool is no int, a datetime no date, the year of a date plausible."""
    if isinstance(value, bool | datetime):
        return type(value) is types
    return isinstance(value, types) and (not isinstance(value, date) or value.year in YEARS)


# ----------------------------------------------------------------------------------------------- JSON


def facts_document(facts: EventFacts) -> dict[str, Any]:
    """Return the facts for JSON without the unknown ones."""
    data: dict[str, Any] = {}
    for item in fields(facts):
        value = getattr(facts, item.name)
        if item.name == "players":
            value = {key: _player_document(player) for key, player in sorted(value.items())}
        elif isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, date):
            value = value.isoformat()
        if value is not None and value not in ([], {}):
            data[item.name] = value
    return data


def facts_from(data: Mapping[str, Any]) -> EventFacts:
    """Return the facts of a JSON object; null means unknown."""
    values: dict[str, Any] = {}
    for name, value in data.items():
        hint = FACT_TYPES.get(name, "")
        if value is None:
            continue
        if name == "players":
            values[name] = {key: _player_from(player) for key, player in value.items()}
        elif hint == "date | None":
            values[name] = date.fromisoformat(value)
        else:
            values[name] = _KINDS[hint].make(value)
    return EventFacts(**values)


def with_stated(earlier: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return JSON facts merged with stated ones, by field and player; null withdraws a fact."""
    merged = {**earlier, **stated}
    if "players" in earlier and "players" in stated:
        players = earlier["players"]
        merged["players"] = players | {
            key: players.get(key, {}) | player for key, player in stated["players"].items()
        }
    return merged


def _player_document(player: KnownPlayer) -> dict[str, Any]:
    data = {name: player_value(name, value) for name, value in player._asdict().items()}
    return {name: value for name, value in data.items() if value not in (None, "", False)}


def player_value(name: str, value: Any) -> Any:
    """Return one fact about a player for JSON."""
    if name == "born":
        return from_birth(value)
    return value.isoformat() if isinstance(value, date) else value


def _player_from(data: Mapping[str, Any]) -> KnownPlayer:
    died = date.fromisoformat(data["died"]) if data.get("died") else None
    return KnownPlayer(**{**data, "born": to_birth(data.get("born", "")), "died": died})


# ------------------------------------------------------------------------------------------------- the playing schedule


MOST_DAYS = 200
MOST_ROUNDS = 30
"""Rounds of one day."""

EXAMPLE = "2026-03-01 15:00 19:30"
_TIME = re.compile(r"([01]?\d|2[0-3]):[0-5]\d", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ScheduleDay:
    """A day of the schedule: how many rounds are played, and when they start if that is known."""

    day: date
    rounds: int
    times: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> ScheduleDay:
        """Read a day and its times, as ``2026-03-01 15:00 19:30``, or its number of rounds, as ``2026-03-01 2``."""
        first, *rest = text.split() or [""]
        counted = len(rest) == 1 and rest[0].isascii() and rest[0].isdecimal() and len(rest[0]) <= 2  # noqa: PLR2004  at most MOST_ROUNDS
        times = () if counted else tuple(time.zfill(5) for time in rest)
        rounds = int(rest[0]) if counted else len(times)
        try:
            day = date.fromisoformat(first) if _DAY.fullmatch(first) else None
        except ValueError:
            day = None
        if (
            day is None
            or day.year not in YEARS
            or not 1 <= rounds <= MOST_ROUNDS
            or not all(map(_TIME.fullmatch, times))
            or list(times) != sorted(set(times))
        ):
            raise BadInput(
                "facts-value", option="schedule", key="schedule", value=text[:60],
                accepted=f"{EXAMPLE}, 2026-03-02 2",
            )  # fmt: skip
        return cls(day, rounds, times)

    def __str__(self) -> str:
        """Return the day as it is written in the facts."""
        return " ".join([str(self.day), *(self.times or [str(self.rounds)])])


def read_schedule(texts: Iterable[str]) -> tuple[ScheduleDay, ...]:
    """Return the days of a schedule; refuse a day that is no such text, and days that do not follow each other."""
    days = tuple(ScheduleDay.read(text) for text in texts if text.strip())
    for before, after in pairwise(days):
        if after.day <= before.day:
            raise BadInput("schedule-order", option="schedule", day=after.day, before=before.day)
    if len(days) > MOST_DAYS:
        raise BadInput("schedule-long", option="schedule", most=MOST_DAYS)
    return days


def schedule_within(texts: Iterable[str], first: date, last: date) -> tuple[str, ...]:
    """Return a schedule as the facts write it; refuse a day before the first or after the last of the tournament."""
    days = read_schedule(texts)
    for item in days:
        if not first <= item.day <= last:
            raise BadInput("schedule-outside", option="schedule", day=item.day, first=first, last=last)
    return tuple(map(str, days))
