"""The features of an office: one folder beside this module for each, and one name in this list.

The list holds names, not imports, so that a command loads only the features that it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FEATURES = ("clubs",)


def feature_folders(name: str) -> Mapping[str, Traversable]:
    """Return the folder of this name, as ``words`` or ``templates``, of each feature that has one."""
    office = files("arpad.office")
    folders = {feature: office / feature / name for feature in FEATURES}
    return {feature: folder for feature, folder in folders.items() if folder.is_dir()}
