"""The wheel in an empty environment outside the repository: everything is inside, and nothing stays behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

import pytest

from tests.paths import ROOT

DEPENDENCIES = "dependencies.pth"


@dataclass(frozen=True)
class Environment:
    """An environment with Arpad from its wheel; its dependencies are those of the tests."""

    folder: Path

    def run(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.folder / "bin" / "arpad"), *words],
            cwd=cwd, capture_output=True, text=True, check=False, env=self.variables(cwd),
        )  # fmt: skip

    @staticmethod
    def variables(home: Path) -> dict[str, str]:
        return {"HOME": str(home), "PATH": os.defpath, "LANG": "C"}

    @property
    def packages(self) -> Path:
        (found,) = (self.folder / "lib").glob("python*/site-packages")
        return found

    def pip(self, *words: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(self.folder / "bin" / "python"), *words]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""}
        )
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("arpad-*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("empty") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    made = Environment(folder)
    made.pip("install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (made.packages / DEPENDENCIES).write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return made


def test_the_wheel_holds_what_is_read_at_run_time_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        r"arpad/explain/messages/it/.+\.toml", r"arpad/web/templates/.+\.html", r"arpad/web/static/.+\.css",
        r"arpad/store/migrations/versions/0001_.+\.py", r"arpad/web/guides/guide-player\.it\.md",
        r"arpad/examples/open\.trf", r"arpad/py\.typed",
    ):  # fmt: skip
        assert any(re.fullmatch(needed, name) for name in names), needed
    assert [name for name in names if not name.startswith(("arpad/", "arpad-"))] == []
    assert [name for name in names if "test" in name or name.endswith((".pyc", ".db"))] == []


def test_it_works_there_and_nothing_stays_behind(environment: Environment, tmp_path: Path) -> None:
    helped = environment.run("--help", cwd=tmp_path)
    assert (helped.returncode, helped.stderr) == (0, "")
    made = environment.run("demo", "bellariva", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    verified = environment.run("office", "verify", "--quick", "--db", "bellariva/office.db", cwd=tmp_path)
    assert (verified.returncode, verified.stderr) == (0, "")
    with serving(environment, tmp_path) as address:
        front = fetched(f"{address}/?lang=it")
        assert '<html lang="it"' in front
        styles = re.search(r'href="(/static/[^"]+\.css[^"]*)"', front)
        assert styles is not None
        assert "{" in fetched(address + styles[1])
        assert "<table" in fetched(f"{address}/lists/standard")
        assert "<h1" in fetched(f"{address}/guides/player")

    (environment.packages / DEPENDENCIES).unlink()
    environment.pip("uninstall", "--quiet", "--yes", "arpad")

    assert [str(path) for path in environment.folder.rglob("*arpad*")] == []


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=1800) as answer:
        text: str = answer.read().decode()
    return text


@contextmanager
def serving(environment: Environment, folder: Path) -> Iterator[str]:
    """The site, started by the command; asked to end it must end well."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = str(found.getsockname()[1])
    command = [
        str(environment.folder / "bin" / "arpad"),
        "serve",
        "--db",
        "bellariva/office.db",
        "--port",
        port,
    ]
    process = subprocess.Popen(command, cwd=folder, env=environment.variables(folder))
    try:
        yield answering(f"http://127.0.0.1:{port}", process)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(1800) == 0


def answering(address: str, process: subprocess.Popen[bytes]) -> str:
    """The address, once somebody answers there."""
    while True:
        try:
            fetched(f"{address}/robots.txt")
        except (URLError, ConnectionError):
            assert process.poll() is None
            time.sleep(0.2)
        else:
            return address
