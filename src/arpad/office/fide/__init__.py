"""What the office exchanges with FIDE: reference lists, guests, reports, the reconciliation."""
