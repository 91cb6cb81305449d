"""Step 5: a list as files. Text, FIDE formats, PDF, and the bundle that proves it."""
