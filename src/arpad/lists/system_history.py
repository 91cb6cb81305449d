"""A federation's history under a rating system: a folder of reports as a chain, with lists on given days.

Every so many events the states are written to a checkpoint, with a digest over everything before it. A run that was
killed, or that has a late report, goes on from the last checkpoint whose digest is still right.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from arpad.lists.canonical import read_canonical, write_canonical
from arpad.lists.chain import EVERY, Chain, Checkpoint, Place, in_order, walk
from arpad.lists.chain_checkpoints import chain_digests
from arpad.lists.published import PublishedList
from arpad.lists.system_list import SystemInputs, list_of_chain
from arpad.lists.system_units import periods_of, state_of, state_text
from arpad.model.canonical_json import dump
from arpad.model.errors import ArpadError, BadInput
from arpad.model.json_values import from_finding, to_finding
from arpad.model.people import Person, birth_year
from arpad.model.rules import Fact, Finding
from arpad.rating.event_question import (
    known_facts,
    played_games,
    read_entrant,
    read_games,
    read_rows,
    read_states,
)
from arpad.regulations.rating_system import Driver, System
from arpad.regulations.system_fields import shown, written
from arpad.regulations.units import Entrant, Unit
from arpad.reports.formats import read_file
from arpad.reports.report import Entrant as Listed
from arpad.system.atomic_files import file_digest, prepare_folder, write_file
from arpad.system.spreadsheet_cells import csv_text

Counted = Callable[[Iterable[Any]], Iterator[Any]]
"""Yields items and shows how many are done."""

_TOGETHER = 2000
"""Reports that are read before their events are kept."""

_UNNUMBERED = 10**9
"""A player without a number in any report gets a number above it."""


@dataclass(frozen=True, slots=True)
class HistorySource:
    """The files and choices from which a history is computed."""

    system: System[Any, Any]
    entrants: Mapping[str, Entrant[Any]]
    """The state and the facts of each player at the start, by number."""

    units: tuple[Unit[Any], ...]
    people: Mapping[int, Person]
    list_days: tuple[date, ...]
    facts: Mapping[str, Fact] = field(default_factory=dict)
    name: str = "history"
    """Of the list."""

    @property
    def start(self) -> dict[str, Any]:
        """The states before the first event."""
        known = self.entrants.items()
        return {name: it.state for name, it in known if it.state is not None and not it.fixed}

    def chained(self) -> list[Unit[Any]]:
        """Return what is rated one after the other; events after the last period wait for the next."""
        if self.system.driver is Driver.CHAIN:
            return in_order(self.system, self.units)
        if not self.list_days:
            raise BadInput("no-list-days")
        last = self.list_days[-1]
        inside = [unit for unit in self.units if unit.last_day and unit.last_day <= last]
        return in_order(self.system, periods_of(inside, self.list_days, self.start, self.facts))


@dataclass(frozen=True, slots=True)
class HistoryResult:
    """The outcome of a run: its lists, its events and its problems."""

    events: int
    rated: int
    """Fewer than the events if a checkpoint was taken over."""

    lists: tuple[PublishedList, ...]
    findings: tuple[tuple[str, Finding], ...]
    """Each with the name of its event."""


# ------------------------------------------------------------------------------------------------- the source


def read_events(
    folder: Path, out: Path, counted: Counted
) -> tuple[list[dict[str, Any]], list[tuple[str, ArpadError]]]:
    """Return the events of the reports in a folder, and what cannot be read; a file is read again if it changed."""
    kept = out / "reports.jsonl"
    known = {}
    if kept.exists():
        documents = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
        known = {(it["file"], it["sha256"]): it for it in documents}
    events, refused = [], []
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    if not files:
        raise BadInput("folder-empty", path=str(folder))
    for number, path in enumerate(counted(files), start=1):
        file, digest = path.relative_to(folder).as_posix(), file_digest(path)
        try:
            events.append(known.get((file, digest)) or {**_event_of(path), "file": file, "sha256": digest})
        except ArpadError as error:
            refused.append((file, error))
        if number % _TOGETHER == 0 or number == len(files):
            write_file(kept, "".join(f"{dump(event)}\n" for event in events).encode())
    return events, refused


def _event_of(path: Path) -> dict[str, Any]:
    """Return what a chain needs of a report."""
    report = read_file(path)
    header = report.header
    if header.last_day is None:
        raise BadInput("value-missing", option="last_day")
    return {
        "name": header.name or path.stem,
        "first_day": written(header.first_day),
        "last_day": written(header.last_day),
        "players": [[it.number, it.id, it.name, it.federation, written(it.born)] for it in report.entrants],
        "games": list(played_games(report)),
    }


@dataclass(frozen=True, slots=True)
class HistoryStart:
    """The players known before the first event, by number."""

    entrants: Mapping[str, Entrant[Any]] = field(default_factory=dict)
    people: Mapping[int, Person] = field(default_factory=dict)


def read_start(system: System[Any, Any], path: Path) -> HistoryStart:
    """Return the list to start from."""
    rows = read_rows(path)
    if unfit := next((key for key in rows if not _is_number(key)), ""):
        raise BadInput("not-a-number", option="id", value=shown(unfit))
    entrants = {key: read_entrant(system, values, key) for key, values in read_states(path, system).items()}
    people = {
        int(key): Person(int(key), row.get("name", ""), row.get("federation", ""), born=_born(entrants[key]))
        for key, row in rows.items()
    }
    return HistoryStart(entrants, people)


def _born(entrant: Entrant[Any]) -> int | None:
    """Return the year of birth, of which a list has no more."""
    born: Any = entrant.facts.get("born")
    return birth_year(born)


def read_source(
    system: System[Any, Any],
    events: Sequence[Mapping[str, Any]],
    start: HistoryStart,
    list_days: Sequence[date],
    facts: Mapping[str, Fact],
    name: str,
) -> HistorySource:
    """Return the source of events and the list to start from."""
    entrants, people = dict(start.entrants), dict(start.people)
    numbers = {person.name.casefold(): str(number) for number, person in people.items()}
    ranks: Counter[tuple[str, ...]] = Counter()
    units = []
    for event in sorted(events, key=lambda event: (event["last_day"], event["name"], event["file"])):
        place = (event["last_day"], event["first_day"] or "", event["name"])
        ranks[place] += 1
        names = {}
        for number, identifier, person, federation, born in event["players"]:
            key = names[str(number)] = _number_of(identifier, person, numbers)
            entrant = entrants.setdefault(key, Entrant(None))
            known = known_facts(Listed(number, person, born=_birth(born)), system.fields)
            if not entrant.fixed and known.keys() - entrant.facts.keys():
                entrants[key] = Entrant(entrant.state, facts={**known, **entrant.facts})
            year = birth_year(_birth(born))
            people[int(key)] = Person(int(key), person, federation or "", born=year)
        units.append(_unit(event, names, entrants, ranks[place], facts))
    return HistorySource(system, entrants, tuple(units), people, tuple(list_days), facts, name)


def list_days(last_days: Iterable[date], months: int) -> list[date]:
    """Return the first day of every so many months, from the first to the last event."""
    ordered = sorted(last_days)
    years = range(ordered[0].year, ordered[-1].year + 1)
    days = (date(year, month, 1) for year in years for month in range(1, 13, months))
    return [day for day in days if ordered[0] <= day <= ordered[-1]]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _birth(born: Any) -> Any:
    return date.fromisoformat(born) if isinstance(born, str) else born


def _number_of(identifier: str, name: str, numbers: dict[str, str]) -> str:
    """Return a player's number: that of the report, else that of the same name, else a new one."""
    number = str(int(identifier)) if _is_number(identifier) and int(identifier) else ""
    return number or numbers.setdefault(name.casefold(), str(_UNNUMBERED + len(numbers)))


