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
from arpad.web.requests import WebRequest
from arpad.web.site_settings import settings_of


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


def page_parts(place: str, request: WebRequest, *about: Any) -> list[ShownPart]:
    """Return the parts at a place of a page, in the order of the features; ``about`` is what the page is about.

    A feature that the office has switched off adds nothing.
    """
    off = settings_of(request).features_off
    names = (name for name in FEATURES if name not in off)
    modules = [import_module(module) for name in names for module in feature_modules(name, "pages")]
    parts = [part for module in modules if (part := getattr(module, "PARTS", {}).get(place)) is not None]
    return [ShownPart(part.template, part.shown(request, *about)) for part in parts]
