"""The time of ``arpad norms`` for an open of 1,000 players and 11 rounds, against ``arpad rate`` for the same file.

The field is strong, so that many titles are within reach: ratings from 1900 to 2700, a title for each high one, ten
federations. Both commands run as processes and print JSON.

    python benchmarks/norms.py [--players 1000] [--rounds 11] [--runs 3] [--quick]
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from datetime import date
from pathlib import Path

import command_time
from sizes import read_arguments

from arpad.reports.formats import write_report
from arpad.reports.report import Entrant, Header, Report, Round

FEDERATIONS = ("ITA", "FRA", "ESP", "GER", "POL", "UKR", "IND", "USA", "ARM", "HUN")
TITLES = ((2500, "GM"), (2400, "IM"), (2300, "FM"))


def open_report(players: int, rounds: int) -> Report:
    """Return an open in which neighbours of the ranking play each other."""
    dice = random.Random(1)
    entrants = []
    for number in range(1, players + 1):
        rating = 2700 - 800 * number // players
        title = next((title for least, title in TITLES if rating >= least), "")
        sex = "w" if number % 5 == 0 else "m"
        entrants.append(
            Entrant(
                number,
                f"Player {number:04}",
                rating,
                sex,
                title,
                FEDERATIONS[number % 10],
                str(900_000 + number),
            )
        )
    scores = [0.0] * players
    columns = []
    for _ in range(rounds):
        order = sorted(range(players), key=lambda place: (-scores[place], dice.random()))
        opponents, results = [0] * players, [" "] * players
        for first, second in zip(order[::2], order[1::2], strict=True):
            gap = (entrants[first].rating or 0) - (entrants[second].rating or 0)
            result = dice.choices("1=0", (5 + gap / 100, 4, 5 - gap / 100) if abs(gap) < 400 else (6, 3, 1))[
                0
            ]
            opponents[first], opponents[second] = second + 1, first + 1
            results[first], results[second] = result, {"1": "0", "=": "=", "0": "1"}[result]
            scores[first] += {"1": 1, "=": 0.5, "0": 0}[result]
            scores[second] += {"0": 1, "=": 0.5, "1": 0}[result]
        columns.append(Round(tuple(opponents), "wb" * (players // 2), "".join(results)))
    day = date(2025, 5, 1)
    header = Header(
        name="Open", federation="ITA", first_day=day, last_day=date(2025, 5, 11), rounds=rounds, kind="Swiss",
        time_control="90 min/40 moves + 30 min + 30 sec per move from move one",
    )  # fmt: skip
    return Report(header, tuple(entrants), tuple(columns))


def _figures(verb: str, path: Path) -> dict[str, float]:
    """Return time and memory of a command; findings give it the status 1."""
    return command_time.measure(command_time.arpad(verb, str(path), "--json"), (0, 1))


def main() -> None:
    """Print the seconds of both commands and their ratio as JSON."""
    options = read_arguments(
        "Measure arpad norms beside arpad rate.", players=(1000, 1000, 20), rounds=(11, 11, 3), runs=(3, 1, 1)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "open.trf"
        path.write_bytes(write_report(open_report(options.players, options.rounds), "trf26")[0])
        best = {
            verb: min(
                (_figures(verb, path) for _ in range(options.runs)),
                key=lambda figures: figures["processor_s"],
            )
            for verb in ("rate", "norms")
        }
    ratio = best["norms"]["processor_s"] / best["rate"]["processor_s"]
    figures = {"players": options.players, "rounds": options.rounds, **best, "ratio": round(ratio, 2)}
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