def _unit(
    event: Mapping[str, Any],
    names: Mapping[str, str],
    known: Mapping[str, Entrant[Any]],
    rank: int,
    facts: Mapping[str, Fact],
) -> Unit[Any]:
    twice = next((name for name, count in Counter(names.values()).items() if count > 1), "")
    if twice:
        raise BadInput("player-twice-in-event", file=event["file"], player=twice)
    entrants = {
        name: known[name] if known[name].fixed else Entrant(None, facts=known[name].facts)
        for name in names.values()
    }
    games = [[names[player], names[other], *rest] for player, other, *rest in event["games"]]
    return Unit(
        entrants=entrants,
        games=read_games(games, entrants, event["file"]),
        first_day=_birth(event["first_day"]),
        last_day=date.fromisoformat(event["last_day"]),
        facts=facts,
        name=event["name"],
        number=rank,
    )


# ------------------------------------------------------------------------------------------------- the run


def rate_history(
    source: HistorySource, out: Path, counted: Counted = iter, *, every: int = EVERY
) -> HistoryResult:
    """Rate a history from its last valid checkpoint, and write its lists."""
    units = source.chained()
    digests = _digests(source, units)
    folder = out / "checkpoints"
    for path in (folder, out / "lists"):
        prepare_folder(path)
    done, states, lists, findings = first, *_ = _last_checkpoint(source, units, out, digests)
    days = list(source.list_days[len(lists) :])
    place: Place = source.system.order(units[first - 1]) if first else ()
    steps = walk(source.system, units[first:], states, after=place)

    def write_lists() -> None:
        """Write the lists on which no further event belongs."""
        following = units[done].last_day if done < len(units) else None
        while days and (following is None or days[0] < following):
            lists.append(_write_list(source, days.pop(0), Checkpoint(place, states), lists, out))

    write_lists()
    for unit in counted(units[first:]):
        _, place, said = next(steps)
        findings += [(unit.name, finding) for finding in said]
        done += 1
        write_lists()
        if done % every == 0:
            state = _checkpoint(source.system, digests[done], states, lists, findings)
            write_file(folder / f"{done:07}.json", state)
    write_file(out / "states.csv", _states_csv(source, states))
    return HistoryResult(len(units), done - first, tuple(lists), tuple(findings))


