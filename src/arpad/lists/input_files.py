"""Write the inputs of a list as the files of a bundle, and read them back."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Any, TypeVar

from arpad.lists.bundle_files import REGISTER, STANDINGS, InputFiles, file_digests, inputs_digest
from arpad.lists.canonical import REGISTER_HEAD, parse_register, person_line
from arpad.lists.inputs import AmendedResult, EventInput, Guests, Inputs
from arpad.lists.system_files import system_files
from arpad.model.canonical_json import dump
from arpad.model.draughts import Category
from arpad.model.rules import ListName
from arpad.regulations.adopted import Own
from arpad.reports.event_facts import facts_document, facts_from

PERIOD, REPORT = "period.json", ".report"
"""The file with everything but tables and events, and the end of the name of a report."""


# --------------------------------------------------------------------------------------------------- writing


def input_files(
    inputs: Inputs, standings: str = "", written: Callable[[str, bytes], object] | None = None
) -> InputFiles:
    """Return the inputs as the files of a bundle, with their digests.

    ``standings`` is the digest of the states, if it is known; then their file is not written. ``written`` is told each
    file before the next one is written.
    """
    if inputs.system is not None:
        files = system_files(inputs.system)
        for name, data in files.contents.items() if written is not None else ():
            written(name, data)  # type: ignore[misc]  # it is not None
        return files
    contents = {}
    for name, data in _each_file(replace(inputs, states={}) if standings else inputs):
        if standings and name == STANDINGS:
            continue
        contents[name] = data
        if written is not None:
            written(name, data)
    digests = file_digests(contents, _report_digests(inputs))
    return InputFiles(contents, digests | ({STANDINGS: standings} if standings else {}))


def _each_file(inputs: Inputs) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a bundle, tables first."""
    for name, table in _tables(inputs).items():
        yield name, _lines(*table)
    yield from _other_files(inputs).items()


def digest_inputs(inputs: Inputs) -> str:
    """Return the digest of the inputs; a table whose digest is known is not written again."""
    if inputs.system is not None:
        return input_files(inputs).digest
    digests = {name: _lines_digest(*table) for name, table in _tables(inputs).items()}
    return inputs_digest({**digests, **file_digests(_other_files(inputs), _report_digests(inputs))})


def _tables(inputs: Inputs) -> dict[str, tuple[Mapping[int, Any], Callable[[int, Any], str], str]]:
    """Return the values by player, the line of each of them, and what is above: name of the file → all three."""

    def pair(player: int, value: Any) -> str:
        return f"{player}\t{value}"

    return {
        STANDINGS: (inputs.states, pair, ""),
        **{ratings_file(digest): (ratings, pair, "") for digest, ratings in inputs.lists.items()},
        REGISTER: (inputs.people, lambda _, person: person_line(person), REGISTER_HEAD),
    }


def _other_files(inputs: Inputs) -> dict[str, bytes]:
    """Return the files that are not lines of players."""
    files: dict[str, bytes] = {PERIOD: _json(_period_document(inputs))}
    for edition in inputs.own:
        files[f"editions/{edition.name}.toml"] = edition.text.encode()
    if inputs.guests:
        files["guests.jsonl"] = guests_lines(inputs.guests)
    files["decisions.jsonl"] = "".join(dump(decision) + "\n" for decision in inputs.decisions).encode()
    facts = {id(event.facts): event.facts for event in inputs.events}  # most events share theirs
    documents = {key: facts_document(value) for key, value in facts.items()}
    for event in inputs.events:
        files[f"events/{_file_name(event.id)}.json"] = _json(
            _event_document(event, documents[id(event.facts)])
        )
        files[report_file(event.id)] = event.data
    return files


Value = TypeVar("Value")


def _lines(values: Mapping[int, Value], line: Callable[[int, Value], str], head: str) -> bytes:
    """Return a line for each player, by number, below a head; a table writes its lines itself."""
    written = getattr(values, "lines", None)
    if written is not None:
        return bytes(written())
    return "".join([head, *(f"{line(player, values[player])}\n" for player in sorted(values))]).encode()


def _lines_digest(values: Mapping[int, Value], line: Callable[[int, Value], str], head: str) -> str:
    digest = getattr(values, "digest", None)
    return sha256(_lines(values, line, head)).hexdigest() if digest is None else str(digest)


def _report_digests(inputs: Inputs) -> dict[str, str]:
    """Return the digests of the reports, which their events have too."""
    return {report_file(event.id): event.digest for event in inputs.events}


def _period_document(inputs: Inputs) -> dict[str, Any]:
    """Return ``period.json``; a key that most lists do not need is left out if it is empty."""
    rare: dict[str, Any] = {
        "own": [[edition.name, str(edition.since)] for edition in inputs.own],
        "home": inputs.home,
        **{name: _with_texts(getattr(inputs, name)) for name in _RARE_BY_PLAYER},
        "awards": {
            str(player): [[str(day), category] for day, category in awards]
            for player, awards in inputs.awards.items()
        },
        **({"left_off": inputs.left_off, "digest": inputs.whole_digest} if inputs.left_off else {}),
    }
    return {
        **{key: value for key, value in rare.items() if value or key == "digest"},
        **{name: getattr(inputs, name) for name in _PLAIN},
        **{name: _with_texts(getattr(inputs, name)) for name in (*_BY_PLAYER, *_BY_DAY)},
        "list": str(inputs.on_list),
        "date": str(inputs.day),
        "opened": str(inputs.opened),
        "editions": inputs.editions(),
        "events": [event.id for event in inputs.events],
        "hidden": sorted(inputs.hidden),
    }


