"""The federation's fees: its table, the account of a year, invoices."""
