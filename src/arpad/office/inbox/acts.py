"""The inbox: reports are submitted and accepted, alone or together, and officers say who their entrants are."""

from __future__ import annotations

from arpad.office.inbox.accept import accept, accept_reports
from arpad.office.inbox.entrant_decisions import decide_entrants, matches
from arpad.office.inbox.join_stages import join_stages
from arpad.office.inbox.report_queries import (
    get_report,
    get_report_receipt,
    list_clean_reports,
    list_inbox,
    list_own_reports,
    preview_report,
    show_report,
)

__all__ = [
    "accept",
    "accept_reports",
    "decide_entrants",
    "get_report",
    "get_report_receipt",
    "join_stages",
    "list_clean_reports",
    "list_inbox",
    "list_own_reports",
    "matches",
    "preview_report",
    "show_report",
]
