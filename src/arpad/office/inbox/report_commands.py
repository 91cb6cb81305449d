"""``arpad office report``: everything about one report on file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.cli.common import console, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import list_text
from arpad.cli.report_tables import print_findings, print_preview
from arpad.office.inbox.report_queries import ReportShown, show_report

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.office.inbox.match_players import Match
    from arpad.office.inbox.report_detail import ReportDetail
    from arpad.office.reports.history import ReportEntry


def show_detail(shown: ReportShown, words: Words) -> None:
    """Print everything about a report on file."""
    _print_detail(shown.detail, words)


# ------------------------------------------------------------------------------------------------------ in words


def _print_detail(detail: ReportDetail, words: Words) -> None:
    from arpad.office.reports.history import errors_set_aside

    filed, out = detail.filed, console()
    out.print(filed.name or words.text("page.untitled"), style="bold")
    days = " – ".join(dict.fromkeys(words.day(day) for day in (filed.first_day, filed.last_day) if day))
    on_list = list_text(filed.list, words, undecided=filed.undecided)
    place = (detail.report.header.city, filed.federation, days)
    out.print(" · ".join(text for text in place if text))
    out.print(
        words.text(
            "office.report-facts", report=filed.id, file=filed.file, status=words.text(f"status.{filed.status}"),
            list=on_list, players=filed.players, rounds=filed.rounds, sender=detail.sender, received=filed.received,
        )
    )  # fmt: skip
    for publication in detail.publications:
        out.print(words.text("office.report-rated", list=str(publication.list), day=publication.day))
    _heading(words.text("page.findings"))
    print_findings(detail.findings, words, set_aside=errors_set_aside(detail.history))
    _heading(words.text("office.report-players"))
    _print_matches(detail, words)
    if (rated := detail.checked.rated) is not None:
        _heading(words.text("office.report-preview"))
        print_preview(rated, words)
    _heading(words.text("office.report-history"))
    for entry in detail.history:
        out.print(_entry_line(entry, words))


def _heading(text: str) -> None:
    console().print(f"\n{text}", style="bold")


def _print_matches(detail: ReportDetail, words: Words) -> None:
    names = (("number", "right"), ("name", "left"), ("id", "right"), ("player", "left"))
    columns = [(words.text(f"column.{name}"), side) for name, side in names]
    rows = [
        (
            str(match.entrant.number), match.entrant.name, match.entrant.id,
            match_text(match, detail.names.get(match.player or 0, ""), words),
        )
        for match in detail.checked.matches
    ]  # fmt: skip
    console().print(table(columns, rows))


def match_text(match: Match, registered: str, words: Words) -> str:
    """Return who an entrant is, in words."""
    if match.undecided and match.finding is not None:
        return words.finding(match.finding)
    if match.player is None:
        return words.text("office.is-new")
    return f"{match.player} {registered}"


def _entry_line(entry: ReportEntry, words: Words) -> str:
    act = entry.act
    what = entry.status and words.text(f"status.{entry.status}")
    if entry.replaced_by is not None:
        what = f"{what}: {words.text('site.replaced-by', report=entry.replaced_by)}"
    if entry.decision is not None:
        facts = "; ".join(f"{name} {value}" for name, value in entry.facts.items())
        key = "office.decision-revoked" if entry.revoked else "office.decision-made"
        what = words.text(key, kind=words.text(f"site.decision-{entry.decision.kind}"), facts=facts)
    return " · ".join(text for text in (act.at[:16].replace("T", " "), act.author, what, act.reason) if text)


COMMANDS = {"report": command_of(show_report, show_detail)}
