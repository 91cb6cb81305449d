"""Reports that come in: read, matched, checked, accepted."""
