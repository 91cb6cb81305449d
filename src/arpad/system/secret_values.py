"""Secrets from the environment: a value in a variable, or in a file that another variable names."""

from __future__ import annotations

import os
from pathlib import Path

from arpad.model.errors import BadInput


def secret(name: str) -> str:
    """Return the secret of a variable, or of the file in ``NAME_FILE``; empty if neither is set."""
    if value := os.environ.get(name, ""):
        return value
    path = os.environ.get(f"{name}_FILE", "")
    if not path:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput("secret-unreadable", variable=f"{name}_FILE", path=path, reason=reason) from error
