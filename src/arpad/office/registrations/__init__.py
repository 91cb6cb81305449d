"""Tournaments registered before they start, and their deadlines."""