def _digests(source: HistorySource, units: Sequence[Unit[Any]]) -> list[str]:
    """Return a digest of the start, then one after each event of everything until there."""
    start = {name: state_text(source.system, state) for name, state in source.start.items()}
    return list(chain_digests(source.system, start, units, source.name))


_Point: TypeAlias = tuple[int, dict[str, Any], list[PublishedList], list[tuple[str, Finding]]]
"""How many events are rated, the states after them, the lists so far, and what was to be said."""


def _checkpoint(
    system: System[Any, Any],
    digest: str,
    states: Mapping[str, Any],
    lists: Iterable[PublishedList],
    findings: Iterable[tuple[str, Finding]],
) -> bytes:
    document = {
        "states": {name: state_text(system, state) for name, state in states.items()},
        "lists": [[it.name, sha256(write_canonical(it)).hexdigest()] for it in lists],
        "findings": [[event, from_finding(finding)] for event, finding in findings],
    }
    return f"{digest}\n{dump(document)}\n".encode()


def _last_checkpoint(
    source: HistorySource, units: Sequence[Unit[Any]], out: Path, digests: Sequence[str]
) -> _Point:
    """Return the last checkpoint with the same events before it, whose lists are still there; else the start."""
    for path in sorted((out / "checkpoints").glob("*.json"), reverse=True):
        digest, _, text = path.read_text(encoding="utf-8").partition("\n")
        done = int(path.stem) if _is_number(path.stem) else 0
        if not 0 < done < len(digests) or digests[done] != digest:
            continue
        document = json.loads(text)
        lists = list(_lists_of(document["lists"], out))
        following = units[done].last_day if done < len(units) else None
        due = [day for day in source.list_days if following is None or day < following]
        if [it.day for it in lists] == due:
            states = {
                name: state_of(source.system, state, name) for name, state in document["states"].items()
            }
            said = [(event, to_finding(finding)) for event, finding in document["findings"]]
            return done, states, lists, said
    return 0, dict(source.start), [], []


def _lists_of(named: Iterable[Sequence[str]], out: Path) -> Iterator[PublishedList]:
    """Yield the lists of a checkpoint that are still as it wrote them."""
    for name, digest in named:
        path = out / "lists" / f"{name}.txt"
        if path.exists() and file_digest(path) == digest:
            yield read_canonical(path.read_bytes())


def _write_list(
    source: HistorySource, day: date, last: Checkpoint[Any], lists: Sequence[PublishedList], out: Path
) -> PublishedList:
    before = lists[-1] if lists else None
    since = before.day if before else None
    inputs = SystemInputs(
        on_list=source.name,
        day=day,
        number=len(lists) + 1,
        previous=sha256(write_canonical(before)).hexdigest() if before else "",
        system=source.system.id,
        units=tuple(it for it in source.units if (since or date.min) < (it.last_day or date.max) <= day),
        people=source.people,
        before=before.ratings if before else {},
        since=since,
    )
    result = list_of_chain(inputs, Chain((last,)))
    write_file(out / "lists" / f"{result.published.name}.txt", result.text)
    write_file(out / "lists" / f"{result.published.name}.csv", _list_csv(result.published))
    return result.published


# ----------------------------------------------------------------------------------------------------- tables


def _list_csv(published: PublishedList) -> bytes:
    """Return a list as a table, the highest rating first."""
    rows = sorted(published.rows, key=lambda row: (-(row.rating or 0), row.name, row.player))
    return csv_text(
        ("id", "name", "federation", "born", "rating", "printed", *published.columns, "played", "change"),
        (
            (
                row.player, row.name, row.federation, row.born, row.rating, row.printed, *(row.own or ()),
                row.games, row.change,
            )
            for row in rows
        ),
    ).encode()  # fmt: skip


def _states_csv(source: HistorySource, states: Mapping[str, Any]) -> bytes:
    """Return the states after the last event as a list to start from."""
    names = [item.name for item in source.system.fields]
    rows = []
    for name, state in sorted(states.items(), key=lambda item: int(item[0])):
        person, known = source.people[int(name)], source.entrants.get(name)
        facts = known.facts if known and not known.fixed else {}
        values = written(source.system.values(Entrant(state, facts=facts)))
        texts = (dump(it) if isinstance(it, list) else it for it in map(values.get, names))
        rows.append((name, person.name, person.federation, *texts))
    return csv_text(("id", "name", "federation", *names), rows).encode()
