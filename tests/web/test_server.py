"""Slow request heads, locks, two lengths and odd cookies: nobody waits long, and others get what they always get."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from arpad.explain.words import LANGUAGES, load_words
from arpad.office.users import Grant, Role
from arpad.store import database
from arpad.web.cookies import SESSION_COOKIE
from arpad.web.server import HeadLimit
from tests.builders.site_fixtures import OPEN, PASSWORD, Served, proof
from tests.builders.users import add_user, issue_token
from tests.thinning import one_in

PATIENCE = 15
"""Far above the two seconds of a lock, on however busy a machine, and far below the minute that writers wait."""


def connected(served: Served) -> socket.socket:
    parts = urlsplit(served.address)
    return socket.create_connection((parts.hostname, parts.port), timeout=60)


def answered(connection: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    parts = []
    while data := connection.recv(65536):
        parts.append(data)
    return b"".join(parts)


# ------------------------------------------------------------------------------------------------------ slow heads


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])
def test_a_head_that_never_ends_is_cut(bare: Served, monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    """A client that sends a letter now and then is cut as well: the time runs until the head is complete."""
    monkeypatch.setattr(HeadLimit, "head_seconds", 0.3)
    with closing(connected(bare)) as connection:
        connection.sendall(head or b"G")
        begun = time.monotonic()
        with suppress(OSError):  # a broken pipe or a reset, as the system likes
            while time.monotonic() - begun < PATIENCE:
                connection.sendall(b"a")
                time.sleep(0.1)
        assert time.monotonic() - begun < PATIENCE


def test_the_second_head_of_a_connection_is_cut_as_well(
    bare: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeadLimit, "head_seconds", 0.5)
    with closing(connected(bare)) as connection:
        connection.sendall(b"GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /robots.txt HTTP/1.1\r\nHost")
        begun = time.monotonic()
        answered(connection)
        assert time.monotonic() - begun < PATIENCE


def test_the_time_limit_of_a_head_does_not_apply_to_the_body(
    bare: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is the head's alone: a body comes later, and the answer when it is ready."""
    monkeypatch.setattr(HeadLimit, "head_seconds", 0.3)
    with closing(connected(bare)) as connection:
        size = len(OPEN)
        connection.sendall(
            f"POST /api/v1/check HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {size}\r\n\r\n".encode()
        )
        time.sleep(0.5)
        connection.sendall(OPEN)
        assert answered(connection).startswith(b"HTTP/1.1 200")


# ----------------------------------------------------------------------------------------------------- two lengths


def test_a_request_with_two_lengths_is_refused(bare: Served) -> None:
    for method, path in (("POST", "/api/v1/check"), ("POST", "/check"), ("GET", "/")):
        with closing(connected(bare)) as connection:
            connection.sendall(
                f"{method} {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n".encode()
            )
            answer = answered(connection)
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.count(b"HTTP/1.1 ") == 1, "the connection ends, and nothing behind it is read"


# ----------------------------------------------------------------------------------------------------------- locks


@contextmanager
def held(served: Served, *, whole_file: bool) -> Iterator[None]:
    """Keep a write transaction open, or lock the whole file."""
    with closing(
        sqlite3.connect(served.office.store.engine.url.database or "", isolation_level=None)
    ) as writer:
        if whole_file:
            served.office.store.engine.dispose()
            writer.execute("PRAGMA busy_timeout = 60000")
            writer.execute("PRAGMA locking_mode = EXCLUSIVE")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("CREATE TABLE not_yet (a)")
        yield
        writer.execute("ROLLBACK")


READERS = ("/", "/lists", "/players?q=rossi", "/sign-in", "/check", "/api/v1/lists", "/desk")


