"""The stages of a benchmark: each runs in a process of its own and returns its times and its peak memory.

A process of its own shows how much memory a stage takes. A script with stages is called for one of them as
``SCRIPT --stage NAME FOLDER [ARGUMENT …]``.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sizes import is_tiny

OPTION = "--stage"
Figures = dict[str, Any]
Stages = Mapping[str, Callable[..., Figures]]


def run_stage(stages: Stages, name: str, folder: Path, *arguments: str) -> Figures:
    """Run a stage in a process of its own, or in this one if nothing is measured."""
    if is_tiny():
        return measure(stages[name], folder, *arguments)
    script = sys.modules[stages[name].__module__].__file__ or ""
    command = [sys.executable, script, OPTION, name, str(folder), *arguments]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  our own script
    figures: Figures = json.loads(run.stdout.strip().splitlines()[-1])
    print(name, json.dumps(figures), file=sys.stderr, flush=True)
    return figures


def is_stage() -> bool:
    """Return whether this process was started for one stage."""
    return sys.argv[1:2] == [OPTION]


def run_here(stages: Stages) -> None:
    """Run the stage that this process was started for; print what it did, its times and its peak memory."""
    name, folder, *arguments = sys.argv[2:]
    print(json.dumps(measure(stages[name], Path(folder), *arguments)))


def measure(stage: Callable[..., Figures], folder: Path, *arguments: str) -> Figures:
    """Return what a stage did, its times and its peak memory, with those of the processes that it started."""
    start, worked = time.perf_counter(), _processor_seconds()
    figures = stage(folder, *arguments)
    figures["seconds"] = round(time.perf_counter() - start, 6)
    figures["processor_s"] = round(_processor_seconds() - worked, 6)
    own, most = (
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    figures["peak_mib"] = round(own / 1024)
    if most:
        figures["peak_child_mib"] = round(most / 1024)
    return figures


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
