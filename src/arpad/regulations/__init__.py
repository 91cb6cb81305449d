"""The law: every edition as a value, its tables, its calendar and its procedures."""

FOLDERS = ("dwz", "glicko2", "icu", "uschess")
"""The rating systems: the folders here that have a ``SYSTEM``."""
