"""Step 3: one event rated. Counting, previews of a report, calculators."""
