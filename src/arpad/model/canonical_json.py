"""Canonical JSON: the same value has the same text everywhere."""

import json
from typing import Any


def dump(value: Any) -> str:
    """Return canonical JSON: the same value has the same text everywhere."""
    return _CANONICAL.encode(value)


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def load(text: str) -> Any:
    """Return the value of a JSON text."""
    return json.loads(text)
