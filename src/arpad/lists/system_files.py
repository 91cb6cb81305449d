"""The inputs of a system's list as the files of a bundle, and read back."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from arpad.lists.bundle_files import REGISTER, STANDINGS, InputFiles, file_digests
from arpad.lists.canonical import REGISTER_HEAD, parse_register, person_line
from arpad.lists.system_list import SystemInputs, standings_text
from arpad.lists.system_units import read_unit, unit_document
from arpad.model.canonical_json import dump
from arpad.rating.event_question import parse_json
from arpad.regulations.system_fields import read_fields, written
from arpad.regulations.systems import system_named

SYSTEM_LIST, UNITS = "list.json", "units.jsonl"
_PLAIN, _DAYS, _PUBLIC = (
    ("on_list", "previous", "revises", "system", "number", "revision"),
    ("known", "opened", "since"),
    ("left_off", "whole_digest"),
)


def system_files(inputs: SystemInputs) -> InputFiles:
    """Return the files of a bundle, with their digests."""
    system = system_named(inputs.system)
    document: dict[str, Any] = {name: getattr(inputs, name) for name in _PLAIN}
    days = {name: str(getattr(inputs, name) or "") for name in _DAYS}
    others = {
        "day": str(inputs.day),
        "periods": [str(day) for day in inputs.periods],
        "facts": written(inputs.facts),
        "before": {str(player): figure for player, figure in inputs.before.items()},
        "editions": inputs.editions(),
        **({"hidden": sorted(inputs.hidden)} if inputs.hidden else {}),
        **({name: getattr(inputs, name) for name in _PUBLIC} if inputs.left_off else {}),
    }
    people = [person_line(person) for _, person in sorted(inputs.people.items())]
    contents = {
        SYSTEM_LIST: f"{dump({**document, **days, **others})}\n".encode(),
        STANDINGS: standings_text(inputs.start),
        REGISTER: "".join([REGISTER_HEAD, *(f"{line}\n" for line in people)]).encode(),
        UNITS: "".join(f"{dump(unit_document(system, unit))}\n" for unit in inputs.units).encode(),
    }
    return InputFiles(contents, file_digests(contents))


def read_system_inputs(files: Mapping[str, bytes]) -> tuple[SystemInputs, Mapping[str, str]]:
    """Return the inputs of a bundle, and its editions with the digests that they had."""
    document = json.loads(files[SYSTEM_LIST])
    system = system_named(document["system"])
    *standings, _ = files[STANDINGS].decode().split("\n")
    *units, _ = files[UNITS].decode().split("\n")
    days: dict[str, Any] = {
        name: date.fromisoformat(document[name]) if document[name] else None for name in _DAYS
    }
    inputs = SystemInputs(
        **{name: document[name] for name in _PLAIN},
        day=date.fromisoformat(document["day"]),
        **days,
        start={int(player): state for player, _, state in (line.partition("\t") for line in standings)},
        units=tuple(read_unit(system, parse_json(unit), UNITS) for unit in units),
        periods=tuple(date.fromisoformat(day) for day in document["periods"]),
        facts=read_fields(system.unit_facts, document["facts"], "facts"),
        people=parse_register(files[REGISTER].decode()),
        before={int(player): int(figure) for player, figure in document["before"].items()},
        hidden=frozenset(document.get("hidden", ())),
        **{name: document[name] for name in _PUBLIC if name in document},
    )
    return inputs, document["editions"]
