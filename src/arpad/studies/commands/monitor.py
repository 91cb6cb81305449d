"""``arpad monitor``: watch the rating system, one question a command, and one page for all of them."""

from __future__ import annotations

from arpad.cli.typer_groups import Commands
from arpad.studies.commands import questions, report

app = Commands()
for command in (
    questions.points,
    questions.drift,
    questions.calibration,
    questions.islands,
    questions.integrity,
    report.report,
    report.lists,
    report.keep,
):
    app.add(command, command.__name__)
