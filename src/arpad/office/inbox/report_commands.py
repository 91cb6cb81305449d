"""``arpad office report``: everything about one report on file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.cli.common import console, print_json, table
from arpad.cli.office.options import ReadOptions, Report, list_text
from arpad.cli.report_tables import print_findings, print_preview
from arpad.model.declared import document
from arpad.office.reports.acts import filed_report

if TYPE_CHECKING:
    from arpad.explain.words import Words
    from arpad.office.inbox.match_players import Match
    from arpad.office.inbox.report_detail import ReportDetail
    from arpad.office.reports.history import ReportEntry


def report(look: ReadOptions, report: Report) -> None:
    """Show everything about a report on file.

    That is what is wrong with it, who its players are, what it would change, and what was done with it.
    """
    from arpad.office.inbox.report_detail import report_detail

    with look.opened() as office:
        detail = report_detail(office, report)
    if look.json:
        print_json("arpad.office-report/1", detail_document(detail, look.words))
    else:
        _print_detail(detail, look.words)


# ------------------------------------------------------------------------------------------------------- as JSON


def detail_document(detail: ReportDetail, words: Words) -> dict[str, Any]:
    """Return everything about a report for JSON."""
    from arpad.explain.documents import finding_document
    from arpad.explain.rated_report import player_document
    from arpad.office.reports.history import errors_set_aside

    rated = detail.checked.rated
    return {
        **document(filed_report(detail.filed)),
        "sender": detail.sender,
        "findings": [finding_document(finding, words) for finding in detail.findings],
        "set_aside": sorted(errors_set_aside(detail.history)),
        "matches": [_match_document(detail, match) for match in detail.checked.matches],
        "preview": [] if rated is None else [player_document(player, words) for player in rated.players],
        "history": [_entry_document(entry) for entry in detail.history],
        "published": [f"{item.list} {item.day}" for item in detail.publications],
    }


def _match_document(detail: ReportDetail, match: Match) -> dict[str, Any]:
    from arpad.office.inbox.entrant_decisions import matched_entrant

    return {**document(matched_entrant(match)), "registered": detail.names.get(match.player or 0)}


def _entry_document(entry: ReportEntry) -> dict[str, Any]:
    return {
        "at": entry.act.at, "author": entry.act.author, "reason": entry.act.reason,
        "status": entry.status or None, "decision": entry.decision.kind if entry.decision else None,
        "facts": dict(entry.facts), "revoked": entry.revoked, "replaced_by": entry.replaced_by,
    }  # fmt: skip


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
