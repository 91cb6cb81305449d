"""Threads and memory of the libraries that are written in C and Rust."""

import os
from contextlib import suppress

_SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1",
    "_RJEM_MALLOC_CONF": "narenas:1,oversize_threshold:0,dirty_decay_ms:10000,muzzy_decay_ms:10000",
}
"""NumPy's algebra, which Arpad does not use, starts no threads. Polars keeps memory for ten seconds, in one place."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_LIMITS = {_M_MMAP_THRESHOLD: 32 << 20, _M_TRIM_THRESHOLD: 64 << 20, _M_ARENA_MAX: 2}
"""For glibc's ``mallopt``: arrays up to 32 MB come from memory of which 64 MB are kept, in two places."""


def prepare_libraries() -> None:
    """Let NumPy and Polars use freed memory again; to be called before they are loaded.

    Tables of a long list come and go, and a page of memory takes longer to get from the system than to fill. What the
    environment says already stays.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    with suppress(ImportError, OSError, AttributeError):  # other systems have their own ways
        import ctypes  # some Pythons are built without it

        change = ctypes.CDLL(None).mallopt
        for option, limit in _LIMITS.items():
            change(option, limit)
