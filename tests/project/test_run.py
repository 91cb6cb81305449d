"""``make run``: about twenty lines for a terminal of 80 columns, and a federation that can be served."""

from __future__ import annotations

import subprocess
import sys

from tests.paths import ROOT


def test_it_does_the_main_job_on_one_screen() -> None:
    run = subprocess.run(
        [sys.executable, "tools/run_example.py"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    lines = run.stdout.splitlines()
    assert len(lines) <= 26
    assert max(map(len, lines)) <= 80
    for words in (
        "Quaglia, Teodoro 1953 → 2000",
        "82 published lists",
        "the same bytes again",
        "sign in as officer",
        "Start the site: .venv/bin/arpad serve --db build/demo/office.db",
    ):
        assert words in run.stdout
    assert (ROOT / "build" / "demo" / "office.db").exists()
