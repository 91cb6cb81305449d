"""``arpad office jobs``: the queue of the worker."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions


def jobs(
    look: ReadOptions,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, max=100_000, help="At most so many.")
    ] = 100,
) -> None:
    """Show the jobs of the worker: what waits, what was done, what was given up and why."""
    from arpad.store.jobs import all_jobs
    from arpad.worker.outcomes import error_sentence

    words = look.words
    with look.opened() as office, office.store.reading() as connection:
        queue = all_jobs(connection, most=most)
    if look.json:
        documents = [
            {
                "kind": job.kind, "key": job.key, "state": str(job.state), "due": job.due.isoformat(timespec="seconds"),
                "attempts": job.attempts, "error": error_sentence(job.error, words) or None,
                "changed": job.changed.isoformat(timespec="seconds"),
            }
            for job in queue
        ]  # fmt: skip
        print_json("arpad.office-jobs/1", {"jobs": documents})
        return
    if not queue:
        sys.stdout.write(words.text("worker.none") + "\n")
        return
    columns = [(words.text(f"worker.{name}"), "left") for name in ("kind", "key", "state", "due", "error")]
    rows = [
        (
            words.text(f"job-kind.{job.kind}"),
            job.key,
            words.text(f"job-state.{job.state}"),
            job.due.isoformat(" ", timespec="minutes"),
            error_sentence(job.error, words),
        )
        for job in queue
    ]
    console().print(table(columns, rows))
