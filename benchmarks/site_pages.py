"""Compare the processor time of every page with that of another source tree.

    python benchmarks/site_pages.py OTHER [--rounds 5] [--only /players,/lists] [--keep DIR]

OTHER is a worktree of another commit with its own ``.venv``. Each tree makes its own demo and serves it in its own
process (benchmarks/page_times.py), and both are asked the same in turn, so that a busy machine disturbs both alike. The
time of a page is the processor time of a request in milliseconds: the median of a round, the least of the rounds, for
the first request of a process, for a page that is not in the page cache, for one that is, and for a page of a user also
after an act, when nothing is kept. The pages are those that both trees have; a page whose status differs is reported
and not compared. The last line is one JSON object: by page and way the other tree's time, this one's, and the ratio;
``site_pages`` is the largest ratio (goal: at most 1.1).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
LOGIN, PASSWORD = "benchmark", "quatro pedoni e una torre 58"
WAYS = {"first": 1, "fresh": 12, "warm": 40}
"""How a page is asked for, and how often in a round."""

WAYS_OF_USERS = {**WAYS, "act": 12}

PAGES = (
    "/", "/players", "/players?q=mar", "/players/1", "/players/38", "/players/84",
    "/lists", "/lists/standard-2025-01-01-r1", "/lists/standard?page=2", "/lists/italiana-2024-12-31-r1",
    "/lists/standard-2025-01-01-r1/difference",
    "/tournaments", "/tournaments/40", "/tournaments/37",
    "/calculators", "/calculators/change", "/calculators/entry", "/calculators/k", "/calculators/capital",
    "/calculators/groups",
    "/check", "/verify", "/developers", "/sign-in",
    "/guides", "/guides/player", "/guides/arbiter", "/guides/officer",
    "/regulations", "/regulations/fide-2024", "/regulations/rubele-2021", "/regulations/fide-2017/fide-2024",
)  # fmt: skip
DESK = (
    "/account", "/admin", "/desk", "/desk/corrections", "/desk/decisions", "/desk/draft?list=standard&day=2025-02-01",
    "/desk/draughts", "/desk/events", "/desk/ledger", "/desk/lists", "/desk/players?q=mar", "/desk/players/38",
    "/desk/reports/40", "/players/38", "/lists/standard",
)  # fmt: skip
"""Pages that a user is shown."""


class Site:
    """The site of a source tree, with its demo."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.python = str(tree / ".venv" / "bin" / "python")
        self.database = folder / "office.db"
        if not self.database.exists():
            self._run("demo", str(folder / "demo"))
            shutil.copy(folder / "demo" / "office.db", self.database)
            roles = [part for role in ("arbiter", "officer", "administrator") for part in ("--role", role)]
            author = ("--author", "benchmark", "--db", str(self.database))
            newer, older = ("office", "user", "add"), ("user",)
            command = newer if self._has_command(*newer) else older
            self._run(*command, LOGIN, *roles, *author, given=f"{PASSWORD}\n{PASSWORD}\n")

    def _has_command(self, *name: str) -> bool:
        command = [self.python, "-m", "arpad", *name, "--help"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603  our own command

    def _run(self, *arguments: str, given: str = "") -> None:
        subprocess.run(  # noqa: S603  our own commands
            [self.python, "-m", "arpad", *arguments],
            input=given,
            text=True,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    @contextmanager
    def serving(self) -> Iterator[Any]:
        """Start the process; the value is a function that asks it a question."""
        process = subprocess.Popen(  # noqa: S603  our own script
            [self.python, str(HERE / "page_times.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "ARPAD_DB": str(self.database)},
        )  # fmt: skip
        questions, answers = process.stdin, process.stdout
        if questions is None or answers is None:
            sys.exit("no pipes")

        def ask(question: dict[str, Any]) -> dict[str, Any]:
            print(json.dumps(question), file=questions, flush=True)
            times: dict[str, Any] = json.loads(answers.readline() or sys.exit(f"no answer to {question}"))
            return times

        try:
            yield ask
        finally:
            questions.close()
            process.wait()


def questions(only: list[str]) -> list[dict[str, Any]]:
    """Return what is asked: each page in each way, by a visitor or a user."""
    visitor: dict[str, Any] = {"ways": WAYS}
    user = {"ways": WAYS_OF_USERS, "login": LOGIN, "password": PASSWORD}
    pages = [(address, visitor) for address in PAGES] + [(address, user) for address in DESK]
    return [
        {"address": address, **asking}
        for address, asking in pages
        if not only or any(address.startswith(start) for start in only)
    ]


def compare(other: Path, folder: Path, rounds: int, only: list[str]) -> dict[str, Any]:
    """Ask both sites in turn; return the times by page and way, and those of the start."""
    sites = [Site(tree, folder / name) for name, tree in (("other", other), ("this", HERE.parent))]
    times: dict[str, Any] = {}
    starts: list[list[float]] = []
    with sites[0].serving() as ask_other, sites[1].serving() as ask_this:
        for question in questions(only):
            answers = [[ask(question) for ask in (ask_other, ask_this)] for _ in range(rounds)]
            starts += [[answer["start"] for answer in pair] for pair in answers]
            who = "user " if "login" in question else ""
            for way in question["ways"]:
                row = compared([[answer[way] for answer in pair] for pair in answers])
                times[f"{who}{question['address']} {way}"] = row
                print(f"{who}{question['address']} {way}: {row}", file=sys.stderr, flush=True)
    least = [min(pair[side] for pair in starts) for side in (0, 1)]
    return {"start": {"other_ms": least[0], "this_ms": least[1]}, **times}


def compared(answers: list[list[dict[str, Any]]]) -> dict[str, Any]:
    """Return a page in one way: the times of both, and their ratio if both answered with the same status."""
    statuses = [answer["status"] for answer in answers[0]]
    least = [min(median(pair[side]["ms"]) for pair in answers) for side in (0, 1)]
    row: dict[str, Any] = {"other_ms": round(least[0], 2), "this_ms": round(least[1], 2)}
    if statuses[0] == statuses[1]:
        row |= {"ratio": round(least[1] / least[0], 2), "status": statuses[0]}
    else:
        row["statuses"] = statuses
    return row | {"bytes": [answer["bytes"] for answer in answers[0]]}


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare every page with that of another source tree.")
    parser.add_argument("other", type=Path, help="a worktree of another commit, with its .venv")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="beginnings of addresses, separated by commas")
    parser.add_argument("--keep", type=Path, help="the folder of the demos; default: a temporary one")
    given = parser.parse_args()
    only = [start for start in given.only.split(",") if start]
    with tempfile.TemporaryDirectory(prefix="arpad-pages-") as temporary:
        times = compare(given.other.resolve(), given.keep or Path(temporary), given.rounds, only)
    ratios = [row["ratio"] for row in times.values() if "ratio" in row]
    print(json.dumps({"site_pages": max(ratios), "pages": times}))


if __name__ == "__main__":
    main()
