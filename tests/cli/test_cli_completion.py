"""Shell completion: verbs, subcommands and options, although only the verb that is asked for is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arpad import cli
from arpad.cli.program import VERBS


def completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, line: str
) -> str:
    words = line.split(" ")
    monkeypatch.setenv("_ARPAD_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setattr(sys, "argv", ["arpad"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code in (0, None)
    return capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("line", "offered"),
    [("arpad off", "office"), ("arpad office import", "import-list"), ("arpad rate --ht", "--html"),
     ("arpad rubele board --disc", "--discipline"), ("arpad calc change --ra", "--rating")],
)  # fmt: skip
def test_what_was_begun_is_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str, line: str, offered: str
) -> None:
    assert offered in completed(monkeypatch, capsys, shell, line)


def test_every_verb_is_offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert completed(monkeypatch, capsys, "bash", "arpad ").split() == list(VERBS)


def test_completing_a_verb_loads_no_other() -> None:
    program = (
        "import os, sys; os.environ |= {'_ARPAD_COMPLETE': 'complete_bash', 'COMP_CWORD': '2',\n"
        "    'COMP_WORDS': 'arpad calc ch'}\n"
        "sys.argv = ['arpad']\nfrom arpad import cli\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('arpad.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    offered, loaded = done.stdout.splitlines()
    assert offered == "change"
    assert not any(f"arpad.cli.{module}'" in loaded for module, _ in VERBS.values() if module != "calc")
