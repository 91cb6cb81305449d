"""Arguments with which every act and query works in the office of the demo, and what must be there before.

Most come from the declarations (``Accepts.example``). Only what they cannot know is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from arpad.model.clubs import UnitKind
from arpad.model.declared import Parameter, Upload
from arpad.office.clubs.acts import enter_club
from arpad.office.declared import Declared
from arpad.office.office import Office

JANUARY = date(2024, 1, 1)


def prepare(office: Office, name: str = "") -> None:
    """Enter what the examples name and the demo lacks, and what the example of one act needs beside it."""
    if name in BEFORE:
        BEFORE[name](office)
    enter_club(office, "LOM", "Lombardia", kind=UnitKind.REGION, since=JANUARY)
    enter_club(office, "MI1", "Circolo di Milano", region="LOM", since=JANUARY)


GIVEN: Mapping[str, Mapping[str, Any]] = {
    "club list": {"on": "2025-01-10"},
    "club show": {"on": "2025-01-10"},
    "club change": {"set": {"name": "Milano"}},
    "club from-report": {"clubs": {}},
    "club import": {"file": Upload("clubs.csv", b"code,name,kind\nTO1,Circolo di Torino,club\n")},
    "club import-members": {"file": Upload("members.csv", b"player,club,from\n1,MI1,2024-02-01\n")},
}
"""Values that differ from the examples of the declarations, by the words of the command."""

BEFORE: Mapping[str, Callable[[Office], None]] = {}
"""What must be done before the example of an act works."""


def example_of(declared: Declared[..., Any]) -> dict[str, Any]:
    """Return the values of an example: all that are required, and the reason."""
    given = {it.name: _value(it) for it in declared.parameters if it.required or it.name == "reason"}
    return given | dict(GIVEN.get(declared.name, {}))


def _value(parameter: Parameter) -> Any:
    example = parameter.accepts.example
    if parameter.type is int:
        return int(example)
    return [example] if parameter.many else example
