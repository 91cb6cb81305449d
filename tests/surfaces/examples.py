"""Values with which every act and query works in the office of the demo.

Most come from the declarations (``Accepts.example``). ``tests/office/<feature>/examples.py`` has what they cannot know:

- ``GIVEN``: values by the words of the command, beside or instead of the declared examples;
- ``prepare(office)``: enters what the examples of the feature name and the demo lacks;
- ``VARIES``: fields of the answer that differ each time, by the words of the command;
- ``BEFORE``: functions of the office, by the words of the command, called before one example only.
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from arpad.model.declared import Parameter
from arpad.office.declared import Declared
from arpad.office.features import FEATURES
from arpad.office.office import Office


def _examples(feature: str) -> ModuleType | None:
    name = f"tests.office.{feature}.examples"
    known = find_spec(f"tests.office.{feature}") is not None and find_spec(name) is not None
    return import_module(name) if known else None


def prepare(office: Office, declared: Declared[..., Any] | None = None) -> None:
    """Enter what the examples name, of all features or of one act or query."""
    for feature in FEATURES if declared is None else (declared.feature,):
        if hasattr(examples := _examples(feature), "prepare"):
            examples.prepare(office)  # type: ignore[union-attr]  # it has the function
    if declared is not None:
        before = getattr(_examples(declared.feature), "BEFORE", {})
        if declared.name in before:
            before[declared.name](office)


def example_of(declared: Declared[..., Any]) -> dict[str, Any]:
    """Return the values of an example: all that are required, and the reason."""
    given = {it.name: _value(it) for it in declared.parameters if it.required or it.name == "reason"}
    own = getattr(_examples(declared.feature), "GIVEN", {})
    return given | dict(own.get(declared.name, {}))


def without_varying(declared: Declared[..., Any], answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without what differs each time, as a new secret."""
    varying = getattr(_examples(declared.feature), "VARIES", {}).get(declared.name, ())
    return {name: value for name, value in answer.items() if name not in varying}


def _value(parameter: Parameter) -> Any:
    example = parameter.accepts.example
    if parameter.type is int:
        return int(example)
    return [example] if parameter.many else example
