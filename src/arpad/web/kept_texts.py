"""Pages and parts of pages in the memory of a worker: of a bounded size, and the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any

MOST_BYTES = 16 * 1024 * 1024
"""Size of all pages and parts that a worker keeps."""


class KeptTexts:
    """Texts by a key that has all that they depend on, or with values that say whether they are still right."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.size = 0
        self._texts: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """Return what is kept under a key, or None."""
        with self._lock:
            kept = self._texts.get(key)
            if kept is None:
                return None
            self._texts.move_to_end(key)
            return kept[0]

    def add(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of a size; what was used least recently is removed if there is too much."""
        with self._lock:
            _, old_size = self._texts.pop(key, (None, 0))
            self.size += size - old_size
            self._texts[key] = value, size
            while self.size > self.most_bytes:
                _, (_, removed) = self._texts.popitem(last=False)
                self.size -= removed
