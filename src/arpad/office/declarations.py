"""Find declared acts and queries: by the words of a command, in the features that are present."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from arpad.office.declared import Declared
from arpad.office.features import FEATURES

MODULE = "acts"
"""The module of a feature that declares its acts and queries, or imports them from the feature's other modules."""


@cache
def declared_in(feature: str) -> tuple[Declared[..., Any], ...]:
    """Return the acts and queries of a feature, in the order of its module; nothing if it declares none."""
    module = f"arpad.office.{feature}.{MODULE}"
    if find_spec(module) is None:
        return ()
    values = vars(import_module(module)).values()
    return tuple(it for it in values if isinstance(it, Declared) and it.feature == feature)


@cache
def all_declared() -> dict[str, Declared[..., Any]]:
    """Return every act and query by the words of its command."""
    return {declared.name: declared for feature in FEATURES for declared in declared_in(feature)}


def personal_keys() -> dict[str, frozenset[str]]:
    """Return for each verb of the ledger the keys of its details that tell who somebody is, by their marks."""
    keys: dict[str, frozenset[str]] = {}
    for declared in all_declared().values():
        if declared.verb:
            keys[declared.verb] = keys.get(declared.verb, frozenset()) | _personal(declared)
    return keys


def _personal(declared: Declared[..., Any]) -> frozenset[str]:
    """Return the names of the personal parameters of an act; of pairs, the names of the personal ones."""
    marks = [(parameter.name, parameter.accepts.personal) for parameter in declared.parameters]
    return frozenset(
        key for name, mark in marks if mark for key in (mark if isinstance(mark, tuple) else (name,))
    )


def declared_named(name: str) -> Declared[..., Any] | None:
    """Return the act or query of a command."""
    return all_declared().get(name)
