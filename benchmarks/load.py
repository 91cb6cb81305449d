"""Visitors of a site on this machine: so many at once, or so many a second, for a bounded time.

    python benchmarks/load.py PORT CLIENTS SECONDS [RATE | once] < ADDRESSES

Addresses are asked in turn, over connections that stay open. Without RATE every client asks again as soon as it has its
answer (with "once" until every address was asked once); with RATE requests are sent at even moments, and their time
counts from the moment at which they were due, so that a server that falls behind is not spared. A redirection is
followed, and its time counts. Only 127.0.0.1 is asked. The last line is one JSON object with times in milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from itertools import cycle

HOST = "127.0.0.1"
MOST_REQUESTS = 50_000
PATIENCE_SECONDS = 30


class Visitor:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, address: str) -> tuple[int, int]:
        """Status and bytes of the page in the end."""
        for _ in range(3):
            status, headers, body = await asyncio.wait_for(self._once(address), PATIENCE_SECONDS)
            if status not in (302, 303):
                return status, len(body)
            address = headers["location"]
        return status, len(body)

    async def _once(self, address: str) -> tuple[int, dict[str, str], bytes]:
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port)
        asked = (
            f"GET {address} HTTP/1.1",
            f"Host: {HOST}:{self.port}",
            "Accept: text/html",
            "Accept-Language: en",
        )
        self.writer.write(("\r\n".join(asked) + "\r\n\r\n").encode("latin-1"))
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
        }
        if headers.get("transfer-encoding") == "chunked":
            body = await _chunks(self.reader)
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            await self.leave()
        return int(head[0].split()[1]), headers, body

    async def leave(self) -> None:
        """Close the connection; the next question opens another."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(parts)


class Notes:
    """What came of the requests."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.statuses: Counter[str] = Counter()
        self.size = 0

    async def take(self, visitor: Visitor, address: str, due: float | None = None) -> None:
        """Ask, and note how long it took since it was due."""
        begun = time.perf_counter() if due is None else due
        try:
            status, size = await visitor.ask(address)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
            self.statuses[type(error).__name__] += 1
            await visitor.leave()
            return
        self.statuses[str(status)] += 1
        self.size += size
        self.times.append(time.perf_counter() - begun)

    def told(self, seconds: float) -> dict[str, object]:
        """The figures."""
        ordered = sorted(self.times)
        count = len(ordered)

        def at(hundredth: int) -> float | None:
            return round(1000 * ordered[min(count - 1, count * hundredth // 100)], 1) if ordered else None

        return {
            "requests": count, "rate": round(count / seconds, 1), "p50": at(50), "p99": at(99),
            "most": round(1000 * ordered[-1], 1) if ordered else None, "statuses": dict(self.statuses),
            "bytes": self.size // max(1, count),
        }  # fmt: skip


async def at_once(
    port: int, clients: int, seconds: float, addresses: list[str], *, again: bool = True
) -> dict[str, object]:
    """As many as the server can take from so many clients."""
    notes, following = Notes(), cycle(addresses) if again else iter(addresses)
    begun = time.perf_counter()

    async def client() -> None:
        visitor = Visitor(port)
        while time.perf_counter() - begun < seconds and len(notes.times) < MOST_REQUESTS:
            address = next(following, None)
            if address is None:
                break
            await notes.take(visitor, address)
        await visitor.leave()

    await asyncio.gather(*(client() for _ in range(clients)))
    return notes.told(time.perf_counter() - begun)


async def evenly(
    port: int, clients: int, seconds: float, rate: float, addresses: list[str]
) -> dict[str, object]:
    """So many a second, over at most so many connections."""
    notes, following = Notes(), cycle(addresses)
    free: asyncio.Queue[Visitor] = asyncio.Queue()
    for _ in range(clients):
        free.put_nowait(Visitor(port))

    async def one(due: float) -> None:
        visitor = await free.get()
        await notes.take(visitor, next(following), due)
        free.put_nowait(visitor)

    begun, under_way = time.perf_counter(), []
    for number in range(min(MOST_REQUESTS, int(seconds * rate))):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        under_way.append(asyncio.create_task(one(due)))
    await asyncio.gather(*under_way)
    while not free.empty():
        await free.get_nowait().leave()
    return notes.told(time.perf_counter() - begun)


def visit(port: int, clients: int, seconds: float, addresses: list[str], way: str = "") -> dict[str, object]:
    """Ask for the addresses at even moments, each once, or without pause; return the figures."""
    if way == "once":
        return asyncio.run(at_once(port, clients, seconds, list(dict.fromkeys(addresses)), again=False))
    if way:
        return asyncio.run(evenly(port, clients, seconds, float(way), addresses))
    return asyncio.run(at_once(port, clients, seconds, addresses))


def main() -> None:
    port, clients, seconds, *way = sys.argv[1:]
    addresses = [address for address in sys.stdin.read().split("\n") if address]
    print(json.dumps(visit(int(port), int(clients), float(seconds), addresses, *way)))


if __name__ == "__main__":
    main()
