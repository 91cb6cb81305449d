"""The editions: by name, by day, compared, and with those that a federation adopted."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

from arpad.model.errors import NoEdition
from arpad.model.rules import Edition, ListName, Rule
from arpad.regulations.fide import editions as fide
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.rubele import editions as rubele

R = TypeVar("R")

CHESS_EDITIONS = fide.EDITIONS
DRAUGHTS_EDITIONS = rubele.EDITIONS
ALL: tuple[Edition[Any], ...] = (*CHESS_EDITIONS, *DRAUGHTS_EDITIONS)
"""The editions of the rating regulations, by which lists are made."""


def named(name: str, editions: Sequence[Edition[R]]) -> Edition[R]:
    """Return the edition of a name."""
    for edition in editions:
        if edition.id == name:
            return edition
    accepted = ", ".join(edition.id for edition in editions)
    raise NoEdition("unknown-edition", edition=name, accepted=accepted)


def dated(editions: Sequence[Edition[R]], name: ListName) -> list[Edition[R]]:
    """Return the editions of a list that come into force by date; variants are available only by name."""
    return [edition for edition in editions if not edition.by_name_only and name in edition.lists]


def in_force(editions: Sequence[Edition[R]], name: ListName, day: date) -> Edition[R]:
    """Return the edition in force for a list on the day a tournament began (0.1, B.01 0.2, B.01 1.5.4)."""
    latest, since = None, date.min
    for edition in editions:
        if not edition.by_name_only and name in edition.lists:
            start = edition.starts(name)
            if start <= day and (latest is None or start > since):
                latest, since = edition, start
    if latest is None:
        first = min(edition.starts(name) for edition in dated(editions, name))
        raise NoEdition("no-edition-yet", day=day, list=str(name), first=first)
    return latest


def adopted(edition: Edition[R], name: ListName, since: date) -> Edition[R]:
    """Return a federation's own edition as it is in force for one list from a day on."""
    return replace(edition, effective=since, by_name_only=False, begins={}, lists={name: edition.on(name)})


def with_own(printed: Sequence[Edition[R]], own: Sequence[Edition[R]]) -> tuple[Edition[R], ...]:
    """Return the printed editions and those that a federation adopted.

    From its first own edition on, a list has only the federation's: a later printed one is not in force before the
    federation adopts it.
    """
    first: dict[ListName, date] = {}
    for edition in own:
        for name in edition.lists:
            first[name] = min(first.get(name, date.max), edition.starts(name))
    return (*(_until(edition, first) for edition in printed), *own)


def _until(edition: Edition[R], first: Mapping[ListName, date]) -> Edition[R]:
    """Return a printed edition that never begins on the lists for which the federation's own began before it."""
    late = [name for name, day in first.items() if name in edition.lists and edition.starts(name) >= day]
    never = {name: Rule(date.max, "") for name in late}
    return replace(edition, begins={**edition.begins, **never}) if never else edition


def chess_edition(name: str) -> Edition[ChessRules]:
    """Return a chess edition by name."""
    return named(name, CHESS_EDITIONS)


# ------------------------------------------------------------------------------- editions that take turns by day

EditionByDay: TypeAlias = Callable[[date], Edition[ChessRules]]
"""Returns the edition in force on a day; if it is the same on two days, it is the same between them."""


@dataclass(frozen=True, slots=True)
class _InTurn:
    """Editions, each from its own day on; the first also before."""

    editions: tuple[Edition[ChessRules], ...]
    since: tuple[date, ...]

    def __call__(self, day: date) -> Edition[ChessRules]:
        return self.editions[max(0, bisect_right(self.since, day) - 1)]


def always(edition: Edition[ChessRules]) -> EditionByDay:
    """Return the same edition for every day."""
    return _InTurn((edition,), (date.min,))


def in_turn(on_list: ListName, editions: Iterable[Edition[ChessRules]]) -> EditionByDay:
    """Return each edition from the day on which it begins for a list; the first also before."""
    ordered = sorted(editions, key=lambda edition: edition.starts(on_list))
    return _InTurn(tuple(ordered), tuple(edition.starts(on_list) for edition in ordered))


def by_date(on_list: ListName) -> EditionByDay:
    """Return the published editions as they came into force."""
    return in_turn(on_list, dated(CHESS_EDITIONS, on_list))


def editions_in(editions: EditionByDay) -> tuple[Edition[ChessRules], ...]:
    """Return the editions that take turns."""
    return editions.editions if isinstance(editions, _InTurn) else ()


def rules_by_day(editions: EditionByDay, on_list: ListName) -> Callable[[date], ChessRules]:
    """Return the function from a day to the rules of a list, for the questions of ``calendar``."""
    return lambda day: editions(day).on(on_list)


# ------------------------------------------------------------------------------------ reading an edition


@dataclass(frozen=True, slots=True)
class Provision:
    """One thing an edition sets for one list: the field, its value, its article."""

    list: ListName
    field: str
    rule: Rule[Any] | None


def provisions(edition: Edition[Any]) -> Iterator[Provision]:
    """Return everything an edition sets, list by list, in the order of its chapters."""
    for name, rules in edition.lists.items():
        for item in fields(rules):
            value = getattr(rules, item.name)
            if value is None or isinstance(value, Rule):
                yield Provision(name, item.name, value)


def compare(
    old: Edition[Any], new: Edition[Any]
) -> Iterator[tuple[ListName, str, Rule[Any] | None, Rule[Any] | None]]:
    """Return what differs between two editions: list, field, old rule, new rule; a mere renumbering included."""
    before = {(item.list, item.field): item.rule for item in provisions(old)}
    after = {(item.list, item.field): item.rule for item in provisions(new)}
    for key in {**before, **after}:
        if before.get(key) != after.get(key):
            yield (*key, before.get(key), after.get(key))


def plain(value: Any) -> Any:
    """Return a rule's value as plain data: numbers unchanged, procedures by name, small records as tables."""
    if callable(value):
        return value.__name__
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, bool | int | str | None) else str(value)


def digest(edition: Edition[Any]) -> str:
    """Return the SHA-256 of everything an edition sets; a published list names the editions it was computed with.

    A rule that came into the program later counts only if the edition has it, so that older editions keep their digest.
    """
    kept, text = _DIGESTS.get(id(edition), (None, ""))
    if kept is not edition:
        text = _digest(edition)
        _DIGESTS[id(edition)] = edition, text
        if len(_DIGESTS) > _KEPT:
            del _DIGESTS[next(iter(_DIGESTS))]
    return text


_KEPT = 50
_DIGESTS: dict[int, tuple[Edition[Any], str]] = {}
"""The digests computed last, by identity: every list needs those of its editions, and an edition has no hash."""


def _digest(edition: Edition[Any]) -> str:
    lines = [f"{edition.id} {edition.effective}"]
    later = {item.name for rules in edition.lists.values() for item in fields(rules) if item.default is None}
    for item in provisions(edition):
        if item.rule is None and item.field in later:
            continue
        text = f"{plain(item.rule.value)} ({item.rule.article})" if item.rule else "-"
        lines.append(f"{item.list} {item.field} {text}")
    return sha256("\n".join(lines).encode()).hexdigest()
