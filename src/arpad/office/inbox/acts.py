"""The inbox: reports are submitted and accepted, alone or together, and officers say who their entrants are."""

from __future__ import annotations

from arpad.office.inbox.accept import accept, accept_reports
from arpad.office.inbox.entrant_decisions import decide_entrants, matches
from arpad.office.inbox.join_stages import join_stages

__all__ = ["accept", "accept_reports", "decide_entrants", "join_stages", "matches"]
