"""A server on this machine, from its start to its end, and what visitors of it meet: for the benchmarks of the site."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import load as visitors
from sizes import is_tiny

START_SECONDS = 120


@contextmanager
def serving(command: list[str], port: int) -> Iterator[tuple[int, float]]:
    """Run a server; the value is its process and the seconds until it answered."""
    begun = time.perf_counter()
    server = subprocess.Popen(  # noqa: S603  our own commands
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        while True:
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None or time.perf_counter() - begun > START_SECONDS:
                sys.exit(f"{command[0]} does not serve")
            time.sleep(0.02)
        yield server.pid, time.perf_counter() - begun
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def free_port() -> int:
    """Return a port that no server uses."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def memory_mib(pid: int) -> int:
    """Return the resident memory of the largest process of a server."""
    sizes = [0]
    for entry in Path("/proc").glob("[0-9]*/status"):
        try:
            status = dict(line.split(":", 1) for line in entry.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if int(entry.parent.name) == pid or int(status["PPid"]) == pid:
            sizes.append(int(status.get("VmRSS", "0 kB").split()[0]))
    return max(sizes) // 1024


def processor_seconds(pid: int) -> float:
    """Return the processor time of a server so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_request(port: int, address: str) -> float:
    """Return the milliseconds of the very first request for a page."""
    begun = time.perf_counter()
    with urlopen(f"http://127.0.0.1:{port}{address}", timeout=60) as answer:
        answer.read()
    return round(1000 * (time.perf_counter() - begun), 1)


def load(port: int, clients: int, seconds: float, addresses: list[str], way: str = "") -> dict[str, Any]:
    """Return what visitors from another process met (benchmarks/load.py), or from this one if nothing is measured."""
    if is_tiny():
        return visitors.visit(port, clients, seconds, addresses, way)
    command = [
        sys.executable,
        visitors.__file__,
        str(port),
        str(clients),
        str(seconds),
        *([way] if way else []),
    ]
    run = subprocess.run(  # noqa: S603  our own script
        command, input="\n".join(addresses), stdout=subprocess.PIPE, text=True, check=True
    )
    figures: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return figures
