"""The wheel in an empty environment outside the repository: it is complete, and uninstalling removes all of it."""

import os
import re
import shutil
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
        (folder,) = (self.folder / "lib").glob("python*/site-packages")
        return folder

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
    (path,) = folder.glob("arpad-*.whl")
    return path


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("empty") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    installed = Environment(folder)
    installed.pip("install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (installed.packages / DEPENDENCIES).write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return installed


def test_the_wheel_contains_all_files_read_at_run_time_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        r"arpad/explain/messages/it/.+\.toml", r"arpad/web/templates/.+\.html", r"arpad/web/static/.+\.css",
        r"arpad/office/clubs/words/it\.toml", r"arpad/office/clubs/templates/clubs\.html",
        r"arpad/store/migrations/versions/0001_.+\.py", r"arpad/web/guides/player\.it\.md",
        r"arpad/examples/open\.trf", r"arpad/py\.typed", r"arpad/store/migrations/fingerprints\.txt",
        r"arpad/deploy/requirements\.txt", r"arpad/deploy/systemd/arpad\.service",
    ):  # fmt: skip
        assert any(re.fullmatch(needed, name) for name in names), needed
    assert [name for name in names if not name.startswith(("arpad/", "arpad-"))] == []
    assert [name for name in names if "test" in name or name.endswith((".pyc", ".db"))] == []


@pytest.mark.deep
def test_the_installed_program_works_and_uninstalling_removes_everything(
    environment: Environment, demo_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "bellariva").mkdir()
    shutil.copy(demo_folder / "office.db", tmp_path / "bellariva")
    for command in (
        "--help",
        "office init --db new.db --federation ITA --author anna",
        "office verify --quick --db bellariva/office.db",
    ):
        completed = environment.run(*command.split(), cwd=tmp_path)
        assert (completed.returncode, completed.stderr) == (0, ""), command
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
    """Serve the site by the command; SIGTERM must end it with status 0."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
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
    """Return the address once the server answers there."""
    while True:
        try:
            fetched(f"{address}/robots.txt")
        except (URLError, ConnectionError):
            assert process.poll() is None
            time.sleep(0.2)
        else:
            return address
