"""Parts that features add to a page of another feature, so that the page does not need to know them.

A module of a feature's pages names them in ``PARTS``: the place on a page, and a ``PagePart``. The page asks for the
parts of its places and includes their templates; a feature that is not there adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from arpad.office.features import FEATURES, feature_modules


@dataclass(frozen=True, slots=True)
class PagePart:
    """A part of a page: its template, and the function that returns what the template shows as ``it``."""

    template: str
    shown: Callable[..., Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of a page with what its template shows."""

    template: str
    it: Mapping[str, Any]


def page_parts(place: str, *about: Any) -> list[ShownPart]:
    """Return the parts at a place of a page, in the order of the features; ``about`` is what the page is about."""
    modules = [import_module(module) for name in FEATURES for module in feature_modules(name, "pages")]
    parts = [part for module in modules if (part := getattr(module, "PARTS", {}).get(place)) is not None]
    return [ShownPart(part.template, part.shown(*about)) for part in parts]
