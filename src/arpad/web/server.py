"""The HTTP protocol of uvicorn with a time limit for the head of a request.

Uvicorn waits for ever for the first line and the headers; a client that sends them letter by letter, or never, could
occupy a connection at no cost.
"""

import asyncio
import os
from threading import Timer

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""The headers of the next request must be complete after this time."""

END_SECONDS = 5
"""A web worker that is asked to end answers the requests it has for so long; then as long again for its threads."""


def end_for_sure() -> None:
    """End this process after some seconds, whatever its threads still do: Python would wait for them for ever."""
    timer = Timer(END_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


class HeadLimit(H11Protocol):
    """A connection that is closed if the head of a request is late."""

    head_seconds = HEAD_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the library has it
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Accept data; the time runs until the head is complete."""
        super().data_received(data)
        self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have started already."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Start the clock between requests; stop it as soon as a request is complete."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_seconds, self._give_up)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
