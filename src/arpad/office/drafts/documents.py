"""The draft of a list as a JSON document, for the command line and the API."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arpad.office.drafts.acts import Draft


def draft_document(draft: Draft) -> dict[str, Any]:
    """Return the draft: its digests, who moves and enters, and everything that is left out."""
    inputs, closed = draft.inputs, draft.result
    return {
        "list": str(inputs.on_list), "date": str(inputs.day), "number": inputs.number, "edition": inputs.edition,
        "digest": closed.digest, "inputs_digest": draft.inputs_digest, "special": draft.special,
        "players": closed.listed, "events": [filed.id for filed in draft.reports],
        "movements": [{"player": p, "before": b, "after": a, "change": a - b} for p, b, a in closed.movements],
        "entered": list(closed.entered), "delisted": list(closed.delisted),
        "pending": [{"player": p, "reason": reason} for p, reason in closed.pending],
        "left_out": [{"report": left.report.id, "reason": left.reason} for left in draft.left_out],
        "guests": [asdict(guest) for guest in draft.guests],
    }  # fmt: skip
