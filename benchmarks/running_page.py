"""The page of a tournament in progress while rounds arrive: ten visitors a second, a new version every five seconds.

    python benchmarks/running_page.py [--seconds 300] [--rate 10] [--every 5] [--players 200] [--workers 1]
                                      [--quick]

A new office has the players of a made open; a program with a token sends its rounds, one after the other and again from
the first, while visitors from another process (benchmarks/load.py) ask for the page at even moments. The last line is
one JSON object; times are in milliseconds: ``running_p99_ms`` of the visitors, ``running_errors`` of all requests that
did not get a page, how long a version took from its first byte to the answer, and ``processor_ms``, the processor time
of the serving process for each visit.
"""

from __future__ import annotations

import io
import json
import random
import sys
import tempfile
import time
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from site_servers import first_request, free_port, load, memory_mib, processor_seconds, serving
from sizes import read_arguments

ROUNDS = 9
LIST_DAY, FIRST, LAST = date(2018, 1, 1), date(2018, 1, 12), date(2018, 1, 20)
CONTROL = "90 min/40 moves + 30 min + 30 sec per move from move one"
MIRROR = {"1": "0", "0": "1", "=": "="}


def open_tournament(players: int) -> Any:
    """Return the report of a made open with all its rounds; every twentieth player is unrated."""
    from arpad.reports.report import Entrant, Header, Report, Round

    chance = random.Random(20)
    entrants = tuple(
        Entrant(
            number, f"Player {number}, Made", None if number % 20 == 0 else 2500 - 1200 * number // players,
            id=str(9000 + number), federation="ITA",
        )
        for number in range(1, players + 1)
    )  # fmt: skip
    rounds = []
    for _ in range(ROUNDS):
        order = list(range(players))
        chance.shuffle(order)
        opponents, colours, results = [0] * players, ["-"] * players, ["U"] * players
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = chance.choice("1=0")
            opponents[white], opponents[black] = black + 1, white + 1
            colours[white], colours[black] = "w", "b"
            results[white], results[black] = result, MIRROR[result]
        rounds.append(Round(tuple(opponents), "".join(colours), "".join(results)))
    header = Header("Made Open", "Bellariva", "ITA", FIRST, LAST, rounds=ROUNDS, time_control=CONTROL)
    return Report(header, entrants, tuple(rounds))


def versions(report: Any) -> list[bytes]:
    """Return the file after each round, with the pairings of the next one."""
    from arpad.reports.formats import write_report

    files = []
    for played in range(1, ROUNDS + 1):
        columns = list(report.rounds[:played])
        if played < ROUNDS:
            columns.append(replace(report.rounds[played], results=" " * len(report.entrants)))
        files.append(write_report(replace(report, rounds=tuple(columns)), "trf16")[0])
    return files


def made_office(place: Path, report: Any) -> str:
    """Make the office with the players of a report; return a token of an arbiter."""
    from arpad.model.rules import ListName
    from arpad.office.accounts.sessions import issue_token
    from arpad.office.accounts.users import enter_user
    from arpad.office.imports.acts import import_list
    from arpad.office.office import init, record_act
    from arpad.office.users import Grant, Role
    from arpad.publishing.fide_list import write_list
    from arpad.reports.formats.lists.fide_rows import ListRow

    office = init(str(place), federation="ITA", name="Load", numbers=("fide",), author="benchmark")
    rows = [
        ListRow(int(entrant.id), entrant.name, "ITA", "M", rating=entrant.rating, games=0, k=20)
        for entrant in report.entrants
        if entrant.rating
    ]
    stream = io.BytesIO()
    write_list(rows, stream, "single", LIST_DAY)
    path = place.with_suffix(".txt")
    path.write_bytes(stream.getvalue())
    import_list(office, path, ListName.STANDARD, LIST_DAY)
    with record_act(office, "add-user") as act:
        enter_user(
            act, "anna", "Anna Bianchi", "correct horse battery", [Grant(Role.ARBITER)], own_password=True
        )
    token = issue_token(office, "anna", "pairing", scope=["running"]).secret
    office.close()
    return token


class Sender(Thread):
    """A pairing program that sends a version every few seconds."""

    def __init__(self, port: int, token: str, files: list[bytes], every: float) -> None:
        super().__init__(daemon=True)
        self.address = f"http://127.0.0.1:{port}/api/v1/running/open?older=true"
        self.token, self.files, self.every = token, files, every
        self.times: list[float] = []
        self.errors: list[str] = []
        self.ends = False

    def send(self, data: bytes) -> None:
        """Send one version."""
        request = Request(self.address, data, {"Authorization": f"Bearer {self.token}"}, method="POST")  # noqa: S310
        begun = time.perf_counter()
        try:
            with urlopen(request, timeout=60) as answer:  # noqa: S310  our own server
                answer.read()
        except HTTPError as error:
            self.errors.append(error.read().decode()[:200])
        self.times.append(time.perf_counter() - begun)

    def run(self) -> None:
        """Send one version after the other."""
        number = 1
        while not self.ends:
            due = time.perf_counter() + self.every
            self.send(self.files[number % len(self.files)])
            number += 1
            time.sleep(max(0.0, due - time.perf_counter()))


def main() -> None:
    given = read_arguments(
        "Measure the page of a tournament in progress: visitors a second, and seconds between two rounds.",
        seconds=(300.0, 30.0, 0.3), rate=(10.0, 10.0, 10.0), every=(5.0, 5.0, 0.2), players=(200, 100, 20),
        workers=(1, 1, 1),
    )  # fmt: skip
    report = open_tournament(given.players)
    files = versions(report)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "office.db"
        token = made_office(place, report)
        port = free_port()
        serve = [sys.executable, "-m", "arpad", "serve", "--db", str(place), "--port", str(port)]
        with serving([*serve, "--workers", str(given.workers)], port) as (pid, _):
            sender = Sender(port, token, files, given.every)
            sender.send(files[0])
            first = first_request(port, "/running/open")
            sender.start()
            before = processor_seconds(pid)
            visits = load(port, 16, given.seconds, ["/running/open"], str(given.rate))
            sender.ends = True
            sender.join(90)
            spent, memory = processor_seconds(pid) - before, memory_mib(pid)
    failed = sum(count for status, count in visits["statuses"].items() if status != "200")
    for error in sender.errors[:3]:
        print(error, file=sys.stderr)
    out = {
        "running_p50_ms": visits["p50"], "running_p99_ms": visits["p99"], "most_ms": visits["most"],
        "requests": visits["requests"], "running_errors": failed + len(sender.errors), "first_ms": first,
        "versions": len(sender.times), "version_ms": round(1000 * sum(sender.times) / len(sender.times)),
        "processor_ms": round(1000 * spent / visits["requests"], 1),
        "page_bytes": visits["bytes"], "report_bytes": len(files[-1]), "memory_mib": memory,
    }  # fmt: skip
    print(json.dumps(out))


if __name__ == "__main__":
    main()
