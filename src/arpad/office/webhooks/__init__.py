"""Programs that are told of changes."""
