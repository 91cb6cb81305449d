"""What is sent in has a bound in size and in time."""

import asyncio
import re
import socket
from collections.abc import Iterator

import pytest

from arpad.web.middleware import CUT_OFF, LARGEST_UPLOAD, Message, Middleware, Receive, Scope, Send
from tests.builders.site_fixtures import Served, proof
from tests.web.every_route import routes


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


def said_by(served: Served, request: bytes) -> bytes:
    """What the server answers until it hangs up."""
    host, _, port = served.address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        line.sendall(request)
        parts = []
        while part := line.recv(65536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    "host",
    [
        b"X: y",
        b"https://evil.example",
        b"a:b",
        b"a:99999",
        b"a:999999999",
        b"[::1",
        b"[gg]",
        b"a@b",
        b"a" * 300,
    ],
)
def test_a_host_that_is_none_is_refused_with_a_sentence(bare: Served, host: bytes) -> None:
    for path in (b"/", b"/sign-in", b"/api/v1/calc/k"):
        answer = said_by(
            bare,
            b"GET %s HTTP/1.1\r\nHost: %s\r\nAccept-Language: it\r\nConnection: close\r\n\r\n" % (path, host),
        )
        assert answer.startswith(b"HTTP/1.1 400"), path
        assert "non è il nome di un host".encode() in answer
        assert b"Traceback" not in answer


@pytest.mark.parametrize(
    "host", [b"", b"example.org", b"example.org:8000", b"[::1]:8000", b"a_b:", b"127.0.0.1"]
)
def test_hosts_as_browsers_write_them_are_served(bare: Served, host: bytes) -> None:
    answer = said_by(bare, b"GET /robots.txt HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % host)
    assert answer.startswith(b"HTTP/1.1 200")


FIELD = b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n%s\r\n%s\r\n--x--\r\n'
UNREADABLE = [
    FIELD % (b"", b"\xff\xfe"),
    FIELD % (b"Content-Type: text/plain; charset=utf-16\r\n", b"a"),
    FIELD % (b"Content-Type: text/plain; charset=nonsense\r\n", b"a"),
]
PUBLIC_FORMS = ("/check", "/sign-in", "/follow", "/forgotten", "/check/paper", "/check/file", "/follow/abc")


@pytest.mark.parametrize("body", UNREADABLE, ids=["letters", "utf-16", "nonsense"])
def test_a_form_that_is_not_utf_8_is_refused_with_a_sentence(served: Served, body: bytes) -> None:
    forms = [re.sub(r"\{\w+:int\}", "1", path) for method, path in routes() if method == "POST"]
    for client in (served.client(), served.client("officer")):
        for path in (*PUBLIC_FORMS, *(re.sub(r"\{\w+:\w+\}", "a", path) for path in forms)):
            answer = client.post(
                path, content=body, headers={"content-type": "multipart/form-data; boundary=x"}
            )
            assert answer.status_code < 500, path
            if path in PUBLIC_FORMS:
                assert answer.status_code == 400, path
                assert "not text in UTF-8" in answer.text
