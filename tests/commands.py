"""Running commands inside the test process: quick, and with the same main() a user starts."""

import json
import sys
from typing import Any

import pytest

from arpad import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """A command's exit status, stdout and stderr; the first argument may be several words."""
    before = sys.argv
    sys.argv = ["arpad", *" ".join(arguments[:1]).split(), *arguments[1:]]
    try:
        with pytest.raises(SystemExit) as stopped:
            cli.main()
    finally:
        sys.argv = before
    captured = capsys.readouterr()
    code = stopped.value.code
    return code if isinstance(code, int) else 0, captured.out, captured.err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON document of a command that must succeed."""
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (0, ""), err
    document: dict[str, Any] = json.loads(out)
    return document


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence with which a command refuses its arguments: status 2, stdout empty."""
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, ""), out
    assert err.startswith("arpad: ")
    assert err.count("\n") == 1, err
    return err.removeprefix("arpad: ").strip()
