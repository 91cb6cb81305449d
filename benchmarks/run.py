"""Run the benchmarks, write what they found to build/benchmarks.json, and end with one line of ratios to the floors.

    python benchmarks/run.py [--quick]

Each benchmark is a script of its own that measures Arpad and its floor in the same run and ends with one JSON object;
here is only which of its figures is the ratio that docs/performance.md speaks of. A script that is not there, or that
fails, is said and left out; the exit status is then 1.
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
RESULTS = HERE.parent / "build" / "benchmarks.json"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A script, its arguments in full and in short, and its ratios by the name that they go by."""

    script: str
    full: tuple[str, ...]
    quick: tuple[str, ...] | None
    """None where it cannot be had in seconds."""

    ratios: Mapping[str, tuple[str, str] | str]
    """A figure of the script, or two of which the first is divided by the second."""


BENCHMARKS = (
    Benchmark("engine.py", ("1000000", "500000", "25"), ("1000000", "500000", "9"), {"engine": "engine"}),
    Benchmark(
        "parse.py",
        ("1000", "11", "1000000"),
        ("1000", "11", "0"),
        {"parse": ("fully_checked_ms", "bare_floor_ms"), "read": ("arpad_ms", "bare_floor_ms")},
    ),
    Benchmark("period.py", ("0.1",), ("0.01",), {}),
    Benchmark("replay.py", ("20000000",), ("2000000",), {"replay": "replay"}),
    Benchmark("cluster.py", (), None, {"cluster": "cluster"}),
    Benchmark("draughts.py", (), ("40", "500"), {}),
    Benchmark("peers.py", (), ("200000", "100000"), {}),
    Benchmark("site.py", (), None, {"site": "site", "site_cold": "site_cold"}),
    Benchmark("month.py", (), ("--quick",), {"submit": "submit", "close": "close", "month": "month"}),
    Benchmark("import_list.py", (), ("--quick",), {"import": "import", "import_again": "again"}),
    Benchmark("office_world.py", (), None, {"explain_ms": "explain_ms", "bundle": "bundle"}),
    Benchmark("growth.py", (), None, {}),
)


def ran(benchmark: Benchmark, *, quick: bool) -> dict[str, Any] | None:
    """What a script found, or nothing."""
    script = HERE / benchmark.script
    arguments = benchmark.quick if quick else benchmark.full
    if not script.is_file() or arguments is None:
        return None
    print(f"{benchmark.script} …", file=sys.stderr, flush=True)
    run = subprocess.run(  # noqa: S603  our own scripts
        [sys.executable, str(script), *arguments], stdout=subprocess.PIPE, text=True, check=False
    )
    lines = run.stdout.strip().splitlines()
    if run.returncode or not lines:
        print(f"{benchmark.script} ended with status {run.returncode}", file=sys.stderr)
        return {}
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def ratio(found: Mapping[str, Any], figure: tuple[str, str] | str) -> float | None:
    if isinstance(figure, str):
        return found.get(figure)
    above, below = figure
    return round(found[above] / found[below], 3) if above in found and below in found else None


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure Arpad against its floors.")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in less than a minute")
    quick = parser.parse_args().quick
    begun, figures, ratios, failed = time.perf_counter(), {}, {}, False
    for benchmark in BENCHMARKS:
        found = ran(benchmark, quick=quick)
        if found is None:
            continue
        failed |= not found
        figures[benchmark.script.removesuffix(".py")] = found
        for name, figure in benchmark.ratios.items():
            value = ratio(found, figure)
            if value is not None:
                ratios[name] = value
    told = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "quick": quick,
        "seconds": round(time.perf_counter() - begun, 1),
        "ratios": ratios,
        "figures": figures,
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    for name, found in figures.items():
        print(name, json.dumps(found))
    print(json.dumps(ratios))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
