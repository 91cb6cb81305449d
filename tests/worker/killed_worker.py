"""A worker process for tests that kill it, with short times.

``python -m tests.worker.killed_worker DATABASE [KIND …]``: the kinds of jobs that it does; without any, mails.
"""

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
    kinds = {name: KINDS[name] for name in sys.argv[2:] or ["mail"]}
    for kind in kinds.values():
        load_work(kind)
    print("ready", flush=True)  # noqa: T201  for the process that kills this one
    loop.work(office, threading.Event(), kinds=kinds, lease=timedelta(seconds=1.5))
