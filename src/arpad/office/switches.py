"""Which features an office has switched off: a setting. Their tables, rows and proofs stay as they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arpad.model.errors import BadInput
from arpad.office.features import FEATURES

if TYPE_CHECKING:
    from sqlalchemy import Connection

SETTING = "features_off"
"""The names of the features that are off, separated by blanks."""


def features_off(connection: Connection) -> frozenset[str]:
    """Return the features that the office has switched off."""
    from arpad.store.settings import read_setting

    return known_features(read_setting(connection, SETTING).split())


def known_features(names: Iterable[str]) -> frozenset[str]:
    """Return those of some names that are features which an office can do without."""
    return frozenset(name for name in names if name in FEATURES and FEATURES[name].optional)


def is_on(connection: Connection, feature: str) -> bool:
    """Return whether a feature is there and not switched off."""
    return feature in FEATURES and feature not in features_off(connection)


def refuse_off(connection: Connection, feature: str) -> None:
    """Refuse what belongs to a feature that is switched off."""
    if feature in FEATURES and FEATURES[feature].optional and feature in features_off(connection):
        raise BadInput("feature-off", feature=feature)
