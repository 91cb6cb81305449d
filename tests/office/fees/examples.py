"""Values with which the acts and queries of fees work in the office of the demo."""

from typing import Any

from arpad.office.fees.acts import issue_invoice, pay_invoice, set_fee_table
from arpad.office.office import Office

TABLE = 'currency = "EUR"\n[[fee]]\nname = "Rating fee"\nper = "player"\namount = "1.00"\n'

GIVEN: dict[str, dict[str, Any]] = {
    "fee set-table": {"table": TABLE},
    "fee account": {"year": 2024},
    "fee account-csv": {"year": 2024},
    "fee invoice": {"report": 4, "language": "en"},
    "fee reopen": {"number": "2025/2"},
}


def prepare(office: Office) -> None:
    """Keep a table, and issue two invoices, of which the second is paid."""
    set_fee_table(office, TABLE)
    for report in (1, 2):
        issue_invoice(office, report, to=["Circolo di Bellariva"])
    pay_invoice(office, "2025/2")