def test_readers_do_not_wait_for_a_writer(own: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "NOTE_WAIT_SECONDS", 0)
    client, officer = own.client(), own.client("officer")
    form = {"csrf": proof(client, "/sign-in"), "login": "arbiter", "password": PASSWORD}
    with held(own, whole_file=False):
        for address in READERS:
            begun = time.monotonic()
            answer = officer.get(address)
            assert answer.status_code == 200, address
            assert time.monotonic() - begun < PATIENCE, address
        begun = time.monotonic()
        answer = client.post("/sign-in", data=form)
        assert answer.status_code == 503
        assert "retry-after" in answer.headers
        assert load_words("en").text("site-error.database-away") in answer.text
        assert time.monotonic() - begun < PATIENCE
    assert client.post("/sign-in", data=form).status_code == 303


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let readers and short notes not wait for a lock; writers wait a minute, as always."""
    assert database.READER_WAIT_SECONDS <= database.NOTE_WAIT_SECONDS < PATIENCE < database.WAIT_SECONDS
    monkeypatch.setattr(database, "READER_WAIT_SECONDS", 0)
    monkeypatch.setattr(database, "NOTE_WAIT_SECONDS", 0)


@pytest.mark.usefixtures("no_waiting")  # before the office is opened
def test_a_database_locked_as_a_whole_is_reported_as_away(own: Served) -> None:
    client = own.client()
    form = {"csrf": proof(client, "/sign-in"), "login": "arbiter", "password": PASSWORD}
    with held(own, whole_file=True):
        for address in READERS[:-1]:
            begun = time.monotonic()
            assert client.get(address).status_code in (200, 503), address
            assert time.monotonic() - begun < PATIENCE, address
        begun = time.monotonic()
        assert client.post("/sign-in", data=form).status_code == 503
        assert time.monotonic() - begun < PATIENCE


# ------------------------------------------------------------------------------------------ somebody else's report


def test_the_same_file_from_another_arbiter_shows_nothing_of_the_first(own: Served) -> None:
    desk = replace(own.office, author="tests")
    add_user(desk, "second", "Second", PASSWORD, [Grant(Role.ARBITER)], own_password=True)
    first, second = (
        {"authorization": f"Bearer {issue_token(desk, login, 'club', ['submit'])}"}
        for login in ("arbiter", "second")
    )
    client = own.client()
    address = "/api/v1/reports?name=open.trf"
    sent = client.post(address, content=OPEN, headers=first)
    assert sent.status_code == 201
    assert client.post(address, content=OPEN, headers=first).json()["again"] is True

    for language in LANGUAGES:
        headers = {**second, "accept-language": language}
        answer = client.post(address, content=OPEN, headers=headers)
        assert answer.status_code == 409
        message = load_words(language).text("site-error.sent-by-another")
        assert (answer.json()["code"], answer.json()["detail"]) == ("sent-by-another", message)
    assert client.get("/api/v1/reports", headers=second).json()["reports"] == []

    browser = own.client("second")
    form = {"csrf": proof(browser, "/check")}
    answer = browser.post("/desk/send", data=form, files={"file": ("open.trf", OPEN)})
    assert answer.status_code == 409
    assert "location" not in answer.headers

    officer = own.client("officer")  # who sees every report
    form = {"csrf": proof(officer, "/check")}
    answer = officer.post("/desk/send", data=form, files={"file": ("open.trf", OPEN)})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/desk/reports/{sent.json()['report']}")


# --------------------------------------------------------------------------------------------------------- cookies

ODD = (
    "a", "=", ";;;", "a=b; =c; d", 'a="b', "a=\\", "k\xe9=v", "a b=c", "x[y]=z; {}=1", "a=" + "b" * 5000,
    "arpad_session", "arpad_lang", "arpad_lang=" + "x" * 1001, "arpad_lang=xx", "ARPAD_SESSION=1", "a=\tb",
    "$Version=1", "a=1; a=2",
    "; ".join(f"c{number}=v" for number in range(200)),
)  # fmt: skip


@pytest.mark.parametrize("odd", one_in(4, ODD), ids=lambda odd: odd[:20])
def test_an_odd_foreign_cookie_changes_nothing(served: Served, odd: str) -> None:
    """A visitor gets the same page from the same cache entry, a user stays signed in, the chosen language stays."""
    visitor = served.client()
    session = served_session(served)
    plain = visitor.get("/")
    own_language = visitor.get("/", headers={"cookie": "arpad_lang=it"})
    desk = visitor.get("/desk", headers={"cookie": f"{SESSION_COOKIE}={session}"})
    assert (desk.status_code, own_language.text != plain.text) == (200, True)
    for before, after in ((f"{odd}; ", ""), ("", f"; {odd}")):
        cookie = f"{before}other=1{after}".encode("latin-1")
        with_odd = visitor.get("/", headers={b"cookie": cookie})
        assert (with_odd.status_code, with_odd.text) == (200, plain.text)
        assert with_odd.headers["etag"] == plain.headers["etag"]
        if odd.partition("=")[0] == "arpad_lang" and "=" in odd and len(odd) < 100 and before:
            continue  # a cookie of ours, and the first of two
        italian = visitor.get("/", headers={b"cookie": f"{before}arpad_lang=it{after}".encode("latin-1")})
        assert italian.text == own_language.text
        signed = f"{before}{SESSION_COOKIE}={session}{after}".encode("latin-1")
        assert visitor.get("/desk", headers={b"cookie": signed}).status_code == 200


_sessions: dict[str, str] = {}


def served_session(served: Served) -> str:
    """The token of an officer's session, one for all cookies."""
    if served.address not in _sessions:
        _sessions[served.address] = served.client("officer").cookies[SESSION_COOKIE]
    return _sessions[served.address]


def test_of_two_cookies_of_a_name_the_first_counts(served: Served) -> None:
    session = served_session(served)
    client = served.client()
    first = {"cookie": f"{SESSION_COOKIE}={session}; {SESSION_COOKIE}=guess"}
    second = {"cookie": f"{SESSION_COOKIE}=guess; {SESSION_COOKIE}={session}"}
    assert client.get("/desk", headers=first).status_code == 200
    assert client.get("/desk", headers=second).status_code == 401
