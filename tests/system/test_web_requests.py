"""Requests to addresses that somebody typed: which are allowed, where the connection goes, and when it ends."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from arpad.model.errors import BadInput
from arpad.system.web_requests import Target, checked_addresses, is_public, post, read_url
from tests.builders.receivers import receiving

PRIVATE = [
    "127.0.0.1", "127.1.2.3", "0.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "::", "::1", "fe80::1", "fc00::1",
    "fe80::1%eth0", "ff02::1", "fec0::1", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b:1::7f00:1", "198.18.0.1",
    "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:80ff:fffe", "100::1", "192.0.0.1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:db8::1",
    "3fff::1", "3fff:fff::1",
]  # fmt: skip
PUBLIC = ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_known(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/", "webhook-https"),
        ("ftp://example.org/", "webhook-url"),
        ("https://user:word@example.org/", "webhook-url"),
        ("https://example.org/#part", "webhook-url"),
        ("https://example.org:99999/", "webhook-url"),
        ("https://example.org:0/", "webhook-url"),
        ("https:///path", "webhook-url"),
        ("https://example.org/a b", "webhook-url"),
        ("https://example.org\\@localhost/", "webhook-url"),
        ("https://example.org/\r\nHost: x", "webhook-url"),
        ("https://exämple.org/", "webhook-url"),
        ("", "webhook-url"),
    ],
)
def test_other_addresses_are_refused(url: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_url(url)
    assert refused.value.code == code


def test_the_parts_of_an_address() -> None:
    assert read_url("https://Example.org/a?b=1") == Target("https", "example.org", 443, "/a?b=1")
    local = read_url("http://[::1]:8080", "::1")
    assert (local, local.named) == (Target("http", "::1", 8080, "/"), "[::1]:8080")


def test_one_private_address_among_public_ones_is_refused() -> None:
    target = Target("https", "example.org", 443, "/")
    assert checked_addresses(target, resolver=lambda _host, _port: PUBLIC) == PUBLIC
    with pytest.raises(BadInput) as refused:
        checked_addresses(target, resolver=lambda _host, _port: [*PUBLIC, "10.0.0.7"])
    assert (refused.value.code, refused.value.facts["address"]) == ("webhook-private", "10.0.0.7")
    named = checked_addresses(target, "EXAMPLE.org.", lambda _host, _port: ["10.0.0.7"])
    assert named == ["10.0.0.7"]
    with pytest.raises(BadInput, match="webhook-private"):
        checked_addresses(target, "other.example.org", lambda _host, _port: ["10.0.0.7"])


def test_numbers_that_mean_the_loopback_are_refused() -> None:
    for host in ("127.0.0.1", "localhost", "[::1]", "0x7f000001", "2130706433", "127.1"):
        with pytest.raises(BadInput) as refused:
            post(f"https://{host}/", b"", {})
        assert refused.value.code in ("webhook-private", "webhook-unresolved"), host


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    asked: list[str] = []

    def resolver(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    with receiving() as receiver:
        port = receiver.url.rpartition(":")[2]
        url = f"http://receiver.invalid:{port}/in?x=1"
        status = post(url, b"body", {"X-Mark": "1"}, private_host="receiver.invalid", resolver=resolver)
    (request,) = receiver.requests
    assert (status, asked) == (200, ["receiver.invalid"])
    assert (request.path, request.body) == ("/in?x=1", b"body")
    assert (request.headers["Host"], request.headers["X-Mark"]) == (f"receiver.invalid:{port}", "1")


def test_a_redirection_is_not_followed() -> None:
    with receiving(status=302, location="/elsewhere") as receiver:
        assert post(receiver.url, b"", {}, private_host="127.0.0.1") == 302
    assert len(receiver.requests) == 1


@contextmanager
def trickling(first: bytes, then: bytes) -> Iterator[str]:
    """Serve one connection that never ends its answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                try:
                    connection.sendall(first)
                    while then:
                        connection.sendall(then)
                    connection.recv(65536)
                    connection.recv(65536)
                except OSError:
                    pass

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join(10)


@pytest.mark.parametrize(
    ("first", "then"),
    [(b"", b""), (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), (b"x" * 100_000, b""), (b"HTTP/1.1 ", b"1")],
    ids=["silent", "endless-headers", "no-http", "endless-status"],
)
def test_a_receiver_that_never_ends_is_cut_off(first: bytes, then: bytes) -> None:
    with trickling(first, then) as url, pytest.raises(BadInput) as refused:
        post(url, b"body", {}, private_host="127.0.0.1", seconds=0.5)
    assert refused.value.code == "webhook-silent"


def test_nobody_at_the_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"https://127.0.0.1:{free.getsockname()[1]}/"
    with pytest.raises(BadInput, match="webhook-silent"):
        post(url, b"", {}, private_host="127.0.0.1")


def test_https_needs_a_proof_of_the_name() -> None:
    with receiving() as receiver, pytest.raises(BadInput, match="webhook-silent"):
        post(receiver.url.replace("http:", "https:"), b"", {}, private_host="127.0.0.1")
    assert receiver.requests == []
