"""The matches of a report's entrants as JSON documents, for the command line and the API."""

from __future__ import annotations

from typing import Any

from arpad.model.people import birth_year
from arpad.office.inbox.match_players import Match
from arpad.reports.entrant_match import Candidate, Outcome


def match_document(match: Match) -> dict[str, Any]:
    """Return an entrant with the outcome, the player if it is certain, and the candidates."""
    entrant = match.entrant
    return {
        "number": entrant.number, "name": entrant.name, "federation": entrant.federation,
        "born": birth_year(entrant.born), "title": entrant.title, "rating": entrant.rating, "id": entrant.id,
        "outcome": str(match.outcome), "decided": match.decided,
        "player": None if match.outcome == Outcome.DOUBTFUL else match.player,
        "candidates": [candidate_document(candidate) for candidate in match.candidates],
    }  # fmt: skip


def candidate_document(candidate: Candidate) -> dict[str, Any]:
    """Return a candidate, with only the year of birth."""
    return {
        "player": candidate.player or None, "fide": candidate.fide or None, "name": candidate.name,
        "federation": candidate.federation, "born": birth_year(candidate.born),
        "title": candidate.title, "rating": candidate.rating, "score": candidate.score,
        "reasons": list(candidate.reasons),
    }  # fmt: skip
