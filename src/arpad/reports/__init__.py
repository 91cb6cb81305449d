"""Step 1: what an arbiter sends. The report, the facts about its event, and the file formats."""
