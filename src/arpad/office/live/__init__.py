"""Live lists: what would be published now."""
