"""Run the commands of a page's block one after the other in one process: ``python -m tests.project.command_block``.

Standard input has the commands as a JSON list; standard output gets the list of what they print. Starting Python and
loading Arpad takes longer than most of the commands.
"""

import io
import json
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress

import pytest

from arpad import cli


def output_of(command: str) -> str:
    """Return what ``arpad``, ``pytest`` or another program prints."""
    program, *arguments = shlex.split(command)
    if program not in {"arpad", "pytest"}:
        executable = sys.executable if program == "python" else program
        completed = subprocess.run([executable, *arguments], capture_output=True, text=True, check=False)
        return completed.stdout + completed.stderr
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        if program == "pytest":
            pytest.main(["-p", "no:cacheprovider", *arguments])
        else:
            sys.argv = [program, *arguments]
            with suppress(SystemExit):
                cli.main()
    return printed.getvalue()


if __name__ == "__main__":
    outputs = [output_of(command) for command in json.load(sys.stdin)]
    json.dump(outputs, sys.stdout)
