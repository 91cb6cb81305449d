"""``arpad monitor``: watch the rating system, one question a command, and one page for all of them."""

from __future__ import annotations

from arpad.cli.monitor import pages, questions
from arpad.cli.typer_groups import Commands

app = Commands()
for command in (
    questions.points,
    questions.drift,
    questions.calibration,
    questions.islands,
    questions.integrity,
    pages.report,
    pages.lists,
    pages.keep,
):
    app.add(command, command.__name__)
