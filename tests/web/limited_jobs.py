"""Jobs for a limited process; a module of their own, since that process imports what defines them."""

import os
import signal
import time

from arpad.model.errors import BadInput
from arpad.web.limited_process import Bounds


class ImpatientBounds(Bounds):
    """Limits whose time by the clock is as short as can be."""

    @property
    def patience(self) -> int:
        return 1


def process_id(_bounds: Bounds) -> int:
    return os.getpid()


def takes_memory(_bounds: Bounds) -> int:
    return len(bytes(2 * 1024**3))


def takes_time(_bounds: Bounds) -> int:
    while True:
        pass


def sleeps(_bounds: Bounds) -> None:
    time.sleep(600)


def refuses(_bounds: Bounds) -> None:
    print("libraries may print")  # noqa: T201  what this is about
    raise BadInput("file-empty")


def breaks(_bounds: Bounds) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
