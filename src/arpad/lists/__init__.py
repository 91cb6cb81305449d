"""Step 4: one list computed, from its inputs to the rows that are published."""
