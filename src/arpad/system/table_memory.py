"""How Polars' allocator treats the memory of tables that are no longer used."""

from __future__ import annotations

import os

SETTING = "_RJEM_MALLOC_CONF"
"""Polars puts its own words before those of the environment when it is loaded; the later ones count."""

_KEEP = "oversize_threshold:0,dirty_decay_ms:10000,muzzy_decay_ms:10000,narenas:1"
"""Memory of every size is kept for ten seconds, in one place for all threads."""


def keep_table_memory() -> None:
    """Let the memory of one table be used for the next; to be called before Polars is loaded.

    Otherwise it goes back to the system after half a second, and the system clears its pages for the next table. An
    allocator's setting in the environment has precedence.
    """
    os.environ.setdefault(SETTING, _KEEP)
