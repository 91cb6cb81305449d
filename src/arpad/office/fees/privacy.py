"""What invoices hold about a person."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from arpad.office.fees.rows import load_invoices
from arpad.office.proof.erased_texts import PersonalTexts


def held_about(connection: Connection, person: PersonalTexts) -> dict[str, Any]:
    """Return the invoices that are addressed to a person."""
    addressed = [
        {"number": it.number, "day": it.day, "recipient": it.content["recipient"]}
        for it in load_invoices(connection)
        if person.without_names(text := "\n".join(it.content["recipient"])) != text
    ]
    return {"invoices": addressed}
