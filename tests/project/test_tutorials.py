"""The tutorials of players, arbiters and federations, followed to the letter in their languages."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

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


def follow_in(language: str, text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Do what a text says, with a terminal in its language."""

    def output_of(command: str) -> str:
        program, *arguments = shlex.split(command)
        assert program == "arpad"
        _, out, err = run(capsys, *arguments)
        assert "Traceback" not in err
        return out + err

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_MESSAGES", LOCALES[language])
        follow(text, folder, lambda commands: [output_of(command) for command in commands])


@pytest.mark.parametrize(
    ("person", "language"),
    one_in(4, [(person, language) for person in ("player", "arbiter", "federation") for language in LOCALES]),
)
def test_a_tutorial(person: str, language: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    follow_in(language, (TUTORIALS / f"{person}.{language}.md").read_text(encoding="utf-8"), folder, capsys)


def test_the_office_for_ireland(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It takes the packaged files from the command that copies them, as a reader does."""
    text = (TUTORIALS / "ireland.md").read_text(encoding="utf-8")
    follow_in("en", text, folder, capsys)
    rows = (folder / "lists" / "standard-2024-10-01-r1.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) == 13, "eight players of the first list and four newcomers"
    assert (folder / "lists" / "standard-2024-10-01-r1.en.pdf").exists()
