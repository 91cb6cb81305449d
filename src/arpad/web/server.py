"""How a server speaks HTTP: as uvicorn does, but a request's head has a time limit of its own.

Uvicorn waits for ever for the first line and the headers; whoever sends them letter by letter, or never, would hold a
connection open at no cost.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""So long a connection may take until the headers of its next request are whole."""


class HeadLimit(H11Protocol):
    """A connection that is closed when the head of a request does not come in time."""

    head_seconds = HEAD_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the library has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what came; while there is no whole head, the time runs."""
        super().data_received(data)
        self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have begun already."""
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        """Let the time run between requests, and stop it as soon as one is there."""
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
