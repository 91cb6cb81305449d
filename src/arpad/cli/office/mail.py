"""``arpad office mail``: the mails of the office, and another attempt at those that failed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import WriteOptions

if TYPE_CHECKING:
    from arpad.store.jobs import Job


def mail(
    desk: WriteOptions,
    retry: Annotated[
        str | None, typer.Option("--retry", metavar="NUMBER", help="Try a mail again at once, or `all`.")
    ] = None,
    most: Annotated[
        int, typer.Option("--most", metavar="N", min=1, max=100_000, help="At most so many.")
    ] = 100,
) -> None:
    """Show the mails that wait, were sent in the last month, or were given up and why.

    Example: arpad office mail --retry all --db office.db
    """
    from arpad.office.mails import retry_mails
    from arpad.store.jobs import all_jobs
    from arpad.store.mails import MAIL
    from arpad.worker.outcomes import error_sentence

    words = desk.words
    with desk.acting() as office:
        if retry is not None:
            count = retry_mails(office, [] if retry == "all" else [retry])
            desk.tell(words.text("mail.retried", mails=count), "arpad.office-mail-retry/1", {"mails": count})
            return
        with office.store.reading() as connection:
            mails = all_jobs(connection, [MAIL], most=most)
    if desk.json:
        documents = [
            {
                "number": job.key, "mail": job.payload["mail"], "to": job.payload["to"], "state": str(job.state),
                "attempts": job.attempts, "offered": job.payload.get("offered", 0), "sent": job.payload.get("sent"),
                "unsure": bool(job.payload.get("unsure")),
                "error": error_sentence(job.error, words) or None, "changed": job.changed.isoformat(timespec="seconds"),
            }
            for job in mails
        ]  # fmt: skip
        print_json("arpad.office-mail/1", {"mails": documents})
        return
    if not mails:
        sys.stdout.write(words.text("mail.none") + "\n")
        return
    columns = [
        (words.text(f"mail.{name}"), side)
        for name, side in (
            ("state", "left"), ("kind", "left"), ("to", "left"), ("changed", "left"), ("attempts", "right"),
            ("error", "left"), ("key", "left"),
        )
    ]  # fmt: skip
    rows = [
        (
            words.text(f"mail.state-{job.state}{'-unsure' if _came_twice(job) else ''}"),
            words.text(f"mail.kind-{job.payload['mail']}"),
            job.payload["to"],
            job.changed.isoformat(" ", timespec="minutes")[:16],
            str(job.attempts),
            error_sentence(job.error, words),
            job.key,
        )
        for job in mails
    ]
    console().print(table(columns, rows))


def _came_twice(job: Job) -> bool:
    """Return whether a mail perhaps came twice: it was sent again after an answer was lost."""
    return job.state == "done" and bool(job.payload.get("unsure"))
