"""The walks of docs/tutorials/walks.md, to the letter and in Italian, in a folder of their own."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from tests.commands import run
from tests.paths import ROOT
from tests.project.followed import follow

PAGE = (ROOT / "docs" / "tutorials" / "walks.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("person", WALKS)
def test_a_walk(
    person: str,
    demo_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for example in (files("arpad") / "examples").iterdir():
        (tmp_path / example.name).write_bytes(example.read_bytes())
    shutil.copytree(demo_folder, tmp_path / "bellariva")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_MESSAGES", "it_IT.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("COLUMNS", "150")

    def output_of(command: str) -> str:
        program, *arguments = shlex.split(command)
        assert program == "arpad"
        _, out, err = run(capsys, *arguments)
        assert "Traceback" not in err
        return out + err

    follow(WALKS[person], tmp_path, lambda commands: [output_of(command) for command in commands])


def test_everybody_walks() -> None:
    assert len(WALKS) == 6
