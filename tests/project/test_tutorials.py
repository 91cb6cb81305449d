"""The tutorials of arbiters and federations, followed to the letter in their languages."""

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from types import MappingProxyType

import pytest

from arpad.office.office import open_office
from tests.builders.site_fixtures import PASSWORD, serving
from tests.commands import run
from tests.paths import EXAMPLES, ROOT
from tests.project.followed import follow
from tests.thinning import one_in

TUTORIALS = ROOT / "docs" / "tutorials"
LOCALES = {"en": "en_GB.UTF-8", "it": "it_IT.UTF-8"}


@pytest.fixture
def folder(demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples of the package and the demonstration federation."""
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    shutil.copytree(demo_folder, tmp_path / "bellariva")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("COLUMNS", "150")
    return tmp_path


def follow_in(
    language: str,
    text: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    asking: Mapping[str, Callable[[], str]] = MappingProxyType({}),
) -> None:
    """Do what a text says, with a terminal in its language; ``asking`` answers the commands that ask."""

    def output_of(command: str) -> str:
        if command in asking:
            return asking[command]()
        program, *arguments = shlex.split(command)
        assert program == "arpad"
        _, out, err = run(capsys, *arguments)
        assert "Traceback" not in err
        return out + err

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_MESSAGES", LOCALES[language])
        follow(text, folder, lambda commands: [output_of(command) for command in commands])


@pytest.mark.parametrize("language", one_in(2, LOCALES))
def test_an_arbiter(language: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    follow_in(language, (TUTORIALS / f"arbiter.{language}.md").read_text(encoding="utf-8"), folder, capsys)


QUESTION = re.compile(r"^\| (?P<question>[^|]+?) \| (?P<answer>[^|]+?) \|$", re.MULTILINE)
"""A row of the table of answers; an answer in parentheses is not typed as it is written."""


def guided_init(page: str, folder: Path, language: str) -> str:
    """Make an office on a terminal with the answers of a page; return what was printed."""
    terminal, inside = pty.openpty()
    env = {**os.environ, "LC_MESSAGES": LOCALES[language]}
    command = [sys.executable, "-m", "arpad", "office", "init"]
    asking = subprocess.Popen(command, cwd=folder, env=env, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    printed = ""
    _, *rows = QUESTION.findall(page)
    for question, answer in rows:
        asked = ""
        while not asked.endswith(": "):
            asked += os.read(terminal, 4096).decode()
        assert question in asked
        typed = "" if answer in {"(Enter)", "(Invio)"} else PASSWORD if answer.startswith("(") else answer
        os.write(terminal, f"{typed}\n".encode())
        printed += asked
    with suppress(OSError):  # the terminal of a process that has ended
        while rest := os.read(terminal, 4096).decode():
            printed += rest
    assert asking.wait() == 0, printed
    os.close(terminal)
    return printed


@pytest.mark.parametrize("language", LOCALES)
def test_a_small_federation(language: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The questions of the guided set-up are answered as the page says, and its four pages are there."""
    page = (TUTORIALS / f"small.{language}.md").read_text(encoding="utf-8")
    follow_in(
        language, page, folder, capsys, {"arpad office init": lambda: guided_init(page, folder, language)}
    )
    with closing(open_office(str(folder / "office.db"))) as office, serving(office) as site:
        client = site.client("anna")
        for address in ("/check", "/desk", "/desk/lists", "/players/3"):
            assert client.get(address).status_code == 200, address


def test_the_office_for_ireland(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It takes the packaged files from the command that copies them, as a reader does."""
    text = (TUTORIALS / "ireland.md").read_text(encoding="utf-8")
    follow_in("en", text, folder, capsys)
    rows = (folder / "lists" / "standard-2024-10-01-r1.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == 13, "eight players of the first list and four newcomers"
    assert (folder / "lists" / "standard-2024-10-01-r1.en.pdf").exists()


def test_a_list_of_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    follow_in("en", (TUTORIALS / "own-list.md").read_text(encoding="utf-8"), folder, capsys)
    rows = (folder / "lists" / "ireland-2024-10-01-r1.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 11, "six players of the first list and four newcomers"
    assert '9,"Halpin, Ronan",,1999,1900,1900/6,6,6,' in rows[7]
