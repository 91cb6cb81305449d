"""Receipts for reports that a token's user submitted, for programs."""

from __future__ import annotations

from arpad.model.errors import BadInput
from arpad.office.office import Office
from arpad.office.proof.checkpoints import receipt
from arpad.web.api.schemas import ReceiptOut


def receipt_out(office: Office, report: int) -> ReceiptOut | None:
    """Return the receipt for a report; None if the office has no key, or a name was erased from the act."""
    try:
        document = receipt(office, report).document()
    except BadInput as error:
        if error.code not in ("signing-key-missing", "receipt-erased"):
            raise
        return None
    return ReceiptOut(**document)
