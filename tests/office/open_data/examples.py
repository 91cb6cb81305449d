"""Values with which the command of open data works in the office of the demo."""

from pathlib import Path
from tempfile import TemporaryDirectory

_FOLDER = TemporaryDirectory(prefix="arpad-data-")

GIVEN = {"open-data": {"folder": str(Path(_FOLDER.name, "data"))}}
