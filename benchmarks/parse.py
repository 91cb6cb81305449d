"""How fast reports and lists are read, against a floor measured in the same run.

    python benchmarks/parse.py [--players 1000] [--rounds 11] [--list-rows 1000000] [--quick]

The floor cuts the same bytes into the same fields with bare slices: no checks, no findings, no result to keep. The
two run in turn, and the best of each counts. The list is made on the fly while it is read, so that its size
costs no memory of its own. The last line is one JSON object.
"""

from __future__ import annotations

import io
import json
import random
import resource
import time
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, BinaryIO, cast

from sizes import read_arguments

from arpad.checks import Case, check_event, check_file
from arpad.model.rules import ListName
from arpad.publishing import fide_list as fide_list_write
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.regulations.fide.event_kind import meetings
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import read_report
from arpad.reports.formats.lists import fide_list
from arpad.reports.time_control import read_time_control


def made_report(players: int, rounds: int, seed: int = 1) -> bytes:
    """A Swiss of made-up players; all results mirror."""
    rnd = random.Random(seed)
    cells, ids = [""] * players, list(range(players))
    halves = [0] * players
    for _ in range(rounds):
        rnd.shuffle(ids)
        for a, b in zip(ids[::2], ids[1::2], strict=False):
            score = rnd.choice("10=")
            cells[a] += f"  {b + 1:>4} w {score}"
            cells[b] += f"  {a + 1:>4} b {'01='['10='.index(score)]}"
            halves[a] += 2 if score == "1" else score == "="
            halves[b] += 2 if score == "0" else score == "="
        if players % 2:
            cells[ids[-1]] += "  0000 - U"
            halves[ids[-1]] += 2
    head = [
        "012 Made Open",
        "032 ITA",
        "042 2025/06/01",
        "052 2025/06/09",
        "092 Individual: Swiss-System",
        "122 90+30",
    ]
    lines = [
        f"001 {i + 1:>4} m    {f'Surname{i}, Name':<33} {rnd.randint(1400, 2400):>4} ITA {800000 + i:>11} "
        f"{rnd.randint(1940, 2015)}/{rnd.randint(1, 12):02}/{rnd.randint(1, 28):02} "
        f"{halves[i] / 2:>4.1f} {i + 1:>4}{cells[i]}"
        for i in range(players)
    ]
    return "\r\n".join([*head, *lines, ""]).encode()


def floor(data: bytes) -> int:
    """Bare slicing: decode, split, cut every field, keep the games."""
    found, players = [], {}
    for line in data.decode().split("\r\n"):
        if line[:3] == "001":
            number = int(line[4:8])
            players[number] = (
                line[14:47].rstrip(),
                int(line[48:52] or 0),
                line[53:56],
                int(line[57:68] or 0),
                line[69:79],
                line[80:84],
                int(line[85:89]),
            )
            for round_number, start in enumerate(range(91, len(line), 10), start=1):
                found.append(
                    (round_number, number, int(line[start : start + 4]), line[start + 5], line[start + 7])
                )
    return len(found)


def bare_floor(data: bytes) -> int:
    """The floor of the shared bench: only number, rating and FIDE number, and the games of White."""
    found, players = [], {}
    for line in data.decode().split("\r\n"):
        if line[:3] == "001":
            number = int(line[4:8])
            players[number] = (int(line[48:52] or 0), int(line[57:68] or 0))
            for round_number, start in enumerate(range(91, len(line), 10)):
                if line[start + 5] == "w":
                    found.append((round_number, number, int(line[start : start + 4]), line[start + 7]))
    return len(found)


def read_and_check(data: bytes) -> object:
    """The report against itself: no edition needed."""
    return check_file(read_report(data))


def read_and_check_fully(data: bytes) -> object:
    """The report against itself and against every article of its edition, who met whom included."""
    report = read_report(data)
    met, edition = meetings(report), in_force(CHESS_EDITIONS, ListName.STANDARD, date(2025, 6, 1))
    ratings = tuple(entrant.rating for entrant in report.entrants)
    rules, control = edition.on(ListName.STANDARD), read_time_control(report.header.time_control)
    case = Case(
        report, EventFacts(), edition.id, rules, ListName.STANDARD, met, control, ratings, edition.lists
    )
    return check_file(report), check_event(case)


