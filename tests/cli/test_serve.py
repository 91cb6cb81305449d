"""The sockets and secrets with which a server starts."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arpad.cli.serve import _is_loopback, _listening, _look_at_office, _unix_socket
from arpad.explain.words import load_words
from arpad.model.errors import BadInput
from arpad.office.settings.acts import change_settings
from tests.builders.offices import Desk
from tests.commands import refusal


def test_a_socket_is_for_the_user_and_the_group_and_replaces_a_dead_one() -> None:
    with TemporaryDirectory(prefix="arpad-") as folder:  # the path of a socket must be short
        path = Path(folder) / "site.sock"
        _unix_socket(path).close()  # never listened: as a killed server leaves it
        with _unix_socket(path) as listening:
            assert stat.S_IMODE(path.stat().st_mode) == 0o660
            listening.listen()
            with pytest.raises(BadInput, match="socket-not-free"):
                _unix_socket(path)


def test_an_address_takes_visitors_before_the_site_is_loaded() -> None:
    with closing(_listening("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        with closing(socket.create_connection((host, port), timeout=5)):
            pass
        with pytest.raises(BadInput, match="address-not-free"):
            _listening(host, port)


def test_a_file_is_never_replaced_by_a_socket(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "office.txt"
    path.write_text("kept", encoding="utf-8")
    assert "office.txt" in refusal(capsys, "serve", "--socket", str(path), "--lang", "en")
    assert path.read_text(encoding="utf-8") == "kept"


def test_the_office_may_be_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARPAD_DB", "")  # so that what the command sets is unset after the test
    monkeypatch.delenv("ARPAD_DB")
    monkeypatch.setenv("ARPAD_DB_FILE", str(tmp_path / "secret"))
    assert "secret" in refusal(capsys, "office", "lists", "--lang", "en")
    (tmp_path / "secret").write_text(f"{tmp_path}/nowhere.db\n", encoding="utf-8")
    assert "nowhere.db" in refusal(capsys, "office", "lists", "--lang", "en")


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False),  # noqa: S104  an address
        ("::", False), ("192.168.1.5", False), ("ratings.example.org", False),
    ],
)  # fmt: skip
def test_which_addresses_are_of_this_machine_alone(host: str, alone: bool) -> None:
    assert _is_loopback(host) == alone


def test_a_public_site_needs_a_contact(sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    words = load_words("en")
    refused = refusal(capsys, "serve", "--db", sqlite_desk.place, "--host", "0.0.0.0", "--lang", "en")  # noqa: S104  an address
    assert "has no contact; set one: arpad office settings change --set contact=" in refused
    assert "no contact" in refusal(
        capsys, "serve", "--db", sqlite_desk.place, "--socket", "/nowhere/s.sock", "--lang", "en"
    )
    _look_at_office(sqlite_desk.place, "", words, public=False)  # on this machine alone
    change_settings(sqlite_desk.office, set_={"site_address": "http://localhost:8000"})
    _look_at_office(sqlite_desk.place, "", words, public=False)
    change_settings(sqlite_desk.office, set_={"site_address": "https://ratings.example.org"})
    with pytest.raises(BadInput, match="serve-contact"):
        _look_at_office(sqlite_desk.place, "", words, public=False)
    change_settings(sqlite_desk.office, set_={"contact": "ratings@example.org"})
    _look_at_office(sqlite_desk.place, "", words, public=True)


_ENDLESS = """
import sys
from arpad.office.inbox import jobs as report_jobs
from arpad.cli import main

def answer(question):
    while True:
        pass

report_jobs.calculate_norm = answer
sys.argv = ["arpad", "serve", "--port", sys.argv[1], "--workers", "1"]
main()
"""


def test_a_server_that_is_asked_to_end_does_while_a_thread_works() -> None:
    """Python waits at its end for every thread, also for one that never ends."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {key: value for key, value in os.environ.items() if key != "ARPAD_DB"}
    with subprocess.Popen([sys.executable, "-c", _ENDLESS, str(port)], env=environment) as server:
        try:
            with closing(_connected(port)) as visitor:
                query = "title=GM&federation=ITA&game=1:1:GM:2500:FRA"
                visitor.sendall(f"GET /api/v1/calc/norm?{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                visitor.settimeout(2)
                with pytest.raises(TimeoutError):
                    visitor.recv(1)
            server.send_signal(signal.SIGTERM)
            begun = time.monotonic()
            assert server.wait(60) == 0
            assert time.monotonic() - begun < 40
        finally:
            server.kill()


def _connected(port: int) -> socket.socket:
    """Return a connection to a server that has just been started."""
    for _ in range(300):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except OSError:
            time.sleep(0.1)
    raise AssertionError("no server")
