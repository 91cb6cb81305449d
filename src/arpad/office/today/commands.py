"""The command that says what is to be done today, in words."""

import sys
from collections.abc import Iterator

from arpad.cli.declared import command_of
from arpad.explain.words import Words
from arpad.office.drafts.procedures import NextList
from arpad.office.today.acts import ReportToDecide, Today, what_is_to_do


def _show(today: Today, words: Words) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in _lines(today, words)))


def _lines(today: Today, words: Words) -> Iterator[str]:
    """Yield what is to be done, one thing a line, below its heading."""
    if today.is_empty:
        yield words.text("today.nothing")
    for correction in today.corrections:
        name = words.text(f"site.list-{correction.list}")
        yield f"{words.text('today.corrections')}: {name}, {words.day(correction.first)}"
    yield from _below(words.text("today.reports"), [_report(it, words) for it in today.reports])
    if today.more_reports:
        yield f"  {words.text('today.more-reports', reports=today.more_reports)}"
    yield from _below(words.text("today.lists"), [_next_list(it, words) for it in today.lists])
    deadlines = [
        f"{it.name}: {words.text(f'deadline-kind.{it.what}')}, {words.day(it.day)} ({_left(it.left, words)})"
        for it in today.deadlines
    ]
    yield from _below(words.text("today.deadlines"), deadlines)
    for kind, number in today.failed.items():
        yield f"{words.text('today.failed')}: {words.text(f'job-kind.{kind}')} ({number})"
    for part, day in (("backup", today.backup), ("rehearsal", today.rehearsal)):
        if day:
            yield words.text(f"state.{part}-done", day=day)


def _below(heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield heading
        yield from (f"  {line}" for line in lines)


def _report(report: ReportToDecide, words: Words) -> str:
    numbers = (("errors", report.errors), ("doubts", report.doubts))
    problems = [words.text(f"today.{kind}", **{kind: number}) for kind, number in numbers if number]
    return f"{report.report}  {', '.join((report.name, *problems))}"


def _next_list(it: NextList, words: Words) -> str:
    waits = words.text("today.accepted-waiting", accepted=it.accepted, waiting=it.waiting)
    return f"{words.text(f'site.list-{it.list}')}, {words.day(it.day)} ({_left(it.left, words)}): {waits}"


def _left(days: int, words: Words) -> str:
    """Return in how many days, or how late, something is."""
    if days < 0:
        return words.text("site.days-over", days=-days)
    return words.text("site.days-left", days=days) if days else words.text("today.today")


COMMANDS = {"today": command_of(what_is_to_do, _show)}