def best_of(data: bytes, repeats: int) -> dict[str, float]:
    runs: dict[str, Callable[[bytes], object]] = {
        "floor": floor,
        "bare_floor": bare_floor,
        "arpad": read_report,
        "checked": read_and_check,
        "fully_checked": read_and_check_fully,
    }
    best = dict.fromkeys(runs, 1e9)
    for _ in range(repeats):
        for name, run in runs.items():
            start = time.perf_counter()
            run(data)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


class MadeList(io.RawIOBase):
    """A combined list of any length, each piece made when it is asked for."""

    def __init__(self, rows: int) -> None:
        self.lines = made_rows(rows)
        self.left = b""
        self.bytes, self.seconds = 0, 0.0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what comes next, and keep the time that took."""
        start = time.perf_counter()
        while len(self.left) < len(buffer):
            line = next(self.lines, None)
            if line is None:
                break
            self.left += line
        given = self.left[: len(buffer)]
        self.left = self.left[len(buffer) :]
        buffer[: len(given)] = given
        self.bytes += len(given)
        self.seconds += time.perf_counter() - start
        return len(given)


def made_rows(rows: int) -> Iterator[bytes]:
    out = io.BytesIO()
    for start in range(0, rows, 1000):
        out.seek(0)
        out.truncate()
        made = (
            fide_list.ListRow(
                100000 + i,
                f"Surname{i}, Name",
                "ITA",
                "M",
                rating=1400 + i % 1300,
                games=i % 9,
                k=20,
                born=1950 + i % 60,
            )
            for i in range(start, min(start + 1000, rows))
        )
        fide_list_write.write_list(made, out, "combined")
        lines = out.getvalue().splitlines(keepends=True)
        yield from lines if start == 0 else lines[1:]


def stream_list(rows: int) -> dict[str, object]:
    """Read a long list, and see how much memory that took."""
    tracemalloc.start()
    sum(1 for _ in fide_list.read_list(cast("BinaryIO", MadeList(20_000))))
    small = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    sum(1 for _ in fide_list.read_list(cast("BinaryIO", MadeList(100_000))))
    large = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    made = MadeList(rows)
    start = time.perf_counter()
    count = sum(1 for _ in fide_list.read_list(cast("BinaryIO", made)))
    seconds = time.perf_counter() - start - made.seconds
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert count == rows  # noqa: S101
    return {
        "list_rows": rows,
        "list_megabytes": round(made.bytes / 1e6, 1),
        "list_s": round(seconds, 2),
        "list_peak_kib_20000": small // 1024,
        "list_peak_kib_100000": large // 1024,
        "list_rss_growth_mib": round((after - before) / 1024, 1),
        "peak_rss_mib": round(after / 1024, 1),
    }


def main() -> None:
    given = read_arguments(
        "Measure how fast reports and lists are read.",
        players=(1000, 1000, 100), rounds=(11, 11, 5), list_rows=(1_000_000, 0, 0), repeats=(15, 15, 1),
    )  # fmt: skip
    data = made_report(given.players, given.rounds)
    report = read_report(data)
    assert len(report.entrants) == given.players  # noqa: S101
    assert len(report.rounds) == given.rounds  # noqa: S101
    best = best_of(data, given.repeats)
    out: dict[str, object] = {"report_bytes": len(data), "findings": len(report.findings)}
    out |= {f"{name}_ms": round(seconds * 1000, 2) for name, seconds in best.items()}
    out["ratio"] = round(best["arpad"] / best["floor"], 2)
    out["ratio_checked"] = round(best["checked"] / best["floor"], 2)
    out["ratio_fully_checked"] = round(best["fully_checked"] / best["floor"], 2)
    out["ratio_to_bare_floor"] = round(best["arpad"] / best["bare_floor"], 2)
    if given.list_rows:
        out |= stream_list(given.list_rows)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
