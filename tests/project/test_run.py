"""``make run``: about twenty lines for a terminal of 80 columns, and a federation that can be served."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tools import run_example


def test_it_does_the_main_job_on_one_screen(
    demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With a copy of the demo of the other tests: tests/demo builds one, and `make run` takes the same command."""
    answer = run_example._answer

    def answer_with_copy(*command: str) -> Mapping[str, Any]:
        if command[0] != "demo":
            return answer(*command)
        assert command == ("demo", str(tmp_path / "bellariva"), "--db", str(tmp_path / "office.db"))
        shutil.copytree(demo_folder / "lists", tmp_path / "bellariva" / "lists")
        for name in ("office.db", "office.db.signing-key"):
            shutil.copy(demo_folder / name, tmp_path)
        built: Mapping[str, Any] = json.loads((demo_folder.parent / "demo.json").read_text(encoding="utf-8"))
        return built

    monkeypatch.setattr(run_example, "FOLDER", tmp_path)
    monkeypatch.setattr(run_example, "DATABASE", tmp_path / "office.db")
    monkeypatch.setattr(run_example, "_answer", answer_with_copy)
    monkeypatch.setenv("SERVE", "0")

    assert run_example.main() == 0
    printed = capfd.readouterr()

    assert printed.err == ""
    lines = printed.out.splitlines()
    assert len(lines) <= 26
    assert max(map(len, lines)) <= 80
    for words in (
        "Quaglia, Teodoro 1953 → 2000",
        "82 published lists",
        "the same bytes again",
        "sign in as officer",
        "Start the site: .venv/bin/arpad serve --db build/demo/office.db",
    ):
        assert words in printed.out
