"""What is sent in has a bound in size and in time."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

from arpad.web.middleware import CUT_OFF, LARGEST_UPLOAD, Message, Middleware, Receive, Scope, Send
from tests.web.conftest import Served, proof


def test_an_oversized_upload_is_refused_by_its_own_announcement(bare: Served) -> None:
    host, _, port = bare.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(
            b"POST /api/v1/rate HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (LARGEST_UPLOAD + 1)
        )
        said = line.recv(65536)

    assert b" 413" in said
    assert b"nosniff" in said


def test_an_upload_without_an_announced_size_is_cut_off(bare: Served) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(2 * LARGEST_UPLOAD // 65536):
            yield b"x" * 65536

    host, _, port = bare.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(b"POST /api/v1/rate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            for part in endless():
                line.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        except OSError:
            pass  # the server has hung up
        line.settimeout(20)
        try:
            said = line.recv(65536)
        except OSError:
            said = b"HTTP/1.1 413"
    assert b" 413" in said


def test_forms_are_smaller_than_uploads(bare: Served) -> None:
    assert bare.client().post("/sign-in", content=b"x" * 100_000).status_code == 413


def test_whoever_drops_too_large_a_file_reads_it_on_a_page_in_his_language(served: Served) -> None:
    client = served.client(language="it")
    file = {"file": ("open.trf", b"x" * (LARGEST_UPLOAD + 1))}
    answer = client.post("/check", data={"csrf": proof(client, "/check")}, files=file)

    assert answer.status_code == 413
    assert '<html lang="it">' in answer.text
    assert "al massimo 8 MiB" in answer.text
    told = client.post("/api/v1/check", content=b"x" * (LARGEST_UPLOAD + 1))
    assert told.json()["code"] == "too-large"
    assert "al massimo 8 MiB" in told.json()["detail"]


def test_a_request_that_never_ends_is_given_up() -> None:
    async def says_why(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == b""
        await send({"type": "http.response.start", "status": scope[CUT_OFF][0], "headers": []})

    async def silence() -> Message:
        await asyncio.sleep(30)
        raise AssertionError

    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "POST", "path": "/check", "headers": [], "scheme": "https"}
    asyncio.run(Middleware(says_why, seconds=0.05)(scope, silence, keep))

    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert (b"strict-transport-security", b"max-age=31536000; includeSubDomains") in sent[0]["headers"]


def test_trace_is_refused(bare: Served) -> None:
    assert bare.client().request("TRACE", "/").status_code == 405
