"""The real files that lie beside the repository; tests that need them skip where they are absent."""

from pathlib import Path

import pytest

from tests.paths import SHARED

FOLDER = SHARED / "data"


def real_files(kind: str) -> list[Path]:
    """All real files of a kind: ``trf`` or ``lists``."""
    return sorted(path for path in (FOLDER / kind).rglob("*") if path.is_file())


def real_file(*parts: str) -> Path:
    """One real file."""
    path = FOLDER.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the real files are not here: {path.name}")
    return path
