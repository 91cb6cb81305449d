"""Run the benchmarks, write their figures to build/benchmarks.json, and end with one line: each ratio beside its goal.

    python benchmarks/run.py [--quick] [--only month,verify]

Each benchmark is a script of its own that measures Arpad and its floor in the same run and ends with one JSON object;
here is only which of its figures docs/explanation/performance.md is about, and the goal of each: the value should not
be above it.
The last line is one JSON object: {"month": {"value": 2.9, "goal": 3}, …, "missed": […]}. A missed goal does not fail
the run, since another machine or a busy one may miss it; a script that fails is named, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
QUICK = "--quick"
BUILD = HERE.parent / "build"
RESULTS = BUILD / "benchmarks.json"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a script, or one divided by another, and its goal."""

    name: str
    goal: float | None = None
    by: str = ""
    """The figure that it is divided by."""

    def value(self, figures: Mapping[str, Any]) -> float | None:
        """Return the figure; None if the script did not measure it."""
        value = figures.get(self.name)
        return value if value is None or not self.by else float(round(value / figures[self.by], 3))


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A script and its figures by the name that they go by."""

    script: str
    figures: Mapping[str, Figure]
    minutes: bool = False
    """Whether it takes minutes also with --quick: then it is left out."""

    needs: str = ""
    """What it may lack to measure its figures, which are null then."""

    full: tuple[str, ...] = ()
    """More arguments of a run in full."""


def named(**goals: float | None) -> dict[str, Figure]:
    """Return figures that go by the name that the script gives them."""
    return {name: Figure(name, goal) for name, goal in goals.items()}


YEARS = ("--keep", str(BUILD / "years"))
"""The office with many years is built once: verification and the player's page share it."""

PARSE = {
    "parse": Figure("fully_checked_ms", 3, by="bare_floor_ms"),
    "read": Figure("arpad_ms", by="bare_floor_ms"),
}
MATCHING = named(matching_s=3, not_first=3, not_in_five=0, wrong_certain=0)
IMPORT = {"import": Figure("import", 3), "import_again": Figure("again", 3)}
VERIFY = {**named(verify_s=30), "verify_digests": Figure("digests")}
SYSTEMS = named(
    dwz_ms=3, icu_ms=3, uschess_ms=4, glicko2_ms=None, dwz_month_s=3, icu_month_s=3, uschess_month_s=None
)
"""Milliseconds an event of fifty games (at 3, 20,000 events with a million games take a minute), and seconds for a late
event of the last month."""

BENCHMARKS = (
    Benchmark("engine.py", named(engine=1.5)),
    Benchmark("parse.py", PARSE),
    Benchmark("period.py", {}),
    Benchmark("replay.py", named(replay=None)),
    Benchmark("norms.py", {"norms": Figure("ratio", 2)}),
    Benchmark("matching.py", MATCHING, needs="the shared data"),
    Benchmark("draughts.py", {}),
    Benchmark("peers.py", {}),
    Benchmark("systems.py", SYSTEMS),
    Benchmark("start.py", named(start_s=0.5)),
    Benchmark("site.py", named(site=1, site_cold=None), minutes=True, needs="Datasette"),
    Benchmark("month.py", named(submit=None, draft=None, publish=None, month=4, peak_mib=1536)),
    Benchmark("federation.py", named(federation_s=4, federation=None, postgres_s=None), needs="PostgreSQL"),
    Benchmark("import_list.py", IMPORT),
    Benchmark("reference.py", named(reference=3, reference_peak_mib=1024)),
    Benchmark("verify.py", VERIFY, full=YEARS),
    Benchmark("player_page.py", named(page_p99_ms=50, page=1.1), minutes=True, full=YEARS),
    Benchmark("running_page.py", named(running_p99_ms=50, running_errors=0)),
    Benchmark("live.py", named(accepted_to_live_s=1, live_s=1, live=None)),
    Benchmark("office_world.py", named(explain_ms=100, bundle=None), minutes=True),
    Benchmark("growth.py", {}, minutes=True),
)


def run_script(benchmark: Benchmark, *arguments: str) -> dict[str, Any]:
    """Return the figures of a script; an empty dictionary if it failed."""
    print(f"{benchmark.script} …", file=sys.stderr, flush=True)
    run = subprocess.run(  # noqa: S603  our own scripts
        [sys.executable, str(HERE / benchmark.script), *arguments],
        stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    lines = run.stdout.strip().splitlines()
    if run.returncode or not lines:
        print(f"{benchmark.script} ended with status {run.returncode}", file=sys.stderr)
        return {}
    figures: dict[str, Any] = json.loads(lines[-1])
    return figures


def summary(results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the value of each figure beside its goal, and the names of those above their goals."""
    values: dict[str, Any] = {}
    missed = []
    for benchmark in BENCHMARKS:
        for name, figure in benchmark.figures.items():
            value = figure.value(results.get(benchmark.script, {}))
            if value is None:
                continue
            values[name] = {"value": value} | ({} if figure.goal is None else {"goal": figure.goal})
            if figure.goal is not None and value > figure.goal:
                missed.append(name)
    return {**values, "missed": missed}


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Arpad against its floors.")
    parser.add_argument(QUICK, action="store_true", help="smaller sizes, in about a minute")
    parser.add_argument("--only", default="", metavar="SCRIPTS", help="as month,verify; default: all")
    given = parser.parse_args()
    wanted = {f"{name}.py" for name in given.only.split(",") if name}
    begun, results, failed = time.perf_counter(), {}, False
    for benchmark in BENCHMARKS:
        if wanted and benchmark.script not in wanted:
            continue
        if given.quick and benchmark.minutes:
            continue
        figures = run_script(benchmark, *((QUICK,) if given.quick else benchmark.full))
        failed |= not figures
        results[benchmark.script] = figures
    record = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "quick": given.quick,
        "seconds": round(time.perf_counter() - begun, 1),
        "ratios": summary(results),
        "figures": {script.removesuffix(".py"): figures for script, figures in results.items()},
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    for script, figures in record["figures"].items():
        print(script, json.dumps(figures))
    print(json.dumps(record["ratios"]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
