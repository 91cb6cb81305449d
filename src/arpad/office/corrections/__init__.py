"""Correct published lists, and take back a publication."""
