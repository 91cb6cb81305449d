"""A program that receives webhooks, on the loopback."""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Receiver:
    """What arrived, and what is answered."""

    url: str = ""
    status: int = 200
    location: str = ""
    delay: float = 0.0
    """At most so many seconds before each answer, so that a kill comes while a sender waits."""

    requests: list[Received] = field(default_factory=list)


@contextmanager
def receiving(status: int = 200, location: str = "") -> Iterator[Receiver]:
    """Receive requests on a free port."""
    receiver = Receiver(status=status, location=location)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.requests.append(Received(self.path, dict(self.headers), body))
            time.sleep(random.random() * receiver.delay)  # noqa: S311  a test
            with suppress(OSError):  # the sender was killed meanwhile
                self.answer()

        def answer(self) -> None:
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        receiver.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join(10)
