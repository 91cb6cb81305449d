"""Rate limits: requests a minute from one address, to the API and to costly routes, over all workers.

Each worker counts by itself and settles with the store every few requests, so that asking costs no write each time; the
limit is kept to within that many requests for each worker.
"""

from threading import Lock
from typing import Any

from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.handlers import BaseRouteHandler

from arpad.model.errors import ArpadError
from arpad.office.office import Office
from arpad.store import accounts as rows
from arpad.web.requests import Refused, WebConnection, client_address, office_of

A_MINUTE = 60
MOST = 600
EVERY, EVERY_COSTLY = 20, 5


class Counting:
    """The requests that this worker counted in the current minute."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._slot = 0
        self._mine: dict[str, int] = {}
        self._known: dict[str, int] = {}

    def add(self, key: str, slot: int) -> tuple[int, int]:
        """Count one request; return the requests not settled yet, and the settled ones of all workers."""
        with self._lock:
            if slot != self._slot:
                self._slot, self._mine, self._known = slot, {}, {}
            self._mine[key] = self._mine.get(key, 0) + 1
            return self._mine[key], self._known.get(key, 0)

    def settle(self, key: str, total: int) -> None:
        """The count that the store keeps for all workers."""
        with self._lock:
            self._mine[key], self._known[key] = 0, total


def refuse_too_many(request: Request[Any, Any, Any]) -> None:
    """Refuse an address with too many requests to the API this minute."""
    _count(request, "api", request.app.state["most"], EVERY)


async def refuse_too_costly(connection: WebConnection, handler: BaseRouteHandler) -> None:
    """Refuse an address with too many costly requests this minute: reports to check, files to write."""
    if handler.opt.get("costly"):
        await sync_to_thread(count_costly, connection)


def count_costly(connection: WebConnection) -> None:
    """Count a costly request, and refuse it if the address has sent too many this minute."""
    _count(connection, "costly", connection.app.state["most_costly"], EVERY_COSTLY)


def _count(request: WebConnection, what: str, most: int, every: int) -> None:
    import time

    counting: Counting = request.app.state["counting"]
    office = office_of(request)
    key = f"{what} {client_address(request)}"
    moment = office.now().timestamp() if office is not None else time.time()
    slot = int(moment) // A_MINUTE
    unsettled, settled = counting.add(key, slot)
    if office is not None and unsettled >= every:
        try:
            settled = count_requests(office, key, slot, unsettled)
            counting.settle(key, settled)
            unsettled = 0
        except ArpadError:
            pass  # the database is busy with a list: settle with the next request
    if unsettled + settled > most:
        raise Refused(429, "http-429")


def count_requests(office: Office, key: str, slot: int, more: int) -> int:
    """Add to the counter of a key in a slot of time, and return its value."""
    with office.store.unlogged_writing() as connection:
        return rows.add_to_counter(connection, key, slot, more)
