"""Write the open data at night and after each list."""

from __future__ import annotations

import os
from pathlib import Path

from arpad.office.office import Office
from arpad.office.open_data.acts import renew_open_data
from arpad.store.jobs import Job
from arpad.worker.kinds import OPEN_DATA


def write_data(office: Office, _job: Job) -> None:
    """Write the open data anew into the folder of this server."""
    renew_open_data(office, Path(os.environ[OPEN_DATA]))
