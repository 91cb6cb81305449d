"""The simulator: a seed repeats itself, its invariants hold, and it finds a planted defect."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import Connection

from arpad.office import mails
from arpad.store import jobs
from tests.paths import ROOT
from tests.simulation.__main__ import failed_seeds
from tests.simulation.run import run_seed
from tests.simulation.seams import Seams

SHORT = 40
"""Steps of the run in the default suite."""


def test_a_short_run_holds() -> None:
    outcome = run_seed(10, steps=SHORT)
    assert outcome.broken == ""
    assert outcome.acts > 0
    assert sum(outcome.faults.values()) > 0


def test_a_seed_is_the_same_alone_and_after_others() -> None:
    """The two have other traces than alone if the blocks of lists that the first has read are kept."""
    ten, eight = (run_seed(seed, steps=SHORT, to_end=False) for seed in (10, 8))
    eight_first, ten_last = (run_seed(seed, steps=SHORT, to_end=False) for seed in (8, 10))
    assert eight.digest() == eight_first.digest()
    assert ten.digest() == ten_last.digest()
    assert len(ten.events) > SHORT


@pytest.mark.deep
def test_a_seed_is_the_same_in_every_process() -> None:
    """Run seeds in both orders in new processes: the lines, with the digests of the traces, are the same."""

    def lines(*seeds: str) -> list[str]:
        words = [word for seed in seeds for word in ("--seed", seed)]
        run = subprocess.run(
            [sys.executable, "-m", "tests.simulation", *words],
            cwd=ROOT, capture_output=True, check=False, text=True,
        )  # fmt: skip
        return sorted(line for line in run.stdout.splitlines() if line.startswith("seed "))

    both = lines("8", "9")
    assert both == lines("9", "8") == sorted([*lines("8"), *lines("9")])
    assert len(both) == 2


@pytest.mark.deep
@pytest.mark.parametrize("words", [["5", "--first", "9000"], ["--failed"]], ids=["new seeds", "failed seeds"])
def test_the_invariants_hold(words: list[str]) -> None:
    if words == ["--failed"] and not failed_seeds():
        pytest.skip("no seed has failed")
    run = subprocess.run(
        [sys.executable, "-m", "tests.simulation", *words],
        cwd=ROOT, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-4000:]


@pytest.mark.deep
@pytest.mark.xfail(reason="see failed_seeds.txt", strict=True)
@pytest.mark.parametrize("seed", failed_seeds(still=True))
def test_an_open_seed_holds(seed: int) -> None:
    assert run_seed(seed).broken == ""


# ------------------------------------------------------------------------------------------------- planted defects


@contextmanager
def job_in_a_second_transaction(seams: Seams) -> Iterator[None]:
    """Commit the mails of an act after the act: a kill between the two loses them."""

    def enqueue(connection: Connection, kind: str, payload: Mapping[str, Any], **more: Any) -> str:
        def later() -> None:
            with connection.engine.connect().execution_options(arpad_writing=True) as other, other.begin():
                jobs.enqueue(other, kind, payload, **more)

        seams.after_commit.append(later)
        return ""

    with patch.object(mails, "jobs") as planted:
        planted.enqueue = enqueue
        yield


@contextmanager
def mail_without_a_note(_seams: Seams) -> Iterator[None]:
    """Forget that a mail was sent."""
    with patch.object(jobs, "amend", lambda *_: True):
        yield


@pytest.mark.deep
@pytest.mark.parametrize(
    ("defect", "words"),
    [(job_in_a_second_transaction, "mails lost"), (mail_without_a_note, "is done and not sent")],
)
def test_a_planted_defect_is_found(defect: Any, words: str) -> None:
    broken = [run_seed(seed, defect=defect).broken for seed in range(1, 4)]
    assert any(words in it for it in broken), broken
