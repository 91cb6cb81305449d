"""How time and memory grow: 1, 2, 4 and 8 times the games and players, through the engine, a replay and the month.

    python benchmarks/growth.py [--reports N] [--only engine,replay,month]

Every size runs in a process of its own. The figures are written to build/growth.json and, as one page with plots and
a table, to build/growth.html. The last line is one JSON object: for each work, how many times longer and larger the
largest is than the smallest, where 8 is proportional.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from arpad.explain.charts import Series, lines

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build"
TIMES = (1, 2, 4, 8)
ENGINE_GAMES, ENGINE_PLAYERS = 1_000_000, 500_000
MONTH_GAMES, MONTHS, REPLAY_PLAYERS = 500_000, 4, 250_000
REPORTS = 100

STYLE = """
:root { color-scheme: light dark; --ink: #1d4f91; --soft: #767676; --line: #d8d8d8; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
svg.plot { width: 100%; height: auto; font: 12px sans-serif; } svg.plot text { fill: currentColor; }
svg.plot polyline { fill: none; stroke-width: 2; stroke: var(--ink); } svg.plot .soft { stroke: var(--soft); }
svg.plot .grid { stroke: var(--line); } table { border-collapse: collapse; } td, th { padding: .2rem .8rem; }
td { text-align: right; font-variant-numeric: tabular-nums; } th { text-align: left; }
"""


@dataclass(frozen=True, slots=True)
class Size:
    """One size of one work."""

    times: int
    games: int
    players: int
    seconds: float
    processor_seconds: float
    """Of all processes together: the clock of a shared machine measures the others too."""

    peak_mib: int


def run(script: str, *arguments: str) -> dict[str, Any]:
    print(f"{script} {' '.join(arguments)} …", file=sys.stderr, flush=True)
    command = [sys.executable, str(HERE / script), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  our own scripts
    figures: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def engine(times: int) -> Size:
    games, players = ENGINE_GAMES * times, ENGINE_PLAYERS * times
    figures = run("engine.py", str(games), str(players), "5")
    return Size(
        times, games, players, figures["engine_ms"] / 1e3, figures["engine_cpu_ms"] / 1e3, figures["peak_mib"]
    )


def replay(times: int) -> Size:
    month, players = MONTH_GAMES * times, REPLAY_PLAYERS * times
    figures = run("replay.py", str(month * MONTHS), str(players), str(month))
    return Size(
        times, figures["games"], players, figures["replay_s"], figures["replay_cpu_s"], figures["peak_mib"]
    )


def month(reports: int) -> Callable[[int], Size]:
    def sized(times: int) -> Size:
        figures = run("month.py", "--reports", str(reports * times))
        worked = sum(stage["processor_s"] for name, stage in figures["stages"].items() if name != "floor")
        return Size(
            times, figures["games"], figures["list_rows"], figures["month_s"], worked, figures["peak_mib"]
        )

    return sized


# --------------------------------------------------------------------------------------------------- one page


def page(works: Mapping[str, Sequence[Size]]) -> str:
    """Plots of time and memory in multiples of the smallest size, and the figures themselves."""
    labels = [f"x {times}" for times in TIMES]
    parts = []
    for title, value in (
        ("Time of the processor", lambda it: it.processor_seconds),
        ("Peak memory", lambda it: float(it.peak_mib)),
    ):
        series = [Series("proportional", TIMES, "soft")]
        for name, sizes in works.items():
            least = max(value(sizes[0]), 1e-9)
            series.append(Series(name, [value(size) / least for size in sizes]))
        words = f"{title}, in multiples of the smallest size"
        parts += [f"<h2>{escape(words)}</h2>", lines(words, labels, series, lambda it: f"{it:g}")]
    rows = "".join(
        f"<tr><th>{escape(name)} x {it.times}</th><td>{it.games:,}</td><td>{it.players:,}</td>"
        f"<td>{it.seconds:.2f} s</td><td>{it.processor_seconds:.2f} s</td><td>{it.peak_mib:,} MiB</td></tr>"
        for name, sizes in works.items()
        for it in sizes
    )
    heading = "<tr><th>work</th><th>games</th><th>players</th><th>clock</th><th>processor</th><th>peak memory</th></tr>"
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>Growth</title><style>{STYLE}</style><h1>How time and memory grow</h1>"
        f"{''.join(parts)}<table>{heading}{rows}</table></html>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure 1, 2, 4 and 8 times the games and players.")
    parser.add_argument("--reports", type=int, default=REPORTS, help="reports of the smallest month")
    parser.add_argument("--only", default="engine,replay,month", help="which works, separated by commas")
    given = parser.parse_args()
    measures = {"engine": engine, "replay": replay, "month": month(given.reports)}
    works = {name: [measures[name](times) for times in TIMES] for name in given.only.split(",")}
    BUILD.mkdir(exist_ok=True)
    table = {
        name: [{field: getattr(size, field) for field in Size.__slots__} for size in sizes]
        for name, sizes in works.items()
    }
    (BUILD / "growth.json").write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
    (BUILD / "growth.html").write_text(page(works), encoding="utf-8")
    grown = {
        name: {
            "time": round(sizes[-1].processor_seconds / max(sizes[0].processor_seconds, 1e-9), 2),
            "memory": round(sizes[-1].peak_mib / sizes[0].peak_mib, 2),
        }
        for name, sizes in works.items()
    }
    print(json.dumps(grown))


if __name__ == "__main__":
    main()
