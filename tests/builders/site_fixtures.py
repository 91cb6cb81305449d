"""A real server on a copy of the demo office."""

from __future__ import annotations

import functools
import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import httpx
import pytest
import uvicorn
from litestar import Litestar

from arpad.office.accounts.sessions import sign_in
from arpad.office.office import Office, open_office
from arpad.office.users import Grant, Role, user_of_session
from arpad.web import cache
from arpad.web.api.limits import Counting
from arpad.web.app import create, wrapped
from arpad.web.cache import FragmentCache
from arpad.web.cookies import SESSION_COOKIE
from arpad.web.middleware import Middleware
from arpad.web.path_prefix import Prefixed
from arpad.web.server import HeadLimit
from tests.builders.users import add_user
from tests.paths import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
    opened: Office | None
    clients: list[httpx.Client] = field(default_factory=list)
    """Closed at the end."""

    tokens: Mapping[str, str] = field(default_factory=dict)
    """The token of an open session by login: checking a password takes long."""

    @property
    def office(self) -> Office:
        """Return the office; a site without one has none."""
        assert self.opened is not None
        return self.opened

    def client(self, login: str = "", language: str = "en", *, new_session: bool = False) -> httpx.Client:
        """Return an HTTP client, signed in if a login is given."""
        client = httpx.Client(
            base_url=self.address,
            headers={"accept-language": language},
            timeout=1800,
            verify=False,  # noqa: S501  plain HTTP: to load certificates takes longer than most tests
        )
        self.clients.append(client)
        if login and not new_session and self._is_open(self.tokens.get(login, "")):
            client.cookies.set(SESSION_COOKIE, self.tokens[login], domain="127.0.0.1", path="/")
        elif login:
            answer = client.post(
                "/sign-in", data={"csrf": proof(client, "/sign-in"), "login": login, "password": PASSWORD}
            )
            assert answer.status_code == 303, answer.text
        return client

    def _is_open(self, token: str) -> bool:
        return bool(token) and self.opened is not None and user_of_session(self.opened, token) is not None


def proof(client: httpx.Client, page: str) -> str:
    """The hidden field of a page's form."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', client.get(page).text)
    assert found is not None, page
    return found[1]


SETTINGS = "/desk/acts/settings/change"
"""Where the form of the settings is sent."""


def settings_form(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form of the settings with these values; its proof and its reason keep their names."""
    own = {name: values[name] for name in ("csrf", "reason") if name in values}
    return {"from": "/admin", **own} | {f"set.{name}": it for name, it in values.items() if name not in own}


def compact(html: str) -> str:
    """Return HTML without whitespace before and after tags, and with single spaces elsewhere."""
    return re.sub(r" (?=<)|(?<=>) ", "", re.sub(r"\s+", " ", html))


@contextmanager
def serving(
    office: Office | None,
    *,
    most_a_minute: int = 100_000,
    most_costly: int = 100_000,
    tokens: Mapping[str, str] | None = None,
    prefix: str = "",
) -> Iterator[Served]:
    """Serve the site on a free port, in a thread; the files it caches are of this server alone."""
    with (
        TemporaryDirectory(prefix="arpad-files-") as files,
        patch.object(cache, "cache_folder", lambda: Path(files)),
        _application(office, most_a_minute, most_costly) as application,
        _serving(Prefixed(application, prefix)) as address,
    ):
        running = Served(address + prefix, office, tokens=tokens or {})
        try:
            yield running
        finally:
            for client in running.clients:
                client.close()
    if office is not None:
        office.store.engine.dispose()


_idle: list[Litestar] = []
"""Applications that no server uses: building one takes longer than most tests."""


@contextmanager
def _application(office: Office | None, most_a_minute: int, most_costly: int) -> Iterator[Middleware]:
    application = _idle.pop() if _idle else create()
    application.state.update(
        {
            "office": office,
            "settings": None,
            "counting": Counting(),
            "texts": FragmentCache(),
            "most": most_a_minute,
            "most_costly": most_costly,
        }
    )
    yield wrapped(application)
    _idle.append(application)


@contextmanager
def _serving(application: Prefixed) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(
        application, host="127.0.0.1", port=port, log_level="critical", access_log=False, http=HeadLimit
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while thread.is_alive() and not server.started:
        time.sleep(0.01)
    assert server.started
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)


def copied(demo: Path, folder: Path) -> Office:
    """Return a copy of the demo office, with one login for each role."""
    path = folder / "office.db"
    shutil.copy(_staffed(demo)[0], path)
    shutil.copy(demo / "office.db.signing-key", folder)
    return open_office(str(path), now=january, author="")


@functools.cache
def _staffed(demo: Path) -> tuple[Path, Mapping[str, str]]:
    """Return the demo with its logins, and the token of an open session of each: both are made once."""
    folder = Path(mkdtemp(prefix="staffed-", dir=demo.parent))
    path = folder / "office.db"
    shutil.copy(demo / "office.db", path)
    shutil.copy(demo / "office.db.signing-key", folder)
    office = open_office(str(path), now=january, author="tests")
    for login, grants in PEOPLE.items():
        add_user(office, login, login.capitalize(), PASSWORD, grants, own_password=True)
    tokens = {login: sign_in(office, login, PASSWORD, "127.0.0.1") for login in PEOPLE}
    office.close()
    return path, tokens


def serving_copy(demo: Path, folder: Path, prefix: str = "") -> AbstractContextManager[Served]:
    """Serve a copy of the demo office; its clients need no password."""
    return serving(copied(demo, folder), tokens=_staffed(demo)[1], prefix=prefix)


def serving_again(office: Path, demo: Path, folder: Path) -> AbstractContextManager[Served]:
    """Serve a copy of the folder of an office that began as a copy of the demo."""
    shutil.copytree(office, folder)
    return serving(open_office(str(folder / "office.db"), now=january, author=""), tokens=_staffed(demo)[1])


@pytest.fixture(scope="session")
def served(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo office, for tests that leave it as it is."""
    with serving_copy(demo_folder, tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def own(demo_folder: Path, tmp_path: Path) -> Iterator[Served]:
    """A demo office that a test may change."""
    with serving_copy(demo_folder, tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def bare() -> Iterator[Served]:
    """The site without any office."""
    with serving(None) as running:
        yield running


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser for the tests of a module; while it runs, its thread can run no other event loop."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        if os.environ.get("ARPAD_REQUIRE_ALL") == "1":
            pytest.fail("chromium is not installed")
        pytest.skip("chromium is not installed")
    with sync_playwright() as running:
        # as root Chromium refuses its sandbox; it sees nothing but our own pages
        opened = running.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield opened
        opened.close()
