"""The law: every edition as a value, its tables, its calendar and its procedures."""

from arpad.model.rules import LISTS

FOLDERS = ("dwz", "fide", "glicko2", "icu", "rubele", "uschess")
"""The rating systems: the folders here that have a ``system`` with a ``SYSTEM``."""

OF_OWN_LISTS = tuple(name for name in FOLDERS if name not in {on_list.system for on_list in LISTS})
"""Those of which an office may have lists of its own."""
