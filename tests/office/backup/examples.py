"""Values with which the commands of backups work in the office of the demo."""

from pathlib import Path
from tempfile import TemporaryDirectory

_FOLDER = TemporaryDirectory(prefix="arpad-backup-")

GIVEN = {
    "backup": {"file": str(Path(_FOLDER.name, "office.zip"))},
    "export": {"folder": str(Path(_FOLDER.name, "export"))},
}
