"""A real server on a copy of the demo office."""

from __future__ import annotations

import functools
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from unittest.mock import patch

import httpx
import pytest
import uvicorn

from arpad.accounts import Grant, Role, add_user
from arpad.office.office import Office, open_office
from arpad.web import cache
from arpad.web.app import site
from arpad.web.server import HeadLimit
from tests.paths import EXAMPLES

OPEN = (EXAMPLES / "open.trf").read_bytes()
PASSWORD = "correct horse battery"  # noqa: S105  of people who never were
PEOPLE = {
    "arbiter": [Grant(Role.ARBITER)],
    "officer": [Grant(Role.OFFICER)],
    "bound": [Grant(Role.OFFICER, "FRA")],
    "administrator": [Grant(Role.ADMINISTRATOR)],
}


def january() -> datetime:
    return datetime(2025, 1, 15, 9, tzinfo=UTC)


@dataclass
class Served:
    """A running site."""

    address: str
    office: Office | None
    clients: list[httpx.Client] = field(default_factory=list)
    """Held until the end, then closed."""

    def client(self, login: str = "", language: str = "en") -> httpx.Client:
        """A browser of sorts, signed in where a login is given."""
        made = httpx.Client(base_url=self.address, headers={"accept-language": language}, timeout=1800)
        self.clients.append(made)
        if login:
            answer = made.post(
                "/sign-in", data={"csrf": proof(made, "/sign-in"), "login": login, "password": PASSWORD}
            )
            assert answer.status_code == 303, answer.text
        return made


def proof(client: httpx.Client, page: str) -> str:
    """The hidden field of a page's form."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', client.get(page).text)
    assert found is not None, page
    return found[1]


@contextmanager
def serving(
    office: Office | None, *, most_a_minute: int = 100_000, most_costly: int = 100_000
) -> Iterator[Served]:
    """The site on a free port, in a thread; the files it keeps are of this run alone."""
    with (
        TemporaryDirectory(prefix="arpad-files-") as files,
        patch.object(cache, "_folder", lambda: Path(files)),
        _serving(office, most_a_minute, most_costly) as running,
    ):
        yield running


@contextmanager
def _serving(office: Office | None, most_a_minute: int, most_costly: int) -> Iterator[Served]:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    config = uvicorn.Config(
        site(office, most_a_minute=most_a_minute, most_costly=most_costly),
        host="127.0.0.1",
        port=port,
        log_level="critical",
        access_log=False,
        http=HeadLimit,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while thread.is_alive() and not server.started:
        time.sleep(0.05)
    assert server.started
    running = Served(f"http://127.0.0.1:{port}", office)
    try:
        yield running
    finally:
        for client in running.clients:
            client.close()
        server.should_exit = True
        thread.join(20)
        if office is not None:
            office.store.engine.dispose()


def copied(demo: Path, folder: Path) -> Office:
    """An office of one's own, with one login for each role."""
    place = folder / "office.db"
    shutil.copy(_staffed(demo), place)
    return open_office(str(place), now=january, author="")


@functools.cache
def _staffed(demo: Path) -> Path:
    """The demo with its logins, made once: a password takes its time."""
    folder = Path(mkdtemp(prefix="staffed-", dir=demo.parent))
    place = folder / "office.db"
    shutil.copy(demo / "office.db", place)
    office = open_office(str(place), now=january, author="tests")
    for login, grants in PEOPLE.items():
        add_user(office, login, login.capitalize(), PASSWORD, grants, own_password=True)
    office.close()
    return place


@pytest.fixture(scope="session")
def served(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo office, for tests that leave it as it is."""
    with serving(copied(demo_folder, tmp_path_factory.mktemp("served"))) as running:
        yield running


@pytest.fixture
def own(demo_folder: Path, tmp_path: Path) -> Iterator[Served]:
    """A demo office that a test may change."""
    with serving(copied(demo_folder, tmp_path)) as running:
        yield running


@pytest.fixture(scope="session")
def bare() -> Iterator[Served]:
    """The site without any office."""
    with serving(None) as running:
        yield running
