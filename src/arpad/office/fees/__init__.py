"""The federation's fees: its table, the account of a year, invoices."""

PARTS = {
    "held_about": "rows",
}
