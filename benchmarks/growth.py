"""How time and memory grow: with 1, 2, 4 and 8 times the games and players, through the engine, a replay and the month.

    python benchmarks/growth.py [--reports 100] [--only engine,replay,month] [--quick]

Every size runs in a process of its own. The figures are written to build/growth.json and, as one page with plots and
a table, to build/growth.html. The last line is one JSON object: for each work, how many times longer and larger the
largest is than the smallest, where 8 is proportional.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Any

from sizes import TINY, folder_for, is_tiny, parser_with_folder, read_arguments

from arpad.explain.charts import Series, lines

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build"
MONTHS = 4
WORKS = "engine,replay,month"

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

    games: int
    players: int
    seconds: float
    processor_seconds: float
    """Of all processes together: the clock of a shared machine measures the others too."""

    peak_mib: int


def run(script: str, *arguments: str) -> dict[str, Any]:
    print(f"{script} {' '.join(arguments)} …", file=sys.stderr, flush=True)
    command = [sys.executable, str(HERE / script), *arguments, *([TINY] if is_tiny() else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603  our own scripts
    figures: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


def engine(games: int) -> Size:
    """Measure one list; half as many players as games."""
    sizes = ("--games", str(games), "--players", str(games // 2))
    figures = run("engine.py", *sizes, "--repeats", "5")
    seconds = figures["engine_ms"] / 1e3, figures["engine_cpu_ms"] / 1e3
    return Size(games, games // 2, *seconds, figures["peak_mib"])


def replay(games: int) -> Size:
    """Measure a replay of four months with half as many games each."""
    month, players = games // 2, games // 4
    sizes = ("--games", str(month * MONTHS), "--players", str(players), "--month", str(month))
    figures = run("replay.py", *sizes)
    return Size(figures["games"], players, figures["replay_s"], figures["replay_cpu_s"], figures["peak_mib"])


def month(reports: int) -> Size:
    """Measure a month of the made world."""
    figures = run("month.py", "--reports", str(reports), "--runs", "1")
    worked = sum(stage["processor_s"] for name, stage in figures["stages"].items() if name != "floor")
    return Size(figures["games"], figures["list_rows"], figures["month_s"], worked, figures["peak_mib"])


# --------------------------------------------------------------------------------------------------- one page


def page(works: Mapping[str, Sequence[Size]], multiples: Sequence[int]) -> str:
    """Plots of time and memory in multiples of the smallest size, and the figures themselves."""
    labels = [f"x {times}" for times in multiples]
    parts = []
    for title, value in (
        ("Time of the processor", lambda it: it.processor_seconds),
        ("Peak memory", lambda it: float(it.peak_mib)),
    ):
        series = [Series("proportional", multiples, "soft")]
        for name, sizes in works.items():
            least = max(value(sizes[0]), 1e-9)
            series.append(Series(name, [value(size) / least for size in sizes]))
        words = f"{title}, in multiples of the smallest size"
        parts += [f"<h2>{escape(words)}</h2>", lines(words, labels, series, lambda it: f"{it:g}")]
    rows = "".join(
        f"<tr><th>{escape(name)} x {times}</th><td>{it.games:,}</td><td>{it.players:,}</td>"
        f"<td>{it.seconds:.2f} s</td><td>{it.processor_seconds:.2f} s</td><td>{it.peak_mib:,} MiB</td></tr>"
        for name, sizes in works.items()
        for times, it in zip(multiples, sizes, strict=True)
    )
    heading = "<tr><th>work</th><th>games</th><th>players</th><th>clock</th><th>processor</th><th>peak memory</th></tr>"
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>Growth</title><style>{STYLE}</style><h1>How time and memory grow</h1>"
        f"{''.join(parts)}<table>{heading}{rows}</table></html>\n"
    )


def main() -> None:
    parser = parser_with_folder()
    parser.set_defaults(keep=None if is_tiny() else BUILD)
    parser.add_argument("--only", default=WORKS, help="which works, separated by commas")
    given = read_arguments(
        "Measure multiples of the games and players: those of the smallest list, the reports of the smallest month, "
        "and how many times the games are doubled.",
        parser,
        games=(1_000_000, 100_000, 4_000), reports=(100, 20, 2), doubled=(3, 1, 0),
    )  # fmt: skip
    multiples = [2**power for power in range(given.doubled + 1)]
    measures = {
        "engine": (engine, given.games),
        "replay": (replay, given.games),
        "month": (month, given.reports),
    }
    works = {}
    for name in given.only.split(","):
        measure, least = measures[name]
        works[name] = [measure(least * times) for times in multiples]
    table = {
        name: [{"times": times, **asdict(size)} for times, size in zip(multiples, sizes, strict=True)]
        for name, sizes in works.items()
    }
    with folder_for(given) as folder:
        (folder / "growth.json").write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
        (folder / "growth.html").write_text(page(works, multiples), encoding="utf-8")
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
