"""Who is who: duplicates, merges, aliases, schemes of numbers."""