_PLAIN = ("number", "revision", "previous", "revises", "edition")
_BY_PLAYER, _RARE_BY_PLAYER = ("k", "standard", "capitals"), ("merged", "debuts")
_BY_DAY = ("in_force", "standard_in_force")


def _with_texts(values: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a mapping with texts for its keys, as JSON has them."""
    return {str(key): value for key, value in values.items()}


def guests_lines(guests: Mapping[date, Guests]) -> bytes:
    """Return the guests of each first day as a line of JSON."""
    documents = [
        {
            "first_day": str(day), "source": of_day.source, "day": str(of_day.day or ""), "sha256": of_day.digest,
            "ratings": {str(player): rating for player, rating in sorted(of_day.ratings.items())},
        }
        for day, of_day in sorted(guests.items())
    ]  # fmt: skip
    return "".join(dump(document) + "\n" for document in documents).encode()


def read_guests(data: bytes) -> dict[date, Guests]:
    """Return the guests of each first day."""
    guests = {}
    for line in _text_lines(data):
        document = json.loads(line)
        guests[date.fromisoformat(document["first_day"])] = Guests(
            {int(player): rating for player, rating in document["ratings"].items()},
            document["source"],
            date.fromisoformat(document["day"]) if document["day"] else None,
            document["sha256"],
        )
    return guests


def _event_document(event: EventInput, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event for JSON, without the bytes of its report."""
    return {
        "id": event.id,
        "file": event.file,
        "sha256": event.digest,
        "players": list(event.players),
        "facts": facts,
        "amended": [[change.number, change.round, change.result] for change in event.amended],
        "rounds": list(event.rounds) if event.rounds else None,
    }


def _file_name(event: str) -> str:
    """Return the name of an event's files; the slash of a part (``12/2``) would be a folder."""
    return event.replace("/", "-")


def report_file(event: str) -> str:
    """Return the name of the file with the report of an event."""
    return f"events/{_file_name(event)}{REPORT}"


def ratings_file(digest: str) -> str:
    """Return the name of the file with the ratings of a list."""
    return f"lists/{digest}.tsv"


def _json(value: Any) -> bytes:
    return (dump(value) + "\n").encode()


# --------------------------------------------------------------------------------------------------- reading


def read_inputs(files: Mapping[str, bytes]) -> tuple[Inputs, Mapping[str, str]]:
    """Return the inputs of a bundle, and its editions with the digests they had."""
    period = json.loads(files[PERIOD])
    inputs = replace(
        _period_inputs(period, files),
        states={int(player): state for player, state in _pairs(files[STANDINGS])},
        lists={
            name.removeprefix("lists/").removesuffix(".tsv"): {int(p): int(r) for p, r in _pairs(data)}
            for name, data in files.items()
            if name.startswith("lists/")
        },
        events=tuple(_read_event(event, files) for event in period["events"]),
        people=parse_register(files[REGISTER].decode()),
    )
    return inputs, period["editions"]


def read_period(files: Mapping[str, bytes]) -> tuple[Inputs, list[str]]:
    """Return the inputs of a bundle without its states, lists, events and people; and the names of its events."""
    period = json.loads(files[PERIOD])
    return _period_inputs(period, files), period["events"]


def _period_inputs(period: Mapping[str, Any], files: Mapping[str, bytes]) -> Inputs:
    by_player = {name: period[name] for name in _BY_PLAYER}
    by_player |= {name: period.get(name, {}) for name in _RARE_BY_PLAYER}
    values: dict[str, Any] = {
        **{name: period[name] for name in _PLAIN},
        **{name: {int(player): it for player, it in of.items()} for name, of in by_player.items()},
        **{name: {date.fromisoformat(day): it for day, it in period[name].items()} for name in _BY_DAY},
    }
    return Inputs(
        **values,
        on_list=ListName(period["list"]),
        day=date.fromisoformat(period["date"]),
        opened=date.fromisoformat(period["opened"]),
        states={},
        hidden=frozenset(period["hidden"]),
        decisions=tuple(json.loads(line) for line in _text_lines(files["decisions.jsonl"])),
        own=tuple(
            Own(name, date.fromisoformat(since), files[f"editions/{name}.toml"].decode())
            for name, since in period.get("own", ())
        ),
        left_off=period.get("left_off", 0),
        whole_digest=period.get("digest", ""),
        home=period.get("home", ""),
        awards={
            int(player): tuple((date.fromisoformat(day), Category(category)) for day, category in awards)
            for player, awards in period.get("awards", {}).items()
        },
        guests=read_guests(files.get("guests.jsonl", b"")),
    )


def _read_event(event: str, files: Mapping[str, bytes]) -> EventInput:
    name = _file_name(event)
    document = json.loads(files[f"events/{name}.json"])
    rounds = document["rounds"]
    return EventInput(
        document["id"],
        document["file"],
        files[report_file(event)],
        tuple(document["players"]),
        facts_from(document["facts"]),
        tuple(AmendedResult(*change) for change in document["amended"]),
        (rounds[0], rounds[1]) if rounds else None,
    )


def _pairs(data: bytes) -> list[tuple[str, str]]:
    """Return the two fields of each line of a TSV file."""
    pairs = []
    for line in _text_lines(data):
        left, _, right = line.partition("\t")
        pairs.append((left, right))
    return pairs


def _text_lines(data: bytes) -> list[str]:
    """Return the lines of a file; only LF ends one, since a text of JSON may contain the other ends of Unicode."""
    *lines, end = data.decode().split("\n")
    if end:
        raise ValueError(end)
    return lines
