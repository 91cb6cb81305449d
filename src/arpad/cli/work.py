"""``arpad work``: a worker process, which does the jobs in the queue of an office."""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.office.options import ReadOptions

if TYPE_CHECKING:
    from types import FrameType

PARENT = "ARPAD_PARENT"
"""Set by ``arpad serve`` for its worker, which ends when the pipe on its stdin is closed."""

Backups = Annotated[
    Path | None,
    typer.Option(
        "--backups",
        envvar="ARPAD_BACKUPS",
        metavar="DIR",
        help="The folder for nightly backups; default: none.",
    ),
]
Keep = Annotated[
    str,
    typer.Option(
        "--keep", envvar="ARPAD_BACKUPS_KEEP", metavar="D,W,M",
        help="Backups to keep: of so many days, weeks and months; default: 7,5,12.",
    ),
]  # fmt: skip


def work(
    options: ReadOptions,
    *,
    once: Annotated[bool, typer.Option("--once", help="Do what is due now, then end.")] = False,
    nightly_now: Annotated[
        bool, typer.Option("--nightly-now", help="Also do the jobs of the night now, then end.")
    ] = False,
    backups: Backups = None,
    keep: Keep = "",
) -> None:
    """Do the jobs of an office until stopped: mails, nightly verification and backup.

    Several workers may run at once.

    Example: arpad work --db office.db --backups backups
    """
    words = options.words
    set_backups(backups, keep)
    from arpad.system import event_log
    from arpad.worker.loop import ask_for_nights, work_once
    from arpad.worker.loop import work as work_on

    with options.opened() as office:
        if nightly_now:
            ask_for_nights(office)
        if once or nightly_now:
            count = work_once(office)
            options.tell(words.text("worker.done", jobs=count), "arpad.work/1", {"jobs": count})
            return
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="arpad work: %(message)s")
        event_log.to_stderr()
        stop = Event()
        _stop_on_signals(stop)
        if os.environ.pop(PARENT, ""):
            Thread(target=_stop_with_parent, args=(stop,), daemon=True).start()
        work_on(office, stop)


def set_backups(backups: Path | None, keep: str) -> None:
    """Pass the folder and the numbers of backups to the worker, through its environment."""
    from arpad.office.backup.acts import KEEP, parse_day_of_week, parse_kept
    from arpad.system.atomic_files import prepare_folder
    from arpad.worker.kinds import BACKUPS, REHEARSE

    parse_kept(keep)
    if day := os.environ.get(REHEARSE, ""):
        parse_day_of_week(day)
    if backups is not None:
        prepare_folder(backups)
    os.environ[BACKUPS], os.environ[KEEP] = str(backups or ""), keep


def _stop_on_signals(stop: Event) -> None:
    """End after the current jobs at the first signal, at once at the second."""

    def handle(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)


def _stop_with_parent(stop: Event) -> None:
    while os.read(0, 1024):
        pass
    stop.set()
