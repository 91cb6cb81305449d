"""A worker process for tests that kill it: ``python -m tests.worker.killed_worker DATABASE``, with short times."""

from __future__ import annotations

import sys
import threading
from datetime import timedelta

from arpad.office.office import open_office
from arpad.store import jobs
from arpad.worker import loop
from arpad.worker.kinds import KINDS, load_work

if __name__ == "__main__":
    jobs.FIRST_DELAY, jobs.LONGEST_DELAY = timedelta(milliseconds=100), timedelta(seconds=1)
    jobs.MOST_ATTEMPTS = 10_000
    loop.BROKEN_SECONDS = 0.1
    office = open_office(sys.argv[1])
    load_work(KINDS["mail"])
    print("ready", flush=True)  # noqa: T201  for the process that kills this one
    loop.work(office, threading.Event(), kinds={"mail": KINDS["mail"]}, lease=timedelta(seconds=1.5))
